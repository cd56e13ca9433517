//! One call as its file tells it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assay_base::{canonical, json};
use assay_dsail::{grammar, normalize};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::layout::{compact, laid_out};
use crate::process;
use crate::seen::{Answer, Door};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/calls");

/// What stands in a payload for the versions, one of which is that of the Z3 of this machine.
const VERSIONS: &str = r#""{{versions}}""#;
/// What stands in a payload for the guide that each failed compile repeats.
const GUIDE: &str = r#""hint":"{{guide}}""#;

/// What the placeholders of the files stand for.
#[derive(Debug)]
pub(crate) struct Context {
    versions: String,
    sources: BTreeMap<String, String>,
}

/// The members of a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'f> {
    /// What the call shows, in a sentence.
    about: String,
    tool: String,
    /// The sources that are compiled before.
    #[serde(default)]
    compiled: Vec<String>,
    /// The doors that do not take the call, each with the reason.
    #[serde(default)]
    not_through: BTreeMap<String, String>,
    /// The word of each assertion of a check that succeeds.
    words: Option<BTreeMap<String, String>>,
    /// The code of a call that fails.
    code: Option<String>,
    /// The fields that a refused dictionary lists, in order.
    fields: Option<Vec<String>>,
    #[serde(borrow)]
    arguments: &'f RawValue,
    /// The payload, with line breaks and spaces between its tokens.
    #[serde(borrow)]
    payload: Option<&'f RawValue>,
    /// In place of a payload: the error object of JSON-RPC.
    #[serde(borrow)]
    protocol_error: Option<&'f RawValue>,
}

/// One call.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) tool: String,
    /// The arguments of the compiles that go before.
    pub(crate) before: Vec<String>,
    /// The JSON text of the arguments.
    pub(crate) arguments: String,
    /// What every door answers.
    pub(crate) expected: Answer,
    path: PathBuf,
    about: String,
    not_through: BTreeMap<String, String>,
    words: Option<BTreeMap<String, String>>,
    code: Option<String>,
    fields: Option<Vec<String>>,
}

impl Context {
    /// Asks the command for its versions and reads the sources.
    pub(crate) fn load() -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Versions<'v> {
            #[serde(borrow)]
            versions: &'v RawValue,
        }
        let output = process::assay().args(["version", "--json"]).output();
        let output = output.map_err(|it| it.to_string())?.stdout;
        let read: Versions<'_> = serde_json::from_slice(&output).map_err(|it| it.to_string())?;
        let mut sources = BTreeMap::new();
        for path in files(&Path::new(FOLDER).join("sources"), "dsail")? {
            sources.insert(name(&path), text(&path)?);
        }
        Ok(Self { versions: read.versions.get().to_owned(), sources })
    }

    fn source(&self, name: &str) -> Result<&String, String> {
        self.sources.get(name).ok_or_else(|| format!("there is no source `{name}`"))
    }

    /// Fills in what stands between double braces in the arguments.
    fn fill_in(&self, arguments: &str) -> Result<String, String> {
        let mut filled = String::new();
        let mut rest = arguments;
        while let Some((before, behind)) = rest.split_once("{{") {
            let (placeholder, behind) = behind.split_once("}}").ok_or("`{{` without `}}`")?;
            filled.push_str(before);
            match placeholder.split(' ').collect::<Vec<_>>().as_slice() {
                ["source", name] => filled.push_str(quoted(self.source(name)?).trim_matches('"')),
                ["hash", name] => {
                    let hash = normalize::hash(&normalize::normalize(self.source(name)?));
                    filled.push_str(&hash.to_string());
                }
                ["repeat", count, text] => {
                    let count = count.parse().map_err(|_| format!("`{count}` is no count"))?;
                    filled.push_str(&text.repeat(count));
                }
                _ => return Err(format!("nothing is known to stand for `{placeholder}`")),
            }
            rest = behind;
        }
        filled.push_str(rest);
        Ok(filled)
    }

    fn expand(&self, payload: &str) -> String {
        let hint = format!("\"hint\":{}", quoted(grammar::GUIDE));
        payload.replace(VERSIONS, &self.versions).replace(GUIDE, &hint)
    }

    fn collapse(&self, payload: &str) -> String {
        let hint = format!("\"hint\":{}", quoted(grammar::GUIDE));
        payload.replace(&self.versions, VERSIONS).replace(&hint, GUIDE)
    }
}

/// Every call, in the order of the names of the files.
pub(crate) fn load(context: &Context) -> Result<Vec<Call>, String> {
    let read = |path: PathBuf| {
        let name = name(&path);
        Call::read(path, context).map_err(|fault| format!("{name}: {fault}"))
    };
    files(Path::new(FOLDER), "json")?.into_iter().map(read).collect()
}

impl Call {
    fn read(path: PathBuf, context: &Context) -> Result<Self, String> {
        let text = text(&path)?;
        let file: File<'_> = serde_json::from_str(&text).map_err(|it| it.to_string())?;
        let before = file.compiled.iter().map(|name| {
            let source = quoted(context.source(name)?);
            Ok(format!("{{\"source\":{source}}}"))
        });
        let raw = |it: &RawValue| context.expand(&compact(it.get()));
        let expected = match (file.payload, file.protocol_error) {
            (payload, None) => Answer::payload(payload.map_or_else(|| "null".to_owned(), raw)),
            (None, Some(error)) => Answer::ProtocolError(raw(error)),
            (Some(_), Some(_)) => return Err("it has a payload and an error".to_owned()),
        };
        Ok(Self {
            name: name(&path),
            before: before.collect::<Result<_, String>>()?,
            arguments: context.fill_in(&compact(file.arguments.get()))?,
            expected,
            path,
            about: file.about,
            tool: file.tool,
            not_through: file.not_through,
            words: file.words,
            code: file.code,
            fields: file.fields,
        })
    }

