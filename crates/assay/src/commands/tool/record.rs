//! The record of a tool in words for a person.

use assay_core::gate::permission::{Cell, Grants, ROLES};
use assay_core::gate::record::{
    Approval, Confirmation, EvidenceScope, Prerequisite, Principal, RateKey, Record, ScopeField,
    ScopeKind,
};
use serde_json::{Value, json};

/// The fields that every record states, in the order in which people read them.
const FIELDS: [&str; 17] = [
    "tool_id",
    "name",
    "description",
    "category",
    "version",
    "enabled",
    "kill_switch",
    "permissions_required",
    "org_scoped",
    "rate_limit",
    "latency_slo_ms",
    "idempotency_key",
    "side_effects",
    "rollback_support",
    "legal_safety_notes",
    "input_schema",
    "output_schema",
];

/// Every field that each record states, with what it says.
pub(super) fn fields(record: &Value) -> Vec<(&'static str, String)> {
    let text = |field: &str| {
        let value = record.get(field).unwrap_or(&Value::Null);
        match (field, value) {
            ("rate_limit", Value::Object(_)) => rate(value),
            ("input_schema" | "output_schema", Value::Object(_)) => properties(value),
            _ => plain(value),
        }
    };
    FIELDS.into_iter().map(|it| (it, text(it))).collect()
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) if text.is_empty() => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join("\n"),
        value => value.to_string(),
    }
}

fn rate(value: &Value) -> String {
    let number = |key: &str| value.get(key).and_then(Value::as_u64);
    let calls = number("requests_per_minute").unwrap_or_default();
    let key = value.get("key").cloned().unwrap_or_default();
    let whose = match serde_json::from_value(key).unwrap_or_default() {
        RateKey::Org => "an organisation",
        RateKey::OrgUser => "a person",
        RateKey::OrgSession => "a session",
    };
    let burst = number("burst").map(|it| format!(", {it} of them at once")).unwrap_or_default();
    format!("{calls} calls of {whose} in any minute{burst}")
}

/// The members that a schema describes, one on each line.
fn properties(schema: &Value) -> String {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|it| it.iter().any(|it| it == name));
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let member = |(name, schema): (&String, &Value)| {
        let kind = match (schema.get("enum"), schema.get("type")) {
            (Some(Value::Array(words)), _) => {
                words.iter().map(plain).collect::<Vec<_>>().join(" | ")
            }
            (_, Some(Value::Array(kinds))) => {
                kinds.iter().map(plain).collect::<Vec<_>>().join(" or ")
            }
            (_, Some(kind)) => plain(kind),
            (_, None) => "any".to_owned(),
        };
        let needed = if is_required(name) { ", required" } else { "" };
        format!("{name}: {kind}{needed}")
    };
    let lines: Vec<String> = members.map(member).collect();
    if lines.is_empty() { "an object".to_owned() } else { lines.join("\n") }
}

/// The record of one of the product's own tools, as a registry would hold it.
pub(super) fn of_own(record: &Record) -> Value {
    json!({
        "tool_id": record.tool_id.to_string(),
        "name": record.name,
        "description": record.description,
        "category": record.category,
        "version": record.version.to_string(),
        "enabled": record.enabled,
        "kill_switch": record.kill_switch,
        "input_schema": record.input_schema,
        "output_schema": record.output_schema,
        "permissions_required": record.permissions_required,
        "org_scoped": record.org_scoped,
        "rate_limit": null,
        "latency_slo_ms": record.latency_slo_ms,
        "idempotency_key": record.idempotency_key,
        "side_effects": record.side_effects,
        "rollback_support": record.rollback_support,
        "legal_safety_notes": record.legal_safety_notes,
        "facet": record.facet,
        "effect": record.effect().word(),
        "execution": { "upstream_idempotent": record.execution.upstream_idempotent },
    })
}

/// Which roles may call the tool, each with what it takes beside the role.
pub(super) fn callers(record: &Record, grants: &Grants) -> Vec<String> {
    let needed = &record.permissions_required;
    let listed = &record.session_requirements.roles_any;
    if needed.is_empty() && listed.is_empty() {
        return vec!["everybody whose skill binds it".to_owned()];
    }
    let may = |role: &&str| {
        let cells: Vec<Cell> = needed.iter().map(|it| grants.held(it, &[role])).collect();
        let is_listed = listed.is_empty() || listed.iter().any(|it| it == role);
        if cells.contains(&Cell::No) || !is_listed {
            return None;
        }
        let conditions = cells.iter().filter_map(|it| match it {
            Cell::No | Cell::Held => None,
            Cell::Approved(by) => Some(format!(", with the approval of one {by}")),
            Cell::Signed(by) => Some(format!(", with the signatures of two of {by}")),
        });
        Some(format!("{role}{}", conditions.collect::<String>()))
    };
    let roles: Vec<String> = ROLES.iter().filter_map(may).collect();
    if roles.is_empty() { vec!["nobody who has one role alone".to_owned()] } else { roles }
}

/// What the session of a caller must be; nothing where any will do.
pub(super) fn session(record: &Record) -> Vec<String> {
    let needs = &record.session_requirements;
    let person = (needs.principal == Principal::User).then(|| "a person who signed in".to_owned());
    let fresh = needs.max_auth_age_s.map(|it| format!("signed in within {}", duration(it)));
    person.into_iter().chain(fresh).collect()
}

