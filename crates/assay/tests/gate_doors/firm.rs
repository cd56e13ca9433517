//! A firm whose doors are processes of the built command.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::back_end::{BackEnd, Behind};
use crate::office::{Office, word};
use crate::server::Server;
use crate::support::{Run, command, run_with};

/// A firm, its back end and the address of its page.
pub(crate) struct Firm {
    pub(crate) office: Office,
    /// What its doors serve.
    pub(crate) profile: &'static str,
    _back_end: Option<BackEnd>,
}

impl Firm {
    pub(crate) fn new(test: &str, behind: Behind) -> Self {
        let office = Office::new(&format!("doors-{test}"));
        let back_end = BackEnd::put(&office, behind);
        Self { office, profile: "practice", _back_end: back_end }
    }

    /// The command on the data of the firm.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command();
        command.args(arguments).env("ASSAY_DATA", &self.office.folder);
        command.env("ASSAY_REGISTRY", self.office.registry());
        command.env("ASSAY_PUBLIC_URL", "http://assay.example");
        command.env("ASSAY_SOLVER_THREADS", "1");
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        run_with(&mut self.command(arguments), b"")
    }

    /// What a command prints as JSON.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let run = self.run(arguments);
        serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {run:?}"))
    }

    /// Serves both protocols over HTTP, for callers whose key names no skill as this one.
    pub(crate) fn serve(&self, skill: Option<&str>) -> Server {
        let mut serve =
            self.command(&["serve", "--http", "127.0.0.1:0", "--profile", self.profile]);
        serve.args(skill.iter().flat_map(|it| ["--skill", it]));
        Server::start(&mut serve)
    }

    /// Has somebody say a word over REST to the call that waits under `request`, as a partner sees
    /// it.
    pub(crate) fn say(&self, server: &Server, name: &str, request: &str, said: &str) -> String {
        let listed = get(server, "/v1/approvals", &self.bearer("paula"));
        let waiting = listed["waiting"].as_array().unwrap();
        let shown = waiting.iter().find(|it| it["request"] == request);
        let hash = shown.map_or(Value::Null, |it| it["hash"].clone());
        let body = json!({ "word": said, "shown": hash });
        word(&server.post(&format!("/v1/approvals/{request}"), &self.bearer(name), &body))
    }

    /// The header by which somebody shows who they are; none for whoever is at the machine.
    pub(crate) fn bearer(&self, name: &str) -> String {
        let token = self.office.tokens.get(name);
        token.map(|it| format!("authorization: Bearer {it}\r\n")).unwrap_or_default()
    }

    /// Holds the log to the words of all governed calls, in any order: `ok`, `replayed` or the code
    /// of the gate. Each call has one record that says how it ended, no refusal counts as a
    /// success, and the log is sound. Records are written a moment after the answers.
    pub(crate) fn assert_recorded<'w>(&self, called: impl Iterator<Item = &'w str>, place: &str) {
        let mut called: Vec<&str> = called.collect();
        called.sort_unstable();
        let mut words = self.recorded();
        for _ in 0..40 {
            if words.len() >= called.len() {
                break;
            }
            thread::sleep(Duration::from_millis(50));
            words = self.recorded();
        }
        words.sort_unstable();
        assert_eq!(words, called, "{place}");
        let verified = self.run(&["audit", "verify"]);
        assert_eq!(verified.exit, Some(0), "{place}: {verified:?}");
    }

    fn recorded(&self) -> Vec<String> {
        let listed = ["audit", "list", "--json", "--limit", "1000", "--org", &self.office.org];
        let listed = self.json(&listed);
        let mut ended = BTreeSet::new();
        let records = listed["entries"].as_array().unwrap().iter().map(|it| &it["record"]);
        let governed = records.filter(|it| !it["decision"]["snapshot"].is_null());
        let ends = governed.filter(|it| it["event_type"] != "tool.dispatching");
        let word = |record: &Value| {
            let code = record["action"]["error_code"].as_str();
            let is_denied = record["event_type"] == "tool.denied";
            assert!(is_denied || record["event_type"] == "tool.invoked", "{record}");
            assert_eq!(code.is_none(), record["action"]["result"] == "success", "{record}");
            assert!(!is_denied || record["action"]["result"] == "failure", "{record}");
            assert!(ended.insert(record["event_id"].to_string()), "a second end: {record}");
            match code {
                Some(code) => code.to_owned(),
                None if record["decision"]["replay_of"].is_string() => "replayed".to_owned(),
                None => "ok".to_owned(),
            }
        };
        ends.map(word).collect()
    }

    /// How many rows of the firm a table of the back end has.
    pub(crate) fn count(&self, table: &str) -> i64 {
        self.query(&format!("SELECT count(*) FROM {table} WHERE org = ?1"))
    }

    /// How many calls the back end carried out, beside those that asked whose something is.
    pub(crate) fn carried(&self) -> i64 {
        self.query("SELECT count(*) FROM call WHERE org = ?1 AND tool <> 'owner_of'")
    }

    fn query(&self, query: &str) -> i64 {
        let database = Connection::open(self.office.folder.join("practice.db")).unwrap();
        database.query_row(query, [&self.office.org], |row| row.get(0)).unwrap()
    }
}

/// The answer to a request without a body.
pub(crate) fn get(server: &Server, path: &str, headers: &str) -> Value {
    let (_, body) = send(server, &format!("GET {path}"), headers, "");
    serde_json::from_str(&body).unwrap_or_else(|_| panic!("{path}: {body}"))
}

/// The status and the body of an answer, as they came.
pub(crate) fn send(server: &Server, line: &str, headers: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let head = format!(
        "{line} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\ncontent-length: {}\r\n{headers}\r\n",
        server.address,
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}
