//! MCP and REST over HTTP.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test ends where its setting fails")]

mod support;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use support::{EXPENSES, command, file, folder, run, run_with};

const CLAIMS: &str = r#"{"amount":"30000 USD","has_receipt":null,"category":"meals"}"#;

/// A running server, ended with the test.
struct Server {
    child: Child,
    launch: String,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Self {
        Self::run(command().args(["serve", "--http", "127.0.0.1:0", "--data"]).arg(data))
    }

    fn run(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut launch = String::new();
        BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut launch).unwrap();
        let address = launch.split_once("http://").and_then(|it| it.1.split_once(' '));
        let address = address.unwrap_or_else(|| panic!("{launch}")).0.to_owned();
        Self { child, launch, address }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// The head of a request with a body of `length` bytes that closes its connection.
    fn head(&self, method: &str, path: &str, length: usize) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             content-type: application/json\r\naccept: application/json, text/event-stream\r\n\
             content-length: {length}\r\n\r\n",
            self.address
        )
    }

    /// The status and body of an answer.
    fn request(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = self.connect();
        stream.write_all(self.head(method, path, body.len()).as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        read(stream)
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    fn ended(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(mut stream: TcpStream) -> (u16, String) {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{answer:?}"));
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap();
    (status, body.to_owned())
}

/// The messages in a body, which is one of them or a stream of events.
fn messages(body: &str) -> Vec<Value> {
    let events: Vec<&str> = body.lines().filter_map(|it| it.strip_prefix("data: ")).collect();
    let messages = if events.is_empty() { vec![body] } else { events };
    messages.into_iter().map(|it| serde_json::from_str(it).unwrap()).collect()
}

fn check_body() -> String {
    format!("{{\"claims\":{CLAIMS},\"source\":{}}}", json!(EXPENSES))
}

#[test]
fn one_port_gives_the_bytes_of_the_command_line() {
    let folder = folder("serve");
    let source = file(&folder, "expenses.dsail", EXPENSES);
    let data = folder.join("data");
    let server = Server::start(&data);
    for text in [&server.address, "profile rules", "assay.db", "/mcp", "/v1"] {
        assert!(server.launch.contains(text), "{}", server.launch);
    }
    assert_eq!(server.request("GET", "/health", "").0, 200);
    let version = run(&["version", "--json"]).stdout;
    assert_eq!(server.request("GET", "/version", ""), (200, version));
    let printed = run(&["check", &source, "--claims", CLAIMS, "--json"]).stdout;
    assert_eq!(server.request("POST", "/v1/check", &check_body()), (200, printed.clone()));
    let arguments: Value = serde_json::from_str(&check_body()).unwrap();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "dsail_check", "arguments": arguments,
    }});
    let (status, body) = server.request("POST", "/mcp", &call.to_string());
    let answer = messages(&body).pop().unwrap();
    assert_eq!((status, &answer["result"]["content"][0]["text"]), (200, &json!(printed)));
    assert_eq!(server.request("GET", "/nothing", "").0, 404);
}

#[test]
fn a_relay_gives_the_same_bytes() {
    let folder = folder("relay");
    let source = file(&folder, "expenses.dsail", EXPENSES);
    let server = Server::start(&folder.join("data"));
    let arguments: Value = serde_json::from_str(&check_body()).unwrap();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "dsail_check", "arguments": arguments,
    }});
    let url = format!("http://{}", server.address);
    let relayed =
        run_with(command().args(["stdio", "--forward", &url]), format!("{call}\n").as_bytes());
    assert_eq!((relayed.exit, relayed.stderr.as_str()), (Some(0), ""));
    // The first answer of a server that never saw this client brings news before it.
    let answer: Value = serde_json::from_str(relayed.stdout.lines().last().unwrap()).unwrap();
    let printed = run(&["check", &source, "--claims", CLAIMS, "--json"]).stdout;
    assert_eq!(answer["result"]["content"][0]["text"], json!(printed));
}

#[test]
fn the_data_survives_and_only_its_owner_reads_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let data = folder("survive").join("data");
    let body = format!("{{\"source\":{}}}", json!(EXPENSES));
    let mut server = Server::start(&data);
    let (status, compiled) = server.request("POST", "/v1/compile", &body);
    assert_eq!(status, 200, "{compiled}");
    let compiled: Value = serde_json::from_str(&compiled).unwrap();
    server.signal("-TERM");
    assert_eq!(server.ended().code(), Some(0));
    let mode = std::fs::metadata(data.join("assay.db")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let again = Server::start(&data);
    let hash = compiled["ruleset_hash"].as_str().unwrap();
    assert_eq!(again.request("GET", &format!("/v1/prompt-pack/{hash}"), "").0, 200);
}

