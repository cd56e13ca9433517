//! Whose the things are that calls and answers name: the server behind the tools is asked.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use assay_registry::gate::record::ScopeKind;
use assay_registry::gate::scope::Owner;
use assay_upstream::{Call, CallError, Context};
use quick_cache::sync::Cache;
use serde_json::{Value, json};

use crate::gateway::received::Received;

/// For how long a thing is taken for the organisation's that was its own, in milliseconds. It holds
/// for answers alone: what a call names is asked about anew.
const OWNED_MS: i64 = 60_000;
/// How many of those are remembered.
const MAX_OWNED: usize = 10_000;
/// The most bytes of such an answer.
const OWNER_BYTES: usize = 64 * 1024;
/// How long after its arrival a call may ask for that, in milliseconds.
const OWNERS_WITHIN_MS: i64 = 10_000;
/// How long it may take until a server that died is there again.
const RESTART: Duration = Duration::from_millis(1_100);
/// How long it may take to find out whose a thing is.
const OWNER_WITHIN: Duration = Duration::from_secs(2);

/// What was found to be an organisation's own, and when, in milliseconds since 1970.
pub(crate) type Owned = Cache<String, i64>;

/// Nothing that is known of anything yet.
pub(crate) fn nothing_owned() -> Owned {
    Cache::new(MAX_OWNED)
}

/// Finds out whose things are, each once in a call.
pub(crate) struct Owners<'r> {
    received: &'r Received<'r>,
    seen: RefCell<BTreeMap<(String, String), Option<Owner>>>,
}

impl<'r> Owners<'r> {
    pub(crate) fn new(received: &'r Received<'r>) -> Self {
        Self { received, seen: RefCell::default() }
    }

    /// Whose the thing is; none where there is no such thing, or where that cannot be found out.
    pub(crate) fn of(&self, kind: ScopeKind, id: &str) -> Option<Owner> {
        let key = (format!("{kind:?}").to_lowercase(), id.to_owned());
        if let Some(known) = self.seen.borrow().get(&key) {
            return known.clone();
        }
        let owner = self.ask(&key.0, id);
        let own = owner.as_ref().filter(|it| it.organisation == self.received.organisation());
        if let (Some(_), Some(gateway)) = (own, &self.received.service.gateway) {
            gateway.owned.insert(self.key(kind, id), self.received.at);
        }
        self.seen.borrow_mut().insert(key, owner.clone());
        owner
    }

    /// Whether the thing is another organisation's, asked about what a server answered. What was the
    /// organisation's own a moment ago is taken for its own, so that an answer of many names asks
    /// for each of them once.
    pub(crate) fn is_foreign(&self, kind: ScopeKind, id: &str) -> bool {
        let received = self.received;
        let known = received.service.gateway.as_ref().and_then(|it| {
            let at = it.owned.get(&self.key(kind, id))?;
            (0..OWNED_MS).contains(&(received.at - at)).then_some(())
        });
        let owner = || self.of(kind, id);
        known.is_none() && owner().is_some_and(|it| it.organisation != received.organisation())
    }

    fn key(&self, kind: ScopeKind, id: &str) -> String {
        format!("{}\n{kind:?}\n{id}", self.received.organisation())
    }

    fn ask(&self, kind: &str, id: &str) -> Option<Owner> {
        let received = self.received;
        let now = (received.service.world.milliseconds)();
        if now.saturating_sub(received.at) > OWNERS_WITHIN_MS {
            received.owner_unknown.set(true);
            return None;
        }
        let lookup = received.loaded.snapshot.config().owner_lookup.as_deref()?;
        let (upstream, tool) = lookup.split_once('/')?;
        let call = Call {
            upstream,
            tool,
            arguments: &json!({ "kind": kind, "id": id }),
            context: Context {
                org_id: received.organisation(),
                matter_id: None,
                idempotency_key: None,
            },
            within: OWNER_WITHIN,
            max_output_bytes: OWNER_BYTES,
            cancel: &|| false,
        };
        let upstreams = &received.loaded.upstreams;
        let answer = upstreams.call(&call).or_else(|error| match error {
            // A server that died is started again after a moment.
            CallError::NotSent(_) => {
                thread::sleep(RESTART);
                upstreams.call(&call)
            }
            error => Err(error),
        });
        match answer {
            Ok(answer) if !answer.is_error => owner(&answer.result),
            Ok(_) => None,
            Err(_) => {
                received.owner_unknown.set(true);
                None
            }
        }
    }
}

fn owner(answer: &Value) -> Option<Owner> {
    let text = |key: &str| answer.get(key).and_then(Value::as_str).map(str::to_owned);
    let shared = answer.get("shared_with").and_then(Value::as_array).into_iter().flatten();
    Some(Owner {
        organisation: text("organisation")?,
        matter: text("matter"),
        shared_with: shared.filter_map(|it| it.as_str().map(str::to_owned)).collect(),
    })
}
