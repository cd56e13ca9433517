//! Whether a call goes through: one list of stages, of which the first that refuses decides.
//!
//! Nothing is used up here. Whoever carries the call out uses up the agreements and counts the call
//! in one transaction, and asks again there whether the tool was stopped meanwhile.

#[cfg(test)]
mod tests;

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{ValidationError, Validator};
use serde_json::{Value, json};

use assay_base::Timestamp;

use crate::gate::approval::{self, Asked, Given};
use crate::gate::idempotency::{self, Fingerprint, Next, State};
use crate::gate::permission::{self, Holder};
use crate::gate::prerequisite::{self, Evidence, Waiting};
use crate::gate::record::{Confirmation, RateLimit, Record, ScopeKind};
use crate::gate::scope::{self, Owner};
use crate::gate::version::{Range, Stored, resolve};
use crate::gate::{Code, Refusal};

/// Everything that is known of a call, fetched before it is decided.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "it borrows functions, which have no text")]
pub struct Facts<'f> {
    /// Whether somebody stands behind the call.
    pub session_is_valid: bool,
    /// The tool, and the check of its arguments where they are checked here.
    pub tool: Option<(&'f Record, Option<&'f Validator>)>,
    /// The facet that the profile denies, where it denies the tool's.
    pub denied_facet: Option<&'f str>,
    /// Whether the tool was stopped, beside what its record says.
    pub is_killed: bool,
    /// The stored versions of the tool.
    pub versions: &'f [Stored],
    /// The versions that the skill takes, where the skill lists the tool.
    pub bound: Option<&'f Range>,
    /// Who calls.
    pub holder: Holder<'f>,
    /// The matter of the session.
    pub matter: Option<&'f str>,
    /// Finds out whose a thing is.
    pub owner: &'f dyn Fn(ScopeKind, &str) -> Option<Owner>,
    /// The arguments.
    pub arguments: &'f Value,
    /// What is kept under the key of the call.
    pub state: &'f State,
    /// What was done before.
    pub evidence: &'f [Evidence<'f>],
    /// Where the call comes from, what it is about and when it arrived.
    pub waiting: Waiting<'f>,
    /// Who agreed to it.
    pub given: &'f [Given<'f>],
    /// Who asks, for which call, and the time now.
    pub asked: Asked<'f>,
    /// What a person said to it on the screen.
    pub confirmed: Confirmed,
    /// Whether the calls that were counted leave room for another one. It is asked last, and counts
    /// nothing.
    pub rate: &'f dyn Fn(RateLimit) -> Result<(), Refusal>,
}

/// What a person said to a call on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmed {
    /// Nothing yet.
    NotYet,
    /// Yes, to exactly this call.
    Yes,
    /// No.
    No,
    /// Nobody can be asked here.
    Unavailable,
}

/// A call that goes through, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Passed<'f> {
    /// It is carried out.
    Execute,
    /// It is answered with the outcome of an earlier one.
    Replay(&'f Value),
}

/// A stage by name, and its check.
pub type Stage = (&'static str, for<'f> fn(&Facts<'f>) -> Result<Option<&'f Value>, Refusal>);

/// The stages in their order, which is a promise: a test holds every pair of them to it.
pub const STAGES: &[Stage] = &[
    ("session", session),
    ("tool", tool),
    ("facet", facet),
    ("switch", switch),
    ("binding", binding),
    ("permission", permissions),
    ("scope", scopes),
    ("input", input),
    ("idempotency", idempotent),
    ("prerequisite", prerequisites),
    ("approval", approvals),
    ("confirmation", confirmation),
    ("rate", rate),
];

/// Where people can confirm: on the page of a server, and at a prompt of a client that the operator
/// lists.
const CHANNELS: [&str; 2] = ["page", "prompt"];

/// How many of the first stages look at the caller alone, and not at what is called with.
const ABOUT_THE_CALLER: usize = 6;

/// Whether the tool is listed for the caller: no stage that looks at the caller alone refuses.
///
/// # Errors
/// As [`decide`], for a valid call with any arguments.
pub fn visible(facts: &Facts<'_>) -> Result<(), (&'static str, Refusal)> {
    for (name, check) in STAGES.iter().take(ABOUT_THE_CALLER) {
        check(facts).map_err(|refusal| (*name, refusal))?;
    }
    Ok(())
}

/// Decides a call.
///
/// # Errors
/// The name of the first stage that refuses, and why it does.
pub fn decide<'f>(facts: &Facts<'f>) -> Result<Passed<'f>, (&'static str, Refusal)> {
    for (name, check) in STAGES {
        if let Some(outcome) = check(facts).map_err(|refusal| (*name, refusal))? {
            return Ok(Passed::Replay(outcome));
        }
    }
    Ok(Passed::Execute)
}

type Checked<'f> = Result<Option<&'f Value>, Refusal>;

fn unless<'f>(refused: bool, code: Code) -> Checked<'f> {
    if refused { Err(Refusal::new(code, [])) } else { Ok(None) }
}

fn record<'f>(facts: &Facts<'f>) -> Result<&'f Record, Refusal> {
    facts.tool.map(|(record, _)| record).ok_or_else(|| Refusal::new(Code::ToolUnknown, []))
}

fn session<'f>(facts: &Facts<'f>) -> Checked<'f> {
    unless(!facts.session_is_valid, Code::SessionInvalid)
}

fn tool<'f>(facts: &Facts<'f>) -> Checked<'f> {
    record(facts).map(|_| None)
}

