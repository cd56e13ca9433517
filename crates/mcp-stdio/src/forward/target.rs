//! Where messages are forwarded to.

use std::fmt;
use std::net::IpAddr;

use http::{HeaderValue, Uri};

/// The MCP endpoint of a server on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub(crate) host: String,
    pub(crate) port: u16,
    pub(crate) path: String,
    /// What shows the server who calls.
    pub(crate) authorization: Option<HeaderValue>,
}

impl Target {
    /// Reads the URL of an endpoint, such as `http://127.0.0.1:8725/mcp`. Without a path it is the
    /// address of a server, whose endpoint is `/mcp`.
    ///
    /// # Errors
    /// A message when it is no plain HTTP address of this machine.
    pub fn parse(url: &str) -> Result<Self, String> {
        let refused = |problem: &str| format!("`{url}` {problem}");
        let uri: Uri = url.parse().map_err(|_| refused("is no URL"))?;
        let authority = uri.authority().ok_or_else(|| refused("is no URL"))?;
        if uri.scheme_str() != Some("http") {
            return Err(refused("is not plain HTTP"));
        }
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        let address: Option<IpAddr> = host.parse().ok();
        if host != "localhost" && !address.is_some_and(|it| it.is_loopback()) {
            return Err(refused("is not on this machine"));
        }
        let path = if uri.path() == "/" { "/mcp" } else { uri.path() };
        let port = authority.port_u16().unwrap_or(80);
        Ok(Self { host, port, path: path.to_owned(), authorization: None })
    }

    /// The same endpoint for whom `credential` stands.
    ///
    /// # Errors
    /// A message when no header can bear it.
    pub fn with_credential(mut self, credential: &str) -> Result<Self, String> {
        let mut value = HeaderValue::try_from(format!("Bearer {credential}"))
            .map_err(|_| "the credential holds a character that no header can bear".to_owned())?;
        value.set_sensitive(true);
        self.authorization = Some(value);
        Ok(self)
    }

    /// Host and port as the `Host` header has them.
    pub fn authority(&self) -> String {
        let Self { host, port, .. } = self;
        if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "http://{}{}", self.authority(), self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn targets_are_on_this_machine() {
        for (url, expected) in [
            ("http://127.0.0.1:8725", "http://127.0.0.1:8725/mcp"),
            ("http://localhost", "http://localhost:80/mcp"),
            ("http://[::1]:1/mcp/rules", "http://[::1]:1/mcp/rules"),
        ] {
            assert_eq!(Target::parse(url).unwrap().to_string(), expected);
        }
        for (url, problem) in [
            ("https://127.0.0.1", "`https://127.0.0.1` is not plain HTTP"),
            ("http://localhost.example", "`http://localhost.example` is not on this machine"),
            ("http://10.0.0.1:80", "`http://10.0.0.1:80` is not on this machine"),
            ("127.0.0.1:8725", "`127.0.0.1:8725` is not plain HTTP"),
            ("/mcp", "`/mcp` is no URL"),
        ] {
            assert_eq!(Target::parse(url).unwrap_err(), problem);
        }
        let target = || Target::parse("http://localhost").unwrap();
        assert!(target().with_credential("a\nb").is_err());
        let known = target().with_credential("the-secret").unwrap();
        assert!(!format!("{known:?} {known}").contains("secret"));
    }
}
