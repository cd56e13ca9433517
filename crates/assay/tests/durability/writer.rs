//! Writes over REST, and what the server said of them.

use assay_base::canonical::{Slot, to_bytes};
use serde_json::Value;

use crate::server::ask;

/// A write that the server said is done.
#[derive(Debug, Clone)]
pub(crate) struct Acknowledged {
    /// The name that the revision was saved under.
    pub(crate) name: String,
    /// The address of the revision.
    pub(crate) hash: String,
    pub(crate) source: String,
    pub(crate) parent: Option<String>,
    pub(crate) depth: u32,
    /// Whether an approval of the revision was acknowledged too.
    pub(crate) approved: bool,
}

/// Rules that differ with their number, of sizes that take a page of the file or several.
pub(crate) fn source(number: u64) -> String {
    let size = usize::try_from(number % 11).unwrap() * 1_000;
    format!(
        "declare count as numeric;\n// A cap. {}\nassert cap {{ count <= {number} }};\n",
        "x".repeat(size)
    )
}

impl Acknowledged {
    /// What the answer to a save acknowledges.
    pub(crate) fn of(name: &str, source: &str, answer: &str) -> Self {
        let answer: Value = serde_json::from_str(answer).unwrap();
        let word = |key: &str| answer.get(key).and_then(Value::as_str).map(str::to_owned);
        let depth = answer.get("revision_depth").and_then(Value::as_u64);
        Self {
            name: name.to_owned(),
            hash: word("ruleset_hash").unwrap(),
            source: source.to_owned(),
            parent: word("parent_hash"),
            depth: depth.and_then(|it| it.try_into().ok()).unwrap(),
            approved: false,
        }
    }
}

/// The body of a save.
pub(crate) fn saving(name: &str, source: &str) -> String {
    text(|slot| {
        slot.object(|object| {
            object.key("name").string(name);
            object.key("source").string(source);
        });
    })
}

/// Saves a revision, and approves every third; `None` once there is no server.
pub(crate) fn write(address: &str, name: &str, number: u64) -> Option<Acknowledged> {
    let source = source(number);
    let answer = done(address, "/v1/rulesets", &saving(name, &source))?;
    let mut saved = Acknowledged::of(name, &source, &answer);
    if number.is_multiple_of(3) {
        let body = text(|slot| {
            slot.object(|object| {
                object.key("approver").string("Ada");
                object.key("ruleset_hash").string(&saved.hash);
            });
        });
        saved.approved = done(address, "/v1/approvals", &body).is_some();
    }
    Some(saved)
}

/// The payload of a write that was acknowledged; `None` where no answer came. A server that is there
/// and refuses is a fault.
fn done(address: &str, path: &str, body: &str) -> Option<String> {
    let (status, answer) = ask(address, "POST", path, body).ok()?;
    assert_eq!(status, 200, "{path}: {answer}");
    Some(answer)
}

fn text(write: impl FnOnce(Slot<'_>)) -> String {
    String::from_utf8(to_bytes(write)).unwrap()
}
