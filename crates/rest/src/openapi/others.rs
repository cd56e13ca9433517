//! The routes that belong to no tool.

use assay_core::Code;
use serde_json::{Map, Value, json};

use super::{parameter, reference, responses};

/// A route that belongs to no tool.
struct Other {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    answer: Answer,
    problems: &'static [Code],
}

/// What a route answers.
#[derive(Clone, Copy)]
enum Answer {
    Health,
    Vocabulary,
    Flags,
    Membership,
    /// It always refuses.
    Refusal,
    Document,
    Page(&'static str),
}

const fn get(path: &'static str, summary: &'static str, answer: Answer) -> Other {
    Other { method: "get", path, summary, answer, problems: &[] }
}

const OTHERS: &[Other] = &[
    get("/health", "Whether the server answers", Answer::Health),
    get("/healthz", "Whether the server answers", Answer::Health),
    Other {
        problems: &[Code::NotFound],
        ..get("/healthz/{profile}", "Whether a profile is served", Answer::Health)
    },
    get("/version", "The versions of the server and its engine", Answer::Health),
    get("/v1/vocabulary", "The fields that a label may name", Answer::Vocabulary),
    Other {
        problems: super::CALLS,
        ..get("/v1/flags", "The switches of the installation", Answer::Flags)
    },
    Other {
        method: "post",
        problems: &[
            Code::BadRequest,
            Code::CredentialInvalid,
            Code::NotFound,
            Code::BudgetExceeded,
            Code::StoreUnavailable,
        ],
        ..get("/v1/invitations/accept", "Join a team by its invitation", Answer::Membership)
    },
    Other {
        method: "post",
        problems: &[Code::BadRequest],
        ..get(
            "/v1/credentials/evaluation",
            "Evaluation credentials, which this server does not issue",
            Answer::Refusal,
        )
    },
    get("/openapi.json", "This document", Answer::Document),
    Other {
        problems: &[Code::NotFound],
        ..get(
            "/docs/{page}",
            "A page of the documentation; its name may hold slashes",
            Answer::Page("text/markdown"),
        )
    },
    get("/llms.txt", "The list of the pages", Answer::Page("text/plain")),
    get("/review", "The rulesets of a workspace, for a browser", Answer::Page("text/html")),
    get("/review/{ruleset_hash}", "One ruleset, for a browser", Answer::Page("text/html")),
    get("/invitation", "Where an invitation is accepted", Answer::Page("text/html")),
    get("/approvals", "What waits for people, for a browser", Answer::Page("text/html")),
];

pub(super) fn paths() -> Map<String, Value> {
    let paths = OTHERS.iter().map(|it| (it.path.to_owned(), json!({ it.method: operation(it) })));
    paths.collect()
}

fn operation(route: &Other) -> Value {
    let letters = route.path.chars().filter(|it| it.is_ascii_alphanumeric() || *it == '{');
    let name = letters.collect::<String>().replace('{', "_");
    let names = route.path.split('{').skip(1).filter_map(|it| it.strip_suffix('}'));
    let text = json!({ "type": "string" });
    let parameters: Value = names.map(|name| parameter(name, "path", &text)).collect();
    let mut operation = json!({
        "operationId": name,
        "summary": route.summary,
        "parameters": parameters,
        "responses": answers(route),
    });
    let Some(members) = operation.as_object_mut() else { return operation };
    match route.answer {
        Answer::Membership => {
            let content = json!({ "application/json": { "schema": accepting() } });
            let body = json!({ "required": true, "content": content });
            // Somebody who is known joins as who they are, so the security stays optional.
            members.insert("requestBody".to_owned(), body);
        }
        Answer::Flags => {}
        _ => drop(members.insert("security".to_owned(), json!([]))),
    }
    operation
}

fn answers(route: &Other) -> Value {
    let media_type = match route.answer {
        Answer::Page(media_type) => media_type,
        _ => "application/json",
    };
    let mut responses = responses(media_type, &schema(route.answer), ("failure", route.problems));
    if let (Answer::Refusal, Some(members)) = (route.answer, responses.as_object_mut()) {
        members.remove("200");
    }
    responses
}

fn schema(answer: Answer) -> Value {
    let text = || json!({ "type": "string" });
    match answer {
        Answer::Health => closed(json!({})),
        Answer::Vocabulary => {
            let domain = json!({ "type": "object", "properties": { "id": text(), "name": text() },
                "required": ["id", "name"], "additionalProperties": false });
            closed(json!({
                "level_one": { "type": "array", "items": domain },
                "level_two": { "type": "array", "maxItems": 0 },
                "vocabulary_version": text(),
            }))
        }
        Answer::Flags => closed(json!({ "flags": { "type": "object" } })),
        Answer::Membership => closed(json!({
            "name": text(),
            "role": { "enum": ["owner", "admin", "member"] },
            "session": { "type": ["string", "null"] },
            "team_id": text(),
            "workspace": text(),
        })),
        Answer::Refusal | Answer::Document => json!({ "type": "object" }),
        Answer::Page(_) => text(),
    }
}

/// The schema of a success that holds `properties` and nothing else.
pub(super) fn closed(mut properties: Value) -> Value {
    if let Some(members) = properties.as_object_mut() {
        members.insert("ok".to_owned(), json!({ "const": true }));
        members.insert("versions".to_owned(), reference("versions"));
    }
    let names = properties.as_object().map(|it| it.keys().cloned().collect::<Vec<_>>());
    json!({
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": false,
    })
}

/// What whoever accepts an invitation sends.
fn accepting() -> Value {
    let text = |description: &str| json!({ "type": "string", "description": description });
    json!({
        "type": "object",
        "properties": {
            "invitation": text("The link of the invitation, or the token at its end."),
            "email": text("The address that was invited."),
            "name": text("What the other members of the team read."),
        },
        "required": ["email", "invitation", "name"],
        "additionalProperties": false,
    })
}
