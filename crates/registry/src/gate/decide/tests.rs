use assay_base::{CallHash, Timestamp};
use serde_json::{Value, json};

use super::{ABOUT_THE_CALLER, Confirmed, Facts, Passed, STAGES, decide, visible};
use crate::gate::approval::{Asked, Given, Standing};
use crate::gate::idempotency::{Fingerprint, State};
use crate::gate::permission::{Holder, PRACTICE};
use crate::gate::prerequisite::{Evidence, Place, Waiting};
use crate::gate::rate::{Limit, Window};
use crate::gate::record::{Record, read};
use crate::gate::scope::Owner;
use crate::gate::version::{Range, Stored, Version};
use crate::gate::{Code, Refusal};
use crate::scope::Scopes;

const NOW: i64 = 1_000_000;
const CALL: CallHash = CallHash::from_bytes([1; 32]);
const ONE: Limit = Limit { per_minute: 1, burst: None };
const PLACE: Place<'static> = Place { organisation: "o1", matter: None, session: "s1" };

/// A call that goes through, until something about it is broken.
struct World {
    session: bool,
    known: bool,
    denied: Option<&'static str>,
    killed: bool,
    enabled: bool,
    bound: Option<Range>,
    roles: Vec<&'static str>,
    organisation: &'static str,
    arguments: Value,
    state: State,
    evidence: Vec<Evidence<'static>>,
    given: Vec<Given<'static>>,
    confirmed: Confirmed,
    window: Window,
}

fn record() -> Record {
    let example = include_str!("../record/create-matter.json");
    let mut value: Value = serde_json::from_str(example).unwrap();
    value["prerequisites"] = json!([{ "tool": "efirm.conflict-check.run", "within_s": 60 }]);
    value["confirmation"] = "human".into();
    value["rate_limit"]["requests_per_minute"] = 1.into();
    value["scope_fields"] = json!([{ "pointer": "/client_id", "kind": "client" }]);
    read("tool.json", &value.to_string()).unwrap().record
}

fn world() -> World {
    let tool = "efirm.conflict-check.run";
    let (subject, verdict, decided_by, finished_at) = (Some("a"), None, &[][..], NOW - 1000);
    World {
        session: true,
        known: true,
        denied: None,
        killed: false,
        enabled: true,
        bound: Some(Range::default()),
        roles: vec!["associate"],
        organisation: "o1",
        arguments: json!({
            "client_id": "c1", "matter_type": "ip", "responsible_partner_id": "p1",
            "fee_structure": "fixed",
        }),
        state: State::None,
        evidence: vec![Evidence { tool, place: PLACE, subject, verdict, decided_by, finished_at }],
        given: vec![Given {
            person: "bob",
            roles: &["partner"],
            call: CALL,
            at: NOW,
            standing: Standing::Open,
        }],
        confirmed: Confirmed::Yes,
        window: Window::default(),
    }
}

impl World {
    fn decided<T>(&self, then: impl FnOnce(Result<Passed<'_>, (&'static str, Code)>) -> T) -> T {
        let coded = |(stage, refusal): (_, Refusal)| (stage, refusal.code);
        self.asked(|facts| then(decide(facts).map_err(coded)))
    }

    fn asked<T>(&self, then: impl FnOnce(&Facts<'_>) -> T) -> T {
        let record = record();
        let validator = jsonschema::draft202012::new(&record.input_schema).unwrap();
        let version = Version::parse("1.2").unwrap();
        let versions = [Stored { version, enabled: self.enabled, withdrawn: false }];
        let owner =
            |_, _: &str| Some(Owner { organisation: self.organisation.into(), ..Owner::default() });
        let facts = Facts {
            session_is_valid: self.session,
            tool: self.known.then_some((&record, Some(&validator))),
            denied_facet: self.denied,
            is_killed: self.killed,
            versions: &versions,
            bound: self.bound.as_ref(),
            holder: Holder {
                grants: &PRACTICE,
                scopes: Scopes::ALL,
                roles: &self.roles,
                is_person: true,
                signed_in_at: Timestamp::from_seconds(NOW / 1000),
                token: None,
                skill: None,
            },
            matter: None,
            owner: &owner,
            arguments: &self.arguments,
            state: &self.state,
            evidence: &self.evidence,
            waiting: Waiting { place: PLACE, subject: Some("a"), received_at: NOW },
            given: &self.given,
            asked: Asked { person: "ann", roles: &self.roles, call: CALL, now: NOW },
            confirmed: self.confirmed,
            rate: &|limit| self.window.check(limit.into(), NOW),
        };
        then(&facts)
    }
}

type Break = fn(&mut World);

