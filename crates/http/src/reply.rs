//! How a reply of the core is sent.

use assay_core::{Code, Reply};
use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, StatusCode, header};

/// A reply of the core as a response.
pub fn reply(reply: Reply) -> Response {
    let status = reply.failure.map_or(200, Code::http_status);
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = json(status, reply.body);
    if status == StatusCode::UNAUTHORIZED {
        let scheme = HeaderValue::from_static("Bearer");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
    }
    if let Some(wait) = reply.retry_after_ms {
        let seconds = HeaderValue::from(wait.div_ceil(1000));
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response
}

/// A response whose body is JSON.
pub fn json(status: StatusCode, body: impl Into<Body>) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body.into()).into_response()
}
