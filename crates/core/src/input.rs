//! A tool's arguments, read from the text in which they were sent.

use std::borrow::Cow;

use assay_base::json::{self, Raw, Scalar, printable, scalar};
use assay_base::{RulesetHash, hash};

use crate::failure::Failure;

/// The argument object of one call, each value still raw.
#[derive(Debug)]
pub(crate) struct Input<'a> {
    members: Vec<(Cow<'a, str>, Raw<'a>)>,
}

impl<'a> Input<'a> {
    /// Reads an argument object that may hold the parameters in `known` and nothing else.
    pub(crate) fn read(text: &'a str, known: &[&str]) -> Result<Self, Failure> {
        let members =
            json::object(text).map_err(|it| Failure::not_an_object("the arguments", &it))?;
        let unknown: Vec<String> = members
            .iter()
            .filter(|(key, _)| !known.contains(&key.as_ref()))
            .take(8)
            .map(|(key, _)| format!("`{}`", printable(key)))
            .collect();
        if unknown.is_empty() {
            return Ok(Self { members });
        }
        Err(Failure::bad_request(format!(
            "there is no parameter {}; the parameters are {}",
            unknown.join(", "),
            known.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
        )))
    }

    /// A value that is there and not `null`.
    pub(crate) fn raw(&self, key: &str) -> Option<Raw<'a>> {
        let member = self.members.iter().find(|(it, _)| it == key);
        member.map(|(_, raw)| *raw).filter(|raw| scalar(raw) != Scalar::Null)
    }

    /// A string; `None` where it is absent or `null`.
    pub(crate) fn string(&self, key: &str) -> Result<Option<Cow<'a, str>>, Failure> {
        match self.raw(key).map(scalar) {
            None => Ok(None),
            Some(Scalar::String(text)) => Ok(Some(text)),
            Some(other) => Err(wrong_kind(key, "a string", &other)),
        }
    }

    /// A truth value, or `default` where it is absent or `null`.
    pub(crate) fn boolean(&self, key: &str, default: bool) -> Result<bool, Failure> {
        match self.raw(key).map(scalar) {
            None => Ok(default),
            Some(Scalar::Boolean(value)) => Ok(value),
            Some(other) => Err(wrong_kind(key, "a boolean", &other)),
        }
    }

    /// A ruleset's address; `None` where it is absent or `null`.
    pub(crate) fn ruleset_hash(&self, key: &str) -> Result<Option<RulesetHash>, Failure> {
        let Some(text) = self.string(key)? else { return Ok(None) };
        match RulesetHash::parse(&text) {
            Some(hash) => Ok(Some(hash)),
            None => Err(Failure::bad_request(format!(
                "`{key}` is `{}`, and a hash is {}",
                printable(&text),
                hash::FORMAT
            ))),
        }
    }

    /// The JSON text of an object that may also come as a string which holds that text.
    pub(crate) fn object_text(&self, key: &str) -> Result<Option<Cow<'a, str>>, Failure> {
        let Some(raw) = self.raw(key) else { return Ok(None) };
        match scalar(raw) {
            Scalar::Object => Ok(Some(Cow::Borrowed(raw.get()))),
            Scalar::String(text) => Ok(Some(text)),
            other => Err(wrong_kind(key, "an object", &other)),
        }
    }
}

/// The refusal of a parameter that is missing.
pub(crate) fn missing(key: &str) -> Failure {
    Failure::bad_request(format!("the parameter `{key}` is missing"))
}

fn wrong_kind(key: &str, expected: &str, found: &Scalar<'_>) -> Failure {
    Failure::bad_request(format!("the parameter `{key}` is {expected}, found {}", found.kind()))
}
