//! Whether a server still offers what was reviewed. A tool whose definition is another one than its
//! record pins is not called any more, unless it only reads.

use std::collections::BTreeMap;
use std::time::Duration;

use assay_registry::gate::snapshot::Governed;
use assay_registry::gate::{Code, Refusal};
use serde_json::json;

use crate::gateway::received::Received;
use crate::gateway::{Gateway, lock};

/// For how long what a server said counts, in milliseconds.
const KEPT_MS: i64 = 60_000;
/// How long a server may take to say it.
const WITHIN: Duration = Duration::from_secs(5);

/// What each server said last of the tools that it offers, and when, in milliseconds since 1970.
pub(super) type Definitions = BTreeMap<String, (i64, BTreeMap<String, String>)>;

/// Holds a call of a pinned tool back where the server offers another one.
///
/// # Errors
/// `TOOL_SUSPENDED` where it does, `TOOL_UNAVAILABLE` where it does not say.
pub(super) fn check(
    gateway: &Gateway,
    received: &Received<'_>,
    tool: &Governed,
) -> Result<(), Refusal> {
    let Some(pinned) = tool.record.definition_hash.as_deref().filter(|_| !tool.is_read()) else {
        return Ok(());
    };
    let unavailable = || Refusal::new(Code::ToolUnavailable, []);
    let (upstream, name) = tool.place().ok_or_else(unavailable)?;
    let kept = |definitions: &BTreeMap<String, String>| definitions.get(name).cloned();
    let fresh = lock(&gateway.definitions).get(upstream).and_then(|(at, definitions)| {
        (received.at.saturating_sub(*at) < KEPT_MS).then(|| kept(definitions))
    });
    let found = match fresh {
        Some(found) => found,
        None => {
            let said = received.loaded.upstreams.definitions(upstream, WITHIN);
            let said = said.map_err(|_| unavailable())?;
            let said: BTreeMap<String, String> =
                said.into_iter().map(|(name, it)| (name, it.digest)).collect();
            let found = kept(&said);
            lock(&gateway.definitions).insert(upstream.to_owned(), (received.at, said));
            found
        }
    };
    if found.as_deref() == Some(pinned) {
        return Ok(());
    }
    Err(Refusal::new(Code::ToolSuspended, [("why", json!("definition"))]))
}
