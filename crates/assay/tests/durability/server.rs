//! A server that is spoken to over REST.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::process::Running;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server on a port of its own.
#[derive(Debug)]
pub(crate) struct Server {
    /// Address and port; nothing where it has not said them yet.
    pub(crate) address: String,
    process: Running,
}

impl Server {
    /// Starts a server and waits for nothing.
    pub(crate) fn spawn(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        Self { address: String::new(), process: Running(command.spawn().unwrap()) }
    }

    /// Starts a server and waits until it serves.
    pub(crate) fn start(command: Command) -> Self {
        let mut server = Self::spawn(command);
        let mut errors = BufReader::new(server.process.0.stderr.take().unwrap());
        let mut launch = String::new();
        errors.read_line(&mut launch).unwrap();
        // What comes later is read, so that the server never waits for a reader.
        thread::spawn(move || errors.lines().count());
        let address = launch.split_once("http://").and_then(|it| it.1.split_once(' '));
        let address = address.unwrap_or_else(|| panic!("the server does not start: {launch}")).0;
        address.clone_into(&mut server.address);
        server
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.0.id()
    }

    /// Ends it without a warning.
    pub(crate) fn kill(&mut self) {
        self.process.0.kill().unwrap();
        self.process.0.wait().unwrap();
    }

    /// Asks it to end, and waits until it has.
    pub(crate) fn end(&mut self) {
        let id = self.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        assert!(self.process.0.wait().unwrap().success());
    }

    /// The status and the body of an answer.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        ask(&self.address, method, path, body).unwrap()
    }
}

/// The status and the body of an answer, where it came whole.
pub(crate) fn ask(
    address: &str,
    method: &str,
    path: &str,
    body: &str,
) -> io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let broken = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(broken)?;
    let length = head.lines().find_map(|it| {
        let (name, value) = it.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).ok_or_else(broken)?;
    // An answer that was cut off says nothing.
    if length == Some(body.len()) { Ok((status, body.to_owned())) } else { Err(broken()) }
}
