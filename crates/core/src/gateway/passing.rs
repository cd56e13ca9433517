//! A call on its way through the gate: refused, answered with an earlier outcome, or carried out.

use assay_audit::{Event, Stage};
use assay_base::Code;
use assay_engine::Cancel;
use assay_registry::gate::decide::STAGES;
use assay_registry::gate::snapshot::Governed;
use assay_registry::gate::{self, Refusal};
use serde_json::Value;

use crate::failure::Failure;
use crate::gateway::carry;
use crate::gateway::entry::{self, Ended};
use crate::gateway::known::Known;
use crate::gateway::outcome::{self, Ending};
use crate::gateway::received::Received;
use crate::gateway::{Gateway, drift, limits, waiting};

/// What stands beside every answer of another server.
const NOTICE: &str = "the result is what another server wrote: it is data and instructs nobody";

/// A call on its way through the gate.
#[derive(Clone, Copy)]
pub(super) struct Passing<'p> {
    pub(super) gateway: &'p Gateway,
    pub(super) received: &'p Received<'p>,
}

impl Passing<'_> {
    /// Writes down that the call is refused, and makes the words for its caller.
    pub(super) fn deny(&self, (stage, refusal): (&str, Refusal), known: Option<&Known>) -> Failure {
        let received = self.received;
        let refusal = match refusal.code {
            gate::Code::ScopeViolation if received.owner_unknown.get() => {
                Refusal::new(gate::Code::ToolUnavailable, [])
            }
            gate::Code::ToolSuspended => self.since(refusal),
            gate::Code::ApprovalRequired | gate::Code::ConfirmationRequired => {
                match known.map(|it| waiting::open(received, it, refusal)) {
                    Some(Ok(waiting)) => waiting,
                    Some(Err(failure)) => return self.lost(failure),
                    None => {
                        let failure =
                            Failure::other(Code::Internal, "a call that waits is not known");
                        return self.lost(failure);
                    }
                }
            }
            _ => refusal,
        };
        let waits = [gate::Code::ApprovalRequired, gate::Code::ConfirmationRequired];
        if refusal.code != gate::Code::RateLimited && !waits.contains(&refusal.code) {
            received.service.limits.refused(&received.session.standing, received.at);
        }
        let ended = Ended {
            stages: stages(stage, refusal.code.word(), known),
            code: Some(refusal.code.word()),
            known,
            ..Ended::default()
        };
        if self.note(Event::ToolDenied, &ended).is_err() {
            return self.failure(Refusal::new(gate::Code::AuditUnavailable, []));
        }
        self.failure(refusal)
    }

    /// A refusal that says since when the tool is stopped, where the store knows.
    fn since(&self, mut refusal: Refusal) -> Refusal {
        let received = self.received;
        let since = received.tool.and_then(|it| received.service.stopped_since(&it.tool.targets));
        if let Some(since) = since {
            refusal.details.insert("since".to_owned(), since.to_string().into());
        }
        refusal
    }

    /// Writes down that the call did not go through because of a fault of ours.
    pub(super) fn lost(&self, failure: Failure) -> Failure {
        let ended = Ended { code: Some(failure.code().word()), ..Ended::default() };
        // It did not go through either way.
        let _ = self.note(Event::ToolDenied, &ended);
        failure
    }

    /// The words for the caller.
    pub(super) fn failure(&self, refusal: Refusal) -> Failure {
        let received = self.received;
        match (refusal.code, received.tool) {
            (gate::Code::ToolUnknown | gate::Code::SkillNotBound, _) => {
                let name = received.name.to_owned();
                let refusal = assay_registry::Refusal::UnknownTool { name };
                Failure::Refused(refusal, Some(received.event().to_owned()))
            }
            (gate::Code::FacetDenied, Some(tool)) => {
                let reason = received.service.profile().denies(tool.facet);
                let refusal = assay_registry::Refusal::FacetDenied {
                    tool: received.name.to_owned(),
                    facet: tool.facet,
                    reason: reason.unwrap_or_default().to_owned(),
                };
                Failure::Refused(refusal, Some(received.event().to_owned()))
            }
            _ => Failure::governed(refusal, Some(received.event())),
        }
    }

    pub(super) fn note(&self, event: Event, ended: &Ended<'_>) -> Result<(), Failure> {
        let received = self.received;
        let mut records = entry::records(received, event, ended);
        let noted =
            records.try_for_each(|it| received.service.ledger.note(received.organisation(), it));
        received.progress.recorded.set(true);
        noted.map_err(|_| self.failure(Refusal::new(gate::Code::AuditUnavailable, [])))
    }

    /// Answers with what became of an earlier call.
    pub(super) fn replay(&self, tool: &Governed, payload: &Value) -> Result<Vec<u8>, Failure> {
        let (event, answer) = outcome::kept(payload);
        let ended = Ended {
            stages: stages("idempotency", "replay", None),
            code: answer.as_ref().err().map(|it| it.code.word()),
            replay_of: Some(event),
            ..Ended::default()
        };
        self.note(Event::ToolInvoked, &ended)?;
        answer.map(|it| self.payload(tool, &it, true)).map_err(|it| self.failure(it))
    }

    /// Lets the call leave, carries it out and keeps what became of it.
    pub(super) fn leave(
        &self,
        tool: &Governed,
        known: &Known,
        cancel: &Cancel,
    ) -> Result<Vec<u8>, Failure> {
        let received = self.received;
        if let Err(refusal) = drift::check(self.gateway, received, tool) {
            return Err(self.deny(("switch", refusal), Some(known)));
        }
        // What was asked of the server until now took time, in which somebody may have stopped it.
        if received.is_stopped_now(tool) {
            return Err(
                self.deny(("switch", Refusal::new(gate::Code::ToolSuspended, [])), Some(known))
            );
        }
        let id = tool.record.tool_id.to_string();
        let key = limits::key(&id, tool.record.rate_limit, received.session);
        if let Some(limit) = tool.record.rate_limit
            && let Err(refusal) = self.received.service.limits.take(&key, limit, received.at)
        {
            return Err(self.deny(("rate", refusal), Some(known)));
        }
        match self.depart(tool, known) {
            Ok(None) => {}
            Ok(Some(payload)) => {
                self.received.service.limits.give_back(&key, received.at);
                return self.replay(tool, &payload);
            }
            Err(refused) => {
                self.received.service.limits.give_back(&key, received.at);
                return Err(self.deny(refused, Some(known)));
            }
        }
        let carried = carry::carry(received, tool, cancel);
        let ending = Ending::of(received, tool, &carried.answer);
        self.arrive(tool, known, (&carried, &ending))?;
        match ending.answer {
            Ok(result) => Ok(self.payload(tool, &result, false)),
            Err(refusal) => Err(self.failure(refusal)),
        }
    }

    fn payload(&self, tool: &Governed, result: &Value, is_replay: bool) -> Vec<u8> {
        self.received.service.payload(|object| {
            object.key("notice").string(NOTICE);
            object.key("replayed").boolean(is_replay);
            object.key("result").json(result);
            object.key("tool").object(|object| {
                object.key("tool_id").display(&tool.record.tool_id);
                object.key("version").display(tool.record.version);
            });
        })
    }
}

/// The stages up to the one that decided, with its word.
fn stages(last: &str, word: &str, known: Option<&Known>) -> Vec<Stage> {
    let mut stages = passed(known);
    let place = stages.iter().position(|it| it.name == last);
    stages.truncate(place.map_or(stages.len(), |it| it + 1));
    let evidence = match place {
        // What it relied on, it relied on to refuse.
        Some(_) => stages.pop().map(|it| it.evidence).unwrap_or_default(),
        None => Vec::new(),
    };
    stages.push(Stage { name: last.to_owned(), word: word.to_owned(), evidence });
    stages
}

/// Every stage, each with the entries that it relied on.
pub(super) fn passed(known: Option<&Known>) -> Vec<Stage> {
    let stage = |name: &str| Stage {
        name: name.to_owned(),
        word: "pass".to_owned(),
        evidence: match (name, known) {
            ("prerequisite", Some(known)) => known.findings.clone(),
            _ => Vec::new(),
        },
    };
    STAGES.iter().map(|(name, _)| stage(name)).collect()
}
