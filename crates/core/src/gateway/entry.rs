//! What is written down of a governed call: no argument and no word of an answer but those that the
//! record of the tool lists, each in the form of its class.

use assay_audit::{
    Action, Class, Classes, Decision, Event, Latency, Outcome, Record, Resource, Sanitised, Stage,
    Tool, digest,
};
use assay_base::{Moment, canonical};
use assay_registry::gate::Code;
use assay_registry::gate::record::FieldClass;
use assay_store::Request;
use serde_json::Value;

use crate::caller::Session;
use crate::gateway::known::Known;
use crate::gateway::limits;
use crate::gateway::received::{Progress, Received, shown};
use crate::service::Service;

/// How a call ended, as far as it is written down.
#[derive(Debug, Default)]
pub(crate) struct Ended<'e> {
    /// How the stages of the gate went.
    pub(crate) stages: Vec<Stage>,
    /// The code of what went wrong.
    pub(crate) code: Option<&'e str>,
    /// Whether something may have happened all the same.
    pub(crate) is_partial: bool,
    /// The answer.
    pub(crate) result: Option<&'e Value>,
    /// The record whose answer was given again.
    pub(crate) replay_of: Option<String>,
    /// What was known of it from outside.
    pub(crate) known: Option<&'e Known>,
    /// How long the server behind the tool took, in milliseconds, and how often it was asked.
    pub(crate) upstream: Option<(u64, u64)>,
}

/// The record of what happened to a call, and one that says so where its fields could not be
/// written.
pub(crate) fn records(
    received: &Received<'_>,
    event: Event,
    ended: &Ended<'_>,
) -> impl Iterator<Item = Record> + Clone {
    let (record, is_whole) = record(received, event, ended);
    let bare = (!is_whole).then(|| {
        let event_id = format!("{}-r", record.event_id);
        Record {
            actor: record.actor.clone(),
            resource: record.resource.clone(),
            tool: record.tool.clone(),
            context: record.context.clone(),
            scope: record.scope.clone(),
            ..Record::plain(event_id, Event::RedactionFailed, record.at, Outcome::Failure)
        }
    });
    [Some(record), bare].into_iter().flatten()
}

/// The record that a call used up what people had said to it.
pub(crate) fn consumed(received: &Received<'_>, known: &Known, request: &Request) -> Record {
    let by = received.session.by(&received.progress.origin);
    let (approvals, confirmation) = (known.approvals(received), known.confirmation(received));
    let now = received.service.moment();
    let event_id = format!("{}-c", received.event());
    Record {
        actor: by.actor,
        context: by.context,
        decision: Decision { approvals, confirmation, ..Decision::default() },
        resource: Resource {
            id: Some(request.address.clone()),
            kind: Some("request".to_owned()),
            name: Some(request.tool.clone()),
        },
        scope: by.scope,
        ..Record::plain(event_id, Event::ApprovalConsumed, now, Outcome::Success)
    }
}

/// The record, and whether its fields are in it.
fn record(received: &Received<'_>, event: Event, ended: &Ended<'_>) -> (Record, bool) {
    let now = (received.service.world.milliseconds)();
    let terminal = matches!(event, Event::ToolInvoked | Event::ToolDenied);
    let record = received.tool.map(|it| &it.record);
    let fields = Fields::of(received, ended);
    let by = received.session.by(&received.progress.origin);
    let record = Record {
        event_id: if terminal {
            received.event().to_owned()
        } else {
            format!("{}-d", received.event())
        },
        event,
        at: Moment::from_milliseconds(now),
        actor: by.actor,
        resource: Resource {
            id: Some(received.tool_id()),
            kind: Some("tool".to_owned()),
            name: record.map(|it| it.wire_name()),
        },
        action: Action {
            name: "invoke".to_owned(),
            result: result(ended),
            error_code: ended.code.map(str::to_owned),
        },
        tool: received.tool.map(|it| tool(&it.tool)),
        input: fields.input,
        input_digest: fields.digest,
        output: fields.output,
        decision: decision(received, ended),
        latency: latency(received, (event, ended), now),
        context: by.context,
        scope: by.scope,
    };
    (record, fields.are_whole)
}

