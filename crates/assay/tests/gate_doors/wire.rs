//! Messages of the protocol as they stand on the wire, in each of its versions, and what came back.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::firm::send;
use crate::server::Server;

/// Every version of the protocol; the last one has no handshake.
pub(crate) const VERSIONS: [&str; 5] =
    ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN];
pub(crate) const MODERN: &str = "2026-07-28";

/// A message of a version, with its parameters as they are written.
fn message(version: &str, method: &str, params: &str) -> String {
    let meta = match version {
        MODERN => format!(
            r#""_meta":{{"io.modelcontextprotocol/protocolVersion":"{MODERN}","io.modelcontextprotocol/clientInfo":{{"name":"wire","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{{}}"#
        ),
        _ => r#""_meta":{"#.to_owned(),
    };
    let members = params.strip_prefix('{').and_then(|it| it.strip_suffix('}')).unwrap();
    let params = match members.strip_prefix(r#""_meta":{"#) {
        Some(members) if version == MODERN => format!("{{{meta},{members}}}"),
        Some(members) => format!("{{{meta}{members}}}"),
        None if version == MODERN => format!("{{{members},{meta}}}}}").replacen("{,", "{", 1),
        None => params.to_owned(),
    };
    format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{params}}}"#)
}

/// The parameters of a call, with its arguments as they are written.
pub(crate) fn call(tool: &str, arguments: &str) -> String {
    format!(r#"{{"arguments":{arguments},"name":"{tool}"}}"#)
}

/// The same, as a part of a trace.
pub(crate) fn traced(tool: &str, arguments: &str, traceparent: &str) -> String {
    let call = call(tool, arguments).replacen('{', ",", 1);
    format!(r#"{{"_meta":{{"traceparent":"{traceparent}"}}{call}"#)
}

/// The answer over HTTP.
pub(crate) fn over_http(
    server: &Server,
    headers: &str,
    version: &str,
    (method, params): (&str, &str),
) -> Value {
    let name = params.rsplit_once(r#""name":""#).and_then(|it| it.1.split_once('"'));
    let named = name.map(|it| format!("mcp-name: {}\r\n", it.0)).unwrap_or_default();
    let modern = format!("mcp-method: {method}\r\n{named}");
    let modern = if version == MODERN { modern.as_str() } else { "" };
    let headers = format!("{headers}mcp-protocol-version: {version}\r\n{modern}");
    let body = message(version, method, params);
    let (_, body) = send(server, "POST /mcp", &headers, &body);
    let last = body.lines().filter_map(|it| it.strip_prefix("data: ")).next_back();
    serde_json::from_str(last.unwrap_or(&body)).unwrap_or_else(|_| panic!("{version}: {body}"))
}

/// A process that is spoken to over its pipes, ended with the test.
pub(crate) struct Pipes {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    version: &'static str,
    /// The notifications that came before answers.
    pub(crate) heard: Vec<String>,
}

impl Pipes {
    /// Starts `stdio`, after the handshake of the version, which has to be agreed to.
    pub(crate) fn start(stdio: &mut Command, version: &'static str) -> Self {
        let mut child = stdio.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut pipes = Self { child, input, output, version, heard: Vec::new() };
        if version != MODERN {
            let hello = json!({
                "protocolVersion": version, "capabilities": {},
                "clientInfo": { "name": "wire", "version": "1" },
            });
            let answer = pipes.ask("initialize", &hello.to_string());
            assert_eq!(answer["result"]["protocolVersion"], version, "{answer}");
            let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            writeln!(pipes.input, "{ready}").unwrap();
        }
        pipes
    }

    /// The answer to a request.
    pub(crate) fn ask(&mut self, method: &str, params: &str) -> Value {
        writeln!(self.input, "{}", message(self.version, method, params)).unwrap();
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "{method}: it ended");
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == 7 {
                return answer;
            }
            self.heard.extend(answer["method"].as_str().map(str::to_owned));
        }
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
