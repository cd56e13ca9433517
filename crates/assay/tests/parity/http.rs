//! The doors over HTTP: one server for MCP in both eras and for REST.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::ROUNDS;
use crate::call::Call;
use crate::mcp::{self, Era, INITIALIZE};
use crate::process::{Running, Scratch, assay};
use crate::seen::{Answer, Door, Seen};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server on a port of its own.
pub(crate) struct Server {
    /// Address and port.
    authority: String,
    _process: Running,
}

/// A response with its body as it came.
pub(crate) struct Response {
    status: u16,
    pub(crate) body: String,
}

pub(crate) fn replay(calls: &[Call], scratch: &Scratch, threads: &str) -> Vec<Seen> {
    let server = Server::start(scratch, threads);
    let mut seen = Vec::new();
    for round in 1..=ROUNDS {
        for (place, call) in calls.iter().enumerate() {
            for (door, answer) in answers(&server, call) {
                let door = format!("{door} with {threads} threads, round {round}");
                seen.push(Seen { call: place, door, answer });
            }
        }
    }
    seen
}

/// What each door of the server answers.
fn answers(
    server: &Result<Server, String>,
    call: &Call,
) -> Vec<(&'static str, Result<Answer, String>)> {
    let ask = |answer: &dyn Fn(&Server) -> Result<Answer, String>| match server {
        Ok(server) => answer(server),
        Err(problem) => Err(problem.clone()),
    };
    let mut answers = Vec::new();
    if call.goes_through(Door::Mcp) {
        answers.push(("HTTP 2025-11-25", ask(&|it| it.mcp(Era::Initialized, call))));
        answers.push(("HTTP 2026-07-28", ask(&|it| it.mcp(Era::Stateless, call))));
    }
    if call.goes_through(Door::Rest) {
        answers.push(("REST", ask(&|it| it.rest(call))));
        if let Some(hash) = call.as_path() {
            answers.push(("REST by path", ask(&|it| it.rest_by_path(call, &hash))));
        }
    }
    answers
}

impl Server {
    fn start(scratch: &Scratch, threads: &str) -> Result<Self, String> {
        Self::start_in(scratch, &format!("serve with {threads} threads"), threads)
    }

    /// A server on the data folder of this name.
    pub(crate) fn start_in(scratch: &Scratch, name: &str, threads: &str) -> Result<Self, String> {
        let mut process = assay();
        process.args(["serve", "--http", "127.0.0.1:0", "--data"]);
        process.arg(scratch.join(name));
        process.env("ASSAY_SOLVER_THREADS", threads).stdin(Stdio::null()).stderr(Stdio::piped());
        let mut process = Running(process.spawn().map_err(|it| it.to_string())?);
        let errors = process.0.stderr.take().ok_or("there is no standard error")?;
        let mut errors = BufReader::new(errors);
        let mut launch = String::new();
        errors.read_line(&mut launch).map_err(|it| it.to_string())?;
        // What comes later is read, so that the server never waits for a reader.
        thread::spawn(move || errors.lines().count());
        let rest = launch.split_once("http://").map(|it| it.1);
        let authority = rest.and_then(|it| it.split_whitespace().next());
        let authority = authority.ok_or_else(|| format!("no address in `{launch}`"))?.to_owned();
        let server = Self { authority, _process: process };
        let hello = server.post("/mcp", MCP_2025, INITIALIZE)?;
        if !hello.body.contains(r#""protocolVersion":"2025-11-25""#) {
            return Err(format!("the handshake failed: {}", hello.body));
        }
        Ok(server)
    }

    fn mcp(&self, era: Era, call: &Call) -> Result<Answer, String> {
        self.compile(call)?;
        let named =
            format!("{MCP_2026}Mcp-Method: tools/call\r\nMcp-Name: {}\r\n", call.tool.as_str());
        let headers = match era {
            Era::Initialized => MCP_2025,
            Era::Stateless => &named,
        };
        let response = self.post("/mcp", headers, &era.call(7, &call.tool, &call.arguments))?;
        mcp::answer(7, &response.body)
    }

    fn rest(&self, call: &Call) -> Result<Answer, String> {
        self.compile(call)?;
        let path = match call.tool.as_str() {
            "dsail_compile" => "/v1/compile",
            "dsail_check" => "/v1/check",
            "dsail_get_prompt_pack" => "/v1/prompt-pack",
            tool => return Err(format!("no route is known for `{tool}`")),
        };
        Ok(self.post(path, "", &call.arguments)?.payload())
    }

    fn rest_by_path(&self, call: &Call, hash: &str) -> Result<Answer, String> {
        self.compile(call)?;
        Ok(self.send(&format!("GET /v1/prompt-pack/{hash}"), "", "")?.payload())
    }

    fn compile(&self, call: &Call) -> Result<(), String> {
        call.before.iter().try_for_each(|it| self.post("/v1/compile", "", it).map(drop))
    }

    pub(crate) fn post(&self, path: &str, headers: &str, body: &str) -> Result<Response, String> {
        self.send(&format!("POST {path}"), headers, body)
    }

    /// One request on a connection of its own.
    pub(crate) fn send(&self, line: &str, headers: &str, body: &str) -> Result<Response, String> {
        let exchange = || -> std::io::Result<Vec<u8>> {
            let mut stream = TcpStream::connect(&self.authority)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            let head = format!(
                "{line} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
                 Content-Length: {}\r\n{headers}\r\n",
                self.authority,
                body.len()
            );
            stream.write_all(&[head.as_bytes(), body.as_bytes()].concat())?;
            let mut response = Vec::new();
            stream.read_to_end(&mut response)?;
            Ok(response)
        };
        Response::read(exchange().map_err(|it| it.to_string())?)
    }
}

pub(crate) const MCP_2025: &str =
    "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n";
pub(crate) const MCP_2026: &str =
    "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n";

impl Response {
    fn read(bytes: Vec<u8>) -> Result<Self, String> {
        let text = String::from_utf8(bytes).map_err(|it| it.to_string())?;
        let (head, body) = text.split_once("\r\n\r\n").ok_or("the response has no head")?;
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().to_owned())
        });
        if length != Some(body.len().to_string()) {
            return Err(format!("{} bytes came where {length:?} were told", body.len()));
        }
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
        Ok(Self { status: status.ok_or("the response has no status")?, body: body.to_owned() })
    }

    /// The body as a payload.
    pub(crate) fn payload(self) -> Answer {
        Answer::Payload { text: self.body, failed: Some(self.status != 200), structured: None }
    }
}
