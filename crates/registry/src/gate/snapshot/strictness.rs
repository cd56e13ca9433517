//! Where a record holds calls less strictly than another one of its id, and where more.
//!
//! Both load: they break no caller. But less is what people should see who did not write it, and
//! more is what callers feel. What cannot be compared counts as looser.

use std::collections::BTreeSet;
use std::fmt;

use crate::gate::record::{
    Approval, Confirmation, Decision, EvidenceScope, Prerequisite, Principal, RateKey, RateLimit,
    Record, ScopeField, SessionRequirements,
};

/// One part of a record that is held less strictly, or more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Turn {
    /// JSON pointer to the part.
    pub(super) pointer: String,
    /// Whether less strictly.
    pub(super) is_looser: bool,
    /// What stands there now, and what stood there.
    pub(super) what: String,
}

/// Every part of `new` that is held less strictly than in `old`, or more.
pub(super) fn turns(old: &Record, new: &Record) -> Vec<Turn> {
    let mut turns = Turns(Vec::new());
    let needed = [&old.permissions_required, &new.permissions_required];
    turns.asked("/permissions_required", needed.map(|it| set(it)));
    turns.prerequisites(&old.prerequisites, &new.prerequisites);
    turns.approval(old.approval.as_ref(), new.approval.as_ref());
    let is_asked = [old, new].map(|it| it.confirmation == Confirmation::Human);
    turns.rule("/confirmation", "a person's confirmation", is_asked);
    turns.session(&old.session_requirements, &new.session_requirements);
    turns.rate(old.rate_limit, new.rate_limit);
    turns.rule("/org_scoped", "the bounds of the organisation", [old, new].map(|it| it.org_scoped));
    turns.asked("/scope_fields", [old, new].map(|it| fields(&it.scope_fields)));
    turns.rule("/kill_switch", "the stop", [old, new].map(|it| it.kill_switch));
    let effects = [old, new].map(Record::effect);
    turns.value("/effect", effects.map(|it| (-(it as i64), it.word().to_owned())));
    let keys = [&old.idempotency_key, &new.idempotency_key];
    turns.key(keys.map(Option::as_ref));
    turns.0
}

struct Turns(Vec<Turn>);

fn set(words: &[String]) -> BTreeSet<String> {
    words.iter().cloned().collect()
}

fn fields(fields: &[ScopeField]) -> BTreeSet<String> {
    fields.iter().map(|it| format!("{} as {:?}", it.pointer, it.kind).to_lowercase()).collect()
}

/// A number of which more is looser, and none the loosest.
fn at_most(number: Option<u32>) -> (i64, String) {
    number.map_or((i64::MAX, "no limit".to_owned()), |it| (it.into(), it.to_string()))
}

impl Turns {
    fn push(&mut self, pointer: impl Into<String>, is_looser: bool, what: String) {
        self.0.push(Turn { pointer: pointer.into(), is_looser, what });
    }

    /// Words that all are asked for.
    fn asked(&mut self, pointer: &str, [old, new]: [BTreeSet<String>; 2]) {
        for word in old.difference(&new) {
            self.push(pointer, true, format!("`{word}` is gone"));
        }
        for word in new.difference(&old) {
            self.push(pointer, false, format!("`{word}` is new"));
        }
    }

    /// Words of which any will do. Where `or_all` is said, no words stand for all there are.
    fn offered(&mut self, pointer: &str, or_all: bool, [old, new]: [&[String]; 2]) {
        match (old.is_empty() && or_all, new.is_empty() && or_all) {
            (true, true) => {}
            (true, false) => self.push(pointer, false, "no longer will anything do".to_owned()),
            (false, true) => self.push(pointer, true, "anything will do".to_owned()),
            (false, false) => {
                let [old, new] = [set(old), set(new)];
                for word in new.difference(&old) {
                    self.push(pointer, true, format!("`{word}` is new"));
                }
                for word in old.difference(&new) {
                    self.push(pointer, false, format!("`{word}` is gone"));
                }
            }
        }
    }

    /// Something that is asked for or is not.
    fn rule(&mut self, pointer: &str, name: &str, is_asked: [bool; 2]) {
        match is_asked {
            [true, false] => self.push(pointer, true, format!("{name} is gone")),
            [false, true] => self.push(pointer, false, format!("{name} is new")),
            [true, true] | [false, false] => {}
        }
    }

    /// A value of which more is looser, with its words.
    fn value(&mut self, pointer: &str, [old, new]: [(i64, String); 2]) {
        if old.0 != new.0 {
            self.push(pointer, new.0 > old.0, format!("{} instead of {}", new.1, old.1));
        }
    }

