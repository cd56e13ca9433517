//! One call of a governed tool as it was received, with what the registry in force says of it.

use std::cell::Cell;
use std::sync::Arc;

use assay_base::CallHash;
use assay_base::json::printable;
use assay_registry::gate::approval::{self, Bound};
use assay_registry::gate::record::ToolId;
use assay_registry::gate::snapshot::{Governed, Skill, Snapshot};
use assay_registry::gate::version::Range;
use assay_registry::gate::{Code, Refusal, idempotency};
use serde_json::{Value, json};

use crate::caller::Session;
use crate::gateway::live::Loaded;
use crate::origin::Origin;
use crate::service::Service;

/// The most bytes of arguments, where the record states no other number.
pub(crate) const MAX_INPUT_BYTES: usize = 256 * 1024;
/// The most characters of a name that is written down of a tool that there is not.
const MAX_NAME: usize = 64;

/// What the log has of a call by itself, and how far the call is. It outlives whatever happens to the
/// call.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// By which its record is found.
    pub(crate) event: String,
    /// Where it came from.
    pub(crate) origin: Arc<Origin>,
    /// Whether the server behind its tool may have it.
    pub(crate) left: Cell<bool>,
    /// Whether how it ended is on record.
    pub(crate) recorded: Cell<bool>,
}

/// One call.
pub(crate) struct Received<'c> {
    pub(crate) service: &'c Service,
    pub(crate) session: &'c Session,
    pub(crate) loaded: &'c Arc<Loaded>,
    /// The name on the wire.
    pub(crate) name: &'c str,
    /// The tool in the version that the skill takes, where there is one.
    pub(crate) tool: Option<&'c Governed>,
    pub(crate) skill: Option<&'c Skill>,
    /// The versions that the skill takes.
    pub(crate) range: Option<&'c Range>,
    pub(crate) arguments: Value,
    /// When it arrived, in milliseconds since 1970.
    pub(crate) at: i64,
    /// What the log has of it by itself, and how far it is.
    pub(crate) progress: &'c Progress,
    /// Whether it could not be found out whose something is.
    pub(crate) owner_unknown: Cell<bool>,
    /// The number of the last change of what is stopped, as of the last look at it.
    pub(crate) epoch: Cell<u64>,
}

impl<'c> Received<'c> {
    /// What is known of a call before its arguments are looked at.
    pub(crate) fn new(
        service: &'c Service,
        session: &'c Session,
        loaded: &'c Arc<Loaded>,
        name: &'c str,
        progress: &'c Progress,
    ) -> Self {
        let snapshot = &loaded.snapshot;
        let skill = session.standing.skill.as_ref().and_then(|it| snapshot.skill(it));
        let id = known(service, snapshot, name);
        let range = id.and_then(|id| skill?.permitted.get(id));
        let tool = id.and_then(|id| snapshot.resolve(id, range));
        let now = (service.world.milliseconds)();
        let at = service.gateway.as_ref().map_or(now, |it| it.arrival(now));
        let arguments = Value::Null;
        let owner_unknown = Cell::new(false);
        let epoch = Cell::new(session.stops.epoch);
        Self {
            service,
            session,
            loaded,
            name,
            tool,
            skill,
            range,
            arguments,
            at,
            progress,
            owner_unknown,
            epoch,
        }
    }

    /// Reads the arguments, which are the text of one JSON object.
    pub(crate) fn read(&mut self, text: &str) -> Result<(), Refusal> {
        let limit = self.bound().and_then(|it| it.record.execution.max_input_bytes);
        let limit = limit.and_then(|it| usize::try_from(it).ok()).unwrap_or(MAX_INPUT_BYTES);
        self.arguments = object(text, limit)?;
        Ok(())
    }

    /// The tool, where the skill lists it. Of any other its caller must learn nothing.
    pub(crate) fn bound(&self) -> Option<&'c Governed> {
        self.tool.filter(|_| self.range.is_some())
    }

    /// By which its record is found.
    pub(crate) fn event(&self) -> &'c str {
        &self.progress.event
    }

    /// The organisation on whose behalf it is made.
    pub(crate) fn organisation(&self) -> &'c str {
        &self.session.workspace.address
    }

    /// The id of the tool; for one that there is not, what was called, as far as it is shown.
    pub(crate) fn tool_id(&self) -> String {
        match self.tool {
            Some(tool) => tool.record.tool_id.to_string(),
            None => shown(self.name),
        }
    }

    /// The address of the exact call, to which people agree.
    pub(crate) fn call(&self, tool: &Governed) -> CallHash {
        approval::address(&Bound {
            organisation: self.organisation(),
            matter: self.session.standing.matter.as_deref(),
            tool: &tool.record.tool_id,
            version: tool.record.version,
            requester: &self.session.standing.subject,
            arguments: &self.arguments,
        })
    }

    /// The address of what makes two calls the same.
    pub(crate) fn key(&self, tool: &Governed) -> Option<CallHash> {
        let expression = tool.record.idempotency_key.as_deref()?;
        let id = &tool.record.tool_id;
        let place = (self.organisation(), self.session.standing.matter.as_deref());
        Some(idempotency::key(expression, place, id, &self.arguments))
    }

    /// What it is about.
    pub(crate) fn subject(&self, tool: &Governed) -> Option<String> {
        let expression = tool.record.subject_key.as_deref()?;
        idempotency::subject(expression, &self.arguments).map(|it| it.to_string())
    }

    /// Whether the tool was stopped since the call was received. What cannot be found out is taken
    /// for stopped.
    pub(crate) fn is_stopped_now(&self, tool: &Governed) -> bool {
        let Ok(now) = self.service.stopped_now() else { return true };
        self.epoch.set(now.epoch);
        now.stopped.holds(&tool.tool.targets)
    }

    /// Whether the tool, or everything around it, is stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.tool.is_some_and(|it| self.session.stops.stopped.holds(&it.tool.targets))
    }
}

/// The JSON object in `text`, which is at most `limit` bytes long.
pub(crate) fn object(text: &str, limit: usize) -> Result<Value, Refusal> {
    let malformed = |why: String| Refusal::new(Code::RequestMalformed, [("why", json!(why))]);
    if text.len() > limit {
        return Err(malformed(format!("the arguments have more than {limit} bytes")));
    }
    if let Err(error) = assay_base::json::object(text) {
        return Err(malformed(format!("the arguments cannot be read: {error}")));
    }
    serde_json::from_str(text).map_err(|it| malformed(format!("the arguments: {it}")))
}

/// The name of a tool that there is not, as far as it is shown.
pub(crate) fn shown(name: &str) -> String {
    printable(&name.chars().take(MAX_NAME).collect::<String>())
}

/// The tool of this name, where the profile reads it.
pub(crate) fn known<'s>(
    service: &Service,
    snapshot: &'s Snapshot,
    name: &str,
) -> Option<&'s ToolId> {
    snapshot.named(name).filter(|it| service.profile().reads(it.path()))
}
