//! The routes of people who signed in, and of tools by their names.

use serde_json::{Value, json};

use super::others::closed;
use super::{CALLS, parameter, reference, responses};
use crate::desk::{DESK, Desk, Sends};

/// Every path with its method and its operation.
pub(super) fn operations() -> impl Iterator<Item = (&'static str, &'static str, Value)> {
    DESK.iter().map(|it| (it.path, it.method, operation(it)))
}

fn operation(route: &Desk) -> Value {
    let path = route.path.replace("/v1", "").replace(['{', '}'], "");
    let text = json!({ "type": "string" });
    let names = route.path.split('{').skip(1).filter_map(|it| it.strip_suffix('}'));
    let parameters: Value = names.map(|name| parameter(name, "path", &text)).collect();
    let problems = [route.problems, CALLS].concat();
    let failure = if let Sends::Arguments = route.sends { "refusal" } else { "failure" };
    let mut operation = json!({
        "operationId": format!("{}{}", route.method, path.replace('/', "_")),
        "summary": route.summary,
        "parameters": parameters,
        "responses": responses("application/json", &(route.shape)(), (failure, &problems)),
    });
    if let (Some((required, body)), Some(members)) = (body(&route.sends), operation.as_object_mut())
    {
        let content = json!({ "application/json": { "schema": body } });
        let body = json!({ "required": required, "content": content });
        members.insert("requestBody".to_owned(), body);
    }
    operation
}

/// Whether something has to be sent, and its schema.
fn body(sends: &Sends) -> Option<(bool, Value)> {
    match sends {
        Sends::Nothing => None,
        Sends::Texts(texts) => {
            let text = |about: &str| json!({ "type": "string", "description": about });
            let texts = texts.iter().map(|(name, about)| ((*name).to_owned(), text(about)));
            Some((true, object(&Value::Object(texts.collect()))))
        }
        Sends::Arguments => {
            Some((false, json!({ "type": "object", "description": "The arguments." })))
        }
    }
}

/// An object with these members, each of which is there.
fn object(properties: &Value) -> Value {
    let names: Vec<&String> = properties.as_object().into_iter().flat_map(|it| it.keys()).collect();
    json!({
        "type": "object",
        "required": names,
        "properties": properties,
        "additionalProperties": false,
    })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn flag(about: &str) -> Value {
    json!({ "type": "boolean", "description": about })
}

fn time() -> Value {
    json!({ "type": "integer", "description": "Milliseconds since 1970." })
}

fn list(item: &Value) -> Value {
    json!({ "type": "array", "items": item })
}

pub(crate) fn waiting_calls() -> Value {
    let said = object(&json!({
        "at": time(),
        "person": text(),
        "word": { "enum": ["approve", "refuse", "confirm", "decline"] },
    }));
    let waiting = object(&json!({
        "approves": flag("Whether the caller may approve or refuse it."),
        "confirms": flag("Whether it is the caller's own, to confirm or to decline."),
        "hash": { "type": "string", "description": "Stands for everything in `shown`." },
        "request": text(),
        "said": list(&said),
        "shown": { "type": "object", "description": "The call as a person sees it." },
    }));
    let finding = object(&json!({
        "event": text(), "found_at": time(), "role": text(), "tool": text(), "verdict": text(),
    }));
    closed(json!({
        "findings": list(&finding),
        "names": { "type": "object", "additionalProperties": text() },
        "person": text(),
        "roles": list(&text()),
        "waiting": list(&waiting),
        "workspace": text(),
    }))
}

pub(crate) fn said() -> Value {
    closed(json!({ "request": text(), "word": text() }))
}

pub(crate) fn decided() -> Value {
    closed(json!({ "event": text() }))
}

pub(crate) fn switches() -> Value {
    let stop = object(&json!({
        "lift_asked": flag("Whether an administrator asked for it to be lifted."),
        "reason": text(),
        "set_at": time(),
        "set_by": text(),
        "target": text(),
    }));
    closed(json!({ "file": list(&text()), "stops": list(&stop) }))
}

pub(crate) fn stopped() -> Value {
    closed(json!({ "stopped": text() }))
}

pub(crate) fn lifted() -> Value {
    closed(json!({ "lifted": flag("Whether it is lifted now."), "target": text() }))
}

pub(crate) fn tools() -> Value {
    let schema = || json!({ "type": "object" });
    let tool = object(&json!({
        "annotations": { "type": "object", "additionalProperties": { "type": "boolean" } },
        "description": text(),
        "input_schema": schema(),
        "name": text(),
        "output_schema": schema(),
        "title": text(),
    }));
    closed(json!({ "tools": list(&tool) }))
}

/// Each tool says itself what it answers.
pub(crate) fn called() -> Value {
    json!({ "type": "object", "properties": { "ok": { "const": true } }, "required": ["ok"] })
}

/// A failure of any tool, those of other servers among them.
pub(super) fn refusal() -> Value {
    json!({
        "type": "object",
        "properties": {
            "error": {
                "type": "object",
                "properties": {
                    "code": text(),
                    "details": { "type": "object", "description": "What helps, by the code." },
                    "docs": text(),
                    "message": text(),
                    "reference": text(),
                    "user_message": { "type": "string", "description": "For the person." },
                },
                "required": ["code", "docs", "message"],
            },
            "ok": { "const": false },
            "versions": reference("versions"),
        },
        "required": ["error", "ok", "versions"],
        "additionalProperties": false,
    })
}
