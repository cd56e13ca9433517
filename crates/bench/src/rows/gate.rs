//! The gate alone: how many calls one core decides in a second. What is known of a call lies ready,
//! so that nothing but the deciding is measured.

use assay_base::{CallHash, Timestamp};
use assay_core::gate::approval::{Asked, Given, Standing};
use assay_core::gate::decide::{Confirmed, Facts, Passed, decide};
use assay_core::gate::idempotency::State;
use assay_core::gate::permission::{Holder, PRACTICE};
use assay_core::gate::prerequisite::{Evidence, Place, Waiting};
use assay_core::gate::rate::{Limit, Window};
use assay_core::gate::record::ScopeKind;
use assay_core::gate::scope::Owner;
use assay_core::gate::snapshot::{Skill, SkillName};
use assay_core::gate::version::Stored;
use assay_core::{Governed, Scopes, Snapshot};
use serde_json::{Value, json};

use crate::failure::{Failure, same};
use crate::measure::{Effort, Entrant, contest};
use crate::practice;
use crate::report::{Bar, Group, Report, Unit};

/// The time of the calls, in milliseconds since 1970.
const NOW: i64 = 1_796_094_332_000;
const CALL: CallHash = CallHash::from_bytes([1; 32]);
const PLACE: Place<'static> = Place { organisation: "org_1", matter: None, session: "ses_1" };
/// What the call is about.
const SUBJECT: Option<&str> = Some("client");
const ROLES: &[&str] = &["associate"];

pub(crate) fn measure(effort: &Effort) -> Result<Report, Failure> {
    let files = practice::files()?;
    let snapshot = Snapshot::load(&files, &[], None).map_err(|faults| format!("{faults:?}"))?;
    let opening = Scene::new(&snapshot, "create_matter", opening_arguments())?;
    let reading = Scene::new(&snapshot, "lookup_matter", json!({ "matter_id": "mat_1" }))?;
    let arguments = &opening.arguments;
    let figures = contest(
        effort,
        vec![
            opening.entrant("create_matter, found, approved and in time")?,
            reading.entrant("lookup_matter")?,
            Entrant::mean("reference: create_matter, its arguments alone", || {
                opening.tool.input.is_valid(arguments)
            }),
        ],
    );
    let figures = figures.iter().map(|it| it.rate()).collect();
    let group = Group::alone("one core", Unit::Rate, figures);
    let found = group.figure("create_matter").map_or(f64::NAN, |it| it.median);
    let bars = [("first bar", 100_000.0), ("goal", 500_000.0)];
    let bars = bars.map(|(kind, least)| Bar::at_least(kind, "create_matter", found, least)).into();
    Ok(Report { groups: vec![group], bars, ..Report::default() })
}

fn opening_arguments() -> Value {
    json!({
        "client_id": "cli_1",
        "matter_type": "dispute",
        "responsible_partner_id": "usr_2",
        "fee_structure": "hourly",
        "description": "Supply of defective parts, first instance",
        "confidentiality_level": "enhanced",
    })
}

/// A call of one tool, with everything that is known of it.
struct Scene<'s> {
    tool: &'s Governed,
    versions: Vec<Stored>,
    skill: &'s Skill,
    arguments: Value,
    evidence: Vec<Evidence<'static>>,
    given: Vec<Given<'static>>,
    window: Window,
}

impl<'s> Scene<'s> {
    fn new(snapshot: &'s Snapshot, name: &str, arguments: Value) -> Result<Self, Failure> {
        let skill = SkillName::parse("practice-desk@1.0").and_then(|it| snapshot.skill(&it));
        let id = snapshot.named(name).ok_or("the tool has no record")?;
        let found = |tool, verdict, ago| Evidence {
            tool,
            place: PLACE,
            subject: SUBJECT,
            verdict,
            decided_by: &[],
            finished_at: NOW - ago,
        };
        let limit = Limit { per_minute: 10, burst: None };
        let mut window = Window::default();
        for ago in 1..=5 {
            window.take(limit, NOW - 40_000 + ago).map_err(|it| format!("{it:?}"))?;
        }
        Ok(Self {
            tool: snapshot.resolve(id, None).ok_or("the tool has no version")?,
            versions: snapshot.stored(id),
            skill: skill.ok_or("there is no such skill")?,
            arguments,
            evidence: vec![
                found("efirm.conflict-check.run", Some("CLEAN"), 3_600_000),
                found("efirm.engagement-letter.draft", None, 60_000),
            ],
            given: vec![Given {
                person: "usr_2",
                roles: &["partner"],
                call: CALL,
                at: NOW - 30_000,
                standing: Standing::Open,
            }],
            window,
        })
    }

    /// The calls of this scene, all of which go through.
    fn entrant(&self, name: &str) -> Result<Entrant<'_>, Failure> {
        let decide = || self.decided(|facts| matches!(decide(facts), Ok(Passed::Execute)));
        let why = self.decided(decide_word);
        same(name, &why, &None)?;
        Ok(Entrant::mean(name, decide))
    }

    fn decided<T>(&self, then: impl FnOnce(&Facts<'_>) -> T) -> T {
        let owner = |_: ScopeKind, _: &str| {
            Some(Owner { organisation: PLACE.organisation.to_owned(), ..Owner::default() })
        };
        then(&Facts {
            session_is_valid: true,
            tool: Some((&self.tool.record, Some(&self.tool.input))),
            denied_facet: None,
            is_killed: false,
            versions: &self.versions,
            bound: self.skill.permitted.get(&self.tool.record.tool_id),
            holder: Holder {
                grants: &PRACTICE,
                roles: ROLES,
                is_person: true,
                signed_in_at: Timestamp::from_seconds(NOW / 1000 - 600),
                scopes: Scopes::ALL,
                token: None,
                skill: None,
            },
            matter: None,
            owner: &owner,
            arguments: &self.arguments,
            state: &State::None,
            evidence: &self.evidence,
            waiting: Waiting { place: PLACE, subject: SUBJECT, received_at: NOW },
            given: &self.given,
            asked: Asked { person: "usr_1", roles: ROLES, call: CALL, now: NOW },
            confirmed: Confirmed::NotYet,
            rate: &|limit| self.window.check(limit.into(), NOW),
        })
    }
}

/// The stage that refuses and its word.
fn decide_word(facts: &Facts<'_>) -> Option<(&'static str, &'static str)> {
    decide(facts).err().map(|(stage, refusal)| (stage, refusal.code.word()))
}
