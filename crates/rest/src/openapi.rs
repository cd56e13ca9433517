//! The description of the interface, composed from what the routes and the tools say.

use std::collections::BTreeMap;

use assay_base::canonical;
use assay_core::{Code, Service, Tool};
use axum::body::Bytes;
use serde_json::{Map, Value, json};

use crate::table::{Body, ROUTES, Route};

pub(crate) mod desk;
mod others;

/// The problems that every route may end with.
const EVERYWHERE: &[Code] = &[Code::ForbiddenOrigin, Code::Internal];
/// The problems that every call of a tool may end with, besides.
const CALLS: &[Code] = &[
    Code::CredentialRequired,
    Code::CredentialInvalid,
    Code::CredentialScope,
    Code::FacetDenied,
    Code::StoreUnavailable,
];

const ABOUT: &str = "Answers questions about policy with rules. Numbers are exact: they are read \
                     and written as decimals of any length, and a fraction without finite decimals \
                     is a string such as `\"1/3\"`. Equal requests have equal answers, byte for \
                     byte.";

/// The document in canonical bytes.
pub(crate) fn document(service: &Service) -> Bytes {
    let tools = service.every_tool();
    let mut schemas = Map::new();
    for tool in tools {
        schemas.insert(format!("{}.request", tool.name), tool.input_schema().clone());
        schemas.insert(format!("{}.answer", tool.name), outcome(tool, 0));
        // Each tool fails with the same envelope.
        schemas.insert("failure".to_owned(), outcome(tool, 1));
    }
    let versions = tools.first().map(|it| outcome(it, 0)).unwrap_or_default();
    let versions = versions.pointer("/properties/versions").cloned().unwrap_or_default();
    schemas.insert("versions".to_owned(), versions);
    schemas.insert("refusal".to_owned(), desk::refusal());
    let mut paths = others::paths();
    let of_tools = ROUTES.iter().filter_map(|route| {
        let tool = tools.iter().find(|it| it.name == route.tool)?;
        Some((route.path, route.method, operation(route, tool)))
    });
    for (path, method, operation) in of_tools.chain(desk::operations()) {
        let path = paths.entry(path).or_insert_with(|| json!({}));
        if let Some(methods) = path.as_object_mut() {
            methods.insert(method.to_owned(), operation);
        }
    }
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Assay",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        // An installation on one machine may ask for no credential; any other takes either.
        "security": [{}, { "bearer": [] }, { "key": [] }],
        "paths": paths,
        "components": { "schemas": schemas, "securitySchemes": {
            "bearer": { "type": "http", "scheme": "bearer" },
            "key": { "type": "apiKey", "in": "header", "name": "x-jaxon-credential" },
        } },
    });
    Bytes::from(canonical::to_bytes(|slot| slot.json(&document)))
}

/// The schema of a success (0) or of a failure (1).
fn outcome(tool: &Tool, which: usize) -> Value {
    tool.output_schema().pointer(&format!("/oneOf/{which}")).cloned().unwrap_or_default()
}

fn operation(route: &Route, tool: &Tool) -> Value {
    let name = &tool.name;
    let answer = reference(&format!("{name}.answer"));
    let mut operation = json!({
        "summary": tool.title,
        "description": tool.description,
        "responses": responses(
            "application/json",
            &answer,
            ("failure", &[route.problems, CALLS].concat()),
        ),
    });
    if let Some(members) = operation.as_object_mut() {
        members.insert("operationId".to_owned(), Value::String(identifier(route)));
        let parameters = parameters(route, tool);
        if !parameters.is_empty() {
            members.insert("parameters".to_owned(), Value::Array(parameters));
        }
        if route.body != Body::None {
            let content = json!({ "application/json": { "schema": body(route, tool) } });
            let required = route.body == Body::Required;
            let body = json!({ "required": required, "content": content });
            members.insert("requestBody".to_owned(), body);
        }
    }
    operation
}

/// The name of the tool, with what sets a further route of it apart.
fn identifier(route: &Route) -> String {
    let first = ROUTES.iter().find(|it| it.tool == route.tool);
    match first.is_some_and(|it| std::ptr::eq(it, route)) {
        true => route.tool.to_owned(),
        false if route.path.contains('{') => format!("{}_of_path", route.tool),
        false => format!("{}_of_query", route.tool),
    }
}

/// The arguments that the path and the query hold.
fn parameters(route: &Route, tool: &Tool) -> Vec<Value> {
    let properties = tool.input_schema().get("properties").and_then(Value::as_object);
    let found = properties.into_iter().flatten().filter_map(|(key, schema)| {
        if in_path(route, key) {
            Some(parameter(key, "path", schema))
        } else {
            route.query.contains(&key.as_str()).then(|| parameter(key, "query", schema))
        }
    });
    found.collect()
}

fn in_path(route: &Route, key: &str) -> bool {
    route.path.contains(&format!("{{{key}}}"))
}

/// The argument object, without what the path holds.
fn body(route: &Route, tool: &Tool) -> Value {
    if !route.path.contains('{') {
        return reference(&format!("{}.request", tool.name));
    }
    let mut schema = tool.input_schema().clone();
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|key, _| !in_path(route, key));
    }
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|key| key.as_str().is_none_or(|key| !in_path(route, key)));
    }
    schema
}

/// A property of the argument object as a parameter of a URL, where it is always a string.
fn parameter(name: &str, place: &str, schema: &Value) -> Value {
    let mut schema = schema.clone();
    let members = schema.as_object_mut();
    let description = members.and_then(|it| {
        it.insert("type".to_owned(), json!("string"));
        it.remove("description")
    });
    json!({
        "name": name, "in": place, "required": true, "schema": schema, "description": description,
    })
}

/// What a route answers: 200 with `schema`, and its problems by their status, in the form that
/// `failure` names.
fn responses(media_type: &str, schema: &Value, (failure, problems): (&str, &[Code])) -> Value {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in problems.iter().chain(EVERYWHERE) {
        by_status.entry(code.http_status()).or_default().push(*code);
    }
    let mut responses = Map::new();
    let content = json!({ media_type: { "schema": schema } });
    responses.insert("200".to_owned(), json!({ "description": "Answered.", "content": content }));
    for (status, codes) in by_status {
        let lines = codes.iter().map(|it| format!("`{}`: {}.", it.word(), it.title()));
        let content = json!({ "application/json": { "schema": reference(failure) } });
        let response = json!({
            "description": lines.collect::<Vec<_>>().join(" "),
            "content": content,
        });
        responses.insert(status.to_string(), response);
    }
    Value::Object(responses)
}

fn reference(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}