/// The record of a call that a fault of this program interrupted and of which no more can be told.
pub(crate) fn unheard(
    service: &Service,
    session: &Session,
    (name, progress): (&str, &Progress),
) -> Record {
    let (event, code, result) = match progress.left.get() {
        true => (Event::ToolInvoked, Code::OutcomeUnknown, Outcome::Partial),
        false => (Event::ToolDenied, Code::Internal, Outcome::Failure),
    };
    let name = shown(name);
    let by = session.by(&progress.origin);
    Record {
        actor: by.actor,
        context: by.context,
        resource: Resource { id: Some(name), kind: Some("tool".to_owned()), name: None },
        action: Action {
            name: "invoke".to_owned(),
            result,
            error_code: Some(code.word().to_owned()),
        },
        scope: by.scope,
        ..Record::plain(progress.event.clone(), event, service.moment(), result)
    }
}

const fn result(ended: &Ended<'_>) -> Outcome {
    match ended.code {
        None => Outcome::Success,
        Some(_) if ended.is_partial => Outcome::Partial,
        Some(_) => Outcome::Failure,
    }
}

/// Which tool was called, by what its record states.
pub(crate) fn tool(tool: &assay_registry::Tool) -> Tool {
    Tool {
        category: Some(tool.record.category.clone()),
        definition_hash: Some(tool.definition_hash.clone()),
        effect: Some(tool.record.effect().word().to_owned()),
        tool_id: Some(tool.record.tool_id.to_string()),
        tool_version: Some(tool.record.version.to_string()),
    }
}

/// Why a call was let through or refused.
fn decision(received: &Received<'_>, ended: &Ended<'_>) -> Decision {
    let known = ended.known;
    Decision {
        approvals: known.map(|it| it.approvals(received)).unwrap_or_default(),
        confirmation: known.and_then(|it| it.confirmation(received)),
        kill_epoch: Some(received.epoch.get()),
        rate: rate(received),
        replay_of: ended.replay_of.clone(),
        snapshot: Some(received.loaded.snapshot.id().to_owned()),
        stages: ended.stages.clone(),
    }
}

/// How many calls the limit of the tool allows in a minute, and how many count now.
fn rate(received: &Received<'_>) -> Option<(u64, u64)> {
    let limit = received.tool?.record.rate_limit?;
    let key = limits::key(&received.tool_id(), Some(limit), received.session);
    let used = received.service.limits.used(&key, received.at);
    Some((limit.requests_per_minute.into(), u64::try_from(used).ok()?))
}

fn latency(received: &Received<'_>, (event, ended): (Event, &Ended<'_>), now: i64) -> Latency {
    let total = u64::try_from(now.saturating_sub(received.at)).unwrap_or(0);
    let promised = received.tool.map(|it| u64::from(it.record.latency_slo_ms));
    let is_carried = event == Event::ToolInvoked && ended.upstream.is_some();
    Latency {
        total: Some(total),
        gateway: ended.upstream.map(|(took, _)| total.saturating_sub(took)),
        upstream: ended.upstream.map(|(took, _)| took),
        promised,
        attempts: ended.upstream.map(|(_, attempts)| attempts),
        breached: promised.filter(|_| is_carried).map(|promised| total > promised),
    }
}

/// What of the arguments and of the answer is written down.
struct Fields {
    input: Sanitised,
    digest: Option<String>,
    output: Sanitised,
    /// Whether nothing is missing because it could not be brought into the form of its class.
    are_whole: bool,
}

impl Fields {
    fn of(received: &Received<'_>, ended: &Ended<'_>) -> Self {
        let key = received.service.ledger.field_key(received.organisation());
        let audit = received.tool.map(|it| &it.record.audit);
        let stated = audit.into_iter().flat_map(|it| &it.fields);
        let classes: Classes = stated.map(|(name, it)| (name, class(*it))).collect();
        let summary = audit.into_iter().flat_map(|it| &it.output_summary);
        let summary: Classes = summary.map(|name| (name, Class::Internal)).collect();
        let mut are_whole = true;
        let mut sanitised = |classes: &Classes, text: &str| {
            classes.sanitise(text, &key).unwrap_or_else(|_| {
                are_whole = false;
                Sanitised::empty()
            })
        };
        let output = ended.result.map(|it| sanitised(&summary, &text(it)));
        let output = output.unwrap_or_else(Sanitised::empty);
        // Arguments that could not be read are not there.
        let arguments = received.arguments.is_object().then(|| text(&received.arguments));
        let input = arguments.as_deref().map(|it| sanitised(&classes, it));
        Self {
            input: input.unwrap_or_else(Sanitised::empty),
            digest: arguments.map(|it| digest(&key, it.as_bytes())),
            output,
            are_whole,
        }
    }
}

fn text(value: &Value) -> String {
    let bytes = canonical::to_bytes(|slot| slot.json(value));
    String::from_utf8_lossy(&bytes).into_owned()
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
