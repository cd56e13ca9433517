//! The back end in `fixtures/practice`: every tool through every door, organisations apart, and
//! what goes wrong on purpose.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends where its setting fails"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, RequestMetaObject, RequestParamsMeta as _};
use rmcp::service::RunningService;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::{RoleClient, ServiceExt as _};
use rusqlite::Connection;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::Instant;

const OURS: &str = "org_a";
const THEIRS: &str = "org_b";

const DOORS: [&str; 3] = ["stdio", "http", "rest"];

/// The folder of the back end's sources.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/practice")
}

fn practice() -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_assay")).with_file_name("examples/practice");
    assert!(program.exists(), "run `cargo build -p assay --example practice` first");
    let mut command = Command::new(program);
    command.kill_on_drop(true);
    command
}

/// The records of the tools, by name.
fn records() -> BTreeMap<String, Value> {
    let entries = fs::read_dir(sources().join("registry/tools")).unwrap();
    let texts = entries.map(|it| fs::read_to_string(it.unwrap().path()).unwrap());
    let records = texts.map(|it| serde_json::from_str::<Value>(&it).unwrap());
    records.map(|it| (it["name"].as_str().unwrap().to_owned(), it)).collect()
}

/// Where the tools are found over REST, as the README has it.
fn routes() -> BTreeMap<String, Value> {
    let readme = fs::read_to_string(sources().join("README.md")).unwrap();
    let block = readme.split_once("```json\n").unwrap().1.split_once("```").unwrap().0;
    serde_json::from_str(block).unwrap()
}

enum Door {
    Mcp(RunningService<RoleClient, ()>),
    Rest { address: String, routes: BTreeMap<String, Value> },
}

/// What a tool answered, or that the request itself was refused or lost.
#[derive(Debug, Clone, PartialEq)]
enum Answer {
    Object { is_error: bool, value: Value },
    Text { is_error: bool, text: String },
    None,
}

/// A running back end with two organisations.
struct Backend {
    child: Child,
    door: Door,
    folder: PathBuf,
    /// The ids of what each organisation has.
    ids: BTreeMap<&'static str, Value>,
}

impl Backend {
    async fn start(door: &str, test: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("practice").join(test).join(door);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let database = folder.join("practice.db");
        let mut ids = BTreeMap::new();
        for org in [OURS, THEIRS] {
            let mut seed = practice();
            seed.args(["seed", "--org", org, "--database"]).arg(&database);
            let output = seed.output().await.unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            ids.insert(org, serde_json::from_slice(&output.stdout).unwrap());
        }
        let mut serve = practice();
        serve.arg(if door == "stdio" { "stdio" } else { "http" });
        serve.arg("--database").arg(&database).arg("--faults").arg(folder.join("faults.json"));
        let (child, door) = if door == "stdio" {
            let mut child = serve.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
            let transport = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
            (child, Door::Mcp(().serve(transport).await.unwrap()))
        } else {
            let file = folder.join("port");
            serve.args(["--listen", "127.0.0.1:0", "--port-file"]).arg(&file);
            let child = serve.stderr(Stdio::null()).spawn().unwrap();
            let port = loop {
                match fs::read_to_string(&file) {
                    Ok(port) => break port,
                    Err(_) => tokio::time::sleep(Duration::from_millis(2)).await,
                }
            };
            let address = format!("127.0.0.1:{port}");
            if door == "rest" {
                (child, Door::Rest { address, routes: routes() })
            } else {
                let url = format!("http://{address}/mcp");
                let transport = StreamableHttpClientTransport::from_uri(url);
                (child, Door::Mcp(().serve(transport).await.unwrap()))
            }
        };
        Self { child, door, folder, ids }
    }

    fn id(&self, org: &str, name: &str) -> String {
        self.ids[org][name].as_str().unwrap_or_else(|| panic!("no id of {name}")).to_owned()
    }

    fn query(&self, query: &str) -> i64 {
        let database = Connection::open(self.folder.join("practice.db")).unwrap();
        database.query_row(query, (), |row| row.get(0)).unwrap()
    }

    fn set_faults(&self, faults: &Value) {
        fs::write(self.folder.join("faults.json"), faults.to_string()).unwrap();
    }