fn facet<'f>(facts: &Facts<'f>) -> Checked<'f> {
    match facts.denied_facet {
        Some(facet) => Err(Refusal::new(Code::FacetDenied, [("facet", json!(facet))])),
        None => Ok(None),
    }
}

/// A stopped tool comes first: it is stopped whether or not it is in use.
fn switch<'f>(facts: &Facts<'f>) -> Checked<'f> {
    let record = record(facts)?;
    unless(facts.is_killed || record.kill_switch, Code::ToolSuspended)?;
    if !record.enabled {
        let successor = record.deprecation.as_ref().and_then(|it| it.successor.as_ref());
        return Err(Refusal::new(Code::ToolDisabled, [("successor", json!(successor))]));
    }
    let every = Range::default();
    let range = facts.bound.unwrap_or(&every);
    if resolve(record.tool_id.major(), facts.versions, range) == Some(record.version) {
        return Ok(None);
    }
    let in_use = facts.versions.iter().filter(|it| it.enabled && !it.withdrawn);
    let in_use: Vec<String> = in_use.map(|it| it.version.to_string()).collect();
    let details = [("available", json!(in_use)), ("requested", json!(range.to_string()))];
    Err(Refusal::new(Code::VersionUnavailable, details))
}

fn binding<'f>(facts: &Facts<'f>) -> Checked<'f> {
    unless(facts.bound.is_none(), Code::SkillNotBound)
}

fn now(facts: &Facts<'_>) -> Timestamp {
    Timestamp::from_seconds(facts.asked.now.div_euclid(1000))
}

fn permissions<'f>(facts: &Facts<'f>) -> Checked<'f> {
    permission::check(record(facts)?, &facts.holder, now(facts)).map(|_| None)
}

fn scopes<'f>(facts: &Facts<'f>) -> Checked<'f> {
    let organisation = facts.waiting.place.organisation;
    let place = scope::Place { organisation, matter: facts.matter };
    scope::check(record(facts)?, facts.arguments, place, facts.owner).map(|()| None)
}

/// Places and rules are told, and no value.
fn input<'f>(facts: &Facts<'f>) -> Checked<'f> {
    let Some((_, Some(validator))) = facts.tool else { return Ok(None) };
    if validator.is_valid(facts.arguments) {
        return Ok(None);
    }
    let fields: Vec<Value> = validator.iter_errors(facts.arguments).map(|it| field(&it)).collect();
    Err(Refusal::new(Code::InputInvalid, [("fields", fields.into())]))
}

/// One place of the arguments that does not fit: where it is, which rule it breaks, and what the
/// rule asks for.
fn field(error: &ValidationError<'_>) -> Value {
    let rule = error.schema_path().to_string();
    let problem = rule.rsplit('/').next().unwrap_or_default();
    let place = error.instance_path().to_string();
    let (pointer, expected) = match error.kind() {
        // The rule stands at the object; what is missing is within it.
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            (format!("{place}/{name}"), Value::Null)
        }
        Kind::Enum { options } => (place, Value::clone(options)),
        Kind::Constant { expected_value } => (place, Value::clone(expected_value)),
        Kind::Type { kind: TypeKind::Single(kind) } => (place, json!(kind.to_string())),
        Kind::Format { format } => (place, json!(format)),
        Kind::MaxLength { limit } | Kind::MinLength { limit } => (place, json!(limit)),
        Kind::MaxItems { limit } | Kind::MinItems { limit } => (place, json!(limit)),
        Kind::Maximum { limit } | Kind::Minimum { limit } => (place, json!(limit)),
        Kind::Pattern { pattern } => (place, json!(pattern)),
        _ => (place, Value::Null),
    };
    json!({ "pointer": pointer, "problem": problem, "expected": expected })
}

fn idempotent<'f>(facts: &Facts<'f>) -> Checked<'f> {
    if *facts.state == State::None {
        return Ok(None);
    }
    let call = Fingerprint::of(facts.arguments);
    match idempotency::next(facts.state, &call, facts.asked.now)? {
        Next::Execute => Ok(None),
        Next::Replay(outcome) => Ok(Some(outcome)),
    }
}

fn prerequisites<'f>(facts: &Facts<'f>) -> Checked<'f> {
    let needed = &record(facts)?.prerequisites;
    prerequisite::check(needed, facts.evidence, facts.waiting).map(|()| None)
}

/// What the record asks for and what the caller's own permissions ask for, both.
fn approvals<'f>(facts: &Facts<'f>) -> Checked<'f> {
    let record = record(facts)?;
    let mut rules = permission::check(record, &facts.holder, now(facts))?;
    rules.extend(record.approval.clone());
    approval::check(&rules, facts.given, facts.asked).map(|_| None)
}

fn confirmation<'f>(facts: &Facts<'f>) -> Checked<'f> {
    if record(facts)?.confirmation == Confirmation::None {
        return Ok(None);
    }
    match facts.confirmed {
        Confirmed::Yes => Ok(None),
        Confirmed::NotYet => unless(true, Code::ConfirmationRequired),
        Confirmed::No => unless(true, Code::ConfirmationDeclined),
        Confirmed::Unavailable => {
            Err(Refusal::new(Code::ConfirmationUnavailable, [("channels", json!(CHANNELS))]))
        }
    }
}

/// The call is counted where it is carried out.
fn rate<'f>(facts: &Facts<'f>) -> Checked<'f> {
    match record(facts)?.rate_limit {
        Some(limit) => (facts.rate)(limit).map(|()| None),
        None => Ok(None),
    }
}
