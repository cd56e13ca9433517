//! The door over pipes in memory, in front of a whole service.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use assay_core::{Cancel, Door, EngineSettings, Service, Settings};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio::task::JoinHandle;

use crate::{MAX_LINE, serve};

static SERVICE: LazyLock<Arc<Service>> = LazyLock::new(|| service(EngineSettings::default()));

fn service(engine: EngineSettings) -> Arc<Service> {
    Service::open(Settings { engine, ..Settings::default() }).unwrap()
}

/// A running door with both ends of its pipes.
struct Client {
    input: DuplexStream,
    output: DuplexStream,
    door: JoinHandle<std::io::Result<()>>,
}

fn start(service: &Arc<Service>) -> Client {
    let (input, read) = duplex(1024);
    let (written, output) = duplex(1024);
    let door = tokio::spawn(serve(Arc::clone(service), read, written));
    Client { input, output, door }
}

/// Every answer to `lines`, in the order in which they came; the input ends behind them.
async fn answers(lines: &[u8]) -> Vec<Value> {
    let Client { mut input, mut output, door } = start(&SERVICE);
    let lines = lines.to_vec();
    let writing = tokio::spawn(async move {
        input.write_all(&lines).await.unwrap();
        drop(input);
    });
    let mut found = String::new();
    output.read_to_string(&mut found).await.unwrap();
    writing.await.unwrap();
    door.await.unwrap().unwrap();
    found.lines().map(|it| serde_json::from_str(it).unwrap()).collect()
}

fn call(id: u32, arguments: &str) -> String {
    let params = format!(r#"{{"name":"dsail_check","arguments":{arguments}}}"#);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#) + "\n"
}

fn exact(number: u32) -> String {
    format!(
        r#"{{"source":"declare n as numeric;\nassert small {{ n < 5 }};","claims":{{"n":{number}0000000000000000000.250}}}}"#
    )
}

fn payload(arguments: &str) -> String {
    let caller = SERVICE.local(Door::Mcp).unwrap();
    let reply = SERVICE.call(&caller, "dsail_check", arguments, &Cancel::new());
    String::from_utf8(reply.body).unwrap()
}

const PING: &str = "{\"jsonrpc\":\"2.0\",\"id\":\"after\",\"method\":\"ping\"}\n";

#[tokio::test]
async fn a_bad_line_is_answered_and_the_next_one_too() {
    let mut long = vec![b'x'; MAX_LINE + 1];
    long.push(b'\n');
    let table: &[(&[u8], i64)] = &[
        (b"{\"jsonrpc\":\n", -32700),
        (b"hello\r\n", -32700),
        (b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n", -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}\n", -32700),
        (b"[1,2]\n", -32600),
        (&long, -32700),
    ];
    for (line, code) in table {
        let found = answers(&[line, PING.as_bytes()].concat()).await;
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0]["error"]["code"], *code);
        assert_eq!(found[0].get("id"), Some(&Value::Null));
        assert_eq!(found[1], json!({ "jsonrpc": "2.0", "id": "after", "result": {} }));
    }
    let shapeless = "{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"ping\"}\n";
    let found = answers(shapeless.as_bytes()).await;
    assert_eq!((&found[0]["error"]["code"], &found[0]["id"]), (&json!(-32600), &json!(7)));
}

#[tokio::test]
async fn blank_lines_and_a_missing_last_end_are_no_fault() {
    let found = answers(format!("\n \r\n{}", PING.trim_end()).as_bytes()).await;
    assert_eq!(found, [json!({ "jsonrpc": "2.0", "id": "after", "result": {} })]);
    assert!(answers(b"").await.is_empty());
}

