//! One record as its canonical fields. Every field is always written, so that what is absent reads
//! as `null` and not as forgotten.

use assay_base::Moment;
use assay_base::canonical::{Object, Slot};

use crate::event::{Event, Outcome};
use crate::sanitise::Sanitised;

/// What is recorded, before it has a place in a chain.
#[derive(Debug, Clone)]
pub struct Record {
    /// What names this record for callers.
    pub event_id: String,
    /// What happened.
    pub event: Event,
    /// When, by the caller's clock.
    pub at: Moment,
    /// Who did it.
    pub actor: Actor,
    /// What it was done to.
    pub resource: Resource,
    /// What was done, and how it ended.
    pub action: Action,
    /// The tool, where one took part.
    pub tool: Option<Tool>,
    /// The arguments, sanitised.
    pub input: Sanitised,
    /// Keyed digest of the whole arguments.
    pub input_digest: Option<String>,
    /// The named fields of the answer, sanitised.
    pub output: Sanitised,
    /// Why it was let through or refused.
    pub decision: Decision,
    /// How long it took.
    pub latency: Latency,
    /// Where the call came from.
    pub context: Context,
    /// Whose data it was about.
    pub scope: Scope,
}

/// Defines a group of optional texts, written under their own names.
macro_rules! texts {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct $name { $($(#[$field_doc])* pub $field: Option<String>,)+ }

        impl $name {
            fn write(&self, slot: Slot<'_>) {
                slot.object(|object| {
                    $(object.key(stringify!($field)).optional_string(self.$field.as_deref());)+
                });
            }
        }
    };
}

texts! {
    /// Who did it.
    Actor {
        /// From which address.
        ip_address,
        /// Person, agent or service.
        principal_kind,
        /// In which role.
        role,
        /// In which session.
        session_id,
        /// With which program.
        user_agent,
        /// Which person or key.
        user_id,
    }
}

texts! {
    /// What it was done to.
    Resource {
        /// Which one.
        id,
        /// Which kind of thing.
        kind,
        /// What people call it.
        name,
    }
}

texts! {
    /// The tool that took part.
    Tool {
        /// The family that it belongs to.
        category,
        /// Hash of its definition.
        definition_hash,
        /// What a call of it may change.
        effect,
        /// Which tool.
        tool_id,
        /// Which version of it.
        tool_version,
    }
}

texts! {
    /// Where the call came from.
    Context {
        /// Which model asked.
        model_id,
        /// The request's own name.
        request_id,
        /// Which skill asked.
        skill_id,
        /// Which version of the skill.
        skill_version,
        /// The trace that it belongs to.
        trace_id,
    }
}

texts! {
    /// Whose data it was about.
    Scope {
        /// Which installation.
        environment,
        /// Which matter.
        matter_id,
        /// Which organisation.
        org_id,
        /// Which workspace.
        workspace_id,
    }
}

/// What was done, and how it ended. There is no place for free text of an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// What was done.
    pub name: String,
    /// How it ended.
    pub result: Outcome,
    /// The code of the failure.
    pub error_code: Option<String>,
}

/// Why a call was let through or refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decision {
    /// The registry that was in force.
    pub snapshot: Option<String>,
    /// The number of the last change of what is stopped.
    pub kill_epoch: Option<u64>,
    /// Each stage, in the order in which they ran.
    pub stages: Vec<Stage>,
    /// The entries of the words of others that were counted.
    pub approvals: Vec<String>,
    /// The entry of the word of whoever asked, where it was counted.
    pub confirmation: Option<String>,
    /// The record whose answer was given again.
    pub replay_of: Option<String>,
    /// Calls allowed and calls used within the window.
    pub rate: Option<(u64, u64)>,
}

/// What one stage said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stage {
    /// Which stage.
    pub name: String,
    /// That it let the call pass, or why it did not.
    pub word: String,
    /// The entries that it relied on.
    pub evidence: Vec<String>,
}

