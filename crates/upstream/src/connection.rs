//! The one connection to an MCP server: made at the first use, kept, and made anew once it ended.

use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::{self, FusedFuture as _};
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation};
use rmcp::service::{ClientInitializeError, Peer, RunningService, RunningServiceCancellationToken};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, RoleClient, ServiceExt as _};
use tokio::sync::{Mutex as Turn, watch};
use tokio::time::timeout;

use crate::call::CallError;
use crate::child::{GRACE, Plan, Process};
use crate::circuit::now;
use crate::failure;
use crate::http::{Carrier, Target};

/// A child is started no more often than this.
const PAUSE: Duration = Duration::from_secs(1);
/// How long a handshake may take. It goes on when the call that wanted it has given up.
const HANDSHAKE: Duration = Duration::from_secs(30);
/// Requests that may be under way at once over HTTP.
const AT_ONCE: usize = 256;

/// Ties what runs in the background to the life of its owner.
#[derive(Debug, Clone)]
pub(crate) struct Lifeline {
    /// Closes when the owner goes.
    ending: watch::Receiver<()>,
    /// The owner waits until every copy of this is gone.
    _alive: Sender<()>,
}

impl Lifeline {
    pub(crate) const fn new(ending: watch::Receiver<()>, alive: Sender<()>) -> Self {
        Self { ending, _alive: alive }
    }
}

/// How to reach an MCP server.
pub(crate) enum Way {
    Child(Plan),
    Http(Target, Carrier),
}

/// An MCP server, connected or not.
pub(crate) struct Connection {
    way: Way,
    lifeline: Lifeline,
    live: Mutex<Option<Live>>,
    /// Counts the attempts that ended, so that those who waited for one share how it ended.
    attempts: AtomicU64,
    turn: Turn<Last>,
}

/// A connection that was made.
struct Live {
    peer: Peer<RoleClient>,
    stop: RunningServiceCancellationToken,
}

/// The last attempt to connect.
#[derive(Debug, Default)]
struct Last {
    began: Option<Instant>,
    failure: Option<CallError>,
}

/// What this side of a connection offers: nothing. Whatever a server asks for, it is refused.
#[derive(Debug)]
struct Client;

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let implementation = Implementation::new("assay", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), implementation)
    }
}

type Service = RunningService<RoleClient, Client>;

impl Connection {
    pub(crate) fn new(way: Way, lifeline: Lifeline) -> Self {
        let (live, attempts, turn) = (Mutex::default(), AtomicU64::new(0), Turn::default());
        Self { way, lifeline, live, attempts, turn }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.peer().is_some()
    }

    pub(crate) const fn is_http(&self) -> bool {
        matches!(self.way, Way::Http(..))
    }

    /// The connection, made where there is none.
    pub(crate) async fn open(self: &Arc<Self>) -> Result<Peer<RoleClient>, CallError> {
        if let Some(peer) = self.peer() {
            return Ok(peer);
        }
        // A task of its own: a call with little time must not break off a slow start.
        let (this, seen) = (Arc::clone(self), self.attempts.load(Ordering::Acquire));
        let attempt = tokio::spawn(async move { this.connect(seen).await });
        attempt.await.unwrap_or_else(|_| Err(not_sent("connecting was broken off")))
    }

    /// Lets go of a connection that failed, and of the child behind it.
    pub(crate) fn close(&self) {
        if let Some(live) = self.live().take() {
            live.stop.cancel();
        }
    }

    fn live(&self) -> MutexGuard<'_, Option<Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn peer(&self) -> Option<Peer<RoleClient>> {
        let live = self.live();
        live.as_ref().map(|it| &it.peer).filter(|it| !it.is_transport_closed()).cloned()
    }

    async fn connect(&self, seen: u64) -> Result<Peer<RoleClient>, CallError> {
        let mut last = self.turn.lock().await;
        if let Some(peer) = self.peer() {
            return Ok(peer);
        }
        if let (true, Some(failure)) =
            (self.attempts.load(Ordering::Acquire) != seen, &last.failure)
        {
            return Err(failure.clone());
        }
        let is_early = last.began.is_some_and(|it| now().duration_since(it) < PAUSE);
        if is_early && !self.is_http() {
            return Err(not_sent("the child was started within the last second, and is gone"));
        }
        last.began = Some(now());
        let result = self.attempt().await;
        last.failure = result.as_ref().err().cloned();
        self.attempts.fetch_add(1, Ordering::AcqRel);
        let live = result?;
        let peer = live.peer.clone();
        *self.live() = Some(live);
        Ok(peer)
    }

    async fn attempt(&self) -> Result<Live, CallError> {
        let mut process = None;
        let served = match &self.way {
            Way::Child(plan) => {
                let (child, output, input) = plan.start()?;
                process = Some(child);
                self.handshake(Client.serve((output, input))).await
            }
            Way::Http(target, carrier) => {
                let transport = StreamableHttpClientTransport::with_client(
                    carrier.clone(),
                    configuration(target),
                );
                self.handshake(Client.serve(transport)).await
            }
        };
        match served {
            Ok(service) => {
                let live =
                    Live { peer: service.peer().clone(), stop: service.cancellation_token() };
                tokio::spawn(keep(service, process, self.lifeline.clone()));
                Ok(live)
            }
            Err(error) => {
                if let Some(process) = process {
                    process.end().await;
                }
                Err(error)
            }
        }
    }

    async fn handshake(
        &self,
        serve: impl Future<Output = Result<Service, ClientInitializeError>>,
    ) -> Result<Service, CallError> {
        let mut ending = self.lifeline.ending.clone();
        tokio::select! {
            served = timeout(HANDSHAKE, serve) => match served {
                Ok(served) => served.map_err(|error| failure::of_handshake(&error)),
                Err(_) => Err(not_sent("the handshake took too long")),
            },
            _ = ending.changed() => Err(not_sent("the upstreams are being closed")),
        }
    }
}

fn not_sent(reason: &str) -> CallError {
    CallError::NotSent(reason.to_owned())
}

fn configuration(target: &Target) -> StreamableHttpClientTransportConfig {
    let headers = target.headers.iter().map(|(name, it)| (name.clone(), it.clone()));
    StreamableHttpClientTransportConfig::with_uri(target.url.as_str())
        .custom_headers(headers.collect())
        .max_concurrent_requests(AT_ONCE)
}

/// Stays with a connection until it ends, its child ends or its owner goes; then ends the rest.
async fn keep(service: Service, mut process: Option<Process>, mut lifeline: Lifeline) {
    let stop = service.cancellation_token();
    let mut over = pin!(service.waiting().fuse());
    tokio::select! {
        _ = &mut over => {}
        () = exited(&mut process) => {
            // What the child wrote before it went is still in the pipe.
            let _ = timeout(GRACE, &mut over).await;
        }
        _ = lifeline.ending.changed() => {}
    }
    stop.cancel();
    if !over.is_terminated() {
        let _ = timeout(GRACE, over).await;
    }
    if let Some(process) = process {
        process.end().await;
    }
}

async fn exited(process: &mut Option<Process>) {
    match process {
        Some(process) => process.exited().await,
        None => future::pending().await,
    }
}
