//! What is written down of a governed call: no argument and no word of an answer but those that the
//! record of the tool lists, each in the form of its class.

use assay_audit::{
    Action, Actor, Class, Classes, Context, Decision, Event, Latency, Outcome, Record, Resource,
    Sanitised, Scope, Tool, digest,
};
use assay_base::{Timestamp, canonical};
use assay_registry::gate::record::FieldClass;
use serde_json::Value;

use crate::gateway::received::Received;

/// How a call ended, as far as it is written down.
#[derive(Debug, Default)]
pub(crate) struct Ended<'e> {
    /// How the stages of the gate went.
    pub(crate) stages: Vec<(String, String)>,
    /// The code of what went wrong.
    pub(crate) code: Option<&'e str>,
    /// Whether something may have happened all the same.
    pub(crate) is_partial: bool,
    /// The answer.
    pub(crate) result: Option<&'e Value>,
    /// The record whose answer was given again.
    pub(crate) replay_of: Option<String>,
    /// The request that was used up.
    pub(crate) request: Option<String>,
    /// How long the server behind the tool took, in milliseconds, and how often it was asked.
    pub(crate) upstream: Option<(u64, u64)>,
}

/// The record of what happened to a call.
pub(crate) fn record(received: &Received<'_>, event: Event, ended: &Ended<'_>) -> Record {
    let standing = &received.session.standing;
    let now = (received.service.world.milliseconds)();
    let total = u64::try_from(now.saturating_sub(received.at)).unwrap_or(0);
    let key = received.service.ledger.field_key(received.organisation());
    let record = received.tool.map(|it| &it.record);
    let text = |value: &Value| {
        let bytes = canonical::to_bytes(|slot| slot.json(value));
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let is_read = received.arguments.is_object();
    let arguments = text(&received.arguments);
    let classes: Classes = record
        .into_iter()
        .flat_map(|it| &it.audit.fields)
        .map(|(name, it)| (name, class(*it)))
        .collect();
    let summary: Classes = record
        .into_iter()
        .flat_map(|it| &it.audit.output_summary)
        .map(|name| (name, Class::Internal))
        .collect();
    let sanitised = |classes: &Classes, text: &str| {
        classes.sanitise(text, &key).unwrap_or_else(|_| Sanitised::empty())
    };
    let result = match ended.code {
        None => Outcome::Success,
        Some(_) if ended.is_partial => Outcome::Partial,
        Some(_) => Outcome::Failure,
    };
    let terminal = matches!(event, Event::ToolInvoked | Event::ToolDenied);
    Record {
        event_id: if terminal { received.event.clone() } else { format!("{}-d", received.event) },
        event,
        at: Timestamp::from_seconds(now.div_euclid(1000)),
        actor: Actor {
            principal_kind: Some(principal(received).to_owned()),
            role: Some(standing.roles.join(" ")),
            session_id: Some(standing.id.clone()),
            user_id: Some(standing.subject.clone()),
            ..Actor::default()
        },
        resource: Resource {
            id: Some(received.tool_id()),
            kind: Some("tool".to_owned()),
            name: record.map(|it| it.wire_name()),
        },
        action: Action {
            name: "invoke".to_owned(),
            result,
            error_code: ended.code.map(str::to_owned),
        },
        tool: received.tool.map(|it| Tool {
            category: Some(it.record.category.clone()),
            definition_hash: Some(it.hash.clone()),
            effect: Some(it.record.effect().word().to_owned()),
            tool_id: Some(it.record.tool_id.to_string()),
            tool_version: Some(it.record.version.to_string()),
        }),
        input: if is_read { sanitised(&classes, &arguments) } else { Sanitised::empty() },
        input_digest: is_read.then(|| digest(&key, arguments.as_bytes())),
        output: match ended.result {
            Some(result) => sanitised(&summary, &text(result)),
            None => Sanitised::empty(),
        },
        decision: Decision {
            snapshot: Some(received.loaded.snapshot.id().to_owned()),
            stages: ended.stages.clone(),
            approvals: ended.request.clone().into_iter().collect(),
            replay_of: ended.replay_of.clone(),
            ..Decision::default()
        },
        latency: Latency {
            total: Some(total),
            gateway: ended.upstream.map(|(took, _)| total.saturating_sub(took)),
            upstream: ended.upstream.map(|(took, _)| took),
            promised: record.map(|it| u64::from(it.latency_slo_ms)),
            attempts: ended.upstream.map(|(_, attempts)| attempts),
        },
        context: Context {
            skill_id: standing.skill.as_ref().map(|it| it.skill.clone()),
            skill_version: standing.skill.as_ref().map(|it| it.version.clone()),
            ..Context::default()
        },
        scope: Scope {
            matter_id: standing.matter.clone(),
            org_id: Some(received.organisation().to_owned()),
            workspace_id: Some(received.organisation().to_owned()),
            ..Scope::default()
        },
    }
}

fn principal(received: &Received<'_>) -> &'static str {
    match received.session.standing.signed_in_at {
        Some(_) => "user",
        None if received.session.is_person() => "machine",
        None => "service",
    }
}

const fn class(class: FieldClass) -> Class {
    match class {
        FieldClass::Public => Class::Public,
        FieldClass::Internal => Class::Internal,
        FieldClass::Pii => Class::Pii,
        FieldClass::Privileged => Class::Privileged,
        FieldClass::Secret => Class::Secret,
    }
}

/// A record that tells of no call: what happened, when, and whether it did.
pub(crate) fn plain_record(event_id: String, event: Event, at: Timestamp, is_done: bool) -> Record {
    Record {
        event_id,
        event,
        at,
        actor: Actor::default(),
        resource: Resource::default(),
        action: Action {
            name: event.word().to_owned(),
            result: if is_done { Outcome::Success } else { Outcome::Failure },
            error_code: None,
        },
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
