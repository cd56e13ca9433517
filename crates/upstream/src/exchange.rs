//! Requests over an MCP connection, and what their answers say.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use assay_base::canonical;
use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, CancelledNotificationParam,
    ClientRequest, ContentBlock, JsonObject, ListToolsRequest, PaginatedRequestParams, RequestId,
    RequestMetaObject, ServerResult, Tool,
};
use rmcp::service::{Peer, PeerRequestOptions, ServiceError};
use serde_json::{Map, Value, json};

use crate::call::{Answer, Call, CallError, Definition, Sent};
use crate::connection::Connection;
use crate::failure;
use crate::http::{Carried, context_headers};

/// The most pages of a list of tools.
const PAGES: usize = 100;
/// Bytes of a message besides the result.
const ENVELOPE: usize = 64 * 1024;

/// A call, written down for the task that makes it.
pub(crate) struct Asked {
    request: CallToolRequest,
    carried: Carried,
    max_output_bytes: usize,
}

impl Asked {
    pub(crate) fn new(call: &Call<'_>, connection: &Connection) -> Result<Self, CallError> {
        let Value::Object(arguments) = call.arguments else {
            return Err(CallError::NotSent("the arguments are no JSON object".to_owned()));
        };
        let mut meta = RequestMetaObject::new();
        let known = call.context.known();
        meta.0.0.extend(known.map(|(key, _, value)| (key.to_owned(), json!(value))));
        let headers = match connection.is_http() {
            true => context_headers(&call.context)?,
            false => http::HeaderMap::new(),
        };
        // A result stands in its message twice, once of that as a text with escapes.
        let limit = call.max_output_bytes.saturating_mul(4).saturating_add(ENVELOPE);
        let carried = Carried { headers, limit, ..Carried::default() };
        let params = CallToolRequestParams::new(call.tool.to_owned());
        let mut request = CallToolRequest::new(params.with_arguments(arguments.clone()));
        request.extensions.insert(carried.clone());
        request.extensions.insert(meta);
        Ok(Self { request, carried, max_output_bytes: call.max_output_bytes })
    }
}

/// Makes a call.
pub(crate) async fn call(
    connection: Arc<Connection>,
    asked: Asked,
    sent: Sent,
) -> Result<Answer, CallError> {
    let peer = connection.open().await?;
    let request = ClientRequest::CallToolRequest(asked.request);
    match send(&connection, &peer, request, &sent).await {
        Ok(ServerResult::CallToolResult(result)) => answer(result).within(asked.max_output_bytes),
        Ok(ServerResult::EmptyResult(_)) => Ok(answer(CallToolResult::default())),
        // A server that asks back, or promises an answer for later, gave none.
        Ok(_) => Err(failure::unreadable()),
        // The words of its refusal are the server's, and no operator wrote them.
        Err(Refusal::Refused) => Ok(Answer::bare_failure()),
        Err(Refusal::Failed(_)) if asked.carried.is_cut.load(Ordering::Acquire) => {
            Err(CallError::TooLarge)
        }
        Err(Refusal::Failed(error)) => Err(error),
    }
}

/// The digest of each tool's definition.
pub(crate) async fn definitions(
    connection: Arc<Connection>,
    sent: Sent,
) -> Result<BTreeMap<String, Definition>, CallError> {
    let peer = connection.open().await?;
    let mut definitions = BTreeMap::new();
    let mut cursor = None;
    for _ in 0..PAGES {
        let page = PaginatedRequestParams::default().with_cursor(cursor);
        // Not through the library's list, which may answer from what it kept.
        let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(page));
        let list = match send(&connection, &peer, request, &sent).await {
            Ok(ServerResult::ListToolsResult(list)) => list,
            Ok(_) | Err(Refusal::Refused) => return Err(failure::unreadable()),
            Err(Refusal::Failed(error)) => return Err(error),
        };
        definitions.extend(list.tools.iter().map(|it| (it.name.to_string(), definition(it))));
        cursor = list.next_cursor;
        if cursor.is_none() {
            return Ok(definitions);
        }
    }
    Err(CallError::Broken(format!("the list of tools has more than {PAGES} pages")))
}

fn definition(tool: &Tool) -> Definition {
    let schema = |it: &Arc<JsonObject>| Value::Object(JsonObject::clone(it));
    let hints = tool.annotations.as_ref();
    Definition {
        description: tool.description.as_ref().map(|it| it.to_string()),
        input_schema: schema(&tool.input_schema),
        output_schema: tool.output_schema.as_ref().map(schema),
        is_read: hints.and_then(|it| it.read_only_hint) == Some(true),
        digest: digest(tool),
    }
}

enum Refusal {
    Refused,
    Failed(CallError),
}

async fn send(
    connection: &Connection,
    peer: &Peer<RoleClient>,
    request: ClientRequest,
    sent: &Sent,
) -> Result<ServerResult, Refusal> {
    sent.mark();
    let handle = peer.send_request_with_option(request, PeerRequestOptions::no_options()).await;
    let handle = handle.map_err(|_| {
        connection.close();
        Refusal::Failed(CallError::NotSent("the connection has just ended".to_owned()))
    })?;
    let mut pending = Pending { peer, id: Some(handle.id.clone()) };
    let result = handle.await_response().await;
    pending.id = None;
    result.map_err(|error| match error {
        ServiceError::McpError(_) => Refusal::Refused,
        error => {
            // Over HTTP a request can fail while the connection stays good.
            if !connection.is_http() || !connection.is_open() {
                connection.close();
            }
            Refusal::Failed(failure::of_exchange(&error))
        }
    })
}

/// A request without an answer yet. Whoever stops waiting says so to the server.
struct Pending<'p> {
    peer: &'p Peer<RoleClient>,
    id: Option<RequestId>,
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            let (peer, reason) = (self.peer.clone(), "the caller gave up".to_owned());
            let cancelled = CancelledNotificationParam::new(Some(id), Some(reason));
            // Where the runtime ends as well, there is nobody left to tell.
            if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                runtime.spawn(async move { peer.notify_cancelled(cancelled).await });
            }
        }
    }
}

fn answer(result: CallToolResult) -> Answer {
    let is_error = result.is_error.unwrap_or(false);
    let has_structure = result.structured_content.is_some();
    let result = result.structured_content.unwrap_or_else(|| {
        let text = result.content.into_iter().find_map(|it| match it {
            ContentBlock::Text(it) => Some(it.text),
            _ => None,
        });
        text.map_or_else(|| Value::Object(Map::new()), |it| object(&it))
    });
    Answer { result, has_structure, is_error }
}

fn object(text: &str) -> Value {
    let parsed = serde_json::from_str(text).map(Value::Object);
    parsed.unwrap_or_else(|_| json!({ "text": text }))
}

fn digest(tool: &Tool) -> String {
    let bytes = canonical::to_bytes(|value| {
        value.object(|object| {
            object.key("description").optional_string(tool.description.as_deref());
            object.key("input_schema").object(|schema| {
                tool.input_schema.iter().for_each(|(key, it)| schema.key(key).json(it));
            });
            object.key("name").string(&tool.name);
            match tool.output_schema.as_deref() {
                None => object.key("output_schema").null(),
                Some(schema) => object.key("output_schema").object(|members| {
                    schema.iter().for_each(|(key, it)| members.key(key).json(it));
                }),
            }
        });
    });
    blake3::hash(&bytes).to_hex().to_string()
}
