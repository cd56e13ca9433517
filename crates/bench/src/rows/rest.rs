//! Checks over REST.

use std::sync::Arc;

use assay_http::HttpSettings;
use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::post as on_post;

use crate::failure::{Failure, same};
use crate::http::{Loopback, post};
use crate::measure::Effort;
use crate::ours::{check_arguments, service, store, words};
use crate::policy::Policy;
use crate::report::{Bar, Group, Report, Unit};

const JSON: [(axum::http::HeaderName, &str); 1] = [(CONTENT_TYPE, "application/json")];

pub(crate) fn measure(effort: &Effort) -> Result<Report, Failure> {
    let policy = Policy::new(4);
    let facts = policy.facts();
    let service = service()?;
    let arguments = check_arguments(store(&service, &policy.dsail())?, &facts.to_json());

    let loopback = Loopback::new()?;
    let request = |address| post(address, "/v1/check", "", &arguments);
    let door = assay_rest::router(Arc::clone(&service), &HttpSettings::default());
    let ours = loopback.serve("assay", door, request)?;
    let answer = loopback.ask(&ours)?.body;
    same("assay", &words(&answer)?, &policy.right(facts))?;
    let handler = async |body: Bytes| (JSON, body);
    let echo = Router::new().route("/v1/check", on_post(handler));
    let echo = loopback.serve("axum, the request echoed", echo, request)?;
    let answer = Bytes::from(answer);
    let length = answer.len();
    let handler = async move |_: Bytes| (JSON, answer.clone());
    let constant = Router::new().route("/v1/check", on_post(handler));
    let constant = loopback.serve("axum, our answer as a constant", constant, request)?;

    let figures = loopback.race(effort, &[ours, echo, constant])?;
    let group = Group::new("32 connections", Unit::Rate, figures);
    let echo = group.figure("axum, the request");
    let bars =
        vec![Bar::lead("first bar", &group, echo, 0.6), Bar::lead("goal", &group, echo, 0.85)];
    let note = format!(
        "the request's body has {} bytes and our answer {length}; the load generator runs on the same cores",
        arguments.len()
    );
    Ok(Report { groups: vec![group], bars, notes: vec![note] })
}
