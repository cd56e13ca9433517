//! What a call names must be the caller's own.
//!
//! Foreign, forbidden and absent are refused alike, so that nobody learns whose client somebody is.

#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::gate::record::{Record, ScopeKind};
use crate::gate::{Code, Refusal};

/// Where a call comes from.
#[derive(Debug, Clone, Copy)]
pub struct Place<'p> {
    /// The organisation of the session.
    pub organisation: &'p str,
    /// The matter that the session is about, where it is about one.
    pub matter: Option<&'p str>,
}

/// Whose a thing is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Owner {
    /// The organisation that it belongs to.
    pub organisation: String,
    /// The matter that it belongs to, where it belongs to one.
    pub matter: Option<String>,
    /// Other matters that it was shared with.
    pub shared_with: Vec<String>,
}

/// Holds every argument that names something to the organisation and the matter of the session.
/// `owner` finds out whose a thing is; none where there is no such thing.
///
/// # Errors
/// `SCOPE_VIOLATION`, which never says more.
pub fn check(
    record: &Record,
    arguments: &Value,
    place: Place<'_>,
    owner: impl Fn(ScopeKind, &str) -> Option<Owner>,
) -> Result<(), Refusal> {
    let own = |kind, value: &Value| match (kind, value) {
        (ScopeKind::Org, Value::String(id)) => id == place.organisation,
        (kind, Value::String(id)) => {
            owner(kind, id).is_some_and(|owner| is_own(kind, id, &owner, place))
        }
        // What is no text names nothing that could be looked up.
        _ => false,
    };
    let holds = !record.org_scoped
        || record.scope_fields.iter().all(|field| {
            let steps: Vec<&str> = field.pointer.split('/').skip(1).collect();
            named(arguments, &steps).into_iter().all(|it| own(field.kind, it))
        }) && names_no_other(arguments, place.organisation);
    if holds { Ok(()) } else { Err(Refusal::new(Code::ScopeViolation, [])) }
}

fn is_own(kind: ScopeKind, id: &str, owner: &Owner, place: Place<'_>) -> bool {
    let in_matter = match (kind, place.matter) {
        (ScopeKind::Matter, Some(matter)) => {
            id == matter || owner.shared_with.iter().any(|it| it == matter)
        }
        (ScopeKind::Document, Some(matter)) => {
            owner.matter.as_deref() == Some(matter)
                || owner.shared_with.iter().any(|it| it == matter)
        }
        _ => true,
    };
    owner.organisation == place.organisation && in_matter
}

/// The values at a pointer, in which `*` stands for every item; none where nothing is given. A
/// list of ids stands for each of them.
fn named<'v>(value: &'v Value, steps: &[&str]) -> Vec<&'v Value> {
    match (steps.split_first(), value) {
        (None, Value::Null) => Vec::new(),
        (None, Value::Array(items)) => items.iter().collect(),
        (None, value) => vec![value],
        (Some((&"*", rest)), Value::Array(items)) => {
            items.iter().flat_map(|it| named(it, rest)).collect()
        }
        (Some((step, rest)), value) => {
            let key = step.replace("~1", "/").replace("~0", "~");
            let inner = match value {
                Value::Object(members) => members.get(&key),
                Value::Array(items) => key.parse().ok().and_then(|it: usize| items.get(it)),
                _ => None,
            };
            inner.map(|it| named(it, rest)).unwrap_or_default()
        }
    }
}

/// An argument called `org_id` is compared wherever it stands, and used nowhere.
fn names_no_other(value: &Value, organisation: &str) -> bool {
    !names_another(value, organisation, &|_| None, &|_, _| false)
}

/// Whether a value names something of another organisation, at any depth: by `org_id`, or by a
/// member for which `kind` says what it names, where `is_foreign` finds it to be another's.
pub fn names_another(
    value: &Value,
    organisation: &str,
    kind: &impl Fn(&str) -> Option<ScopeKind>,
    is_foreign: &impl Fn(ScopeKind, &str) -> bool,
) -> bool {
    let another = |value: &Value| names_another(value, organisation, kind, is_foreign);
    match value {
        Value::Object(members) => members.iter().any(|(key, value)| {
            let kind = if key == "org_id" { Some(ScopeKind::Org) } else { kind(key) };
            let names = match value {
                Value::Array(items) => items.iter().collect(),
                value => vec![value],
            };
            let foreign = |it: &Value| match (kind, it.as_str()) {
                (Some(ScopeKind::Org), id) => id != Some(organisation),
                (Some(kind), Some(id)) => is_foreign(kind, id),
                _ => false,
            };
            names.into_iter().any(foreign) || another(value)
        }),
        Value::Array(items) => items.iter().any(another),
        _ => false,
    }
}
