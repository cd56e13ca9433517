//! Replays `fixtures/rulesets/`: each ruleset compiles as an agent's draft must, and each of its
//! claim dictionaries is answered with the words that the policy's text gives by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_core::{Cancel, Door, Service, Settings};
use serde_json::Value;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/rulesets");

/// The word of each assertion.
type Words = BTreeMap<String, String>;

#[test]
fn every_case_has_its_words() {
    let settings = Settings::default();
    let service = Service::open(settings).unwrap();
    let rulesets = entries(Path::new(FOLDER));
    assert!(!rulesets.is_empty(), "`{FOLDER}` holds no ruleset");
    let mut differences = Vec::new();
    for ruleset in rulesets {
        if let Err(found) = replay(&service, &ruleset) {
            differences.extend(found.into_iter().map(|it| format!("{}: {it}", name(&ruleset))));
        }
    }
    assert!(differences.is_empty(), "{} differ\n{}", differences.len(), differences.join("\n"));
}

/// Replays one ruleset; every difference is a line.
fn replay(service: &Arc<Service>, folder: &Path) -> Result<(), Vec<String>> {
    let read = |path: PathBuf| {
        fs::read_to_string(&path).map_err(|error| vec![format!("{}: {error}", path.display())])
    };
    let source = read(folder.join(format!("{}.dsail", name(folder))))?;
    let compiled = answer(service, "dsail_compile", &source, None)?;
    let hash = field(&compiled, "ruleset_hash").as_str().unwrap_or_default();
    let expected: BTreeMap<String, Words> =
        serde_json::from_str(&read(folder.join("expected.json"))?)
            .map_err(|error| vec![format!("expected.json: {error}")])?;
    let files = entries(&folder.join("claims"));
    let mut differences = Vec::new();
    if files.is_empty() || files.iter().map(|it| name(it)).ne(expected.keys().cloned()) {
        differences.push("the files in `claims` are not the cases of `expected.json`".to_owned());
    }
    for (file, (case, expected)) in files.into_iter().zip(&expected) {
        let checked = answer(service, "dsail_check", &source, Some(&read(file)?));
        match checked {
            Ok(payload) => differences.extend(compare(&payload, hash, expected, case)),
            Err(errors) => differences.extend(errors.iter().map(|it| format!("{case}: {it}"))),
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(differences) }
}

/// The payload of a successful call.
fn answer(
    service: &Arc<Service>,
    tool: &str,
    source: &str,
    claims: Option<&str>,
) -> Result<Value, Vec<String>> {
    let source = Value::from(source);
    // The claims stay the text that they are, so that no digit is lost on the way.
    let arguments = match claims {
        Some(claims) => format!(r#"{{"claims":{claims},"source":{source}}}"#),
        None => format!(r#"{{"require_descriptions":true,"source":{source}}}"#),
    };
    let caller = service.local(Door::CommandLine).map_err(|it| vec![format!("{it:?}")])?;
    let reply = service.call(&caller, tool, &arguments, &Cancel::new());
    let body = String::from_utf8_lossy(&reply.body).into_owned();
    match serde_json::from_str::<Value>(&body) {
        Ok(payload) if reply.failure.is_none() && field(&payload, "ok") == true => Ok(payload),
        _ => Err(vec![format!("`{tool}` answers {body}")]),
    }
}

/// What differs between an answer and the expected words.
fn compare(payload: &Value, hash: &str, expected: &Words, case: &str) -> Vec<String> {
    let mut differences = Vec::new();
    if field(payload, "ruleset_hash") != hash {
        differences.push(format!("{case}: the hash is {}", field(payload, "ruleset_hash")));
    }
    let rules = field(payload, "rules").as_array().into_iter().flatten();
    let assertions = rules.flat_map(|it| field(it, "assertions").as_array().into_iter().flatten());
    let mut answered = BTreeSet::new();
    for assertion in assertions {
        let name = field(assertion, "name").as_str().unwrap_or_default();
        let (word, wanted) = (field(assertion, "check"), expected.get(name).map(String::as_str));
        let is_first = answered.insert(name);
        if word.as_str() != wanted || !is_first {
            let wanted = wanted.unwrap_or("nothing");
            let reason = field(assertion, "reason_unknown");
            differences.push(format!("{case}: {name} is {word} instead of {wanted} ({reason})"));
        }
        if (word == "UNKNOWN") != field(assertion, "reason_unknown").is_string() {
            differences.push(format!("{case}: {name} is {word}, and its reason does not fit"));
        }
    }
    let missing = expected.keys().filter(|it| !answered.contains(it.as_str()));
    differences.extend(missing.map(|it| format!("{case}: {it} is not answered")));
    differences
}

/// A member of an object; null where there is none.
fn field<'a>(object: &'a Value, key: &str) -> &'a Value {
    object.get(key).unwrap_or(&Value::Null)
}

/// What lies in a folder, by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|it| it.path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default()
}
