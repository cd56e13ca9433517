//! A person confirms a call in the client of the model: in a call that is made again, and in a
//! question while the call waits.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test ends where its setting fails"
)]

#[expect(dead_code, reason = "other tests use the rest")]
#[path = "support/office.rs"]
mod office;
#[expect(dead_code, reason = "what the server says on standard error is no matter here")]
#[path = "support/server.rs"]
mod server;
#[expect(dead_code, reason = "other tests use the rest")]
mod support;

use std::process::Stdio;

use office::{DESK, Office};
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationCapability, Implementation,
};
use rmcp::service::RequestContext;
use rmcp::{ClientHandler, ErrorData, RoleClient, ServiceExt as _};
use serde_json::{Value, json};
use server::Server;
use support::command;

const CLIENT: &str = "careful-client";

fn email(office: &Office, subject: &str) -> Value {
    office.fill(&json!({
        "matter_id": "$matter", "to": ["a@example.com"], "subject": subject,
        "body": "Dear A\u{202e}",
    }))
}

fn word(answer: &Value) -> String {
    match &answer["error"]["code"] {
        Value::Number(code) => code.to_string(),
        _ if answer["result"]["resultType"] == "input_required" => "asked".to_owned(),
        _ => office::word(&answer["result"]["structuredContent"]),
    }
}

/// A call as the era has it that ends with a question.
fn call(server: &Server, office: &Office, who: &str, arguments: &Value, more: &Value) -> Value {
    let client = more.get("client").cloned().unwrap_or_else(|| json!(CLIENT));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": client, "version": "1" },
        "io.modelcontextprotocol/clientCapabilities":
            more.get("capabilities").cloned().unwrap_or_else(|| json!({ "elicitation": {} })),
    });
    let mut params = json!({ "name": "send_email", "arguments": arguments, "_meta": meta });
    for key in ["requestState", "inputResponses"] {
        if let Some(value) = more.get(key) {
            params[key] = value.clone();
        }
    }
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let headers = format!(
        "mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: send_email\r\n\
         authorization: Bearer {}\r\n",
        office.tokens[who]
    );
    server.post("/mcp", &headers, &message)
}

fn answered(state: &Value, action: &str, confirm: bool) -> Value {
    json!({
        "requestState": state,
        "inputResponses": { "confirm": { "action": action, "content": { "confirm": confirm } } },
    })
}

