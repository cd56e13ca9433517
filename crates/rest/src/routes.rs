//! What is answered where: the tools, and the pages beside them.

use std::sync::Arc;

use assay_core::{Code, Door, Service};
use assay_http::{HttpSettings, caller, guarded, json, reply};
use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use axum::routing::{MethodFilter, get, on, post};
use http::StatusCode;

use crate::desk::DESK;
use crate::table::ROUTES;
use crate::{call, desk, openapi, pages};

pub(crate) type Shared = Arc<Service>;

pub(crate) fn router(service: Shared, settings: &HttpSettings) -> Router {
    let limit = settings.max_body_bytes;
    let document = openapi::document(&service);
    let mut router = Router::new();
    for route in ROUTES {
        let answer = move |State(service): State<Shared>, path: call::Named, request: Request| {
            call::answer(service, route, path, request, limit)
        };
        router = router.route(route.path, on(filter(route.method), answer));
    }
    for route in DESK {
        let answer = move |State(service): State<Shared>, path: call::Named, request: Request| {
            desk::answer(service, route, path, request, limit)
        };
        router = router.route(route.path, on(filter(route.method), answer));
    }
    let accept = move |State(service): State<Shared>, request: Request| {
        call::accept(service, request, limit)
    };
    let router = router
        .route("/v1/invitations/accept", post(accept))
        .route("/v1/credentials/evaluation", post(evaluation))
        .route("/v1/vocabulary", get(vocabulary))
        .route("/v1/flags", get(flags))
        .route("/health", get(health))
        .route("/healthz", get(health))
        .route("/healthz/{profile}", get(health_of_profile))
        .route("/version", get(version))
        .route("/openapi.json", get(async move || json(StatusCode::OK, document.clone())))
        .route("/docs/{*page}", get(pages::page))
        .route("/llms.txt", get(pages::index))
        .route("/review", get(pages::review))
        .route("/review/{ruleset_hash}", get(pages::review))
        .route("/invitation", get(pages::invitation))
        .route("/approvals", get(pages::approvals))
        .method_not_allowed_fallback(wrong_method)
        .fallback(unknown_path)
        .with_state(Arc::clone(&service));
    guarded(router, service, settings)
}

fn filter(method: &str) -> MethodFilter {
    match method {
        "delete" => MethodFilter::DELETE,
        "get" => MethodFilter::GET,
        _ => MethodFilter::POST,
    }
}

async fn evaluation(State(service): State<Shared>) -> Response {
    let message = "this installation issues no evaluation credentials: its owner issues API keys";
    reply(service.refusal(Code::BadRequest, message))
}

async fn vocabulary(State(service): State<Shared>) -> Response {
    reply(service.vocabulary())
}

async fn flags(State(service): State<Shared>, request: Request) -> Response {
    match caller(&service, Door::Rest, request.headers(), request.extensions()) {
        Ok(_) => reply(service.flags()),
        Err(refusal) => reply(refusal),
    }
}

async fn health(State(service): State<Shared>) -> Response {
    reply(service.health())
}

async fn health_of_profile(
    State(service): State<Shared>,
    profile: Result<Path<String>, PathRejection>,
) -> Response {
    let served = service.profile().name();
    if profile.is_ok_and(|it| it.0 == served) {
        return reply(service.health());
    }
    reply(service.refusal(Code::NotFound, &format!("the only profile is `{served}`")))
}

/// Health names the versions and nothing else that changes, so both answer alike.
async fn version(State(service): State<Shared>) -> Response {
    reply(service.health())
}

async fn wrong_method(State(service): State<Shared>, request: Request) -> Response {
    let (method, path) = (request.method(), request.uri().path());
    let message = format!("`{path}` does not take the method `{method}`");
    reply(service.refusal(Code::MethodNotAllowed, &message))
}

async fn unknown_path(State(service): State<Shared>, request: Request) -> Response {
    let message = format!("there is nothing at `{}`", request.uri().path());
    reply(service.refusal(Code::NotFound, &message))
}