    /// Calls a tool; `$name` in the arguments stands for an id of our organisation.
    async fn call(&self, org: Option<&str>, tool: &str, arguments: &Value) -> Answer {
        let mut arguments = arguments.as_object().unwrap().clone();
        for value in arguments.values_mut() {
            if let Some(name) = value.as_str().and_then(|it| it.strip_prefix('$')) {
                *value = self.id(OURS, name).into();
            }
        }
        match &self.door {
            Door::Mcp(client) => over_mcp(client, org, tool, arguments).await,
            Door::Rest { address, routes } => {
                over_rest(address, &routes[tool], org, arguments).await
            }
        }
    }
}

async fn over_mcp(
    client: &RunningService<RoleClient, ()>,
    org: Option<&str>,
    tool: &str,
    arguments: Map<String, Value>,
) -> Answer {
    let mut meta = Map::new();
    meta.insert("assay/idempotency-key".to_owned(), "key_1".into());
    if let Some(org) = org {
        meta.insert("assay/org_id".to_owned(), org.into());
    }
    let mut call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
    call.set_meta(RequestMetaObject::from(meta));
    let Ok(result) = client.call_tool(call).await else { return Answer::None };
    let is_error = result.is_error == Some(true);
    match result.structured_content {
        Some(value) => Answer::Object { is_error, value },
        None => {
            let text = result.content[0].as_text().unwrap().text.clone();
            Answer::Text { is_error, text }
        }
    }
}

async fn over_rest(
    address: &str,
    route: &Value,
    org: Option<&str>,
    mut arguments: Map<String, Value>,
) -> Answer {
    let method = route["method"].as_str().unwrap();
    let mut path = format!("/rest{}", route["path"].as_str().unwrap());
    for (name, value) in arguments.clone() {
        let place = format!("{{{name}}}");
        if path.contains(&place) {
            path = path.replace(&place, value.as_str().unwrap());
            arguments.remove(&name);
        }
    }
    let mut body = String::new();
    if method == "POST" {
        body = Value::Object(arguments).to_string();
    } else {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in &arguments {
            query.append_pair(name, value.as_str().unwrap());
        }
        path = format!("{path}?{}", query.finish());
    }
    let org = org.map(|it| format!("x-assay-org: {it}\r\n")).unwrap_or_default();
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{org}\
         idempotency-key: key_1\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer).await;
    let Some((head, body)) = answer.split_once("\r\n\r\n") else { return Answer::None };
    let status: u16 = head.split(' ').nth(1).unwrap().parse().unwrap();
    let is_error = status >= 400;
    if status == 400 {
        Answer::None
    } else if head.contains("application/json") {
        Answer::Object { is_error, value: serde_json::from_str(body).unwrap() }
    } else {
        Answer::Text { is_error, text: body.to_owned() }
    }
}

type Step = (String, Value, Map<String, Value>, Option<(String, String)>);