/// Who must agree to a call, beside what a role asks for.
pub(super) fn approval(record: &Record) -> Vec<String> {
    let Some(Approval { count, roles_any, exclude_requester, unless_requester_role, ttl_s }) =
        &record.approval
    else {
        return Vec::new();
    };
    let noun = if *count == 1 { "person" } else { "persons" };
    let mut lines = vec![format!("{count} {noun} of {}", roles_any.join(" or "))];
    if *exclude_requester {
        lines.push("other than the one who asks".to_owned());
    }
    if !unless_requester_role.is_empty() {
        lines.push(format!("none where {} asks", unless_requester_role.join(" or ")));
    }
    lines.push(format!("valid for {}", duration(*ttl_s)));
    lines
}

/// Whether a person confirms each call.
pub(super) fn confirmation(record: &Record) -> Vec<String> {
    match record.confirmation {
        Confirmation::None => Vec::new(),
        Confirmation::Human => vec!["whoever asks confirms each call on the screen".to_owned()],
    }
}

/// What must have been done before.
pub(super) fn prerequisites(record: &Record) -> Vec<String> {
    record.prerequisites.iter().map(prerequisite).collect()
}

fn prerequisite(it: &Prerequisite) -> String {
    let verdicts = match it.verdict_in.as_slice() {
        [] => String::new(),
        words => format!(" with {}", words.join(" or ")),
    };
    let subject = if it.same_subject { " about the same subject" } else { "" };
    let place = match it.scope {
        EvidenceScope::Session => "session",
        EvidenceScope::Matter => "matter",
        EvidenceScope::Org => "organisation",
    };
    let decision = it.or_decision.as_ref().map(|it| {
        let (verdict, role) = (&it.verdict, &it.role);
        format!(", or {verdict} once somebody of the role {role} decided on it")
    });
    let (tool, within) = (&it.tool, duration(it.within_s));
    let decision = decision.unwrap_or_default();
    format!("{tool}{verdicts}{subject} in the same {place}, within {within}{decision}")
}

/// Which arguments name what must belong to the caller.
pub(super) fn scope(record: &Record) -> Vec<String> {
    let field = |it: &ScopeField| {
        let kind = match it.kind {
            ScopeKind::Org => "organisation",
            ScopeKind::Client => "client",
            ScopeKind::Matter => "matter",
            ScopeKind::Document => "document",
            ScopeKind::User => "user",
        };
        format!("the {kind} at {}", it.pointer)
    };
    record.scope_fields.iter().map(field).collect()
}

/// Since when the tool should not be used, and what replaces it.
pub(super) fn deprecation(record: &Record) -> Vec<String> {
    let Some(it) = &record.deprecation else { return Vec::new() };
    let successor = it.successor.as_ref().map(|it| format!("use {it}"));
    let since = format!("since {}", it.since);
    [Some(since), successor, it.note.clone()].into_iter().flatten().collect()
}

/// A time in the largest unit that it fills.
fn duration(seconds: u32) -> String {
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
    let fits = |(size, _): &&(u32, &str)| seconds >= *size && seconds.is_multiple_of(*size);
    let (size, unit) = units.iter().find(fits).copied().unwrap_or((1, "second"));
    let count = seconds / size;
    if count == 1 { format!("one {unit}") } else { format!("{count} {unit}s") }
}

#[cfg(test)]
mod tests {
    use assay_core::Catalog;
    use assay_core::gate::record::read;
    use serde_json::json;

    use super::{FIELDS, duration, fields, of_own};

    #[test]
    fn durations_read_as_people_say_them() {
        for (seconds, words) in [
            (0, "0 seconds"),
            (1, "one second"),
            (90, "90 seconds"),
            (600, "10 minutes"),
            (3_600, "one hour"),
            (604_800, "7 days"),
        ] {
            assert_eq!(duration(seconds), words);
        }
    }

    /// What is shown of an own tool reads back as its record, in the shape that every record has.
    #[test]
    fn own_records_are_records() {
        let own = Catalog::load().unwrap();
        for tool in own.tools() {
            let text = of_own(&tool.record).to_string();
            let loaded = read("own.json", &text).unwrap();
            assert_eq!(loaded.record, *tool.record, "{}", tool.name);
            assert_eq!(loaded.warnings, [], "{}", tool.name);
        }
    }

    #[test]
    fn fields_are_told_in_words() {
        let record = json!({
            "enabled": true, "side_effects": [], "legal_safety_notes": "",
            "rate_limit": {"requests_per_minute": 10, "burst": 2, "key": "org_user"},
            "input_schema": {"required": ["a"], "properties": {
                "a": {"enum": ["x", "y"]}, "b": {"type": ["string", "null"]}, "c": {},
            }},
        });
        let fields = fields(&record);
        assert_eq!(fields.len(), FIELDS.len());
        for (name, expected) in [
            ("enabled", "yes"),
            ("side_effects", "none"),
            ("legal_safety_notes", "none"),
            ("output_schema", "none"),
            ("rate_limit", "10 calls of a person in any minute, 2 of them at once"),
            ("input_schema", "a: x | y, required\nb: string or null\nc: any"),
        ] {
            let found = fields.iter().find(|it| it.0 == name).map(|it| it.1.as_str());
            assert_eq!(found, Some(expected), "{name}");
        }
    }
}