/// How each stage is made to fail, in any order, and its code.
const BREAKERS: &[(&str, Code, Break)] = &[
    ("session", Code::SessionInvalid, |it| it.session = false),
    ("tool", Code::ToolUnknown, |it| it.known = false),
    ("facet", Code::FacetDenied, |it| it.denied = Some("editing")),
    ("switch", Code::ToolSuspended, |it| it.killed = true),
    ("binding", Code::SkillNotBound, |it| it.bound = None),
    ("permission", Code::PermissionDenied, |it| it.roles = vec!["finance"]),
    ("scope", Code::ScopeViolation, |it| it.organisation = "o2"),
    ("input", Code::InputInvalid, |it| it.arguments["matter_type"] = "tax".into()),
    ("idempotency", Code::IdempotencyUnknownOutcome, |it| {
        let fingerprint = Fingerprint::of(&it.arguments);
        it.state = State::Unknown { fingerprint, reference: "r1".into() };
    }),
    ("prerequisite", Code::PrerequisiteMissing, |it| it.evidence.clear()),
    ("approval", Code::ApprovalRequired, |it| it.given.clear()),
    ("confirmation", Code::ConfirmationRequired, |it| it.confirmed = Confirmed::NotYet),
    ("rate", Code::RateLimited, |it| it.window.take(ONE, NOW).unwrap()),
];

#[test]
fn the_earlier_of_two_stages_decides() {
    world().decided(|it| assert_eq!(it, Ok(Passed::Execute)));
    let breaker = |name: &str| BREAKERS.iter().find(|it| it.0 == name).unwrap();
    for (index, (first, _)) in STAGES.iter().enumerate() {
        for (second, _) in STAGES.iter().skip(index) {
            let (mut world, (_, code, breaks)) = (world(), breaker(first));
            breaks(&mut world);
            if first != second {
                breaker(second).2(&mut world);
            }
            world.decided(|it| assert_eq!(it, Err((*first, *code)), "{first} and {second}"));
        }
    }
    assert_eq!(BREAKERS.len(), STAGES.len());
}

/// A tool is listed exactly where a call of it is not refused for who calls.
#[test]
fn what_is_listed_agrees_with_what_is_decided() {
    let mut random: u64 = 7;
    let (mut listed, mut hidden) = (0, 0);
    for _ in 0..200 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mut world = world();
        // Each breaker is left out more often than not, or hardly any tool would be listed.
        let chosen: Vec<&str> = (0_u32..)
            .zip(BREAKERS)
            .filter(|(bit, _)| (random >> (2 * bit + 32)) & 3 == 0)
            .map(|(_, (stage, _, breaks))| {
                breaks(&mut world);
                *stage
            })
            .collect();
        let about_the_caller =
            |stage: &str| STAGES.iter().take(ABOUT_THE_CALLER).any(|(it, _)| *it == stage);
        let refused = world.decided(|it| it.err().filter(|(stage, _)| about_the_caller(stage)));
        let found = world.asked(|it| visible(it).err().map(|it| (it.0, it.1.code)));
        assert_eq!(found, refused, "{chosen:?}");
        assert_eq!(found.is_some(), chosen.iter().any(|it| about_the_caller(it)), "{chosen:?}");
        if found.is_none() { listed += 1 } else { hidden += 1 }
    }
    assert!(listed > 20 && hidden > 20, "{listed} {hidden}");
}

#[test]
fn a_replay_needs_nothing_fresh() {
    let mut world = world();
    let outcome = json!({ "matter_id": "m1" });
    let fingerprint = Fingerprint::of(&world.arguments);
    world.state = State::Done { fingerprint, outcome: outcome.clone(), until: NOW + 1 };
    world.evidence.clear();
    world.given.clear();
    world.confirmed = Confirmed::NotYet;
    world.window.take(ONE, NOW).unwrap();
    world.decided(|it| assert_eq!(it, Ok(Passed::Replay(&outcome))));
    world.roles = vec!["finance"];
    world.decided(|it| assert_eq!(it, Err(("permission", Code::PermissionDenied))));
}

#[test]
fn a_version_that_is_not_there_is_told_with_those_that_are() {
    let mut world = world();
    world.bound = Range::parse(">=1.3, <2");
    let facts = |it: &Facts<'_>| decide(it).err().map(|it| it.1.details);
    let details = world.asked(facts).unwrap();
    assert_eq!(details["requested"], ">=1.3, <2.0");
    assert_eq!(details["available"], json!(["1.2"]));
}

#[test]
fn other_codes_of_a_stage() {
    let cases: &[(Code, Break)] = &[
        (Code::VersionUnavailable, |it| it.enabled = false),
        (Code::VersionUnavailable, |it| it.bound = Range::parse(">=1.3")),
        (Code::ConfirmationDeclined, |it| it.confirmed = Confirmed::No),
        (Code::ConfirmationUnavailable, |it| it.confirmed = Confirmed::Unavailable),
        (Code::ApprovalInvalid, |it| it.given[0].standing = Standing::Used),
    ];
    for (code, breaks) in cases {
        let mut world = world();
        breaks(&mut world);
        world.decided(|it| assert_eq!(it.map_err(|it| it.1), Err(*code)));
    }
}
