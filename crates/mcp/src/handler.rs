//! The handler behind every MCP transport.

use std::sync::Arc;

use assay_core::{Caller, Cancel, Door, Prompt, Prompted, Reply, Service, Started, Work};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, DiscoverResult, ErrorCode, ErrorData, Extensions, Implementation,
    InitializeRequestParams, InitializeResult, JsonObject, ListResourcesResult, ListToolsResult,
    MetaObject, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};

use crate::exchange::Exchange;
use crate::prompt::{self, Seal, Way};
use crate::{codes, pages};

/// The methods with parameters that are served in every era. The SDK hands over a request for one of them as a
/// custom request when its parameters have the wrong shape.
const METHODS: [&str; 2] = ["tools/call", "resources/read"];

/// Where the transport left the [`Exchange`] of a request.
type Find = fn(&Extensions) -> Option<&Exchange>;

/// One handler of the protocol. Clones serve the same service.
#[derive(Debug, Clone)]
pub struct Handler {
    service: Arc<Service>,
    /// The product's own tools. Others may change while it runs, and are listed when they are asked for.
    tools: Arc<[Tool]>,
    config: Arc<ServerConfig>,
    find: Find,
}

impl Handler {
    /// A handler for a transport that leaves each exchange where `find` finds it.
    #[must_use]
    pub fn new(service: Arc<Service>, find: Find) -> Self {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let server = Implementation::new("assay", env!("CARGO_PKG_VERSION")).with_title("Assay");
        let config = Arc::new(ServerConfig::new(capabilities).with_server_info(server));
        let tools = service.every_tool().iter().map(listed).collect();
        Self { service, tools, config, find }
    }

    /// The exchange of a message, and who sent it.
    fn sender<'e>(
        &self,
        context: &'e RequestContext<RoleServer>,
    ) -> Result<(&'e Exchange, Caller), ErrorData> {
        let lost = || ErrorData::internal_error("the transport left no arguments", None);
        let exchange = (self.find)(&context.extensions).ok_or_else(lost)?;
        let caller = match exchange.caller() {
            Some(caller) => caller.clone(),
            None => self.service.local(Door::Mcp).map_err(|it| codes::error(&it))?,
        };
        // What the message says of itself is nearer to the call than what its transport says.
        let mut origin = caller.origin().clone().with_request_id(&context.id.to_string());
        if let Some(said) = context.meta.get("traceparent").and_then(|it| it.as_str()) {
            origin = origin.with_traceparent(said);
        }
        Ok((exchange, caller.coming_from(origin)))
    }

    fn config_with_instructions(&self) -> ServerConfig {
        self.get_info().with_instructions(&*self.service.instructions())
    }
}

impl ServerHandler for Handler {
    // The instructions join in where they are sent: the SDK asks for this with every request.
    fn get_info(&self) -> ServerConfig {
        ServerConfig::clone(&self.config)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        if has_no_handshake(&context) {
            return Err(no_method("initialize"));
        }
        let negotiated = self.negotiate_initialize(&request)?;
        // The SDK asks no questions of a peer of an era without a handshake, so it has to know
        // which era was agreed on and not which one was asked for.
        let mut agreed = request;
        agreed.protocol_version = negotiated.protocol_version.clone();
        context.peer.set_peer_info(agreed);
        let mut config = self.config_with_instructions();
        // Only the eras with sessions hear of changed lists. In later ones the word would promise
        // streams that a client can subscribe to, and each list says that it is not to be kept.
        config.capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .build();
        Ok(config.with_protocol_version(negotiated.protocol_version))
    }

    async fn discover(
        &self,
        _context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.config_with_instructions()))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let (_, caller) = self.sender(&context)?;
        let allowed = self.service.tools(&caller);
        let prepared = |name: &str| self.tools.iter().find(|it| it.name == name).cloned();
        let tools = allowed.iter().map(|it| prepared(&it.name).unwrap_or_else(|| listed(it)));
        let tools = tools.collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (exchange, caller) = self.sender(&context)?;
        let client = prompt::client(&context);
        let calling = Calling { handler: self, caller, client, request: &request, exchange };
        if let Some(state) = &request.request_state {
            calling.hear(state).await?;
        }
        let reply = calling.run(&context).await?;
        match calling.prompt(&reply).await? {
            None => result(reply, exchange).map(CallToolResponse::Complete),
            Some((Way::Again, seal, prompt)) => {
                Ok(CallToolResponse::InputRequired(seal.question(prompt)))
            }
            Some((Way::Meanwhile, _, prompt)) => {
                let state = prompt.state;
                let said = tokio::select! {
                    said = prompt::ask(&context.peer, prompt.text) => said,
                    () = context.ct.cancelled() => None,
                };
                let reply = match said {
                    None => reply,
                    Some(word) => {
                        // While the person looked, the caller may have lost what they came with.
                        let (_, caller) = self.sender(&context)?;
                        let calling = Calling { caller, ..calling };
                        calling.keep(state, word).await?;
                        calling.run(&context).await?
                    }
                };
                result(reply, exchange).map(CallToolResponse::Complete)
            }
        }
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(pages::list())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        pages::read(&request.uri).map(ReadResourceResponse::Complete)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method.as_str();
        let served =
            METHODS.contains(&method) || (method == "initialize" && !has_no_handshake(&context));
        if !served {
            return Err(no_method(method));
        }
        let message = format!("the parameters of `{method}` have the wrong shape");
        Err(ErrorData::invalid_params(message, None))
    }
}

