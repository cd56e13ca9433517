//! The MCP door over standard input and output.

mod calls;
mod forward;
mod lines;
mod transport;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use assay_core::{Lists, Service};
use assay_mcp::Handler;
use rmcp::service::{Peer, RoleServer, serve_directly};
use tokio::io::{AsyncRead, AsyncWrite};

pub use forward::{Target, forward};

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 4 * 1024 * 1024;

/// How long a change of the lists of tools may go untold.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Answers every line of `input` on `output`, until the input ends and the calls that it started
/// are answered. Dropping the future cancels them.
///
/// # Errors
/// When the task that serves fails.
pub async fn serve<R, W>(service: Arc<Service>, input: R, output: W) -> io::Result<()>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    // From before anybody can have asked for a list, so that no change after that is missed.
    let listed = (service.lists(), Arc::clone(&service));
    let handler = Handler::new(service, |extensions| extensions.get());
    let transport = transport::Lined::new(input, output);
    // No handshake is waited for: `ping`, `server/discover` and any other first message is
    // answered, and `initialize` where it comes. Nothing that is served depends on its order.
    let serving = serve_directly(handler, transport, None);
    let telling = tell(listed, serving.peer().clone());
    tokio::select! {
        ended = serving.waiting() => ended.map(drop).map_err(io::Error::other),
        () = telling => Ok(()),
    }
}

/// Tells a client of the eras with sessions whenever the lists of tools have changed: another
/// registry is in force, or something was stopped or is served again. It never ends.
async fn tell((mut known, service): (Lists, Arc<Service>), peer: Peer<RoleServer>) {
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    loop {
        ticks.tick().await;
        let looking = Arc::clone(&service);
        let Ok(lists) = tokio::task::spawn_blocking(move || looking.lists()).await else {
            continue;
        };
        if lists != known {
            known = lists;
            // Whoever has not introduced itself promised to listen to nothing.
            if peer.peer_info().is_some() {
                let _ = peer.notify_tool_list_changed().await;
            }
        }
    }
}

#[cfg(test)]
mod tests;
