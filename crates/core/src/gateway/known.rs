//! What is known of a call from outside it: what was kept, found and said before. It is fetched as
//! far as the record of the tool asks for it.

use assay_base::{CallHash, Timestamp};
use assay_registry::gate::Refusal;
use assay_registry::gate::approval::{self, Asked, Given, Standing};
use assay_registry::gate::decide::{Confirmed, Facts};
use assay_registry::gate::idempotency::{Fingerprint, State};
use assay_registry::gate::permission::{self, Holder};
use assay_registry::gate::prerequisite::{Evidence, Place, Waiting};
use assay_registry::gate::record::{EvidenceScope, RateLimit};
use assay_store::{
    Found, Outcome, OutcomeKey, OutcomeState, Request, RequestState, Said, Sought, StoreError, Word,
};
use serde_json::Value;

use crate::gateway::limits;
use crate::gateway::owners::Owners;
use crate::gateway::received::Received;

/// How long a confirmation counts, in milliseconds.
pub(crate) const CONFIRMATION_MS: i64 = 600_000;

/// What was kept, found and said before a call.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) key: Option<CallHash>,
    pub(crate) call: Option<CallHash>,
    pub(crate) subject: Option<String>,
    state: Option<State>,
    found: Vec<Found>,
    /// The entries of the latest findings that the call has to come after.
    pub(crate) findings: Vec<String>,
    /// What the call waits for people with, where it does.
    pub(crate) request: Option<Request>,
    said: Vec<(Said, Vec<String>)>,
}

impl Known {
    /// Fetches what the record of the tool asks for: nothing where the skill does not list it, so
    /// that it takes no longer to refuse than a tool that there is not.
    pub(crate) fn fetch(received: &Received<'_>) -> Result<Self, StoreError> {
        let Some(tool) = received.bound() else { return Ok(Self::default()) };
        let store = &received.service.store;
        let workspace = received.session.workspace.id;
        let mut known = Self {
            key: received.key(tool),
            call: Some(received.call(tool)),
            subject: received.subject(tool),
            ..Self::default()
        };
        if let Some(key) = known.outcome_key(received) {
            known.state = store.outcome(key, received.at)?.map(|it| state(it, received.at));
        }
        for needed in &tool.record.prerequisites {
            let standing = &received.session.standing;
            let sought = Sought {
                tool: &needed.tool,
                subject: known.subject.as_deref().filter(|_| needed.same_subject),
                matter: standing
                    .matter
                    .as_deref()
                    .filter(|_| needed.scope == EvidenceScope::Matter),
                session: Some(standing.id.as_str())
                    .filter(|_| needed.scope == EvidenceScope::Session),
            };
            let found = store.evidence(workspace, received.organisation(), sought)?;
            let before = found.iter().find(|it| it.evidence.finished_at < received.at);
            known.findings.extend(before.map(|it| it.evidence.event.clone()));
            known.found.extend(found);
        }
        // What grants ask for is not known yet, so every call that changes something is looked up.
        if !tool.is_read() {
            let latest = known.call.map(|it| store.request_for(workspace, it)).transpose()?;
            if let Some((request, said)) = latest.flatten().filter(|it| it.0.counts(received.at)) {
                let seen = (Vec::new(), Some(&**received.loaded));
                let shown = received.service.shown(received.session, &request, seen);
                let shown = shown.ok().and_then(|it| CallHash::parse(&it.hash));
                // A yes to something that people were not shown as it is now is none.
                for word in
                    said.into_iter().filter(|it| it.word.is_against() || Some(it.shown) == shown)
                {
                    let roles = store.practice_roles(workspace, word.person)?;
                    known.said.push((word, roles));
                }
                known.request = Some(request);
            }
        }
        Ok(known)
    }

