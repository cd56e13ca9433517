//! One message to the server, its answer back. Each takes a connection of its own, so that
//! closing it gives up that message alone.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use assay_mcp::Refused;
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST};
use http::{HeaderName, HeaderValue, Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use super::head::Head;
use super::target::Target;

const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

pub(crate) struct Relay {
    target: Target,
    queue: mpsc::Sender<Vec<u8>>,
    /// The version that a handshake agreed on.
    version: Mutex<Option<String>>,
}

#[derive(Deserialize)]
struct Initialized {
    result: Agreed,
}

#[derive(Deserialize)]
struct Agreed {
    #[serde(rename = "protocolVersion")]
    version: String,
}

/// The envelope in which a door refuses what it did not read as a message.
#[derive(Deserialize)]
struct Envelope {
    error: Problem,
}

#[derive(Deserialize)]
struct Problem {
    /// A word. The errors of messages have numbers here.
    code: String,
    message: String,
}

impl Relay {
    pub(crate) fn new(target: Target, queue: mpsc::Sender<Vec<u8>>) -> Self {
        Self { target, queue, version: Mutex::default() }
    }

    /// Passes one message on and queues the lines of its answer.
    pub(crate) async fn pass(self: Arc<Self>, head: Head, line: Vec<u8>) {
        let answered = match self.ask(&head, line).await {
            Ok(response) => self.lines(&head, &response),
            Err(problem) => Err(problem.to_string()),
        };
        let lines = answered.unwrap_or_else(|problem| {
            let message = format!("no answer from `{}`: {problem}", self.target);
            let refusal = head.id.map(|id| Refused::unanswered(id, message).to_bytes());
            refusal.into_iter().collect()
        });
        for line in lines {
            // The queue is gone when nobody reads any more.
            let _ = self.queue.send(line).await;
        }
    }

    async fn ask(&self, head: &Head, line: Vec<u8>) -> io::Result<Response<Bytes>> {
        let Target { host, port, path, authorization } = &self.target;
        let stream = TcpStream::connect((host.as_str(), *port)).await?;
        if !stream.peer_addr()?.ip().is_loopback() {
            return Err(io::Error::other(format!("`{host}` is not on this machine")));
        }
        let (mut sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
        let mut request = Request::post(path)
            .header(HOST, self.target.authority())
            .header(ACCEPT, "application/json, text/event-stream")
            .header(CONTENT_TYPE, "application/json")
            .body(Full::new(Bytes::from(line)))
            .map_err(io::Error::other)?;
        for (name, value) in [
            (VERSION, self.version(head)),
            (METHOD, head.method.clone()),
            (NAME, head.name.clone()),
        ] {
            // A value that no header can bear is left out, and the server says what it lacks.
            if let Some(value) = value.and_then(|it| HeaderValue::try_from(it).ok()) {
                request.headers_mut().insert(name, value);
            }
        }
        if let Some(value) = authorization {
            request.headers_mut().insert(AUTHORIZATION, value.clone());
        }
        let exchange = async {
            let (head, body) = sender.send_request(request).await?.into_parts();
            let body = body.collect().await?.to_bytes();
            Ok::<_, hyper::Error>(Response::from_parts(head, body))
        };
        // The connection is driven here and not by a task, so that it ends with this future.
        tokio::pin!(connection);
        tokio::pin!(exchange);
        let answered = tokio::select! {
            answered = &mut exchange => answered,
            ended = &mut connection => match ended {
                // What arrived before the end is still to be read.
                Ok(()) => exchange.await,
                Err(error) => Err(error),
            },
        };
        answered.map_err(io::Error::other)
    }

    fn version(&self, head: &Head) -> Option<String> {
        let agreed = || self.version.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let opens = head.method.as_deref() == Some("initialize");
        head.version.clone().or_else(|| if opens { None } else { agreed() })
    }

    /// The messages within an answer.
    fn lines(&self, head: &Head, response: &Response<Bytes>) -> Result<Vec<Vec<u8>>, String> {
        let body = response.body();
        if !response.status().is_success()
            && let Ok(Envelope { error }) = serde_json::from_slice(body)
        {
            return Err(format!("{}: {}", error.code, error.message));
        }
        let media = response.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
        let lines = match media.unwrap_or_default().split(';').next().map(str::trim) {
            Some("application/json") => vec![body.to_vec()],
            Some("text/event-stream") => events(body),
            _ if response.status().is_success() => Vec::new(),
            _ => return Err(format!("status {}", response.status())),
        };
        if head.method.as_deref() == Some("initialize")
            && let Some(Ok(Initialized { result })) =
                lines.last().map(|it| serde_json::from_slice(it))
        {
            let mut agreed = self.version.lock().unwrap_or_else(PoisonError::into_inner);
            *agreed = Some(result.version);
        }
        Ok(lines)
    }
}

/// The data of each event of a stream that ended. The server writes one line of data for each.
fn events(body: &[u8]) -> Vec<Vec<u8>> {
    let data = body.split(|it| *it == b'\n').filter_map(|it| it.strip_prefix(b"data:"));
    data.map(<[u8]>::trim_ascii).filter(|it| !it.is_empty()).map(<[u8]>::to_vec).collect()
}
