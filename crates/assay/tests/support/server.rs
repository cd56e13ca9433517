//! A running server whose every line on standard error is kept.
#![expect(clippy::unwrap_used, reason = "a test ends where its setting fails")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

const PATIENCE: Duration = Duration::from_secs(30);

/// A server, ended with the test.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
    lines: Receiver<String>,
}

impl Server {
    /// Starts `command`, which serves on a free port, and waits for its launch line.
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            stderr.lines().map_while(Result::ok).try_for_each(|it| sender.send(it))
        });
        let mut server = Self { child, address: String::new(), lines };
        while server.address.is_empty() {
            let line = server.lines.recv_timeout(PATIENCE).unwrap();
            let address = line.split_once("http://").and_then(|it| it.1.split_once(' '));
            server.address = address.map(|it| it.0.to_owned()).unwrap_or_default();
        }
        server
    }

    /// The next line on standard error.
    pub(crate) fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).unwrap()
    }

    /// The lines on standard error that nobody read yet.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.try_iter().collect()
    }

    /// The body of the answer to a message.
    pub(crate) fn post(&self, path: &str, headers: &str, body: &Value) -> Value {
        let (body, host) = (body.to_string(), &self.address);
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{headers}\
             content-type: application/json\r\naccept: application/json, text/event-stream\r\n\
             content-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
