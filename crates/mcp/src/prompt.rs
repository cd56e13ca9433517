//! How a person confirms a call in the client: the question in the form of each era, and what came
//! back. What an answer is worth is decided by the service, which knows the clients to trust.

use std::time::Duration;

use assay_core::{Prompt, Prompted};
use rmcp::RoleServer;
use rmcp::model::{
    ClientCapabilities, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, InputRequest, InputRequests, InputRequiredResult, RequestStateCodec,
    SealOptions,
};
use rmcp::service::{Peer, RequestContext};
use serde_json::Value;

/// The name of the one question and of its one field.
const FIELD: &str = "confirm";
/// For how long a question may be answered.
const PATIENCE: Duration = Duration::from_secs(600);

/// A client that can put a question to a person.
pub(crate) struct Client {
    /// What it calls itself.
    pub(crate) name: String,
    /// How it is asked.
    pub(crate) way: Way,
}

/// How a client is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// The call ends with a question and is made again with the answer.
    Again,
    /// The question goes out while the call waits.
    Meanwhile,
}

/// The client behind a request, if it can put questions to a person.
pub(crate) fn client(context: &RequestContext<RoleServer>) -> Option<Client> {
    let can = |it: &ClientCapabilities| it.elicitation.is_some();
    if context.meta.protocol_version().is_some_and(|it| !it.has_initialize()) {
        let name = context.meta.client_info()?.name;
        return context
            .meta
            .client_capabilities()
            .filter(can)
            .map(|_| Client { name, way: Way::Again });
    }
    let peer = context.peer.peer_info()?;
    let name = peer.client_info.name.clone();
    can(&peer.capabilities).then_some(Client { name, way: Way::Meanwhile })
}

/// The seal of states that travel through a client.
pub(crate) struct Seal {
    codec: RequestStateCodec,
    /// To whom and to what a state is bound.
    bound: Vec<u8>,
}

impl Seal {
    pub(crate) fn new(key: Vec<u8>, bound: Vec<u8>) -> Option<Self> {
        Some(Self { codec: RequestStateCodec::try_new(key).ok()?, bound })
    }

    /// What was sealed, if nobody touched it and its time is not over.
    pub(crate) fn open(&self, state: &str) -> Option<Vec<u8>> {
        self.codec.open_with(state, &self.bound).ok()
    }

    /// The end of a call that asks for an answer.
    pub(crate) fn question(&self, prompt: Prompt) -> InputRequiredResult {
        let options = SealOptions::new().associated_data(&self.bound).ttl(PATIENCE);
        let state = self.codec.seal_with(&prompt.state, &options);
        let request = InputRequest::Elicitation(ElicitRequest::new(params(prompt.text)));
        let requests = InputRequests::from([(FIELD.to_owned(), request)]);
        InputRequiredResult::new(Some(requests), Some(state))
    }
}

/// Puts the question to the person while the call waits; `None` where no answer comes.
pub(crate) async fn ask(peer: &Peer<RoleServer>, text: String) -> Option<Prompted> {
    let asked = peer.create_elicitation_with_timeout(params(text), Some(PATIENCE)).await;
    word(&asked.ok()?)
}

/// What the person said, in the answers that came with a call.
pub(crate) fn answer(answers: &std::collections::BTreeMap<String, Value>) -> Option<Prompted> {
    word(&serde_json::from_value(answers.get(FIELD)?.clone()).ok()?)
}

/// A box that was left open is a no, and a dialogue that was closed says nothing.
fn word(result: &ElicitResult) -> Option<Prompted> {
    let is_set = result.content.as_ref().and_then(|it| it.get(FIELD)) == Some(&Value::Bool(true));
    match result.action {
        ElicitationAction::Accept if is_set => Some(Prompted::Confirmed),
        ElicitationAction::Accept | ElicitationAction::Decline => Some(Prompted::Declined),
        // A later protocol's word confirms nothing.
        _ => None,
    }
}

fn params(message: String) -> ElicitRequestParams {
    let schema = ElicitationSchema::builder().required_bool(FIELD).build();
    let requested_schema = schema.unwrap_or_else(|_| ElicitationSchema::new(Default::default()));
    ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema }
}
