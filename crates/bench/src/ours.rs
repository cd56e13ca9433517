//! Assay, as the rows use it.

use std::sync::Arc;

use assay_base::RulesetHash;
use assay_base::canonical::to_bytes;
use assay_core::{Caller, Cancel, Credentials, Door, Service, Settings};
use assay_dsail::bind::{Bound, ClaimIndex, bind};
use assay_dsail::ir::Ruleset;
use assay_dsail::units::Library;
use assay_dsail::{Options, compile};
use assay_engine::{Outcome, Plan, Word};
use serde_json::Value;

use crate::failure::Failure;

/// Who calls in the rows that have no door, found out as a door does for each request.
pub(crate) fn caller(service: &Service) -> Result<Caller, Failure> {
    let caller = service.caller(Door::Rest, &Credentials::default());
    caller.map_err(|it| Failure(String::from_utf8_lossy(&it.body).into_owned()))
}

/// A ruleset and the facts of one case, ready to be decided.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) plan: Plan,
    pub(crate) bound: Bound,
}

impl Case {
    pub(crate) fn new(source: &str, claims: &str) -> Result<Self, Failure> {
        let library = Library::standard();
        let ruleset = Arc::new(compiled(source)?);
        let index = ClaimIndex::new(&ruleset);
        let bound = bind(&ruleset, &index, library, claims)
            .map_err(|it| Failure(format!("claims: {it:?}")))?;
        Ok(Self { plan: Plan::new(ruleset, library), bound })
    }

    /// The outcomes without the solver; an assertion that needs it is a failure.
    pub(crate) fn quick(&self) -> Result<Vec<Outcome>, Failure> {
        let outcomes: Option<Vec<_>> = self.plan.quick(&self.bound).into_iter().collect();
        outcomes.ok_or_else(|| Failure("an assertion needs the solver".to_owned()))
    }
}

/// The typed ruleset of a source.
pub(crate) fn compiled(source: &str) -> Result<Ruleset, Failure> {
    let options = Options { require_descriptions: false };
    let compilation = compile(source, Library::standard(), options)
        .map_err(|it| Failure(format!("the source is over budget: {it:?}")))?;
    let diagnostics = compilation.diagnostics;
    compilation.ruleset.ok_or_else(|| Failure(format!("the source is refused: {diagnostics:?}")))
}

/// Each outcome as a truth value; `None` is UNKNOWN.
pub(crate) fn verdicts(outcomes: &[Outcome]) -> Vec<Option<bool>> {
    let verdict = |it: &Outcome| match it.word {
        Word::True => Some(true),
        Word::False => Some(false),
        Word::Unknown | Word::Ambiguous => None,
    };
    outcomes.iter().map(verdict).collect()
}

/// A service that keeps everything in memory.
pub(crate) fn service() -> Result<Arc<Service>, Failure> {
    Ok(Service::open(Settings::default())?)
}

/// Compiles a source through the service, so that its hash is ready.
pub(crate) fn store(service: &Arc<Service>, source: &str) -> Result<RulesetHash, Failure> {
    let arguments = text(to_bytes(|it| it.object(|object| object.key("source").string(source))))?;
    let reply = service.call(&caller(service)?, "dsail_compile", &arguments, &Cancel::new());
    if reply.failure.is_some() {
        return Err(Failure(text(reply.body)?));
    }
    Ok(compiled(source)?.hash)
}

/// The arguments of a check.
pub(crate) fn check_arguments(hash: RulesetHash, claims: &str) -> String {
    format!("{{\"ruleset_hash\": \"{hash}\", \"claims\": {claims}}}")
}

pub(crate) fn text(bytes: Vec<u8>) -> Result<String, Failure> {
    Ok(String::from_utf8(bytes)?)
}

/// The words of the payload of a check; `None` is UNKNOWN.
pub(crate) fn words(body: &[u8]) -> Result<Vec<Option<bool>>, Failure> {
    let body: Value = serde_json::from_slice(body)?;
    let rules = body.get("rules").and_then(Value::as_array).ok_or("the answer has no rules")?;
    let word = |rule: &Value| match rule.pointer("/assertions/0/check").and_then(Value::as_str) {
        Some("TRUE") => Ok(Some(true)),
        Some("FALSE") => Ok(Some(false)),
        Some("UNKNOWN") => Ok(None),
        other => Err(Failure(format!("{other:?} is no word"))),
    };
    rules.iter().map(word).collect()
}
