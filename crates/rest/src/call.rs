//! One call of a tool.

use assay_core::{Cancel, Code, Door, Reply, Service, Started};
use assay_http::{Unread, caller, credentials, read, reply};
use axum::body::Bytes;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request};
use axum::response::Response;

use crate::arguments::gather;
use crate::routes::Shared;
use crate::table::Route;

/// The parameters of a path, or that they are not UTF-8.
pub(crate) type Named = Result<RawPathParams, RawPathParamsRejection>;

pub(crate) async fn answer(
    service: Shared,
    route: &'static Route,
    path: Named,
    request: Request,
    max_body_bytes: usize,
) -> Response {
    // Who may not call is told so before anything else is looked at.
    let caller = match caller(&service, Door::Rest, request.headers(), request.extensions()) {
        Ok(caller) => caller,
        Err(refusal) => return reply(refusal),
    };
    let arguments = match arguments(&service, route, path, request, max_body_bytes).await {
        Ok(arguments) => arguments,
        Err(refusal) => return reply(refusal),
    };
    let Ok(text) = std::str::from_utf8(&arguments) else {
        return reply(service.refusal(Code::BadRequest, "the body is not UTF-8"));
    };
    let answered = match service.start(&caller, route.tool, text) {
        Started::Done(done) => done,
        Started::Work(work) => {
            let cancel = Cancel::new();
            let _guard = CancelOnDrop(cancel.clone());
            blocking(&service, move || work.run(&cancel)).await
        }
    };
    reply(answered)
}

/// Accepts an invitation, which needs no credential: whoever does is nobody yet.
pub(crate) async fn accept(service: Shared, request: Request, limit: usize) -> Response {
    let (head, body) = request.into_parts();
    let body = match read(body, limit).await {
        Ok(body) => body,
        Err(problem) => return reply(unread(&service, problem, limit)),
    };
    let answering = std::sync::Arc::clone(&service);
    let answered = blocking(&service, move || {
        let text = std::str::from_utf8(&body)
            .map_err(|_| answering.refusal(Code::BadRequest, "the body is not UTF-8"));
        let credentials = credentials(&answering, &head.headers);
        match (text, credentials) {
            (Ok(text), Ok(it)) => answering.accept_invitation(Door::Rest, &it, text),
            (Err(refusal), _) | (_, Err(refusal)) => refusal,
        }
    });
    reply(answered.await)
}

pub(crate) async fn blocking(
    service: &Service,
    work: impl FnOnce() -> Reply + Send + 'static,
) -> Reply {
    let running = tokio::task::spawn_blocking(work).await;
    running.unwrap_or_else(|_| service.refusal(Code::Internal, "the call ended without an answer"))
}

/// Cancels a call when its future is dropped because the client left; one that ended does not mind.
pub(crate) struct CancelOnDrop(pub(crate) Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

async fn arguments(
    service: &Service,
    route: &Route,
    path: Named,
    request: Request,
    limit: usize,
) -> Result<Bytes, Reply> {
    let (head, body) = request.into_parts();
    let path = path.map_err(|_| service.refusal(Code::BadRequest, "the path is not UTF-8"))?;
    let body = read(body, limit).await.map_err(|it| unread(service, it, limit))?;
    gather(route, &path, head.uri.query(), body)
        .map_err(|problem| service.refusal(Code::BadRequest, &problem))
}

pub(crate) fn unread(service: &Service, problem: Unread, limit: usize) -> Reply {
    match problem {
        Unread::TooLarge => {
            let message = format!("the body is larger than {limit} bytes");
            service.refusal(Code::BudgetExceeded, &message)
        }
        Unread::Incomplete => {
            service.refusal(Code::BadRequest, "the body did not arrive whole and in time")
        }
    }
}
