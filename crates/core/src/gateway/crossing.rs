//! The two transactions of a call: one before it leaves, with everything that it uses up, and one
//! after it came back, with what became of it.

use std::sync::atomic::Ordering;

use assay_audit::{Event, Stage};
use assay_base::canonical::to_bytes;
use assay_registry::gate::idempotency::{self, Fingerprint, Next};
use assay_registry::gate::record::SinkFailure;
use assay_registry::gate::snapshot::Governed;
use assay_registry::gate::{Code, Refusal};
use assay_store::{Arrival, Departure, Evidence, Left, Outcome, OutcomeKey, OutcomeState};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::gateway::carry::{self, Carried};
use crate::gateway::entry::{self, Ended};
use crate::gateway::known::{self, Known};
use crate::gateway::outcome::{Ending, Kept};
use crate::gateway::passing::{Passing, passed};

impl Passing<'_> {
    /// The transaction before the call leaves; the payload of an earlier one where that ended
    /// meanwhile.
    pub(super) fn depart(
        &self,
        tool: &Governed,
        known: &Known,
    ) -> Result<Option<Value>, (&'static str, Refusal)> {
        let received = self.received;
        let unavailable = || ("audit", Refusal::new(Code::AuditUnavailable, []));
        let service = received.service;
        if tool.is_read() {
            // What only reads waits for nothing, unless its record wants it so.
            let failing = is_strict(tool) && service.ledger.status().failing.is_some();
            received.progress.left.set(!failing);
            return if failing { Err(unavailable()) } else { Ok(None) };
        }
        let fingerprint = Fingerprint::of(&received.arguments);
        let outcome = Outcome {
            state: OutcomeState::InFlight,
            fingerprint: fingerprint.to_text(),
            reference: received.event().to_owned(),
            // From now on: finding out whose things are took its time as well.
            until: (service.world.milliseconds)().saturating_add(carry::lease_ms(tool)),
        };
        let targets: Vec<String> = tool.tool.targets.iter().map(ToString::to_string).collect();
        let request = known.request.as_ref().map(|it| it.address.as_str());
        let departure = Departure {
            key: known.outcome_key(received),
            outcome: &outcome,
            targets: &targets,
            request,
            now: received.at,
        };
        let ended = Ended { stages: passed(Some(known)), known: Some(known), ..Ended::default() };
        let consumed = known.request.iter().map(|it| entry::consumed(received, known, it));
        let records: Vec<_> =
            entry::records(received, Event::ToolDispatching, &ended).chain(consumed).collect();
        records.iter().try_for_each(|it| it.check()).map_err(|_| unavailable())?;
        let chain = received.organisation();
        let sealer = service.ledger.sealer();
        let left = service.store.depart(&departure, chain, |head| {
            sealer.rows(chain, head, records).unwrap_or_default()
        });
        match left.map_err(|_| unavailable())? {
            Left::Yes => {
                received.progress.left.set(true);
                Ok(None)
            }
            Left::Stopped => Err(("switch", Refusal::new(Code::ToolSuspended, []))),
            Left::Spent => {
                let why = [("why", json!("used"))];
                Err(("approval", Refusal::new(Code::ApprovalInvalid, why)))
            }
            Left::Taken(first) => {
                let state = known::state(first, received.at);
                match idempotency::next(&state, &fingerprint, received.at) {
                    Ok(Next::Replay(payload)) => Ok(Some(payload.clone())),
                    Ok(Next::Execute) => Err(unavailable()),
                    Err(refusal) => Err(("idempotency", refusal)),
                }
            }
        }
    }

    /// The transaction after the call came back.
    pub(super) fn arrive(
        &self,
        tool: &Governed,
        known: &Known,
        (carried, ending): (&Carried, &Ending),
    ) -> Result<(), Failure> {
        let received = self.received;
        let mut stages = passed(Some(known));
        // Why an answer was given to nobody is for whoever looks after the installation.
        if let Some(why) = ending.withheld() {
            stages.push(Stage {
                name: "output".to_owned(),
                word: why.to_owned(),
                evidence: Vec::new(),
            });
            self.gateway.withheld.fetch_add(1, Ordering::Relaxed);
        }
        let ended = Ended {
            stages,
            known: Some(known),
            code: ending.answer.as_ref().err().map(|it| it.code.word()),
            is_partial: ending.is_partial,
            result: ending.answer.as_ref().ok(),
            upstream: Some((carried.took, carried.attempts)),
            ..Ended::default()
        };
        let evidence = self.evidence(tool, known, ending);
        if tool.is_read() && evidence.is_none() {
            return match is_strict(tool) {
                true => self.write(&ended),
                false => self.note(Event::ToolInvoked, &ended),
            };
        }
        let now = (received.service.world.milliseconds)();
        let kept = match ending.kept {
            Kept::Nothing => None,
            Kept::Answer(for_ms) => {
                let payload = to_bytes(|slot| slot.json(&ending.payload(received.event())));
                let payload = String::from_utf8_lossy(&payload).into_owned();
                Some((OutcomeState::Done(payload), now.saturating_add(for_ms)))
            }
            Kept::Doubt => Some((OutcomeState::Unknown, i64::MAX)),
        };
        let kept = kept.map(|(state, until)| Outcome {
            state,
            fingerprint: Fingerprint::of(&received.arguments).to_text(),
            reference: received.event().to_owned(),
            until,
        });
        let key = known.outcome_key(received).filter(|_| !tool.is_read());
        let arrival = Arrival {
            outcome: key.map(|key| (key, kept.as_ref())),
            evidence: evidence.as_ref(),
            now,
        };
        if self.settle(&arrival, &ended) {
            if let Some(found) = &evidence {
                self.gateway.finished(found.finished_at);
            }
            return Ok(());
        }
        // Whoever asks is told that it cannot be relied on yet.
        let (code, reference) = match tool.is_read() {
            true => (Code::AuditUnavailable, Value::Null),
            false => (Code::OutcomeUnknown, json!(received.event())),
        };
        Err(self.failure(Refusal::new(code, [("reference", reference)])))
    }

    /// Puts on the disk how a call ended that only read, before anybody is told what it read.
    fn write(&self, ended: &Ended<'_>) -> Result<(), Failure> {
        let received = self.received;
        let (ledger, chain) = (&received.service.ledger, received.organisation());
        let mut records = entry::records(received, Event::ToolInvoked, ended);
        let again = records.clone();
        let written = records.try_for_each(|it| ledger.write(chain, it).map(drop));
        if written.is_err() {
            // What was read was read: its record waits for the log.
            again.for_each(|it| drop(ledger.note(chain, it)));
        }
        received.progress.recorded.set(true);
        written.map_err(|_| self.failure(Refusal::new(Code::AuditUnavailable, [])))
    }

    /// Keeps how the call ended together with its last record; returns whether that is on the disk.
    fn settle(&self, arrival: &Arrival<'_>, ended: &Ended<'_>) -> bool {
        let received = self.received;
        let (service, chain) = (received.service, received.organisation());
        let sealer = service.ledger.sealer();
        let records = entry::records(received, Event::ToolInvoked, ended);
        let again = records.clone();
        let arrived = service
            .store
            .arrive(arrival, chain, |head| sealer.rows(chain, head, records).unwrap_or_default());
        if arrived.is_err() {
            // What happened has happened: its record waits for the log.
            again.for_each(|it| drop(service.ledger.note(chain, it)));
        }
        received.progress.recorded.set(true);
        arrived.is_ok()
    }

    /// Ends a call that a fault of this program interrupted: once on record, and with no word that
    /// nothing was done where the server behind its tool may have done it.
    pub(super) fn broken(&self) -> Failure {
        let received = self.received;
        let has_left = received.progress.left.get();
        let doubtful = received.tool.filter(|it| has_left && !it.is_read());
        let code = if doubtful.is_some() { Code::OutcomeUnknown } else { Code::Internal };
        let ended = Ended {
            stages: if has_left { passed(None) } else { Vec::new() },
            code: Some(code.word()),
            is_partial: doubtful.is_some(),
            ..Ended::default()
        };
        if received.progress.recorded.get() {
            // How it ended is known by now, but not to whoever waits for it.
        } else if let Some(tool) = doubtful {
            let outcome = Outcome {
                state: OutcomeState::Unknown,
                fingerprint: Fingerprint::of(&received.arguments).to_text(),
                reference: received.event().to_owned(),
                until: i64::MAX,
            };
            let organisation = received.organisation();
            let key = received.key(tool).map(|key| OutcomeKey { organisation, key });
            let outcome = key.map(|key| (key, Some(&outcome)));
            self.settle(&Arrival { outcome, evidence: None, now: received.at }, &ended);
        } else {
            let event = if has_left { Event::ToolInvoked } else { Event::ToolDenied };
            // It ended either way.
            let _ = self.note(event, &ended);
        }
        self.failure(match doubtful {
            Some(_) => Refusal::new(code, [("reference", json!(received.event()))]),
            None => Refusal::new(code, []),
        })
    }

    /// What the call found, for the calls that must come after it.
    fn evidence(&self, tool: &Governed, known: &Known, ending: &Ending) -> Option<Evidence> {
        let received = self.received;
        let id = &tool.record.tool_id;
        let result = ending.answer.as_ref().ok()?;
        received.loaded.snapshot.is_asked_for(id).then(|| {
            let verdict = tool.record.verdict.as_ref();
            let found = verdict.and_then(|it| result.pointer(&it.pointer)?.as_str());
            // A word that the record does not list is no finding.
            let known_word = |it: &&str| verdict.is_some_and(|v| v.values.iter().any(|w| w == it));
            Evidence {
                event: received.event().to_owned(),
                organisation: received.organisation().to_owned(),
                tool: id.to_string(),
                matter: received.session.standing.matter.clone(),
                session: received.session.standing.id.clone(),
                subject: known.subject.clone(),
                verdict: found.filter(known_word).map(str::to_owned),
                finished_at: (received.service.world.milliseconds)(),
            }
        })
    }
}

/// Whether nobody is told what the tool read before that is on record.
fn is_strict(tool: &Governed) -> bool {
    tool.record.audit.on_sink_failure == Some(SinkFailure::FailClosed)
}