/// One call after the other: the tool, its arguments, what its answer holds at least, and which of
/// its ids is known under which name from then on.
const FLOW: &str = r#"[
    ["lookup_client", {"name": "harbour"}, {}, null],
    ["lookup_client", {"client_id": "$client"}, {}, null],
    ["check_sanctions", {"full_name": "blocked person"}, {"verdict": "flagged"}, null],
    ["check_sanctions", {"full_name": "Bo Lind"}, {"verdict": "clear", "lists": []}, null],
    ["create_client", {"full_name": "Bo Lind", "kind": "person"},
        {"full_name": "Bo Lind", "kind": "person"}, ["client_id", "bo"]],
    ["run_conflict_check", {"client_id": "$bo", "parties": ["Somebody"]},
        {"verdict": "CLEAN", "matches": []}, null],
    ["run_conflict_check", {"client_id": "$bo", "parties": ["Somebody", " concern LTD"]},
        {"verdict": "CONCERN", "matches": [{"party": "concern LTD", "verdict": "CONCERN"}]}, null],
    ["run_conflict_check", {"client_id": "$bo", "parties": ["Concern Ltd", "Adverse Corp"]},
        {"verdict": "CONFLICT"}, null],
    ["draft_engagement_letter",
        {"client_id": "$bo", "scope": "The lease", "fee_structure": "hourly"},
        {"status": "draft"}, null],
    ["create_matter", {"client_id": "$bo", "matter_type": "dispute", "fee_structure": "hourly",
        "responsible_partner_id": "usr_partner"}, {"status": "open"}, ["matter_id", "new"]],
    ["lookup_matter", {"matter_id": "$new"}, {"matter_type": "dispute", "status": "open"}, null],
    ["read_wip", {"matter_id": "$matter"},
        {"currency": "USD", "unbilled_minutes": 150, "unbilled_amount": "625.00"}, null],
    ["read_wip", {"matter_id": "$new"}, {"unbilled_minutes": 0, "unbilled_amount": "0.00"}, null],
    ["create_deadline", {"matter_id": "$new", "title": "Reply", "due_on": "2027-02-01"},
        {"due_on": "2027-02-01"}, null],
    ["upload_document", {"matter_id": "$new", "title": "Notes & \"more\"", "content": "Lease.",
        "privileged": true}, {"privileged": true}, ["document_id", "notes"]],
    ["search_documents", {"query": "LEASE"}, {}, null],
    ["search_documents", {"query": "notes & \"", "matter_id": "$new"}, {}, null],
    ["search_documents", {"query": "notes", "matter_id": "$matter"}, {"documents": []}, null],
    ["draft_email", {"matter_id": "$new", "to": ["a@example.com"], "subject": "s", "body": "b"},
        {"status": "draft"}, null],
    ["send_email", {"matter_id": "$new", "to": ["a@example.com"], "subject": "s", "body": "b"},
        {"status": "sent"}, null],
    ["initiate_signature", {"document_id": "$notes", "signers": ["a@example.com"]},
        {"status": "sent"}, null],
    ["post_notice", {"matter_id": "$new", "audience": "partners", "text": "Opened."}, {}, null],
    ["owner_of", {"kind": "document", "id": "$notes"},
        {"organisation": "org_a", "shared_with": []}, null],
    ["delete_document", {"document_id": "$notes", "reason": "Filed twice"},
        {"deleted": true}, null],
    ["owner_of", {"kind": "document", "id": "$notes"}, {}, null],
    ["delete_matter", {"matter_id": "$new", "reason": "Opened twice"}, {"deleted": true}, null]
]"#;

/// The answers of the flow, each held to what it should be and to the schemas of its tool.
async fn answers(backend: &mut Backend, records: &BTreeMap<String, Value>) -> Vec<Value> {
    let flow: Vec<Step> = serde_json::from_str(FLOW).unwrap();
    let mut answers = Vec::new();
    for (tool, arguments, expected, named) in flow {
        let answer = backend.call(Some(OURS), &tool, &arguments).await;
        let Answer::Object { is_error: false, value } = answer else {
            panic!("{tool} {arguments}: {answer:?}")
        };
        for (key, expected) in expected {
            assert_eq!(value[&key], expected, "{tool} {arguments}: {value}");
        }
        if let Some(record) = records.get(&tool) {
            for (schema, value) in [("input_schema", &arguments), ("output_schema", &value)] {
                jsonschema::draft202012::new(&record[schema])
                    .unwrap()
                    .validate(value)
                    .unwrap_or_else(|it| panic!("{tool} {schema} {value}: {it}"));
            }
        }
        if let Some((key, name)) = named {
            backend.ids.get_mut(OURS).unwrap()[name] = value[key].clone();
        }
        answers.push(value);
    }
    answers
}

/// The times in an answer, which differ between two runs.
fn without_times(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|key, _| !key.ends_with("_at"));
            members.values_mut().for_each(without_times);
        }
        Value::Array(items) => items.iter_mut().for_each(without_times),
        _ => {}
    }
}