#[test]
fn a_signal_lets_running_calls_finish() {
    for signal in ["-TERM", "-INT"] {
        let mut server = Server::start(&folder(&format!("signal{signal}")).join("data"));
        let idle = server.connect();
        let body = check_body();
        let (first, rest) = body.split_at(body.len() / 2);
        let mut running = server.connect();
        let head = server.head("POST", "/v1/check", body.len());
        let head = head.replace("connection: close", "connection: close\r\nexpect: 100-continue");
        running.write_all(head.as_bytes()).unwrap();
        // The answer to the expectation tells that the call has started.
        let mut go_on = [0; 25];
        running.read_exact(&mut go_on).unwrap();
        assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
        running.write_all(first.as_bytes()).unwrap();
        server.signal(signal);
        while TcpStream::connect(&server.address).is_ok() {
            std::thread::sleep(Duration::from_millis(10));
        }
        running.write_all(rest.as_bytes()).unwrap();
        let (status, answer) = read(running);
        assert_eq!(status, 200, "{answer}");
        assert_eq!(server.ended().code(), Some(0), "{signal}");
        drop(idle);
    }
}

/// The methods of the notifications and the ids of the answers in a body.
fn heard(body: &str) -> Vec<Value> {
    let heads = messages(body).into_iter();
    heads.map(|it| it.get("method").or(it.get("id")).unwrap().clone()).collect()
}

#[test]
fn a_client_with_an_old_list_hears_of_the_new_one_after_a_restart() {
    let data = folder("news").join("data");
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "raw", "version": "1" } });
    let opens = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let lists = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let params = json!({ "name": "dsail_list_rulesets", "arguments": {} });
    let calls = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params });
    let mut server = Server::start(&data);
    for message in [&opens, &lists, &calls] {
        let (status, body) = server.request("POST", "/mcp", &message.to_string());
        assert_eq!((status, heard(&body)), (200, vec![message["id"].clone()]), "{body}");
    }
    server.signal("-TERM");
    assert_eq!(server.ended().code(), Some(0));
    let restarted = Server::start(&data);
    let news = [
        "notifications/tools/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
    ];
    let first = news.map(Value::from).into_iter().chain([json!(3)]).collect();
    for expected in [first, vec![json!(3)]] {
        let (status, body) = restarted.request("POST", "/mcp", &calls.to_string());
        assert_eq!((status, heard(&body)), (200, expected), "{body}");
    }
}

#[test]
fn others_are_served_by_any_of_the_names_once_they_show_who_they_are() {
    let folder = folder("others");
    let token = file(&folder, "token", "a-token-of-24-characters\n");
    let mut command = command();
    command.args(["serve", "--http", "0.0.0.0:0", "--token-file", &token, "--data"]);
    command.arg(folder.join("data")).env("ASSAY_HOSTS", "assay.internal, [fd00::7]:80");
    let server = Server::run(command.env("ASSAY_PUBLIC_URL", "https://assay.example/"));
    let (_, port) = server.address.rsplit_once(':').unwrap();
    let own = format!("127.0.0.1:{port}");
    let ask = |host: &str, more: &str| {
        let mut stream = TcpStream::connect(&own).unwrap();
        let head = "GET /v1/rulesets HTTP/1.1\r\nconnection: close\r\nhost: ";
        write!(stream, "{head}{host}\r\n{more}\r\n").unwrap();
        read(stream)
    };
    let known = "authorization: Bearer a-token-of-24-characters\r\n";
    let named = ["assay.internal:8725", "assay.example", "[fd00::7]:80", "192.0.2.7:1", &own];
    for host in named {
        assert_eq!(ask(host, known).0, 200, "{host}");
        let (status, body) = ask(host, "");
        assert!(status == 401 && body.contains("CREDENTIAL_REQUIRED"), "{host} {body}");
    }
    for (host, origin, status) in [
        ("evil.example", "", 403),
        ("[fd00::7]:81", "", 200),
        ("assay.example", "origin: https://assay.example\r\n", 200),
        ("assay.example", "origin: https://evil.example\r\n", 403),
    ] {
        assert_eq!(ask(host, &format!("{known}{origin}")).0, status, "{host} {origin}");
    }
    let relay = |credential: &str| {
        let mut relay = support::command();
        relay.args(["stdio", "--forward", &format!("http://{own}")]);
        let ping = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
        run_with(relay.env("ASSAY_FORWARD_CREDENTIAL", credential), ping).stdout
    };
    assert!(relay("a-token-of-24-characters").contains("dsail_check"));
    for (credential, code) in [("", "CREDENTIAL_REQUIRED"), ("x", "CREDENTIAL_INVALID")] {
        let answer = messages(&relay(credential)).pop().unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32603)));
        assert!(answer["error"]["message"].as_str().unwrap().contains(code), "{answer}");
    }
}

#[test]
fn a_server_is_bound_to_its_profile() {
    let folder = folder("profile");
    let slice = file(&folder, "slice.json", include_str!("../../../profiles/public.json"));
    let mut serve = command();
    serve.args(["serve", "--http", "127.0.0.1:0", "--profile", &slice, "--data"]);
    let server = Server::run(serve.arg(folder.join("data")));
    assert!(server.launch.contains("with the profile slice and"), "{}", server.launch);
    assert_eq!(server.request("GET", "/healthz/slice", "").0, 200);
    assert_eq!(server.request("GET", "/healthz/rules", "").0, 404);
    let (status, body) = server.request("POST", "/v1/compile", r#"{"source":""}"#);
    assert!(status == 403 && body.contains("FACET_DENIED"), "{status} {body}");
    assert_eq!(server.request("POST", "/v1/check", &check_body()).0, 200);
}
