//! What must have been done before, read from what was recorded and never from what is claimed.

#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use crate::gate::record::{EvidenceScope, Prerequisite};
use crate::gate::{Code, Refusal};

/// A call that was carried out with success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence<'e> {
    /// The id of the tool.
    pub tool: &'e str,
    /// Where it was done.
    pub place: Place<'e>,
    /// What it was about, in the form in which subjects are compared.
    pub subject: Option<&'e str>,
    /// What it found.
    pub verdict: Option<&'e str>,
    /// The roles of those who decided on what it found.
    pub decided_by: &'e [&'e str],
    /// When it was finished, in milliseconds since 1970.
    pub finished_at: i64,
}

/// Where something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'p> {
    /// The organisation.
    pub organisation: &'p str,
    /// The matter, where there is one.
    pub matter: Option<&'p str>,
    /// The session.
    pub session: &'p str,
}

/// The call that waits for its prerequisites.
#[derive(Debug, Clone, Copy)]
pub struct Waiting<'w> {
    /// Where it comes from.
    pub place: Place<'w>,
    /// What it is about.
    pub subject: Option<&'w str>,
    /// When it arrived, in milliseconds since 1970.
    pub received_at: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State<'e> {
    Met,
    Missing,
    NotMet(Option<&'e str>),
}

/// Holds a call to its prerequisites.
///
/// # Errors
/// `PREREQUISITE_MISSING` with every step that is to be done, else `PREREQUISITE_NOT_MET` with
/// what was found and who may decide on it.
pub fn check(
    needed: &[Prerequisite],
    evidence: &[Evidence<'_>],
    call: Waiting<'_>,
) -> Result<(), Refusal> {
    let states: Vec<(&Prerequisite, State<'_>)> =
        needed.iter().map(|it| (it, state(it, evidence, call))).collect();
    let missing: Vec<Value> = states
        .iter()
        .filter(|(_, state)| *state == State::Missing)
        .map(|(it, _)| json!({ "tool": it.tool, "user_action": it.user_action }))
        .collect();
    if !missing.is_empty() {
        return Err(Refusal::new(Code::PrerequisiteMissing, [("steps", missing.into())]));
    }
    for (prerequisite, state) in states {
        if let State::NotMet(verdict) = state {
            let decision = prerequisite.or_decision.as_ref();
            let role =
                decision.filter(|it| Some(it.verdict.as_str()) == verdict).map(|it| &it.role);
            let details = [("verdict", json!(verdict)), ("decision_role", json!(role))];
            return Err(Refusal::new(Code::PrerequisiteNotMet, details));
        }
    }
    Ok(())
}

/// The latest finding counts, so that a later concern locks again what was open.
fn state<'e>(needed: &Prerequisite, evidence: &[Evidence<'e>], call: Waiting<'_>) -> State<'e> {
    let about = || evidence.iter().filter(|it| concerns(needed, it, call));
    // What finishes after the call arrived opens nothing, or a batch could carry the check and
    // the act at once; it locks all the same.
    let late = about().find(|it| it.finished_at >= call.received_at && !is_good(needed, it));
    if let Some(late) = late {
        return State::NotMet(late.verdict);
    }
    let before = || about().filter(|it| it.finished_at < call.received_at);
    let Some(latest) = before().map(|it| it.finished_at).max() else { return State::Missing };
    let at_last = || before().filter(|it| it.finished_at == latest);
    if let Some(bad) = at_last().find(|it| !is_good(needed, it)) {
        return State::NotMet(bad.verdict);
    }
    let age = call.received_at.saturating_sub(latest);
    if age > i64::from(needed.within_s) * 1000 { State::Missing } else { State::Met }
}

fn concerns(needed: &Prerequisite, it: &Evidence<'_>, call: Waiting<'_>) -> bool {
    let place = it.place.organisation == call.place.organisation
        && match needed.scope {
            EvidenceScope::Org => true,
            EvidenceScope::Matter => {
                call.place.matter.is_some() && it.place.matter == call.place.matter
            }
            EvidenceScope::Session => it.place.session == call.place.session,
        };
    let subject = !needed.same_subject || (call.subject.is_some() && it.subject == call.subject);
    it.tool == needed.tool && place && subject
}

fn is_good(needed: &Prerequisite, it: &Evidence<'_>) -> bool {
    let found = |verdict: &String| it.verdict == Some(verdict.as_str());
    let decided = needed.or_decision.as_ref().is_some_and(|decision| {
        found(&decision.verdict) && it.decided_by.contains(&decision.role.as_str())
    });
    needed.verdict_in.is_empty() || needed.verdict_in.iter().any(found) || decided
}
