//! What every HTTP door does alike: which hosts and origins are answered, who calls, how much is read, how a reply is sent.

mod caller;
mod guard;
mod reply;

use axum::body::{Body, Bytes, to_bytes};

pub use caller::{caller, credentials};
pub use guard::guarded;
pub use reply::{json, reply};

/// What a door accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpSettings {
    /// The hosts that a request may name, each with or without a port.
    pub hosts: Vec<String>,
    /// The origins that a browser may come from; `:*` stands for any port.
    pub origins: Vec<String>,
    /// The most bytes of a request body.
    pub max_body_bytes: usize,
}

impl Default for HttpSettings {
    /// This machine alone, and bodies up to 1 MiB.
    fn default() -> Self {
        let hosts = ["localhost", "127.0.0.1", "[::1]"];
        Self {
            hosts: hosts.map(str::to_owned).to_vec(),
            origins: hosts.map(|host| format!("http://{host}:*")).to_vec(),
            max_body_bytes: 1024 * 1024,
        }
    }
}

/// A whole body of at most `limit` bytes. `None` for a larger one, and for one whose sender left,
/// who reads no answer.
pub async fn read(body: Body, limit: usize) -> Option<Bytes> {
    to_bytes(body, limit).await.ok()
}
