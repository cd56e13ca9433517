//! Every server, and the runtime on which they are spoken to.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::{oneshot, watch};

use crate::call::{Answer, Call, CallError, Definition, Sent};
use crate::circuit::State;
use crate::connection::Lifeline;
use crate::http;
use crate::route::{Route, StartError};
use crate::upstream::{Exchange, LazyClient, Upstream};

/// How often a caller is asked whether it still waits.
const POLL: Duration = Duration::from_millis(50);
/// How long connections and children have to end, when all is over.
const ENDING: Duration = Duration::from_secs(3);
const THREADS: usize = 2;
/// How long an exchange may take to end that was given up.
const LEAVING: Duration = Duration::from_secs(1);

/// The servers behind the tools. Letting go of it ends every connection and every child.
pub struct Upstreams {
    upstreams: BTreeMap<String, Upstream>,
    runtime: Option<Runtime>,
    ending: Option<watch::Sender<()>>,
    /// Closes when nothing runs in the background any more.
    ended: Mutex<Receiver<()>>,
}

impl Upstreams {
    /// Prepares to reach the servers; connects to none of them yet.
    ///
    /// # Errors
    /// A route cannot be followed, or the system gives no threads.
    pub fn new(routes: BTreeMap<String, Route>) -> Result<Self, StartError> {
        // Children need no client, and a machine without certificate authorities gives none.
        let client: LazyClient = LazyCell::new(|| {
            let fault =
                "there is no HTTP client; install the certificate authorities of the system";
            http::client().map_err(|_| fault.to_owned())
        });
        let (ending, closing) = watch::channel(());
        let (alive, ended) = channel();
        let lifeline = Lifeline::new(closing, alive);
        let upstreams = routes.into_iter().map(|(name, route)| {
            match Upstream::new(route, &client, &lifeline) {
                Ok(upstream) => Ok((name, upstream)),
                Err(fault) => Err(StartError::Route { upstream: name, fault }),
            }
        });
        let upstreams = upstreams.collect::<Result<_, _>>()?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("assay-upstream")
            .enable_all()
            .build()
            .map_err(|error| StartError::System(error.to_string()))?;
        let (runtime, ending) = (Some(runtime), Some(ending));
        Ok(Self { upstreams, runtime, ending, ended: Mutex::new(ended) })
    }

    /// Makes a call and waits for what comes of it. Nothing is sent again that a server may
    /// have acted on.
    ///
    /// # Errors
    /// There is no answer. [`CallError`] says whether the server may have acted all the same.
    pub fn call(&self, call: &Call<'_>) -> Result<Answer, CallError> {
        let sent = Sent::default();
        let upstream = self.find(call.upstream)?;
        let exchange = upstream.call(call, sent.clone())?;
        let waiting = Waiting { within: call.within, cancel: call.cancel, sent };
        self.settled(upstream, exchange, waiting)
    }

    /// What an MCP server says of each of its tools, by name. Empty for a REST interface, which lists
    /// none.
    ///
    /// # Errors
    /// The server gives no list within the time.
    pub fn definitions(
        &self,
        upstream: &str,
        within: Duration,
    ) -> Result<BTreeMap<String, Definition>, CallError> {
        let sent = Sent::default();
        let upstream = self.find(upstream)?;
        let exchange = upstream.definitions(sent.clone());
        self.settled(upstream, exchange, Waiting { within, cancel: &|| false, sent })
    }

    /// How each server is doing, by its name.
    pub fn states(&self) -> BTreeMap<String, State> {
        self.upstreams.iter().map(|(name, it)| (name.clone(), it.state())).collect()
    }

    fn find(&self, name: &str) -> Result<&Upstream, CallError> {
        self.upstreams.get(name).ok_or(CallError::UnknownUpstream)
    }

    fn settled<T: Send + 'static>(
        &self,
        upstream: &Upstream,
        exchange: Exchange<T>,
        waiting: Waiting<'_>,
    ) -> Result<T, CallError> {
        let ticket = upstream.health.admit()?;
        let result = match &self.runtime {
            Some(runtime) => waiting.wait(runtime, exchange),
            None => Err(CallError::NotSent("the upstreams are being closed".to_owned())),
        };
        ticket.settle(&result);
        result
    }
}

impl fmt::Debug for Upstreams {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Upstreams").field(&self.states()).finish()
    }
}

impl Drop for Upstreams {
    fn drop(&mut self) {
        self.upstreams.clear();
        drop(self.ending.take());
        // Nothing is ever sent: this returns when the last of them is gone, or the time is over.
        let ended = self.ended.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = ended.recv_timeout(ENDING);
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// How long, and how patiently, a caller waits.
struct Waiting<'w> {
    within: Duration,
    cancel: &'w dyn Fn() -> bool,
    sent: Sent,
}

impl Waiting<'_> {
    /// Blocks this thread. It may be a thread of another runtime, which is not entered.
    fn wait<T: Send + 'static>(
        self,
        runtime: &Runtime,
        exchange: Exchange<T>,
    ) -> Result<T, CallError> {
        if (self.cancel)() {
            return Err(CallError::Cancelled { sent: false });
        }
        let (answering, answer) = sync_channel(1);
        let (staying, left) = oneshot::channel::<()>();
        let mut staying = Some(staying);
        let (within, sent) = (self.within, self.sent.clone());
        runtime.spawn(async move {
            let result = tokio::select! {
                result = exchange => result,
                () = tokio::time::sleep(within) => Err(CallError::TimedOut { sent: sent.get() }),
                _ = left => return,
            };
            // Nobody listens where the caller gave up in this very moment.
            let _ = answering.send(result);
        });
        loop {
            match answer.recv_timeout(POLL) {
                Ok(result) => break result,
                Err(RecvTimeoutError::Timeout) if (self.cancel)() => {
                    // It may be sending in this very moment: what it sent is known once it ended.
                    drop(staying.take());
                    let given_up = |sent| Err(CallError::Cancelled { sent });
                    break match answer.recv_timeout(LEAVING) {
                        Ok(result) => result,
                        Err(RecvTimeoutError::Disconnected) => given_up(self.sent.get()),
                        Err(RecvTimeoutError::Timeout) => given_up(true),
                    };
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    break Err(CallError::Broken("the exchange failed within".to_owned()));
                }
            }
        }
    }
}