    /// Another key may be a looser one.
    fn key(&mut self, [old, new]: [Option<&String>; 2]) {
        let pointer = "/idempotency_key";
        if old.is_some() && new.is_some() && old != new {
            self.push(pointer, true, "the key is another one".to_owned());
        }
        self.rule(pointer, "the key", [old.is_some(), new.is_some()]);
    }

    fn prerequisites(&mut self, old: &[Prerequisite], new: &[Prerequisite]) {
        let mut open: Vec<&Prerequisite> = old.iter().collect();
        for (index, it) in new.iter().enumerate() {
            let pointer = format!("/prerequisites/{index}");
            match open.iter().position(|other| other.tool == it.tool) {
                Some(other) => self.prerequisite(&pointer, open.remove(other), it),
                None => self.push(pointer, false, format!("`{}` is new", it.tool)),
            }
        }
        for gone in open {
            self.push("/prerequisites", true, format!("`{}` is gone", gone.tool));
        }
    }

    fn prerequisite(&mut self, place: &str, old: &Prerequisite, new: &Prerequisite) {
        let at = |field: &str| format!("{place}/{field}");
        self.offered(&at("verdict_in"), true, [&old.verdict_in, &new.verdict_in]);
        let is_same = [old.same_subject, new.same_subject];
        self.rule(&at("same_subject"), "the same subject", is_same);
        self.value(&at("within_s"), [old, new].map(|it| at_most(Some(it.within_s))));
        if old.scope != new.scope {
            // A session may work for several matters, and a matter in several sessions.
            let is_looser = old.scope != EvidenceScope::Org;
            self.push(at("scope"), is_looser, "the place is another one".to_owned());
        }
        let decisions = [&old.or_decision, &new.or_decision].map(Option::as_ref);
        self.decision(&at("or_decision"), decisions);
    }

    /// A decision opens what is closed without it.
    fn decision(&mut self, pointer: &str, [old, new]: [Option<&Decision>; 2]) {
        match (old, new) {
            (Some(old), Some(new)) if old != new => {
                self.push(pointer, true, "the decision is another one".to_owned());
            }
            (None, Some(_)) => self.push(pointer, true, "the decision is new".to_owned()),
            (Some(_), None) => self.push(pointer, false, "the decision is gone".to_owned()),
            (None, None) | (Some(_), Some(_)) => {}
        }
    }

    fn approval(&mut self, old: Option<&Approval>, new: Option<&Approval>) {
        self.rule("/approval", "the approval", [old.is_some(), new.is_some()]);
        let (Some(old), Some(new)) = (old, new) else { return };
        let pair = [old, new];
        self.value("/approval/count", pair.map(|it| (-i64::from(it.count), it.count.to_string())));
        let roles = [old.roles_any.as_slice(), &new.roles_any];
        self.offered("/approval/roles_any", false, roles);
        let excluded = pair.map(|it| it.exclude_requester);
        self.rule("/approval/exclude_requester", "another person than who asks", excluded);
        let excused = [old.unless_requester_role.as_slice(), &new.unless_requester_role];
        self.offered("/approval/unless_requester_role", false, excused);
        self.value("/approval/ttl_s", pair.map(|it| at_most(Some(it.ttl_s))));
    }

    fn session(&mut self, old: &SessionRequirements, new: &SessionRequirements) {
        let place = "/session_requirements";
        let is_person = [old, new].map(|it| it.principal == Principal::User);
        self.rule(&format!("{place}/principal"), "a person behind the session", is_person);
        let roles = [old.roles_any.as_slice(), &new.roles_any];
        self.offered(&format!("{place}/roles_any"), true, roles);
        let ages = [old, new].map(|it| at_most(it.max_auth_age_s));
        self.value(&format!("{place}/max_auth_age_s"), ages);
    }

    fn rate(&mut self, old: Option<RateLimit>, new: Option<RateLimit>) {
        self.rule("/rate_limit", "the limit", [old.is_some(), new.is_some()]);
        let (Some(old), Some(new)) = (old, new) else { return };
        let pair = [old, new];
        let calls = pair.map(|it| at_most(Some(it.requests_per_minute)));
        self.value("/rate_limit/requests_per_minute", calls);
        self.value("/rate_limit/burst", pair.map(|it| at_most(it.burst)));
        self.value("/rate_limit/key", pair.map(|it| counted_for(it.key)));
    }
}

/// The fewer calls are counted together, the more there may be of all.
fn counted_for(key: RateKey) -> (i64, String) {
    let (rank, word) = match key {
        RateKey::Org => (0, "org"),
        RateKey::OrgUser => (1, "org_user"),
        RateKey::OrgSession => (2, "org_session"),
    };
    (rank, word.to_owned())
}

impl fmt::Display for Turn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_looser { "loosened" } else { "tightened" };
        write!(out, "{word}: {}", self.what)
    }
}
