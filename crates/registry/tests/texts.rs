//! No text about the product says an agreed phrase in nearly the same words, and none names a tool
//! that does not exist.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without fails the test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use assay_registry::{Catalog, Instructions, paraphrases};

/// The pages about failures have their words from the table of codes.
const GENERATED: &str = "docs/errors";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every Markdown file under `folder`, as its path from the root and its text.
fn pages(folder: &str) -> Vec<(String, String)> {
    let Ok(entries) = fs::read_dir(root().join(folder)) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() && path != GENERATED {
            found.extend(pages(&path));
        } else if path.ends_with(".md") {
            found.push((path, fs::read_to_string(entry.path()).unwrap()));
        }
    }
    found
}

/// Every text that a model or a reader meets.
fn texts(catalog: &Catalog) -> Vec<(String, String)> {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let instructions = Instructions::compose(Instructions::HEAD, "", "").text().to_owned();
    let mut texts =
        vec![("README.md".to_owned(), readme), ("the instructions".to_owned(), instructions)];
    texts.extend(pages("docs"));
    texts.extend(pages("crates/assay/data/skill"));
    for tool in catalog.tools() {
        texts.push((format!("the description of {}", tool.name), tool.description.clone()));
        let properties = tool.input_schema().get("properties").unwrap().as_object().unwrap();
        for (name, schema) in properties {
            let description = schema.get("description").unwrap().as_str().unwrap().to_owned();
            texts.push((format!("the parameter {name} of {}", tool.name), description));
        }
    }
    texts
}

#[test]
fn agreed_phrases_stand_word_for_word_or_not_at_all() {
    let catalog = Catalog::load().unwrap();
    let phrases: Vec<&str> = catalog.phrasing().all().collect();
    let texts = texts(&catalog);
    for path in ["docs/architecture.md", "docs/language.md", "docs/tools/dsail_check.md"] {
        assert!(texts.iter().any(|it| it.0 == path), "{path} is not read");
    }
    let mut faults = Vec::new();
    for (place, text) in &texts {
        for found in paraphrases(text, &phrases) {
            faults.push(format!("{place}: `{}` is nearly `{}`", found.sentence, found.phrase));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What one phrase says, no other says in nearly the same words.
#[test]
fn phrases_differ() {
    let catalog = Catalog::load().unwrap();
    let phrases: Vec<&str> = catalog.phrasing().all().collect();
    for (index, phrase) in phrases.iter().enumerate() {
        let others: Vec<&str> =
            phrases.iter().enumerate().filter(|it| it.0 != index).map(|it| *it.1).collect();
        assert_eq!(paraphrases(phrase, &others), [], "{phrase}");
    }
}

#[test]
fn every_tool_that_a_text_names_exists() {
    let catalog = Catalog::load().unwrap();
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let mut named = BTreeSet::new();
    for (place, text) in texts(&catalog) {
        // A family of tools is written with an asterisk, so the word that stays ends in a bar.
        let tools = text.split(|it| !is_part(it)).filter(|it| it.starts_with("dsail_"));
        for tool in tools.filter(|it| !it.ends_with('_')) {
            assert!(catalog.tool(tool).is_some(), "{place} names the tool `{tool}`");
            named.insert(tool.to_owned());
        }
    }
    let all: BTreeSet<String> = catalog.tools().iter().map(|it| it.name.clone()).collect();
    assert_eq!(named, all, "every tool has a page");
}
