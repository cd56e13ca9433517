//! The records of the practice in `fixtures/practice` hold together, and its skills name them.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without fails the test")]

use std::fs;
use std::path::{Path, PathBuf};

use assay_registry::gate::invariants::{Filed, Operator, check, lint};
use assay_registry::gate::permission::PRACTICE;
use assay_registry::gate::record::{Record, read};
use assay_registry::gate::version::{Range, Stored, resolve};
use assay_registry::{Facet, Profile};
use serde_json::Value;

const TOOLS: [&str; 17] = [
    "calendar.deadline.create",
    "comms.notice.post",
    "dms.document.delete",
    "dms.document.search",
    "dms.document.upload",
    "efirm-finance.wip.read",
    "efirm.client-db.create-client",
    "efirm.client-db.lookup-client",
    "efirm.conflict-check.run",
    "efirm.engagement-letter.draft",
    "efirm.matter-db.create-matter",
    "efirm.matter-db.delete-matter",
    "efirm.matter-db.lookup-matter",
    "email.draft",
    "email.send",
    "esign.initiate",
    "screening.sanctions.check",
];

/// The files of a folder of the registry, in order, each as its name and text.
fn files(folder: &str) -> Vec<(String, String)> {
    let registry = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/practice/registry");
    let entries = fs::read_dir(registry.join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|it| it.unwrap().path()).collect();
    paths.sort();
    let named = paths.into_iter().map(|path| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    });
    named.collect()
}

/// Every record with the name of its file, each without fault or warning.
fn records() -> Vec<(String, Record)> {
    let read = |(file, text): (String, String)| {
        let loaded = read(&file, &text).unwrap();
        assert_eq!(loaded.warnings, []);
        (file, loaded.record)
    };
    files("tools").into_iter().map(read).collect()
}

#[test]
fn the_records_load_together() {
    let records = records();
    let filed: Vec<Filed<'_>> =
        records.iter().map(|(file, record)| Filed { file, record }).collect();
    let operator = Operator { unscoped: &[], grants: &PRACTICE };
    assert_eq!(check(&filed, Some(operator)), []);
    assert_eq!(lint(&filed), []);
    let ids: Vec<String> = records.iter().map(|it| it.1.tool_id.to_string()).collect();
    assert_eq!(ids, TOOLS);
    for (file, record) in &records {
        assert_eq!(*file, format!("{}.json", record.tool_id));
    }
}

/// A tool that the profile of a practice hides could not be tried.
#[test]
fn the_profile_of_a_practice_serves_every_record() {
    let profile = Profile::shipped("practice").unwrap();
    for (file, record) in records() {
        let facet = Facet::parse(&record.facet.unwrap()).unwrap();
        assert_eq!(profile.denies(facet), None, "{file}");
        assert!(profile.reads(record.tool_id.path()), "{file}");
    }
}

/// The seventeen fields of the example stay as they were conceived.
#[test]
fn the_record_of_a_new_matter_extends_the_example() {
    let example: Value =
        serde_json::from_str(include_str!("../src/gate/record/create-matter.json")).unwrap();
    let name = "efirm.matter-db.create-matter.json";
    let (_, text) = files("tools").into_iter().find(|it| it.0 == name).unwrap();
    let record: Value = serde_json::from_str(&text).unwrap();
    for (field, value) in example.as_object().unwrap() {
        assert_eq!(record[field], *value, "{field}");
    }
}

#[test]
fn skills_name_versions_that_are_there() {
    let records = records();
    let mut sizes = Vec::new();
    for (file, text) in files("skills") {
        let skill: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(file, format!("{}.json", skill["skill"].as_str().unwrap()));
        let tools = skill["permitted_tools"].as_array().unwrap();
        for permitted in tools {
            let id = permitted.as_str().or(permitted["tool"].as_str()).unwrap();
            let range = permitted["version"].as_str().map(|it| Range::parse(it).unwrap());
            let (_, record) = records.iter().find(|it| it.1.tool_id.to_string() == id).unwrap();
            let stored = Stored { version: record.version, enabled: true, withdrawn: false };
            let found = resolve(1, &[stored], &range.unwrap_or_default());
            assert_eq!(found, Some(record.version), "{file} {id}");
        }
        sizes.push((file, tools.len()));
    }
    let expected = [("efirm-matter-creation-flow.json", 7), ("practice-desk.json", TOOLS.len())];
    assert_eq!(sizes, expected.map(|(file, size)| (file.to_owned(), size)));
}
