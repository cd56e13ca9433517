//! Who holds the permissions of drafts, and how `registry.json` comes to say so.

use std::collections::BTreeSet;

use assay_registry::gate::permission::{Grants, is_own_resource};
use serde_json::{Map, Value, json};

/// What a draft of a tool needs of its caller.
pub(super) fn permission(upstream: &str, is_read: bool) -> String {
    let resource = match is_own_resource(upstream) {
        true => format!("{upstream}-tools"),
        false => upstream.to_owned(),
    };
    let action = if is_read { "read" } else { "write" };
    format!("{resource}:{action}")
}

/// Who holds permissions of drafts until somebody says otherwise: what only reads is for those who
/// read the files of the practice, and what may change something for partners.
pub(super) fn lacking(permissions: &BTreeSet<String>, known: &Grants) -> Map<String, Value> {
    let mut lacking = Map::new();
    for it in permissions.iter().filter(|it| !known.is_known(it)) {
        let held = match it.ends_with(":read") {
            true => json!({ "associate": "held", "partner": "held" }),
            false => json!({ "partner": "held" }),
        };
        lacking.insert(it.clone(), held);
    }
    lacking
}

/// The text of `registry.json` with these `grants` beside those that it has. What somebody wrote
/// stays as it is, as far as JSON lets it.
pub(super) fn added(text: &str, grants: &Map<String, Value>) -> Option<String> {
    let mut wanted: Value = serde_json::from_str(text).ok()?;
    let has_grants = wanted.get("grants").is_some();
    let object = wanted.as_object_mut()?;
    let all = object.entry("grants").or_insert_with(|| json!({}));
    all.as_object_mut()?.extend(grants.clone());
    let lines: Vec<String> =
        grants.iter().map(|(name, roles)| format!("{}: {roles}", json!(name))).collect();
    let (places, lines) = match has_grants {
        // The word may stand elsewhere too, so each place is tried.
        true => (after(text, "\"grants\""), format!("\n    {}", lines.join(",\n    "))),
        false => {
            let lines = lines.join(",\n    ");
            (after(text, ""), format!("\n  \"grants\": {{\n    {lines}\n  }}"))
        }
    };
    let tried = places.into_iter().filter_map(|at| {
        let (head, tail) = text.split_at_checked(at)?;
        let comma = if tail.trim_start().starts_with('}') { "\n" } else { "," };
        Some(format!("{head}{lines}{comma}{tail}"))
    });
    let mut right =
        tried.filter(|it| serde_json::from_str::<Value>(it).is_ok_and(|it| it == wanted));
    Some(right.next().unwrap_or_else(|| format!("{wanted:#}\n")))
}

/// The places behind the first brace after each `word`.
fn after(text: &str, word: &str) -> Vec<usize> {
    let brace = |from: usize| Some(from + text.get(from..)?.find('{')? + 1);
    if word.is_empty() {
        return brace(0).into_iter().collect();
    }
    text.match_indices(word).filter_map(|(at, _)| brace(at)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::{added, lacking, permission};
    use assay_registry::gate::permission::PRACTICE;

    #[test]
    fn reading_is_for_associates_and_partners_and_the_rest_for_partners() {
        let names = [("wiki", true), ("wiki", false), ("matter", true), ("crm2", false)]
            .map(|(upstream, is_read)| permission(upstream, is_read));
        assert_eq!(names, ["wiki:read", "wiki:write", "matter-tools:read", "crm2:write"]);
        let mut asked = BTreeSet::from(names);
        asked.insert("matter:read".to_owned());
        let reads = json!({ "associate": "held", "partner": "held" });
        let expected = json!({
            "crm2:write": { "partner": "held" },
            "matter-tools:read": reads,
            "wiki:read": reads,
            "wiki:write": { "partner": "held" },
        });
        assert_eq!(Value::Object(lacking(&asked, &PRACTICE)), expected);
    }

    /// A file, and what it is with `a:read` for partners; the end where it is not stated in full.
    const ADDED: &[(&str, &str)] = &[
        (
            "{\n  \"upstreams\": {}\n}\n",
            "{\n  \"grants\": {\n    \"a:read\": {\"partner\":\"held\"}\n  },\n  \"upstreams\": {}\n}\n",
        ),
        (
            "{\"x\": \"\\\"grants\\\" {\", \"grants\" : {\"b:c\": {}}, \"y\": {}}",
            "{\"x\": \"\\\"grants\\\" {\", \"grants\" : {\n    \"a:read\": {\"partner\":\"held\"},\
             \"b:c\": {}}, \"y\": {}}",
        ),
        (
            "{\"grants\": {}, \"y\": {}}",
            "{\"grants\": {\n    \"a:read\": {\"partner\":\"held\"}\n}, \"y\": {}}",
        ),
        (
            "{\"y\": {\"grants\": {}}, \"grants\": {}}",
            "\"grants\": {\n    \"a:read\": {\"partner\":\"held\"}\n}}",
        ),
        // A name that is written in another way is found by nobody, and the file is written anew.
        ("{\"gr\\u0061nts\": {}}", "}\n"),
    ];

    #[test]
    fn what_somebody_wrote_stays() {
        let grants = json!({ "a:read": { "partner": "held" } });
        for (text, expected) in ADDED {
            let found = added(text, grants.as_object().unwrap()).unwrap();
            assert!(found.ends_with(expected), "{found}");
            let mut wanted: Value = serde_json::from_str(text).unwrap();
            wanted["grants"]["a:read"] = grants["a:read"].clone();
            assert_eq!(serde_json::from_str::<Value>(&found).unwrap(), wanted);
        }
        assert_eq!(added("[]", grants.as_object().unwrap()), None);
    }
}
