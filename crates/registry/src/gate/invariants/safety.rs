//! The other four constraints that no configuration removes.

use crate::gate::Fault;
use crate::gate::invariants::Filed;
use crate::gate::record::{Confirmation, Effect, Principal, Record};

/// Persons that two signatures take.
const TWO: u32 = 2;

/// How long ago, in seconds, somebody who writes to a trust account may have signed in.
const FRESH_S: u32 = 3_600;

const FINANCE: &str = "finance";
const TRUST_WRITE: &str = "trust-account:write";
const SCREENING: &str = "screening.sanctions.check";
const CLEAR: &str = "clear";

pub(super) fn check(filed: Filed<'_>, faults: &mut Vec<Fault>) {
    let record = filed.record;
    let id = &record.tool_id;
    if id.path() == "dms.document.delete"
        || (id.category() == "dms" && record.effect() == Effect::Destructive)
    {
        two_persons(filed, "removing a document takes two persons", faults);
    }
    if matches!((id.category(), id.verb()), ("email", "send") | ("esign", "initiate"))
        && record.confirmation != Confirmation::Human
    {
        let message = "what leaves the firm is confirmed by a person each time";
        let mend = "state `\"confirmation\": \"human\"`";
        faults.push(filed.fault("/confirmation", message, mend));
    }
    trust_account(filed, faults);
    if id.path() == "efirm.client-db.create-client" && !is_screened(record) {
        let message = "a client is taken on only after a screening found the same person clear";
        let mend = format!(
            "require `{SCREENING}` on the same subject, with `\"verdict_in\": [\"{CLEAR}\"]`"
        );
        faults.push(filed.fault("/prerequisites", message, mend));
    }
}

fn two_persons(filed: Filed<'_>, message: &str, faults: &mut Vec<Fault>) {
    let approval = filed.record.approval.as_ref();
    if approval.is_none_or(|it| it.count < TWO) {
        faults.push(filed.fault("/approval/count", message, "ask for two approvals or more"));
    }
    if approval.is_some_and(|it| !it.unless_requester_role.is_empty()) {
        let mend = "let no role be excused";
        faults.push(filed.fault("/approval/unless_requester_role", message, mend));
    }
}

fn trust_account(filed: Filed<'_>, faults: &mut Vec<Fault>) {
    let record = filed.record;
    let held = |permission: &str| record.permissions_required.iter().any(|it| it == permission);
    let writes = held(TRUST_WRITE) || held("trust-account:*");
    let is_trust = |segment: &str| segment == "trust" || segment.starts_with("trust-account");
    if !writes && record.effect() != Effect::Read && record.tool_id.path().split('.').any(is_trust)
    {
        let message = "this changes a trust account without the permission for it";
        faults.push(filed.fault("/permissions_required", message, format!("add `{TRUST_WRITE}`")));
    }
    if !writes {
        return;
    }
    let session = &record.session_requirements;
    if session.principal != Principal::User {
        let message = "a trust account is changed by a person, not by a service";
        let mend = "state `\"principal\": \"user\"`";
        faults.push(filed.fault("/session_requirements/principal", message, mend));
    }
    if session.roles_any != [FINANCE] {
        let message = "a trust account is changed by finance staff alone";
        let mend = format!("state `\"roles_any\": [\"{FINANCE}\"]`");
        faults.push(filed.fault("/session_requirements/roles_any", message, mend));
    }
    if session.max_auth_age_s.is_none_or(|it| it > FRESH_S) {
        let message = "a trust account is changed by somebody who has just signed in";
        let mend = format!("state `\"max_auth_age_s\": {FRESH_S}`, or less");
        faults.push(filed.fault("/session_requirements/max_auth_age_s", message, mend));
    }
    two_persons(filed, "changing a trust account takes two signatures", faults);
}

/// What was flagged opens nothing by itself; `or_decision` still lets a person clear it.
fn is_screened(record: &Record) -> bool {
    record.prerequisites.iter().any(|it| {
        let is_clear = !it.verdict_in.is_empty() && it.verdict_in.iter().all(|it| it == CLEAR);
        it.tool == SCREENING && it.same_subject && is_clear
    })
}
