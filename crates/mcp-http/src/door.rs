//! Around the SDK's transport: what it would alter goes past it, and what it would answer in plain
//! text is answered as a message.

use std::sync::Arc;

use assay_core::{Code, Door as CoreDoor, Service};
use assay_http::{Guard, HttpSettings, Unread, caller, json, read, reply};
use assay_mcp::{Exchange, Handler, Incoming, Refused};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use axum::routing::any;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Method, StatusCode, request};
use rmcp::model::Extensions;
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;

use crate::accept::Accept;
use crate::announce::Announcer;

struct Door {
    service: Arc<Service>,
    transport: StreamableHttpService<Handler, NeverSessionManager>,
    guard: Guard,
    announcer: Announcer,
    max_body_bytes: usize,
}

pub(crate) fn router(service: Arc<Service>, settings: &HttpSettings) -> Router {
    let max_body_bytes = settings.max_body_bytes;
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        // Hosts and origins are looked at before the SDK is asked.
        .disable_allowed_hosts()
        .with_max_request_body_bytes(max_body_bytes);
    let handler = Handler::new(Arc::clone(&service), exchange);
    let sessions = Arc::new(NeverSessionManager::default());
    let transport = StreamableHttpService::new(move || Ok(handler.clone()), sessions, config);
    let guard = Guard::new(Arc::clone(&service), settings);
    let announcer = Announcer::new();
    Router::new()
        .route("/mcp", any(answer))
        .route("/mcp/{profile}", any(answer_for_profile))
        .with_state(Arc::new(Door { service, transport, guard, announcer, max_body_bytes }))
}

/// The SDK hands the head of the HTTP request to the handler, and the exchange within it.
fn exchange(extensions: &Extensions) -> Option<&Exchange> {
    extensions.get::<request::Parts>()?.extensions.get()
}

async fn answer_for_profile(
    State(door): State<Arc<Door>>,
    profile: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    if profile.is_ok_and(|it| it.0 == door.service.profile().name()) {
        return answer(State(door), request).await;
    }
    if let Some(refusal) = door.guard.refusal(request.headers(), request.uri()) {
        return reply(refusal);
    }
    let message = format!("the only profile is `{}`", door.service.profile().name());
    reply(door.service.refusal(Code::NotFound, &message))
}

async fn answer(State(door): State<Arc<Door>>, request: Request) -> Response {
    // Asked for here and not by a layer, which would cost each call some allocations.
    if let Some(refusal) = door.guard.refusal(request.headers(), request.uri()) {
        return reply(refusal);
    }
    // Who may not call is told so before the SDK sees anything of the request.
    let (headers, extensions) = (request.headers(), request.extensions());
    let caller = match caller(&door.service, CoreDoor::Mcp, headers, extensions) {
        Ok(caller) => caller,
        Err(refusal) => return reply(refusal),
    };
    if request.method() != Method::POST || !is_json(request.headers()) {
        return door.transport.handle(request).await.map(Body::new);
    }
    let (mut head, body) = request.into_parts();
    let body = match read(body, door.max_body_bytes).await {
        Ok(body) => body,
        Err(Unread::TooLarge) => {
            let refusal = Refused::too_long(door.max_body_bytes);
            return refused(StatusCode::PAYLOAD_TOO_LARGE, &refusal);
        }
        Err(Unread::Incomplete) => {
            return refused(StatusCode::REQUEST_TIMEOUT, &Refused::incomplete());
        }
    };
    let Incoming { message, exchange, id, initializes } = match Incoming::read(&body) {
        Ok(incoming) => incoming,
        Err(refusal) => return refused(StatusCode::BAD_REQUEST, &refusal),
    };
    exchange.set_caller(caller);
    head.extensions.insert(exchange.clone());
    let accept = Accept::read(&head.headers);
    let lists = || door.service.lists();
    let due = id.as_ref().and_then(|_| door.announcer.due(&head, accept, initializes, lists));
    accept.complete(&mut head.headers);
    let request = Request::from_parts(head, Body::from(message));
    let response = door.transport.handle(request).await.map(Body::new);
    // The media type is right, so this is about the message within.
    if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return refused(StatusCode::BAD_REQUEST, &Refused::shapeless(id));
    }
    let response =
        if exchange.has_payload() { complete(response, &exchange).await } else { response };
    match due {
        Some(client) => door.announcer.announce(client, response).await,
        None => response,
    }
}

/// Puts the payload into the answer, which is in memory already.
async fn complete(response: Response, exchange: &Exchange) -> Response {
    let (head, body) = response.into_parts();
    let answer = to_bytes(body, usize::MAX).await.unwrap_or_default();
    Response::from_parts(head, Body::from(exchange.complete(answer.into())))
}

fn refused(status: StatusCode, refusal: &Refused) -> Response {
    json(status, refusal.to_bytes())
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let essence = value.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}
