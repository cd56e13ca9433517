//! What every HTTP door does alike: which hosts and origins are answered, who calls, how much is read, how a reply is sent.

mod body;
mod caller;
mod guard;
mod reply;

pub use body::{Unread, read};
pub use caller::{caller, credentials};
use guard::has_port;

pub use guard::{Guard, guarded};
pub use reply::{json, reply};

/// What a door accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpSettings {
    /// The hosts that a request may name, each with or without a port.
    pub hosts: Vec<String>,
    /// Whether a request may also name any host by its IP address. A page from elsewhere can make
    /// a name of its own point here, but not an address.
    pub any_address: bool,
    /// The origins that a browser may come from, besides pages of this server; `:*` stands for any
    /// port.
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
            any_address: false,
            origins: hosts.map(|host| format!("http://{host}:*")).to_vec(),
            max_body_bytes: 1024 * 1024,
        }
    }
}

impl HttpSettings {
    /// Answers for one more host, with or without a port, and for pages that came from there,
    /// whatever stands in front of this server.
    #[must_use]
    pub fn and_host(mut self, host: &str) -> Self {
        let port = if has_port(host) { "" } else { ":*" };
        self.origins.extend(["http", "https"].map(|scheme| format!("{scheme}://{host}{port}")));
        self.hosts.push(host.to_owned());
        self
    }
}