#[tokio::test]
async fn any_first_message_is_answered() {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let table = [
        ("ping", String::new(), "/result", json!({})),
        ("server/discover", meta.to_owned(), "/result/resultType", json!("complete")),
        ("server/discover", String::new(), "/error/code", json!(-32602)),
        ("tools/list", String::new(), "/result/tools/0/name", json!("dsail_compile")),
        ("no/method", String::new(), "/error/code", json!(-32601)),
        ("tools/call", r#""name":"none""#.to_owned(), "/error/code", json!(-32602)),
        ("tools/call", r#""nam":1"#.to_owned(), "/error/code", json!(-32602)),
    ];
    for (method, members, pointer, expected) in table {
        let line = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{method}\",\"params\":{{{members}}}}}\n{PING}"
        );
        let found = answers(line.as_bytes()).await;
        let first = found.iter().find(|it| it["id"] == 1).unwrap();
        assert_eq!(first.pointer(pointer), Some(&expected), "{method} {first}");
        assert!(found.iter().any(|it| it["id"] == "after"), "{method}");
    }
}

#[tokio::test]
async fn both_eras_speak_over_one_pipe() {
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let old = call(2, &exact(1));
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name""#;
    let new = call(3, &exact(1)).replacen(r#""name""#, meta, 1);
    // The handshake is answered before the calls are sent, as clients do it.
    let Client { mut input, mut output, door } = start(&SERVICE);
    input.write_all(format!("{initialize}\n").as_bytes()).await.unwrap();
    let mut found = vec![0; 64];
    output.read_exact(&mut found).await.unwrap();
    input.write_all(format!("{initialized}\n{old}{new}").as_bytes()).await.unwrap();
    drop(input);
    output.read_to_end(&mut found).await.unwrap();
    door.await.unwrap().unwrap();
    let found = String::from_utf8(found).unwrap();
    let payload = payload(&exact(1));
    let lines: Vec<Value> = found.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    assert_eq!(lines[0]["result"]["protocolVersion"], "2025-06-18");
    for (id, kind) in [(2, None), (3, Some("complete"))] {
        let answer = lines.iter().find(|it| it["id"] == id).unwrap();
        assert_eq!(answer["result"]["content"][0]["text"], payload);
        assert_eq!(answer["result"]["resultType"].as_str(), kind);
    }
    let raw = found.matches(&format!(r#""structuredContent":{payload},"#)).count();
    assert_eq!(raw, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_calls_are_all_answered_before_the_end() {
    let lines: String = (1..=200).map(|it| call(it, &exact(it))).collect();
    let found = answers(lines.as_bytes()).await;
    assert_eq!(found.len(), 200);
    for number in 1..=200 {
        let answer = found.iter().find(|it| it["id"] == number).unwrap();
        assert_eq!(answer["result"]["content"][0]["text"], payload(&exact(number)));
    }
}

#[tokio::test]
async fn large_answers_are_flushed() {
    let rules: String = (0..1_800)
        .map(|it| format!("// The number {it} is no bound of the number n, whatever is said.\nassert rule_{it} {{ n != {it} }};\n"))
        .collect();
    let arguments = json!({ "source": format!("declare n as numeric;\n{rules}") }).to_string();
    let line = call(1, &arguments).replace("dsail_check", "dsail_compile");
    let found = answers(line.as_bytes()).await;
    let text = found[0]["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.len() > 512 * 1024, "{}", text.len());
    assert_eq!(
        serde_json::from_str::<Value>(text).unwrap(),
        found[0]["result"]["structuredContent"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_frees_the_solver_and_has_no_answer() {
    let wall_clock = Duration::from_secs(60);
    let engine = EngineSettings { workers: 1, queue: 1, resource_limit: u32::MAX, wall_clock };
    let service = service(engine);
    // Whether 114 is a sum of three cubes is not known.
    let endless = "declare x as numeric; declare y as numeric; declare z as numeric;\n\
        assert hard { Or(Not((x % 1) + (y % 1) + (z % 1) == 0), \
        Not(x * x * x + y * y * y + z * z * z == 114)) };";
    let quick = "declare x as numeric; declare y as numeric;\nassert easy { Or(x < y, x >= y) };";
    let arguments =
        |source: &str, claims: Value| json!({ "source": source, "claims": claims }).to_string();
    let unknown = || json!("unknown");
    let first = call(1, &arguments(endless, json!({"x":unknown(),"y":unknown(),"z":unknown()})));
    let second = call(2, &arguments(quick, json!({"x":unknown(),"y":unknown()})));
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let Client { mut input, mut output, door } = start(&service);
    input.write_all(first.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    input.write_all(format!("{cancel}\n{second}").as_bytes()).await.unwrap();
    drop(input);
    let mut found = String::new();
    let reading = output.read_to_string(&mut found);
    tokio::time::timeout(Duration::from_secs(20), reading).await.unwrap().unwrap();
    door.await.unwrap().unwrap();
    let answers: Vec<Value> = found.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    assert_eq!(answers.len(), 1, "{found}");
    assert_eq!(answers[0]["id"], 2);
    assert!(found.contains(r#"\"check\":\"TRUE\""#), "{found}");
}
