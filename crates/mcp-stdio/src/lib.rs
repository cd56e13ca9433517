//! The MCP door over standard input and output.

mod calls;
mod forward;
mod lines;
mod transport;

use std::io;
use std::sync::Arc;

use assay_core::Service;
use assay_mcp::Handler;
use rmcp::service::serve_directly;
use tokio::io::{AsyncRead, AsyncWrite};

pub use forward::{Target, forward};

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 4 * 1024 * 1024;

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
    let handler = Handler::new(service, |extensions| extensions.get());
    let transport = transport::Lined::new(input, output);
    // No handshake is waited for: `ping`, `server/discover` and any other first message is
    // answered, and `initialize` where it comes. Nothing that is served depends on its order.
    serve_directly(handler, transport, None).waiting().await.map_err(io::Error::other)?;
    Ok(())
}

#[cfg(test)]
mod tests;
