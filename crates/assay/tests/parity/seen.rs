//! What came out of a door, and how it differs from what is expected.

use std::collections::BTreeMap;

use crate::call::Call;

/// A door, as the files name it. The protocol's doors share a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    CommandLine,
    Mcp,
    Rest,
}

impl Door {
    pub(crate) const ALL: [Self; 3] = [Self::CommandLine, Self::Mcp, Self::Rest];

    /// The name of the door in a file.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::CommandLine => "command_line",
            Self::Mcp => "mcp",
            Self::Rest => "rest",
        }
    }
}

/// An answer to a call.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// A payload, and what the envelope of the door says about it.
    Payload {
        text: String,
        /// Whether the envelope says that the call failed.
        failed: Option<bool>,
        /// The structured content beside the text.
        structured: Option<String>,
    },
    /// The error object of JSON-RPC.
    ProtocolError(String),
}

impl Answer {
    /// A payload without anything around it.
    pub(crate) fn payload(text: String) -> Self {
        Self::Payload { text, failed: None, structured: None }
    }
}

/// What one door answered to one call.
#[derive(Debug)]
pub(crate) struct Seen {
    /// The place of the call among all.
    pub(crate) call: usize,
    /// The door, with its protocol, threads and round.
    pub(crate) door: String,
    pub(crate) answer: Result<Answer, String>,
}

/// How the answers differ from what their calls expect; doors that answered alike share a fault.
pub(crate) fn faults(seen: &[Seen], calls: &[Call]) -> Vec<String> {
    let mut doors: BTreeMap<(usize, String), Vec<&str>> = BTreeMap::new();
    for Seen { call, door, answer } in seen {
        let expected = calls.get(*call).map(|it| &it.expected);
        let fault = match (answer, expected) {
            (Ok(answer), Some(expected)) => fault(expected, answer),
            (Ok(_), None) => Some("nobody made this call".to_owned()),
            (Err(problem), _) => Some(problem.clone()),
        };
        if let Some(fault) = fault {
            doors.entry((*call, fault)).or_default().push(door);
        }
    }
    let name = |call: usize| calls.get(call).map_or("", |it| &it.name);
    let lines = doors
        .into_iter()
        .map(|((call, fault), doors)| format!("{}: {fault}\n  {}", name(call), doors.join("\n  ")));
    lines.collect()
}

fn fault(expected: &Answer, found: &Answer) -> Option<String> {
    match (expected, found) {
        (Answer::Payload { text: expected, .. }, Answer::Payload { text, failed, structured }) => {
            if let Some(difference) = difference(expected, text) {
                return Some(format!("the payload differs {difference}"));
            }
            let structured = structured.as_deref().and_then(|it| difference(expected, it));
            if let Some(difference) = structured {
                return Some(format!("the structured content differs {difference}"));
            }
            let fails = text.contains("\"ok\":false");
            let wrong = failed.is_some_and(|failed| failed != fails);
            wrong.then(|| "the envelope says otherwise than `ok`".to_owned())
        }
        (Answer::ProtocolError(expected), Answer::ProtocolError(found)) => {
            difference(expected, found).map(|it| format!("the error differs {it}"))
        }
        (Answer::Payload { .. }, Answer::ProtocolError(found)) => {
            Some(format!("an error came in place of a payload: {found}"))
        }
        (Answer::ProtocolError(_), Answer::Payload { text, .. }) => {
            Some(format!("a payload came in place of an error: {text:.200}"))
        }
    }
}

/// Where two texts part, with what stands there in each.
fn difference(expected: &str, found: &str) -> Option<String> {
    const BEFORE: usize = 40;
    const SHOWN: usize = 160;
    if expected == found {
        return None;
    }
    let same = expected.chars().zip(found.chars()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| -> String {
        text.chars().skip(same.saturating_sub(BEFORE)).take(SHOWN).collect()
    };
    Some(format!(
        "at character {same}\n  expected: …{}\n  found:    …{}",
        around(expected),
        around(found)
    ))
}
