//! Connections: how many, for how long, and how they end.
//!
//! Whoever sends the head of a request slowly, or opens connections and sends nothing, holds one
//! connection for a while and no more.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::Service as _;

/// What a client may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Connections at once; further ones wait to be accepted.
    pub(crate) connections: usize,
    /// How long the head of a request may take, from when the connection is free for it.
    pub(crate) head: Duration,
}

impl Limits {
    pub(crate) const DEFAULT: Self = Self { connections: 16_384, head: Duration::from_secs(30) };
}

/// The most bytes of the head of a request.
const HEAD_BYTES: usize = 32 * 1024;
/// How long to wait where no connection can be accepted, because files or memory ran out.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until `stopped`, and then until the calls that run have been answered.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stopped: impl Future<Output = ()>,
) {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head).max_buf_size(HEAD_BYTES);
    let (permits, graceful) =
        (Arc::new(Semaphore::new(limits.connections)), GracefulShutdown::new());
    tokio::pin!(stopped);
    loop {
        let next = async {
            // The semaphore is never closed, so there is always a permit in the end.
            let permit = Arc::clone(&permits).acquire_owned().await.ok();
            (permit, accept(&listener).await)
        };
        let (permit, (stream, address)) = tokio::select! {
            () = &mut stopped => break,
            next = next => next,
        };
        let router = router.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(address));
            router.clone().call(request)
        });
        let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A connection that breaks has nobody left to tell.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    graceful.shutdown().await;
}

async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, address)) => {
                // Answers are small and whole, so holding them back to fill packets costs time.
                let _ = stream.set_nodelay(true);
                return (stream, address);
            }
            // The client gave up before it was its turn.
            Err(error) if is_of_client(&error) => {}
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

fn is_of_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::Router;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};

    use super::{Limits, serve};

    async fn started(limits: Limits) -> (std::net::SocketAddr, tokio::sync::oneshot::Sender<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let router = Router::new().route("/", get(async || "ok"));
        tokio::spawn(serve(listener, router, limits, async {
            let _ = stopped.await;
        }));
        (address, stop)
    }

    async fn answer(stream: &mut TcpStream) -> String {
        stream.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
        let mut bytes = vec![0; 1024];
        let count = stream.read(&mut bytes).await.unwrap();
        String::from_utf8_lossy(&bytes[..count]).into_owned()
    }

    #[tokio::test]
    async fn a_slow_head_ends_its_connection() {
        let limits = Limits { head: Duration::from_millis(100), ..Limits::DEFAULT };
        let (address, _stop) = started(limits).await;
        let mut slow = TcpStream::connect(address).await.unwrap();
        slow.write_all(b"GET / HT").await.unwrap();
        let mut rest = Vec::new();
        let ended = tokio::time::timeout(Duration::from_secs(5), slow.read_to_end(&mut rest));
        ended.await.unwrap().unwrap();
        let mut quick = TcpStream::connect(address).await.unwrap();
        assert!(answer(&mut quick).await.starts_with("HTTP/1.1 200"));
    }

    #[tokio::test]
    async fn further_connections_wait_for_their_turn() {
        let limits = Limits { connections: 1, ..Limits::DEFAULT };
        let (address, _stop) = started(limits).await;
        let mut first = TcpStream::connect(address).await.unwrap();
        assert!(answer(&mut first).await.ends_with("ok"));
        let mut second = TcpStream::connect(address).await.unwrap();
        let waits = tokio::time::timeout(Duration::from_millis(100), answer(&mut second)).await;
        assert!(waits.is_err());
        drop(first);
        let mut bytes = [0; 15];
        second.read_exact(&mut bytes).await.unwrap();
        assert!(bytes.starts_with(b"HTTP/1.1 200"));
    }

    #[tokio::test]
    async fn stopping_closes_what_is_idle() {
        let (address, stop) = started(Limits::DEFAULT).await;
        let mut idle = TcpStream::connect(address).await.unwrap();
        assert!(answer(&mut idle).await.ends_with("ok"));
        stop.send(()).unwrap();
        let mut rest = Vec::new();
        let ended = tokio::time::timeout(Duration::from_secs(5), idle.read_to_end(&mut rest));
        ended.await.unwrap().unwrap();
        assert!(TcpStream::connect(address).await.is_err());
    }
}
