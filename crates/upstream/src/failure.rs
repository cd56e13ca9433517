//! What a failure of the libraries below means for a call.
//!
//! Their own texts are not passed on: they quote addresses, headers and what servers sent.

use std::error::Error;
use std::io;

use rmcp::ServiceError;
use rmcp::service::ClientInitializeError;
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use crate::call::CallError;

/// An HTTP request that failed.
pub(crate) fn of_request(error: &reqwest::Error) -> CallError {
    if error.is_connect() {
        let reason = match cause(error) {
            Some(reason) => reason,
            None if error.is_timeout() => "it took too long".to_owned(),
            None => "its name is not found, or its certificate is not accepted".to_owned(),
        };
        CallError::NotSent(format!("no connection: {reason}"))
    } else if error.is_builder() {
        CallError::NotSent("the request cannot be written".to_owned())
    } else {
        CallError::Broken(broke("the connection", error))
    }
}

/// A request to an MCP server that failed in its library, as opposed to one that it refused.
pub(crate) fn of_exchange(error: &ServiceError) -> CallError {
    match error {
        ServiceError::TransportSend(error) => of_transport(error),
        ServiceError::TransportClosed => {
            CallError::Broken("the connection ended before the answer".to_owned())
        }
        _ => unreadable(),
    }
}

/// A handshake that failed. No call was sent yet.
pub(crate) fn of_handshake(error: &ClientInitializeError) -> CallError {
    let reason = match error {
        ClientInitializeError::TransportError { error, .. } => match of_transport(error) {
            CallError::Broken(reason) => format!("the handshake failed: {reason}"),
            other => return other,
        },
        ClientInitializeError::ConnectionClosed(_) => {
            "the handshake failed: the server ended".to_owned()
        }
        ClientInitializeError::JsonRpcError(error) => {
            format!("the server refused the handshake with code {}", error.code.0)
        }
        _ => "the handshake failed".to_owned(),
    };
    CallError::NotSent(reason)
}

pub(crate) fn unreadable() -> CallError {
    CallError::Broken("the answer cannot be read".to_owned())
}

fn of_transport(error: &DynamicTransportError) -> CallError {
    if let Some(error) = error.error.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
        return of_http(error);
    }
    // A message is a line, and a pipe that broke did not take its end.
    match error.error.downcast_ref::<io::Error>().map(io::Error::kind) {
        Some(io::ErrorKind::BrokenPipe) => {
            CallError::NotSent("the child has closed its input".to_owned())
        }
        _ => CallError::Broken(broke("the pipe", error.error.as_ref())),
    }
}

fn of_http(error: &StreamableHttpError<reqwest::Error>) -> CallError {
    match error {
        StreamableHttpError::Client(error) => of_request(error),
        StreamableHttpError::HttpStatus(error) if matches!(error.status, 429 | 503) => {
            CallError::Unavailable
        }
        StreamableHttpError::HttpStatus(error) => of_status(error.status),
        StreamableHttpError::AuthRequired(_) | StreamableHttpError::InsufficientScope(_) => {
            CallError::Unavailable
        }
        StreamableHttpError::ResponseBodyTooLarge { .. } => CallError::TooLarge,
        StreamableHttpError::SessionExpired | StreamableHttpError::ReinitializationFailed(_) => {
            CallError::NotSent("the server ended the session".to_owned())
        }
        // The library leaves every other status at the head of a text.
        StreamableHttpError::UnexpectedServerResponse(text) => {
            let status = text.strip_prefix("HTTP ").and_then(|it| it.get(..3)?.parse().ok());
            status.map_or_else(unreadable, of_status)
        }
        _ => unreadable(),
    }
}

/// A status of an MCP endpoint that is no answer. One that blames the request did not act on it.
fn of_status(status: u16) -> CallError {
    match status {
        408 => CallError::Broken("it answered with status 408".to_owned()),
        400..=499 => CallError::Unavailable,
        _ => CallError::Broken(format!("it answered with status {status}")),
    }
}

fn broke(what: &str, error: &(dyn Error + 'static)) -> String {
    cause(error).map_or_else(|| format!("{what} broke"), |it| format!("{what} broke: {it}"))
}

/// The system's word for what happened, which is about this machine and the network alone.
fn cause(error: &(dyn Error + 'static)) -> Option<String> {
    let mut at = Some(error);
    while let Some(error) = at {
        match error.downcast_ref::<io::Error>().map(io::Error::kind) {
            None => at = error.source(),
            // What resolvers and TLS say comes without a kind of its own.
            Some(kind) => return is_plain(kind).then(|| kind.to_string()),
        }
    }
    None
}

const fn is_plain(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::BrokenPipe
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::TimedOut
            | io::ErrorKind::UnexpectedEof
    )
}