    /// Under what the outcome of the call is kept.
    pub(crate) fn outcome_key<'k>(&self, received: &Received<'k>) -> Option<OutcomeKey<'k>> {
        self.key.map(|key| OutcomeKey { organisation: received.organisation(), key })
    }

    /// The entry of the word by which whoever asks confirmed the call.
    pub(crate) fn confirmation(&self, received: &Received<'_>) -> Option<String> {
        self.confirming(received)?.event.clone()
    }

    /// The entries of the words of others that count for the call.
    pub(crate) fn approvals(&self, received: &Received<'_>) -> Vec<String> {
        let Some(tool) = received.tool.filter(|_| self.request.is_some()) else {
            return Vec::new();
        };
        let used = self.facts(received, |facts| {
            let rules =
                permission::approvals(&tool.record, facts.holder.grants, facts.holder.roles);
            approval::check(&rules, facts.given, facts.asked).unwrap_or_default()
        });
        let words = self.said.iter().map(|(said, _)| said).filter(|it| standing(it.word).is_some());
        let used = words.enumerate().filter(|(index, _)| used.contains(index));
        used.filter_map(|(_, said)| said.event.clone()).collect()
    }

    /// What whoever asks said to it.
    fn own<'k>(&'k self, received: &'k Received<'_>) -> impl Iterator<Item = &'k Said> {
        let own = self.said.iter().map(|(said, _)| said);
        own.filter(|it| it.subject == received.session.standing.subject)
    }

    fn confirming<'k>(&'k self, received: &'k Received<'_>) -> Option<&'k Said> {
        let fresh = |it: &Said| (0..=CONFIRMATION_MS).contains(&(received.at - it.at));
        self.own(received).find(|it| it.word == Word::Confirm && fresh(it))
    }

    fn confirmed(&self, received: &Received<'_>) -> Confirmed {
        if self.own(received).any(|it| it.word == Word::Decline) {
            Confirmed::No
        } else if self.confirming(received).is_some() {
            Confirmed::Yes
        } else if received.service.page.is_some() || !received.service.prompting.is_empty() {
            Confirmed::NotYet
        } else {
            Confirmed::Unavailable
        }
    }

    /// Hands everything to `decide` in the form in which the gate takes it.
    pub(crate) fn facts<T>(
        &self,
        received: &Received<'_>,
        decide: impl FnOnce(&Facts<'_>) -> T,
    ) -> T {
        let standing = &received.session.standing;
        let profile = received.service.profile();
        let roles = borrowed(&standing.roles);
        let decided: Vec<Vec<&str>> =
            self.found.iter().map(|it| borrowed(&it.decided_by)).collect();
        let evidence: Vec<Evidence<'_>> =
            self.found.iter().zip(&decided).map(|(it, by)| finding(it, by)).collect();
        let said: Vec<Vec<&str>> = self.said.iter().map(|(_, roles)| borrowed(roles)).collect();
        let given = self.given(&said);
        let skill = received.skill.and_then(|it| it.permissions.as_deref()).map(borrowed);
        let stored = received.tool.map(|it| received.loaded.snapshot.stored(&it.record.tool_id));
        let owners = Owners::new(received);
        let place = Place {
            organisation: received.organisation(),
            matter: standing.matter.as_deref(),
            session: &standing.id,
        };
        decide(&Facts {
            session_is_valid: true,
            tool: received.tool.map(|it| (&*it.record, Some(&it.input))),
            denied_facet: received
                .tool
                .filter(|it| profile.denies(it.facet).is_some())
                .map(|it| it.facet.word()),
            is_killed: received.is_stopped(),
            versions: stored.as_deref().unwrap_or_default(),
            bound: received.range,
            holder: Holder {
                grants: received.loaded.snapshot.grants(),
                scopes: received.session.scopes,
                roles: &roles,
                is_person: standing.signed_in_at.is_some(),
                signed_in_at: standing.signed_in_at.unwrap_or(Timestamp::from_seconds(0)),
                token: None,
                skill: skill.as_deref(),
            },
            matter: standing.matter.as_deref(),
            owner: &|kind, id| owners.of(kind, id),
            arguments: &received.arguments,
            state: self.state.as_ref().unwrap_or(&State::None),
            evidence: &evidence,
            waiting: Waiting { place, subject: self.subject.as_deref(), received_at: received.at },
            given: &given,
            asked: Asked {
                person: &standing.subject,
                roles: &roles,
                call: self.call.unwrap_or(NO_CALL),
                now: received.at,
            },
            confirmed: self.confirmed(received),
            rate: &|limit| room(received, limit),
        })
    }

    /// What others said to the call, with the roles that each of them has.
    fn given<'k>(&'k self, roles: &'k [Vec<&'k str>]) -> Vec<Given<'k>> {
        let call = self.request.as_ref().map(|it| it.call).or(self.call).unwrap_or(NO_CALL);
        let words = self.said.iter().zip(roles).map(|((said, _), roles)| {
            let standing = standing(said.word)?;
            Some(Given { person: &said.subject, roles, call, at: said.at, standing })
        });
        words.flatten().collect()
    }
}

/// What a word is worth as one of others.
const fn standing(word: Word) -> Option<Standing> {
    match word {
        Word::Approve => Some(Standing::Open),
        Word::Refuse => Some(Standing::Revoked),
        Word::Confirm | Word::Decline => None,
    }
}

/// Stands for a call of which nothing is known.
const NO_CALL: CallHash = CallHash::from_bytes([0; 32]);

/// Whether the calls that are counted together with this one leave room for it.
fn room(received: &Received<'_>, limit: RateLimit) -> Result<(), Refusal> {
    let key = limits::key(&received.tool_id(), Some(limit), received.session);
    received.service.limits.check(&key, limit, received.at)
}

/// Whether what people said to a request counts for calls at all any more: one that was used up
/// does not, and one that somebody was against does until its time is over.
trait Counts {
    fn counts(&self, now: i64) -> bool;
}

impl Counts for Request {
    fn counts(&self, now: i64) -> bool {
        self.state != RequestState::Used && now < self.expires_at
    }
}

fn borrowed(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

fn finding<'e>(found: &'e Found, decided_by: &'e [&'e str]) -> Evidence<'e> {
    let it = &found.evidence;
    Evidence {
        tool: &it.tool,
        place: Place {
            organisation: &it.organisation,
            matter: it.matter.as_deref(),
            session: &it.session,
        },
        subject: it.subject.as_deref(),
        verdict: it.verdict.as_deref(),
        decided_by,
        finished_at: it.finished_at,
    }
}

/// What the store keeps of a call, in the form in which the gate takes it.
pub(crate) fn state(outcome: Outcome, now: i64) -> State {
    let fingerprint = Fingerprint::from_text(&outcome.fingerprint);
    let until = outcome.until;
    match outcome.state {
        OutcomeState::InFlight if now < until => State::InFlight { fingerprint, until },
        // A lease that ran out leaves a call of which nobody knows what came of it.
        OutcomeState::InFlight | OutcomeState::Unknown => {
            State::Unknown { fingerprint, reference: outcome.reference }
        }
        OutcomeState::Done(payload) => {
            let outcome = serde_json::from_str(&payload).unwrap_or(Value::Null);
            State::Done { fingerprint, outcome, until }
        }
    }
}
