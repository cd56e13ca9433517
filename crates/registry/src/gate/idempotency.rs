//! Which calls are the same, and what becomes of the second one.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use assay_base::{CallHash, canonical};
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization as _;

use crate::gate::record::ToolId;
use crate::gate::{Code, Refusal};

/// The address of what `expression` names in the arguments: calls with the same address are the
/// same, within one organisation and, where the work is about one, within one matter. A field that
/// is not given differs from one that is empty, and `1.0` is `1`.
///
/// A term `x_hash` stands for the text of the field `x` in lower case with single spaces, unless
/// there is a field of that very name.
#[must_use]
pub fn key(
    expression: &str,
    (organisation, matter): (&str, Option<&str>),
    tool: &ToolId,
    arguments: &Value,
) -> CallHash {
    let bytes = canonical::to_bytes(|slot| {
        slot.array(|array| {
            array.item().string("idempotency key 1");
            array.item().string(organisation);
            array.item().optional_string(matter);
            array.item().display(tool);
            for term in expression.split(" + ") {
                array.item().object(|object| {
                    object.key("term").string(term);
                    if let Some(value) = value(term, arguments) {
                        object.key("value").json(&value);
                    }
                });
            }
        });
    });
    CallHash::of(&bytes)
}

fn value(term: &str, arguments: &Value) -> Option<Value> {
    let field = |path: &str| path.split('.').try_fold(arguments, |it, step| it.get(step));
    field(term).map(in_one_form).or_else(|| match field(term.strip_suffix("_hash")?)? {
        Value::String(text) => Some(Value::String(normal(text))),
        other => Some(in_one_form(other)),
    })
}

/// The same value with `1` for `1.0`, which every schema takes for the same: a call that is
/// repeated in the other form must not have its effect twice.
fn in_one_form(value: &Value) -> Value {
    match value {
        Value::Number(number) => {
            let whole = number.to_string().strip_suffix(".0").and_then(|it| it.parse().ok());
            Value::Number(whole.unwrap_or_else(|| number.clone()))
        }
        Value::Array(items) => items.iter().map(in_one_form).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, it)| (name.clone(), in_one_form(it))).collect()
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

/// What a call is about, so that two calls of different tools can be about the same: the values
/// that `expression` names, with texts in lower case and in one form. None where one is missing.
#[must_use]
pub fn subject(expression: &str, arguments: &Value) -> Option<CallHash> {
    let values: Vec<Value> = expression
        .split(" + ")
        .map(|term| match value(term, arguments)? {
            Value::Null => None,
            Value::String(text) => Some(Value::String(normal(&text))),
            other => Some(other),
        })
        .collect::<Option<_>>()?;
    let bytes = canonical::to_bytes(|slot| {
        slot.array(|array| {
            array.item().string("subject 1");
            values.iter().for_each(|it| array.item().json(it));
        });
    });
    Some(CallHash::of(&bytes))
}

/// One form for texts that people take for the same: compatible characters are one, and so are
/// letters of both cases and runs of white space.
fn normal(text: &str) -> String {
    let text: String = text.nfkc().collect();
    text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// Every argument of a call by name, so that a call with the same key can be told from it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fingerprint(BTreeMap<String, CallHash>);

impl Fingerprint {
    /// The fingerprint of these arguments.
    #[must_use]
    pub fn of(arguments: &Value) -> Self {
        let members = arguments.as_object().into_iter().flatten();
        let address =
            |value| CallHash::of(&canonical::to_bytes(|slot| slot.json(&in_one_form(value))));
        Self(members.map(|(name, value)| (name.clone(), address(value))).collect())
    }

    /// The text in which it is kept.
    #[must_use]
    pub fn to_text(&self) -> String {
        let bytes = canonical::to_bytes(|slot| {
            slot.object(|object| {
                self.0.iter().for_each(|(name, address)| object.key(name).display(address));
            });
        });
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Reads what [`Fingerprint::to_text`] wrote; of anything else, no argument.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let members: BTreeMap<String, String> = serde_json::from_str(text).unwrap_or_default();
        let read = |(name, address): (String, String)| Some((name, CallHash::parse(&address)?));
        Self(members.into_iter().filter_map(read).collect())
    }

    /// The names of the arguments that differ, in order.
    fn differing(&self, other: &Self) -> Vec<String> {
        let mut names: Vec<String> = self.0.keys().chain(other.0.keys()).cloned().collect();
        names.sort();
        names.dedup();
        names.retain(|it| self.0.get(it) != other.0.get(it));
        names
    }
}

/// What is kept under a key.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// Nothing, or nothing any more.
    None,
    /// A call is under way until its lease ends, in milliseconds since 1970.
    InFlight {
        /// Its arguments.
        fingerprint: Fingerprint,
        /// The end of its lease.
        until: i64,
    },
    /// A call has an outcome, whichever it is.
    Done {
        /// Its arguments.
        fingerprint: Fingerprint,
        /// The outcome.
        outcome: Value,
        /// Until when it is kept.
        until: i64,
    },
    /// A call failed before anything was sent.
    Released,
    /// A call was sent and had no answer.
    Unknown {
        /// Its arguments.
        fingerprint: Fingerprint,
        /// What people find it by.
        reference: String,
    },
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Next<'s> {
    /// It is carried out.
    Execute,
    /// It is answered with the outcome of the first.
    Replay(&'s Value),
}

/// What becomes of a call with these arguments at `now`, given what is kept under its key.
///
/// # Errors
/// `IDEMPOTENCY_MISMATCH` with the arguments that differ, `IDEMPOTENCY_IN_FLIGHT` with the seconds
/// to wait, or `IDEMPOTENCY_UNKNOWN_OUTCOME` with what people find the first call by.
pub fn next<'s>(state: &'s State, call: &Fingerprint, now: i64) -> Result<Next<'s>, Refusal> {
    let same = |first: &Fingerprint| {
        let fields = first.differing(call);
        let refusal = || Refusal::new(Code::IdempotencyMismatch, [("fields", json!(fields))]);
        if fields.is_empty() { Ok(()) } else { Err(refusal()) }
    };
    let unknown = |reference: Option<&String>| {
        Err(Refusal::new(Code::IdempotencyUnknownOutcome, [("reference", json!(reference))]))
    };
    match state {
        State::None | State::Released => Ok(Next::Execute),
        State::Done { until, .. } if now >= *until => Ok(Next::Execute),
        State::Done { fingerprint, outcome, .. } => {
            same(fingerprint).map(|()| Next::Replay(outcome))
        }
        State::InFlight { fingerprint, until } => {
            same(fingerprint)?;
            // A lease that ran out says nothing about what was done: it is no leave to repeat.
            if now >= *until {
                return unknown(None);
            }
            let wait = (until - now + 999) / 1000;
            Err(Refusal::new(Code::IdempotencyInFlight, [("retry_after", json!(wait))]))
        }
        State::Unknown { fingerprint, reference } => {
            same(fingerprint)?;
            unknown(Some(reference))
        }
    }
}
