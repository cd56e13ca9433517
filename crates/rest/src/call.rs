//! One call of a tool.

use assay_base::canonical;
use assay_core::{Cancel, Code, Credentials, Door, Reply, Service, Started};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::RawPathParams;
use axum::extract::rejection::RawPathParamsRejection;
use axum::response::Response;

use crate::routes::{Arguments, Route, Shared, reply};

/// The parameters of a path, or that they are not UTF-8.
pub(crate) type Named = Result<RawPathParams, RawPathParamsRejection>;

pub(crate) async fn answer(
    service: Shared,
    route: &'static Route,
    path: Named,
    body: Body,
    max_body_bytes: usize,
) -> Response {
    let arguments = match route.arguments {
        Arguments::Body => read(&service, body, max_body_bytes).await,
        Arguments::Path => path
            .map(|it| named(&it))
            .map_err(|_| service.refusal(Code::BadRequest, "the path is not UTF-8")),
    };
    let arguments = match &arguments {
        Ok(bytes) => std::str::from_utf8(bytes)
            .map_err(|_| service.refusal(Code::BadRequest, "the body is not UTF-8")),
        Err(refusal) => Err(refusal.clone()),
    };
    let caller = service.caller(Door::Rest, &Credentials::default());
    let started = arguments.and_then(|it| Ok(service.start(&caller?, route.tool, it)));
    let answered = match started {
        Ok(Started::Done(done)) => done,
        Ok(Started::Work(work)) => {
            let cancel = Cancel::new();
            let _guard = CancelOnDrop(cancel.clone());
            let running = tokio::task::spawn_blocking(move || work.run(&cancel)).await;
            running.unwrap_or_else(|_| {
                service.refusal(Code::Internal, "the call ended without an answer")
            })
        }
        Err(refusal) => refusal,
    };
    reply(answered)
}

/// Cancels a call when its future is dropped because the client left; one that ended does not mind.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// A body fails to be read for its size, or because the client left, who reads no answer.
async fn read(service: &Service, body: Body, limit: usize) -> Result<Bytes, Reply> {
    to_bytes(body, limit).await.map_err(|_| {
        let message = format!("the body is larger than {limit} bytes");
        service.refusal(Code::BudgetExceeded, &message)
    })
}

/// The parameters of a path as an argument object.
fn named(path: &RawPathParams) -> Bytes {
    let bytes = canonical::to_bytes(|value| {
        value.object(|object| path.iter().for_each(|(name, it)| object.key(name).string(it)));
    });
    Bytes::from(bytes)
}
