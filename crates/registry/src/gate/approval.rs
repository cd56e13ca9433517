//! Who must agree to a call, and which agreements count.
//!
//! An agreement is bound to one exact call, counts once, and counts persons: not accounts, sessions
//! or keys.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use assay_base::{CallHash, canonical};
use serde_json::{Value, json};

use crate::gate::record::{Approval, ToolId};
use crate::gate::version::Version;
use crate::gate::{Code, Refusal};

/// The call that people agree to.
#[derive(Debug, Clone, Copy)]
pub struct Bound<'b> {
    /// The organisation.
    pub organisation: &'b str,
    /// The matter that the work is about, where there is one.
    pub matter: Option<&'b str>,
    /// The tool.
    pub tool: &'b ToolId,
    /// The version that was resolved.
    pub version: Version,
    /// The person who asks.
    pub requester: &'b str,
    /// The arguments.
    pub arguments: &'b Value,
}

/// The address of a call: any other tool, version, matter, person or argument has another one.
#[must_use]
pub fn address(call: &Bound<'_>) -> CallHash {
    let bytes = canonical::to_bytes(|slot| {
        slot.object(|object| {
            object.key("arguments").json(call.arguments);
            object.key("matter").optional_string(call.matter);
            object.key("organisation").string(call.organisation);
            object.key("requester").string(call.requester);
            object.key("tool").display(call.tool);
            object.key("version").display(call.version);
        });
    });
    CallHash::of(&bytes)
}

/// One person's word on a call.
#[derive(Debug, Clone, Copy)]
pub struct Given<'g> {
    /// The person.
    pub person: &'g str,
    /// The roles that the person holds now, when the word is used.
    pub roles: &'g [&'g str],
    /// The call that the person saw.
    pub call: CallHash,
    /// When it was given, in milliseconds since 1970.
    pub at: i64,
    /// What became of it.
    pub standing: Standing,
}

/// What became of a person's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It stands.
    Open,
    /// A call has used it up.
    Used,
    /// The person refused, or took it back; that closes the request.
    Revoked,
}

/// Who asks, for which call, and when.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The person.
    pub person: &'a str,
    /// The person's roles.
    pub roles: &'a [&'a str],
    /// The call.
    pub call: CallHash,
    /// The time, in milliseconds since 1970.
    pub now: i64,
}

/// Holds a call to every rule of approval, and returns the indices of the words that it uses up.
///
/// # Errors
/// `APPROVAL_INVALID` with the reason where a word was given that does not count, else
/// `APPROVAL_REQUIRED` with how many there are and how many it takes.
pub fn check(
    rules: &[Approval],
    given: &[Given<'_>],
    asked: Asked<'_>,
) -> Result<BTreeSet<usize>, Refusal> {
    let mut used = BTreeSet::new();
    let excused = |rule: &&Approval| {
        rule.unless_requester_role.iter().any(|it| asked.roles.contains(&it.as_str()))
    };
    for rule in rules.iter().filter(|it| !excused(it)) {
        used.extend(one_rule(rule, given, asked)?);
    }
    Ok(used)
}

fn one_rule(rule: &Approval, given: &[Given<'_>], asked: Asked<'_>) -> Result<Vec<usize>, Refusal> {
    let (mut persons, mut counted, mut faults) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
    for (index, word) in given.iter().enumerate() {
        match fault(rule, word, asked) {
            Some(fault) => {
                faults.insert(fault);
            }
            None if persons.insert(word.person) => counted.push(index),
            None => {
                faults.insert(Fault::SamePerson);
            }
        }
    }
    let need = usize::try_from(rule.count).unwrap_or(usize::MAX);
    // A refusal closes the request, however many agreed.
    if faults.contains(&Fault::Revoked) {
        return Err(invalid(Fault::Revoked));
    }
    if counted.len() >= need {
        counted.truncate(need);
        return Ok(counted);
    }
    if let Some(fault) = faults.into_iter().next() {
        return Err(invalid(fault));
    }
    let details = [
        ("have", json!(counted.len())),
        ("need", json!(need)),
        ("roles_any", json!(rule.roles_any)),
    ];
    Err(Refusal::new(Code::ApprovalRequired, details))
}

/// Why a word does not count, the reason that is told first standing first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Revoked,
    Changed,
    Used,
    Expired,
    Role,
    SamePerson,
}

fn fault(rule: &Approval, word: &Given<'_>, asked: Asked<'_>) -> Option<Fault> {
    let age = asked.now.saturating_sub(word.at);
    let holds = |role: &String| word.roles.contains(&role.as_str());
    if word.call != asked.call {
        Some(Fault::Changed)
    } else if word.standing == Standing::Revoked {
        Some(Fault::Revoked)
    } else if word.standing == Standing::Used {
        Some(Fault::Used)
    } else if !(0..=i64::from(rule.ttl_s) * 1000).contains(&age) {
        Some(Fault::Expired)
    } else if !rule.roles_any.iter().any(holds) {
        Some(Fault::Role)
    } else if rule.exclude_requester && word.person == asked.person {
        Some(Fault::SamePerson)
    } else {
        None
    }
}

fn invalid(fault: Fault) -> Refusal {
    let why = match fault {
        Fault::Revoked => "revoked",
        Fault::Changed => "changed",
        Fault::Used => "used",
        Fault::Expired => "expired",
        Fault::Role => "role",
        Fault::SamePerson => "same_person",
    };
    Refusal::new(Code::ApprovalInvalid, [("why", json!(why))])
}