/// A call of a tool on its way, which may have to wait for a person.
struct Calling<'c> {
    handler: &'c Handler,
    caller: Caller,
    client: Option<prompt::Client>,
    request: &'c CallToolRequestParams,
    exchange: &'c Exchange,
}

impl Calling<'_> {
    async fn run(&self, context: &RequestContext<RoleServer>) -> Result<Reply, ErrorData> {
        let (service, name) = (&self.handler.service, &self.request.name);
        match service.start(&self.caller, name, self.exchange.arguments()) {
            Started::Done(reply) => Ok(reply),
            Started::Work(work) => run(work, context.ct.cancelled()).await,
        }
    }

    /// What seals the state of this call, for this caller.
    fn seal(&self) -> Option<Seal> {
        let service = &self.handler.service;
        let bound =
            service.prompt_binding(&self.caller, &self.request.name, self.exchange.arguments());
        Seal::new(service.prompt_key(), bound)
    }

    /// Takes the answer that came along with a call that was made again.
    async fn hear(&self, state: &str) -> Result<(), ErrorData> {
        let opened = self.seal().and_then(|it| it.open(state));
        let Some(opened) = opened.filter(|_| self.client.is_some()) else {
            let refusal = self.handler.service.forged_state(&self.caller);
            return Err(codes::invalid(&refusal));
        };
        let answers = self.request.input_responses.as_ref();
        match answers.and_then(prompt::answer) {
            Some(word) => self.keep(opened, word).await,
            None => Ok(()),
        }
    }

    /// Keeps what the person said.
    async fn keep(&self, state: Vec<u8>, word: Prompted) -> Result<(), ErrorData> {
        let (service, caller) = (Arc::clone(&self.handler.service), self.caller.clone());
        let name = self.client.as_ref().map(|it| it.name.clone()).unwrap_or_default();
        let kept = blocking(move || service.prompted(&caller, &name, (&state, word))).await?;
        kept.map_err(|refusal| codes::invalid(&refusal))
    }

    /// The question to the person, where the call waits for one that this client can put. A call
    /// that was made again with an answer is not asked about a second time.
    async fn prompt(&self, reply: &Reply) -> Result<Option<(Way, Seal, Prompt)>, ErrorData> {
        let Some(client) = self.client.as_ref().filter(|_| self.request.request_state.is_none())
        else {
            return Ok(None);
        };
        let (service, caller) = (Arc::clone(&self.handler.service), self.caller.clone());
        let (name, reply) = (client.name.clone(), reply.clone());
        let prompt = blocking(move || service.prompt(&caller, &name, &reply)).await?;
        Ok(prompt.zip(self.seal()).map(|(prompt, seal)| (client.way, seal, prompt)))
    }
}

/// Runs what waits for the disk where it may.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ErrorData> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| ErrorData::internal_error("the call ended without an answer", None))
}

/// Whether the request is of an era that has no `initialize`.
fn has_no_handshake(context: &RequestContext<RoleServer>) -> bool {
    context.meta.protocol_version().is_some_and(|it| !it.has_initialize())
}

fn no_method(method: &str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("there is no method `{method}`"), None)
}

/// Runs `work` where it may block, until it ends or the client gives it up.
async fn run(work: Work, given_up: impl Future<Output = ()>) -> Result<Reply, ErrorData> {
    let cancel = Cancel::new();
    let _guard = CancelOnDrop(cancel.clone());
    let running = tokio::task::spawn_blocking(move || work.run(&cancel));
    tokio::select! {
        reply = running => {
            reply.map_err(|_| ErrorData::internal_error("the call ended without an answer", None))
        }
        // Nobody reads this answer.
        () = given_up => Err(ErrorData::internal_error("the call was cancelled", None)),
    }
}

/// Cancels a call when the future that waits for it is dropped; one that ended does not mind.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn result(reply: Reply, exchange: &Exchange) -> Result<CallToolResult, ErrorData> {
    let failed = reply.failure.is_some();
    if let Some(error) = reply.failure.and_then(|it| codes::protocol_error(it, &reply.body)) {
        return Err(error);
    }
    exchange.set_payload(reply.body.clone());
    let text = String::from_utf8(reply.body)
        .map_err(|_| ErrorData::internal_error("the payload is not UTF-8", None))?;
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.is_error = Some(failed);
    Ok(result)
}

fn listed(tool: &assay_core::Tool) -> Tool {
    let hints = &tool.annotations;
    let annotations = ToolAnnotations::from_raw(
        None,
        Some(hints.read_only.value),
        Some(hints.destructive.value),
        Some(hints.idempotent.value),
        Some(hints.open_world.value),
    );
    let mut listed =
        Tool::new(tool.name.clone(), tool.description.clone(), object(tool.input_schema()))
            .with_title(tool.title.clone())
            .with_raw_output_schema(object(tool.output_schema()))
            .with_annotations(annotations);
    if let Some(uri) = &tool.ui {
        let mut meta = MetaObject::default();
        meta.insert("ui".to_owned(), serde_json::json!({ "resourceUri": uri }));
        // Hosts that came before the extension was settled read this one.
        meta.insert("ui/resourceUri".to_owned(), serde_json::Value::String(uri.clone()));
        listed.meta = Some(meta);
    }
    listed
}

/// A schema as the SDK holds it. The catalogue has none that is not an object.
fn object(schema: &serde_json::Value) -> Arc<JsonObject> {
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}