#[tokio::test]
async fn every_tool_answers_alike_through_every_door() {
    let records = records();
    let mut seen = Vec::new();
    for door in DOORS {
        let mut backend = Backend::start(door, "flow").await;
        let mut found = answers(&mut backend, &records).await;
        found.iter_mut().for_each(without_times);
        let [calls, tools] = ["count(*)", "count(DISTINCT tool)"].map(|it| {
            let condition = "org = 'org_a' AND idempotency_key = 'key_1' AND at > 1700000000000";
            backend.query(&format!("SELECT {it} FROM call WHERE {condition}"))
        });
        assert_eq!(calls, i64::try_from(found.len()).unwrap(), "{door}");
        assert_eq!(tools, i64::try_from(records.len() + 1).unwrap(), "{door}");
        let sizes = [0, 1, 15, 16].map(|it| {
            let list = found[it].as_object().unwrap().values().next().unwrap();
            list.as_array().unwrap().len()
        });
        assert_eq!(sizes, [1, 1, 3, 1], "{door}");
        assert_eq!(found[24], json!({}), "{door}");
        let number = found[9]["matter_number"].as_str().unwrap();
        assert!(number.starts_with("20") && number.ends_with("-0002"), "{number}");
        seen.push(found);
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
}

#[tokio::test]
async fn the_tools_are_listed_as_their_records_say() {
    let records = records();
    for door in ["stdio", "http"] {
        let backend = Backend::start(door, "list").await;
        let Door::Mcp(client) = &backend.door else { panic!("no door of MCP") };
        let listed = client.list_all_tools().await.unwrap();
        let names: BTreeSet<String> = listed.iter().map(|it| it.name.to_string()).collect();
        let known: BTreeSet<String> =
            records.keys().cloned().chain(["owner_of".to_owned()]).collect();
        assert_eq!(names, known);
        for tool in listed.iter().filter(|it| it.name != "owner_of") {
            let record = &records[&*tool.name];
            assert_eq!(record["description"], *tool.description.as_ref().unwrap().as_ref());
            assert_eq!(record["input_schema"], Value::Object((*tool.input_schema).clone()));
            let output = tool.output_schema.as_deref().cloned();
            assert_eq!(record["output_schema"], output.map_or(Value::Null, Value::Object));
        }
    }
    assert_eq!(routes().len(), records.len() + 1);
}

/// Calls with ids of our organisation, which another one does not have.
const FOREIGN: &str = r#"[
    ["run_conflict_check", {"client_id": "$client", "parties": []}],
    ["draft_engagement_letter", {"client_id": "$client", "scope": "All", "fee_structure": "fixed"}],
    ["create_matter", {"client_id": "$client", "matter_type": "ip", "fee_structure": "fixed",
        "responsible_partner_id": "usr_partner"}],
    ["lookup_matter", {"matter_id": "$matter"}],
    ["delete_matter", {"matter_id": "$matter", "reason": "None"}],
    ["read_wip", {"matter_id": "$matter"}],
    ["create_deadline", {"matter_id": "$matter", "title": "Reply", "due_on": "2027-02-01"}],
    ["upload_document", {"matter_id": "$matter", "title": "a", "content": "b"}],
    ["delete_document", {"document_id": "$document", "reason": "None"}],
    ["draft_email", {"matter_id": "$matter", "to": ["a@example.com"], "subject": "s", "body": "b"}],
    ["send_email", {"matter_id": "$matter", "to": ["a@example.com"], "subject": "s", "body": "b"}],
    ["initiate_signature", {"document_id": "$document", "signers": ["a@example.com"]}],
    ["post_notice", {"matter_id": "$matter", "audience": "finance", "text": "Seen."}]
]"#;