#[test]
fn a_call_that_is_made_again_brings_the_answer() {
    let office = Office::new("prompts");
    let mut serve = command();
    serve.args(["serve", "--http", "127.0.0.1:0", "--profile", "practice", "--skill", DESK]);
    serve.arg("--data").arg(&office.folder).arg("--registry").arg(office.registry());
    serve.env("ASSAY_PROMPTING_CLIENTS", format!("other, {CLIENT}"));
    let server = Server::start(&mut serve);
    let first = email(&office, "First");
    let none = json!({});
    // A client that the operator does not know is not asked, whatever it can.
    let stranger = call(&server, &office, "ana", &first, &json!({ "client": "agent" }));
    assert_eq!(word(&stranger), "CONFIRMATION_REQUIRED");
    // Nor is one that shows no questions.
    let mute = call(&server, &office, "ana", &first, &json!({ "capabilities": {} }));
    assert_eq!(word(&mute), "CONFIRMATION_REQUIRED");
    let asked = call(&server, &office, "ana", &first, &none);
    assert_eq!(word(&asked), "asked", "{asked}");
    let question = &asked["result"]["inputRequests"]["confirm"];
    let text = question["params"]["message"].as_str().unwrap();
    assert!(text.contains("to: [\"a@example.com\"]") && text.contains("Dear A\\u{202e}"), "{text}");
    let state = &asked["result"]["requestState"];
    // Another person, other arguments, another client and a changed state have nothing of it.
    let yes = answered(state, "accept", true);
    assert_eq!(word(&call(&server, &office, "paula", &first, &yes)), "-32602");
    assert_eq!(word(&call(&server, &office, "ana", &email(&office, "Other"), &yes)), "-32602");
    let mut forged = yes.clone();
    forged["requestState"] = format!("{}x", state.as_str().unwrap()).into();
    assert_eq!(word(&call(&server, &office, "ana", &first, &forged)), "-32602");
    let mut strange = yes.clone();
    strange["client"] = "agent".into();
    assert_eq!(word(&call(&server, &office, "ana", &first, &strange)), "-32602");
    assert_eq!(office.carried("send_email"), 0);
    // A dialogue that was closed says nothing, one that was confirmed sends once.
    let closed = call(&server, &office, "ana", &first, &answered(state, "cancel", true));
    assert_eq!(word(&closed), "CONFIRMATION_REQUIRED");
    assert_eq!(word(&call(&server, &office, "ana", &first, &yes)), "ok");
    assert_eq!(word(&call(&server, &office, "ana", &first, &yes)), "-32602");
    assert_eq!(word(&call(&server, &office, "ana", &first, &none)), "replayed");
    assert_eq!(office.carried("send_email"), 1);
    for (subject, action, confirm) in [("Second", "decline", true), ("Third", "accept", false)] {
        let arguments = email(&office, subject);
        let asked = call(&server, &office, "ana", &arguments, &none);
        let no = answered(&asked["result"]["requestState"], action, confirm);
        let declined = call(&server, &office, "ana", &arguments, &no);
        assert_eq!(word(&declined), "CONFIRMATION_DECLINED", "{subject}");
    }
    assert_eq!(office.carried("send_email"), 1);
    assert_eq!(office.entries("action.confirmed").len(), 1);
    assert_eq!(office.entries("action.declined").len(), 2);
    // Every state that was worth nothing is on record, a moment later.
    let refused = || -> i64 {
        let entries =
            office.entries("tool.invoked").into_iter().chain(office.entries("tool.denied"));
        let of_states = entries.filter(|it| it["resource"]["name"] == "request_state");
        let failed = of_states.filter(|it| it["action"]["result"] == "failure");
        failed.filter_map(|it| it["output"]["calls"].as_i64()).sum()
    };
    for _ in 0..100 {
        if refused() == 5 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(refused(), 5);
}

/// A client of the era before, which answers every question alike.
struct Person(ElicitationAction);

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(ElicitationCapability::default());
        ClientConfig::new(capabilities, Implementation::new(CLIENT, "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let shown = serde_json::to_value(&request).unwrap();
        assert!(shown["message"].as_str().unwrap().contains("Dear A"), "{shown}");
        Ok(ElicitResult::new(self.0.clone()).with_content(json!({ "confirm": true })))
    }
}

#[test]
fn a_question_reaches_the_person_while_the_call_waits() {
    let office = Office::new("questions");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for (subject, action, expected, sent) in [
        ("One", ElicitationAction::Decline, "CONFIRMATION_DECLINED", 0),
        ("Two", ElicitationAction::Cancel, "CONFIRMATION_REQUIRED", 0),
        ("Three", ElicitationAction::Accept, "ok", 1),
    ] {
        let answer = runtime.block_on(async {
            let mut stdio = command();
            stdio.args(["stdio", "--profile", "practice", "--skill", DESK, "--data"]);
            stdio.arg(&office.folder).arg("--registry").arg(office.registry());
            stdio
                .env("ASSAY_PROMPTING_CLIENTS", CLIENT)
                .env("ASSAY_SESSION", &office.tokens["ana"]);
            let mut stdio = tokio::process::Command::from(stdio);
            let stdio = stdio.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
            let mut child = stdio.spawn().unwrap();
            let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
            let client = Person(action).serve(pipes).await.unwrap();
            let arguments = email(&office, subject).as_object().unwrap().clone();
            let call = CallToolRequestParams::new("send_email").with_arguments(arguments);
            let result = client.call_tool(call).await.unwrap();
            result.structured_content.unwrap()
        });
        assert_eq!(office::word(&answer), expected, "{subject}: {answer}");
        assert_eq!(office.carried("send_email"), sent, "{subject}");
    }
    // A dialogue that was closed said nothing, and a no is no yes.
    for (event, count) in [("action.declined", 1), ("action.confirmed", 1)] {
        assert_eq!(office.entries(event).len(), count, "{event}");
    }
}
