//! What is answered where: the table that serves and documents every tool, and the pages.

use std::sync::Arc;

use assay_core::{Code, Reply, Service};
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, get, on};
use http::{HeaderValue, StatusCode, header};

use crate::guard::{self, Guard};
use crate::{RestSettings, call, openapi, pages};

/// One route of a tool.
#[derive(Debug)]
pub(crate) struct Route {
    /// The method in lower case, as the description of the interface has it.
    pub(crate) method: &'static str,
    /// The path; what it names in braces are parameters of the tool.
    pub(crate) path: &'static str,
    /// The tool that is called.
    pub(crate) tool: &'static str,
    /// Where the arguments come from.
    pub(crate) arguments: Arguments,
    /// The problems that a call may end with, besides those of every route.
    pub(crate) problems: &'static [Code],
}

/// Where the arguments of a call come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arguments {
    /// The body is the argument object.
    Body,
    /// Each parameter of the path is an argument.
    Path,
}

/// The routes of the tools.
pub(crate) const ROUTES: &[Route] = &[
    Route {
        method: "post",
        path: "/v1/compile",
        tool: "dsail_compile",
        arguments: Arguments::Body,
        problems: &[
            Code::BadRequest,
            Code::RulesetNotFound,
            Code::BudgetExceeded,
            Code::CompileFailed,
            Code::EngineBusy,
            Code::StoreUnavailable,
        ],
    },
    Route {
        method: "post",
        path: "/v1/check",
        tool: "dsail_check",
        arguments: Arguments::Body,
        problems: &[
            Code::BadRequest,
            Code::RulesetNotFound,
            Code::BudgetExceeded,
            Code::CompileFailed,
            Code::ValidationRejected,
            Code::EngineError,
            Code::EngineBusy,
            Code::EngineInconclusive,
            Code::StoreUnavailable,
        ],
    },
    Route {
        method: "post",
        path: "/v1/prompt-pack",
        tool: "dsail_get_prompt_pack",
        arguments: Arguments::Body,
        problems: &[
            Code::BadRequest,
            Code::RulesetNotFound,
            Code::BudgetExceeded,
            Code::CompileFailed,
            Code::StoreUnavailable,
        ],
    },
    Route {
        method: "get",
        path: "/v1/prompt-pack/{ruleset_hash}",
        tool: "dsail_get_prompt_pack",
        arguments: Arguments::Path,
        problems: &[
            Code::BadRequest,
            Code::RulesetNotFound,
            Code::CompileFailed,
            Code::StoreUnavailable,
        ],
    },
];

/// The one profile that is served.
const PROFILE: &str = "rules";

pub(crate) type Shared = Arc<Service>;

pub(crate) fn router(service: Shared, settings: RestSettings) -> Router {
    let RestSettings { hosts, origins, max_body_bytes } = settings;
    let guard = Arc::new(Guard::new(Arc::clone(&service), &hosts, &origins));
    let document = openapi::document(&service);
    let mut router = Router::new();
    for route in ROUTES {
        let filter = if route.method == "get" { MethodFilter::GET } else { MethodFilter::POST };
        let answer = move |State(service): State<Shared>, path: call::Named, request: Request| {
            call::answer(service, route, path, request.into_body(), max_body_bytes)
        };
        router = router.route(route.path, on(filter, answer));
    }
    router
        .route("/health", get(health))
        .route("/healthz", get(health))
        .route("/healthz/{profile}", get(health_of_profile))
        .route("/version", get(version))
        .route("/openapi.json", get(async move || json(StatusCode::OK, document.clone())))
        .route("/docs/{*page}", get(pages::page))
        .route("/llms.txt", get(pages::index))
        .method_not_allowed_fallback(wrong_method)
        .fallback(unknown_path)
        .layer(from_fn_with_state(guard, guard::check))
        .with_state(service)
}

async fn health(State(service): State<Shared>) -> Response {
    reply(service.health())
}

async fn health_of_profile(
    State(service): State<Shared>,
    profile: Result<Path<String>, PathRejection>,
) -> Response {
    if profile.is_ok_and(|it| it.0 == PROFILE) {
        return reply(service.health());
    }
    reply(service.refusal(Code::NotFound, &format!("the only profile is `{PROFILE}`")))
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

/// A reply of the core as a response.
pub(crate) fn reply(reply: Reply) -> Response {
    let status = reply.failure.map_or(200, Code::http_status);
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = json(status, reply.body);
    if let Some(wait) = reply.retry_after_ms {
        let seconds = HeaderValue::from(wait.div_ceil(1000));
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response
}

fn json(status: StatusCode, body: impl Into<Body>) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body.into()).into_response()
}