#[tokio::test]
async fn organisations_are_apart() {
    let error = |text: &str| Answer::Object { is_error: true, value: json!({ "error": text }) };
    let found = |value: Value| Answer::Object { is_error: false, value };
    let calls: Vec<(String, Value)> = serde_json::from_str(FOREIGN).unwrap();
    for door in DOORS {
        let backend = Backend::start(door, "apart").await;
        assert_ne!(backend.ids[OURS], backend.ids[THEIRS]);
        for (tool, arguments) in &calls {
            let answer = backend.call(Some(THEIRS), tool, arguments).await;
            assert_eq!(answer, error("there is no such record"), "{door} {tool}");
            assert_eq!(backend.call(None, tool, arguments).await, Answer::None, "{door} {tool}");
        }
        let matter = json!({ "matter_id": "$matter", "query": "lease" });
        for (tool, arguments, expected) in [
            ("lookup_client", json!({ "client_id": "$client" }), json!({ "clients": [] })),
            ("search_documents", matter, json!({ "documents": [] })),
            (
                "owner_of",
                json!({ "kind": "document", "id": "$document" }),
                json!({ "organisation": OURS, "matter": backend.id(OURS, "matter"),
                    "shared_with": [] }),
            ),
        ] {
            let answer = backend.call(Some(THEIRS), tool, &arguments).await;
            assert_eq!(answer, found(expected), "{door} {tool}");
        }
        let unfit = json!({ "full_name": "Bo Lind", "kind": "ship" });
        let answer = backend.call(Some(OURS), "create_client", &unfit).await;
        assert_eq!(answer, error("an argument is missing or has no such value"), "{door}");
        assert_eq!(backend.query("SELECT count(*) FROM matter"), 2, "{door}");
        assert_eq!(backend.query("SELECT count(*) FROM document"), 4, "{door}");
    }
}

/// A matter whose answer holds an id and a status.
fn new_matter() -> Value {
    json!({ "client_id": "$client", "matter_type": "ip", "fee_structure": "fixed",
        "responsible_partner_id": "usr_partner" })
}

/// Whether an answer is the one that a fault makes.
fn is_wrong(fault: &str, answer: &Answer) -> bool {
    match (fault, answer) {
        ("exit", Answer::None) => true,
        ("stack_trace", Answer::Text { is_error: true, text }) => text.contains("psycopg"),
        ("html", Answer::Text { is_error: false, text }) => text.starts_with("<!DOCTYPE html>"),
        ("text", Answer::Text { is_error: false, text }) => text == "The work is done.",
        ("error", Answer::Object { is_error: true, value }) => value["error"].is_string(),
        ("huge", Answer::Object { is_error: false, value }) => {
            value["status"] == "open" && value["padding"].as_str().unwrap().len() == 4 << 20
        }
        ("foreign", Answer::Object { is_error: false, value }) => {
            value["status"] == "open" && value["org_id"] == THEIRS
        }
        ("wrong_shape", Answer::Object { is_error: false, value }) => {
            value["status"] == json!(["open"])
        }
        _ => false,
    }
}

/// The work is done whatever becomes of the answer, and done again with the same key.
#[tokio::test]
async fn answers_go_wrong_after_the_work() {
    let faults = ["stack_trace", "html", "huge", "foreign", "wrong_shape", "error", "text", "exit"];
    for door in DOORS {
        let mut backend = Backend::start(door, "faults").await;
        for (done, fault) in faults.into_iter().enumerate() {
            backend.set_faults(&json!({ "create_matter": { "answer": fault } }));
            let answer = backend.call(Some(OURS), "create_matter", &new_matter()).await;
            assert!(is_wrong(fault, &answer), "{door} {fault}: {answer:?}");
            let count = "SELECT count(*) FROM matter WHERE org = 'org_a'";
            assert_eq!(backend.query(count), i64::try_from(done).unwrap() + 2, "{door} {fault}");
        }
        assert_eq!(backend.child.wait().await.unwrap().code(), Some(70), "{door}");
    }
}

/// Waits that a caller does not sit out stop nothing.
#[tokio::test]
async fn waits_stand_before_and_after_the_work() {
    let wait = Duration::from_millis(150);
    for door in DOORS {
        let backend = Backend::start(door, "waits").await;
        let matters = || backend.query("SELECT count(*) FROM matter WHERE org = 'org_a'");
        for (place, at_once) in [("before_ms", 0), ("after_ms", 1)] {
            let had = matters();
            backend.set_faults(&json!({ "create_matter": { (place): 150 } }));
            let started = Instant::now();
            let arguments = new_matter();
            let call = backend.call(Some(OURS), "create_matter", &arguments);
            assert!(tokio::time::timeout(wait / 2, call).await.is_err(), "{door} {place}");
            assert_eq!(matters(), had + at_once, "{door} {place}");
            while matters() == had || started.elapsed() < wait {
                assert!(started.elapsed() < Duration::from_secs(10), "{door} {place}");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            assert_eq!(matters(), had + 1, "{door} {place}");
        }
    }
}