/// How long it took, in milliseconds, and what was promised.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Latency {
    /// From asking to answer.
    pub total: Option<u64>,
    /// Spent here.
    pub gateway: Option<u64>,
    /// Spent elsewhere.
    pub upstream: Option<u64>,
    /// What was promised.
    pub promised: Option<u64>,
    /// How often it was tried.
    pub attempts: Option<u64>,
    /// Whether it took longer than was promised; `None` where nothing was carried out.
    pub breached: Option<bool>,
}

impl Record {
    /// A record that tells what happened, when, and how it went, and of no call.
    #[must_use]
    pub fn plain(event_id: String, event: Event, at: Moment, result: Outcome) -> Self {
        Self {
            event_id,
            event,
            at,
            actor: Actor::default(),
            resource: Resource::default(),
            action: Action { name: event.word().to_owned(), result, error_code: None },
            tool: None,
            input: Sanitised::empty(),
            input_digest: None,
            output: Sanitised::empty(),
            decision: Decision::default(),
            latency: Latency::default(),
            context: Context::default(),
            scope: Scope::default(),
        }
    }

    /// Writes every field but the place in the chain.
    pub(crate) fn write(&self, object: &mut Object<'_>) {
        self.action.write(object.key("action"));
        self.actor.write(object.key("actor"));
        self.context.write(object.key("context"));
        self.decision.write(object.key("decision"));
        object.key("event_id").string(&self.event_id);
        object.key("event_type").string(self.event.word());
        object.key("input").fragment(self.input.fragment());
        object.key("input_digest").optional_string(self.input_digest.as_deref());
        self.latency.write(object.key("latency_ms"));
        object.key("output").fragment(self.output.fragment());
        self.resource.write(object.key("resource"));
        self.scope.write(object.key("scope"));
        match self.latency.breached {
            Some(breached) => object.key("slo_breached").boolean(breached),
            None => object.key("slo_breached").null(),
        }
        object.key("timestamp").display(self.at);
        match &self.tool {
            Some(tool) => tool.write(object.key("tool")),
            None => object.key("tool").null(),
        }
    }
}

impl Action {
    fn write(&self, slot: Slot<'_>) {
        slot.object(|object| {
            object.key("error_code").optional_string(self.error_code.as_deref());
            object.key("name").string(&self.name);
            object.key("result").string(self.result.word());
        });
    }
}

impl Decision {
    fn write(&self, slot: Slot<'_>) {
        slot.object(|object| {
            object.key("approvals").strings(&self.approvals);
            object.key("confirmation").optional_string(self.confirmation.as_deref());
            object.key("kill_epoch").optional_integer(self.kill_epoch);
            match self.rate {
                Some((limit, used)) => object.key("rate").object(|object| {
                    object.key("limit").integer(limit);
                    object.key("used").integer(used);
                }),
                None => object.key("rate").null(),
            }
            object.key("replay_of").optional_string(self.replay_of.as_deref());
            object.key("snapshot").optional_string(self.snapshot.as_deref());
            object.key("stages").array(|array| {
                self.stages.iter().for_each(|it| it.write(array.item()));
            });
        });
    }
}

impl Stage {
    /// What it relied on is left out where that is nothing.
    fn write(&self, slot: Slot<'_>) {
        slot.array(|array| {
            array.item().string(&self.name);
            array.item().string(&self.word);
            if !self.evidence.is_empty() {
                array.item().strings(&self.evidence);
            }
        });
    }
}

impl Latency {
    fn write(self, slot: Slot<'_>) {
        slot.object(|object| {
            object.key("attempts").optional_integer(self.attempts);
            object.key("gateway").optional_integer(self.gateway);
            object.key("promised").optional_integer(self.promised);
            object.key("total").optional_integer(self.total);
            object.key("upstream").optional_integer(self.upstream);
        });
    }
}
