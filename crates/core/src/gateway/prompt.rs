//! Confirmations through the client of a model. The operator lists the clients that show prompts to
//! a person; from any other one a confirmation is worth nothing, since a program may give it.

use assay_base::Code;
use assay_base::json::printable;
use serde_json::Value;

use crate::caller::Caller;
use crate::failure::Failure;
use crate::gateway::waiting::Waiting;
use crate::reply::Reply;
use crate::service::Service;

/// The most characters of a prompt that a client is asked to show.
const MAX_CHARACTERS: usize = 20_000;
/// Under what a state that is worth nothing is counted.
const STATE: &str = "request_state";

/// What a client is to show to the person, and what it hands back untouched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Everything that the person confirms.
    pub text: String,
    /// What was shown of which call, for [`Service::prompted`]. Whoever hands it out seals it.
    pub state: Vec<u8>,
}

/// What the person made of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prompted {
    /// It is to be done.
    Confirmed,
    /// It is not.
    Declined,
}

impl Service {
    /// The prompt for a call that waits for its person, where `client` is one that shows prompts to
    /// people; `None` where it is not, where the call waits for something else, and where it is too
    /// long to be shown whole.
    #[must_use]
    pub fn prompt(&self, caller: &Caller, client: &str, reply: &Reply) -> Option<Prompt> {
        let waits = reply.failure == Some(Code::ConfirmationRequired);
        if !waits || !self.prompting.iter().any(|it| it == client) {
            return None;
        }
        let answer: Value = serde_json::from_slice(&reply.body).ok()?;
        let address = answer.pointer("/error/details/request")?.as_str()?;
        let session = &caller.session;
        let (request, _) = self.store.request(session.workspace.id, address).ok()??;
        let waiting = self.shown_now(session, &request).ok()?;
        let text = text(&waiting);
        if text.chars().count() > MAX_CHARACTERS {
            return None;
        }
        Some(Prompt { text, state: format!("{address} {}", waiting.hash).into_bytes() })
    }

    /// Keeps what a person made of a prompt, from a client that shows prompts to people.
    ///
    /// # Errors
    /// The envelope of what is wrong with the state, which is then recorded.
    pub fn prompted(
        &self,
        caller: &Caller,
        client: &str,
        (state, word): (&[u8], Prompted),
    ) -> Result<(), Reply> {
        let keep = || {
            let invalid = || Failure::bad_request("the state of the request is not one of ours");
            if !self.prompting.iter().any(|it| it == client) {
                return Err(invalid());
            }
            let state = std::str::from_utf8(state).map_err(|_| invalid())?;
            let (address, shown) = state.split_once(' ').ok_or_else(invalid)?;
            self.confirm(caller, address, (word, shown))
        };
        keep().map_err(|failure: Failure| {
            caller.session.counts.failed(STATE, failure.code());
            failure.reply(self.versions())
        })
    }

    /// Notes that a client handed back a state that nobody gave it.
    #[must_use]
    pub fn forged_state(&self, caller: &Caller) -> Reply {
        let why = "the state of the request is not one of ours, or its time is over";
        let session = &caller.session;
        session.counts.failed(STATE, Code::BadRequest);
        self.refusal(Code::BadRequest, why)
    }

    /// To what a state is bound, so that it serves nobody else and nothing else.
    #[must_use]
    pub fn prompt_binding(&self, caller: &Caller, tool: &str, arguments: &str) -> Vec<u8> {
        let session = &caller.session;
        let (id, person) = (&session.standing.id, &session.standing.subject);
        format!("{id}\n{person}\n{}\n{tool}\n{arguments}", session.workspace.address).into_bytes()
    }

    /// The key that seals states, the same for every process with the same audit key.
    #[must_use]
    pub fn prompt_key(&self) -> Vec<u8> {
        let key = self.ledger.field_key("states of prompts");
        assay_audit::digest(&key, b"seal").into_bytes()
    }
}

/// Everything that is confirmed, in lines. What nobody would see is made visible.
fn text(waiting: &Waiting) -> String {
    let shown = &waiting.shown;
    let word = |key: &str| shown.get(key).and_then(Value::as_str).unwrap_or_default();
    let mut lines = vec![format!("{} ({})", word("title"), word("tool")), String::new()];
    let arguments = shown.get("arguments").and_then(Value::as_object);
    for (name, value) in arguments.into_iter().flatten() {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let value = value.lines().map(printable).collect::<Vec<_>>().join("\n  ");
        lines.push(format!("{}: {value}", printable(name)));
    }
    let matter = word("matter");
    if !matter.is_empty() {
        lines.push(format!("for the matter: {}", printable(matter)));
    }
    lines.push(String::new());
    let effects = shown.get("side_effects").and_then(Value::as_array);
    let effects = effects.into_iter().flatten().filter_map(Value::as_str);
    lines.extend(effects.map(|it| format!("- {it}")));
    if shown.get("undoable") == Some(&Value::Bool(false)) {
        lines.push("This cannot be undone.".to_owned());
    }
    let notes = word("notes");
    if !notes.is_empty() {
        lines.push(notes.to_owned());
    }
    lines.join("\n")
}