    /// Whether the call goes through a door.
    pub(crate) fn goes_through(&self, door: Door) -> bool {
        !self.not_through.contains_key(door.key())
    }

    /// The source and the raw claims where the arguments are what the command line can say.
    pub(crate) fn as_command_line(&self) -> Option<(String, Option<String>)> {
        let members = json::object(&self.arguments).ok()?;
        let get = |key: &str| members.iter().find(|it| it.0 == key).map(|it| it.1);
        let json::Scalar::String(source) = json::scalar(get("source")?) else { return None };
        let claims = get("claims").map(|it| it.get().to_owned());
        let known = match self.tool.as_str() {
            "dsail_check" => claims.is_some() && members.len() == 2,
            "dsail_compile" | "dsail_get_prompt_pack" => members.len() == 1,
            _ => false,
        };
        known.then(|| (source.into_owned(), claims))
    }

    /// The hash where it is the only argument: REST takes it in the path too.
    pub(crate) fn as_path(&self) -> Option<String> {
        let members = json::object(&self.arguments).ok()?;
        let [(key, raw)] = members.as_slice() else { return None };
        match json::scalar(raw) {
            json::Scalar::String(hash)
                if self.tool == "dsail_get_prompt_pack" && key == "ruleset_hash" =>
            {
                Some(hash.into_owned())
            }
            _ => None,
        }
    }

    /// Writes an answer into the file as what is expected.
    pub(crate) fn bless(&mut self, answer: &Answer, context: &Context) -> Result<(), String> {
        let (key, found) = match (answer, &self.expected) {
            (Answer::Payload { text, .. }, Answer::Payload { .. }) => {
                self.expected = Answer::payload(text.clone());
                ("payload", text)
            }
            (Answer::ProtocolError(text), _) => {
                self.expected = Answer::ProtocolError(text.clone());
                ("protocol_error", text)
            }
            (Answer::Payload { .. }, Answer::ProtocolError(_)) => {
                return Err("a payload came in place of an error".to_owned());
            }
        };
        let old = text(&self.path)?;
        let start = format!("\n  \"{key}\": ");
        let (head, _) = old.split_once(&start).ok_or(format!("it has no `{key}`"))?;
        let new = format!("{head}{start}{}\n}}\n", laid_out(&context.collapse(found), 2));
        fs::write(&self.path, new).map_err(|it| it.to_string())
    }

    /// What contradicts itself in the file.
    pub(crate) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if self.about.is_empty() || self.not_through.values().any(String::is_empty) {
            faults.push("a text about it is empty".to_owned());
        }
        let known = Door::ALL.map(Door::key);
        faults.extend(
            self.not_through
                .keys()
                .filter(|it| !known.contains(&it.as_str()))
                .map(|it| format!("there is no door `{it}`")),
        );
        if self.as_command_line().is_some() != self.goes_through(Door::CommandLine) {
            faults.push("the command line is left out wrongly, or put in".to_owned());
        }
        match &self.expected {
            Answer::ProtocolError(_) => {}
            Answer::Payload { text, .. } => faults.extend(self.payload_fault(text)),
        }
        faults.into_iter().map(|it| format!("{}: {it}", self.name)).collect()
    }

    /// Where the payload says otherwise than the words, code and fields that were worked out.
    fn payload_fault(&self, payload: &str) -> Option<String> {
        let payload: serde_json::Value = serde_json::from_str(payload).ok()?;
        let strings = |pointer: &str, key: &str| -> Option<Vec<String>> {
            let entries = payload.pointer(pointer)?.as_array()?.iter();
            Some(entries.filter_map(|it| Some(it.get(key)?.as_str()?.to_owned())).collect())
        };
        let rules = payload.get("rules").and_then(|it| it.as_array()).map(|rules| {
            let word = |rule: &serde_json::Value| {
                let [name, word] = ["name", "check"].map(|key| {
                    rule.pointer(&format!("/assertions/0/{key}"))?.as_str().map(str::to_owned)
                });
                Some((name?, word?))
            };
            rules.iter().filter_map(word).collect::<BTreeMap<_, _>>()
        });
        let code = payload.pointer("/error/code").and_then(|it| it.as_str()).map(str::to_owned);
        let found = (rules, code, strings("/error/failures", "field"));
        let expected = (self.words.clone(), self.code.clone(), self.fields.clone());
        (found != expected).then(|| {
            format!("the payload does not say what was worked out\n  {expected:?}\n  {found:?}")
        })
    }
}

/// A JSON string.
fn quoted(text: &str) -> String {
    String::from_utf8_lossy(&canonical::to_bytes(|slot| slot.string(text))).into_owned()
}

/// The files of a folder with an extension, in order.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|it| format!("{}: {it}", folder.display()))?;
    let paths = entries.filter_map(|it| it.ok().map(|it| it.path()));
    let mut paths: Vec<_> =
        paths.filter(|it| it.extension().is_some_and(|it| it == extension)).collect();
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|it| format!("{}: {it}", path.display()))
}
