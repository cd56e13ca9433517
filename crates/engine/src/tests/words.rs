//! Rules, bindings and the words that they must give, whichever rung decides.

use assay_dsail::bind::UnbridgedClaim;
use assay_dsail::ir::{Policy, Unit, VariableId};

use super::build::{Builder, bind, settings};
use crate::evaluate::Evaluation;
use crate::ladder::Climb;
use crate::limits::EVALUATION_LIMIT;
use crate::meter::Meter;
use crate::outcome::Reason;
use crate::{Cancel, Engine, Outcome};

const CLAIMS: &str = "p:boolean q:boolean r:boolean x:number y:number d:number \
    colour:red|green|blue tier:low|medium|high wanted:low|medium|high";

/// The words without policy and with each of the two others, in the order of the columns.
const TRUE: [&str; 3] = ["TRUE", "TRUE", "TRUE"];
const FALSE: [&str; 3] = ["FALSE", "FALSE", "FALSE"];
const OPEN: [&str; 3] = ["UNKNOWN", "FALSE", "TRUE"];

/// Rule, bindings, words, and whether the first three rungs suffice.
const TABLE: &[(&str, &str, [&str; 3], bool)] = &[
    // Everything is known.
    ("(<= x 5)", "x=5", TRUE, true),
    ("(< x 5)", "x=5", FALSE, true),
    ("(or (<= x 5) p)", "x=6 p=true", TRUE, true),
    ("(or (<= x 5) p)", "x=6 p=false", FALSE, true),
    ("(< 5 x)", "x=6", TRUE, true),
    ("(same p q)", "p=true q=false", FALSE, true),
    ("(if p (< x 1) (< y 1))", "p=false x=9 y=0", TRUE, true),
    ("(>= (+ (if p 1 0) (if q 1 0) (if r 1 0)) 2)", "p=true q=false r=true", TRUE, true),
    ("(>= tier wanted)", "tier=medium wanted=high", FALSE, true),
    ("(< tier tier:high)", "tier=medium", TRUE, true),
    ("(== colour colour:red)", "colour=red", TRUE, true),
    ("(== (if p tier wanted) tier:low)", "p=true tier=low wanted=high", TRUE, true),
    ("true", "", TRUE, true),
    ("false", "", FALSE, true),
    // Numbers are exact.
    ("(== (+ x y) 0.3)", "x=0.1 y=0.2", TRUE, true),
    ("(== (* x 3) 1)", "x=1/3", TRUE, true),
    ("(== (* (/ 1 x) 3) 1)", "x=3", TRUE, true),
    ("(== x 9223372036854775808)", "x=9223372036854775807", FALSE, true),
    ("(< x 9223372036854775808)", "x=9223372036854775807", TRUE, true),
    ("(== (+ x 1) 9223372036854775808)", "x=9223372036854775807", TRUE, true),
    ("(== (* x x) 85070591730234615847396907784232501249)", "x=9223372036854775807", TRUE, true),
    ("(< x 9007199254740993)", "x=9007199254740992", TRUE, true),
    ("(== (% x 2) 1)", "x=-7", TRUE, true),
    ("(== (% x -2) -1)", "x=7", TRUE, true),
    ("(== (% x 2) 1.5)", "x=7.5", TRUE, true),
    ("(== (% x 0.3) 0.1)", "x=-0.2", TRUE, true),
    // What is known forces the word.
    ("(or (<= x 75) p)", "x=20", TRUE, true),
    ("(or (> x 75) p)", "p=true", TRUE, true),
    ("(and (<= x 75) p)", "x=80", FALSE, true),
    ("(or (not (== colour colour:red)) p)", "colour=blue", TRUE, true),
    ("(if p (<= x 5) (<= x 6))", "x=4", TRUE, true),
    ("(== (if p x y) 2)", "x=2 y=2", TRUE, true),
    ("(== (if p tier wanted) tier:low)", "tier=low wanted=low", TRUE, true),
    ("(== (* x y) 0)", "x=0", TRUE, true),
    ("(<= x 5)", "", OPEN, true),
    ("p", "", OPEN, true),
    ("(and p q)", "p=true", OPEN, true),
    ("(same p q)", "p=true", OPEN, true),
    ("(same p (not (not q)))", "", OPEN, true),
    // Every completion is tried.
    ("(or p (not p))", "", TRUE, true),
    ("(and p (not p))", "", FALSE, true),
    ("(or (and p q) (or (not p) (not q)))", "", TRUE, true),
    ("(same p (not p))", "", FALSE, true),
    (
        "(or (== colour colour:red) (== colour colour:green) (== colour colour:blue))",
        "",
        TRUE,
        true,
    ),
    ("(or (== colour colour:red) (== colour colour:green))", "", OPEN, true),
    ("(<= tier tier:high)", "", TRUE, true),
    ("(< tier tier:low)", "", FALSE, true),
    ("(or (<= tier wanted) (< wanted tier))", "", TRUE, true),
    ("(<= tier wanted)", "tier=low", TRUE, true),
    ("(<= tier wanted)", "tier=medium", OPEN, true),
    ("(<= (+ (if p 1 0) (if q 1 0) (if r 1 0)) 3)", "", TRUE, true),
    ("(>= (+ (if p 1 0) (if q 1 0) (if r 1 0)) 2)", "p=true", OPEN, true),
    // One undetermined number is tried at its meeting points.
    ("(or (< x 5) (>= x 5))", "", TRUE, true),
    ("(and (< x 5) (>= x 5))", "", FALSE, true),
    ("(or (< x 5) (> x 5))", "", OPEN, true),
    ("(or (< x 5) (> x 4.9))", "", TRUE, true),
    ("(or (<= x 1) (>= x 2))", "", OPEN, true),
    ("(not (and (< 1 x) (< x 2)))", "", OPEN, true),
    ("(or (<= x 1) (>= x 2) (< (* 2 x) 4))", "", TRUE, true),
    ("(== (+ x x) (* 2 x))", "", TRUE, true),
    ("(< (- x 1) x)", "", TRUE, true),
    ("(<= (* y x) 10)", "y=2", OPEN, true),
    ("(< (if p (+ x 2) (+ x 1)) (+ x 3))", "", TRUE, true),
    ("(or (== x 1/3) (not (== (* 3 x) 1)))", "", TRUE, true),
    ("(or (not p) (<= x 5) (> (* x 2) 10))", "", TRUE, true),
    // The solver decides.
    ("(or (< x y) (>= x y))", "", TRUE, false),
    ("(and (< x y) (< y x))", "", FALSE, false),
    ("(or (not (< x y)) (not (< y 3)) (< x 3))", "", TRUE, false),
    ("(<= (+ x y) 100)", "", OPEN, false),
    ("(== (+ x y) (+ y x))", "", TRUE, false),
    ("(and (<= 0 (% x 7)) (< (% x 7) 7))", "", TRUE, false),
    ("(and (< -7 (% x -7)) (<= (% x -7) 0))", "", TRUE, false),
    ("(== (% x 2) 1)", "", OPEN, false),
    ("(>= (* x x) 0)", "", TRUE, false),
    ("(< (* x x) 0)", "", FALSE, false),
    ("(== (* x y) (* y x))", "", TRUE, false),
    ("(== (* x x) 2)", "", OPEN, false),
    ("(> (/ 1 d) 5)", "", OPEN, false),
    ("(or (<= d 0) (> (/ 1 d) 0))", "", TRUE, false),
    // A quotient or remainder by zero has a value that nobody knows, but one.
    ("(> (/ 1 d) 5)", "d=0", OPEN, false),
    ("(== (% x d) 0)", "d=0 x=3", OPEN, false),
    ("(and false (> (/ 1 d) 5))", "d=0", FALSE, true),
    ("(and p (> (/ 1 d) 5))", "d=0 p=false", FALSE, true),
    ("(or p (> (/ 1 d) 5))", "d=0 p=true", TRUE, true),
    ("(== (/ 1 d) (/ 1 d))", "d=0", TRUE, false),
    ("(or (> (/ x d) 5) (<= (/ x d) 5))", "d=0 x=1", TRUE, false),
    ("(== (/ x d) (/ y d))", "d=0 x=1 y=1", TRUE, false),
    ("(== (/ x d) (/ y d))", "d=0 x=1 y=2", OPEN, false),
    ("(== (% x d) (% y d))", "d=0 x=1 y=1", TRUE, false),
    ("(== (% x d) x)", "d=0", OPEN, false),
    ("(== (* 0 (/ 1 d)) 0)", "d=0", TRUE, true),
    ("(and p (> (/ 1 d) 5))", "d=0", OPEN, false),
    ("(> (/ 1 (if p 0 1)) 5)", "", OPEN, false),
    ("(> (/ 1 (if p 2 1)) 0)", "", TRUE, true),
    // Conversions: exact ones fold away, others are numbers that nobody knows.
    ("(== (convert 1 km m) 1000)", "", TRUE, true),
    ("(<= (convert x mi km) 1.609344)", "x=1", TRUE, true),
    ("(< (convert x mi km) 1.609344)", "x=1", FALSE, true),
    ("(== (convert x degC degF) 32)", "x=0", TRUE, true),
    ("(<= (convert x mo d) 31)", "x=1", OPEN, true),
    ("(<= (convert x USD EUR) 5)", "x=1", OPEN, true),
    ("(or p (<= (convert x USD EUR) 5))", "x=1 p=true", TRUE, true),
    ("(or (<= (convert x USD EUR) 5) (> (convert x USD EUR) 5))", "x=1", TRUE, true),
    ("(== (convert x USD EUR) (convert y USD EUR))", "x=1 y=2", OPEN, false),
];

fn outcomes(engine: &Engine, rule: &str, bindings: &str) -> (Vec<Outcome>, bool) {
    let mut builder = Builder::new(CLAIMS);
    for policy in [Policy::Neutral, Policy::Pessimistic, Policy::Optimistic] {
        builder.rule(policy.word(), policy, rule);
    }
    let plan = builder.plan();
    assert_eq!(engine.verify(&plan), Ok(()), "{rule}");
    let bound = bind(plan.ruleset(), bindings);
    let quick = plan.quick(&bound);
    let outcomes = engine.check(&plan, &bound, &Cancel::new()).unwrap();
    let solved = engine.check_with_solver(&plan, &bound, &Cancel::new()).unwrap();
    let words = |outcomes: &[Outcome]| outcomes.iter().map(|it| it.word).collect::<Vec<_>>();
    assert_eq!(words(&outcomes), words(&solved), "{rule} with {bindings}");
    (outcomes, quick.iter().all(Option::is_some))
}

#[test]
fn words() {
    let engine = Engine::start(settings()).unwrap();
    for (rule, bindings, words, quick) in TABLE {
        let (outcomes, was_quick) = outcomes(&engine, rule, bindings);
        let found: Vec<_> = outcomes.iter().map(|it| it.word.word()).collect();
        assert_eq!(found, words, "{rule} with {bindings}");
        assert_eq!(was_quick, *quick, "{rule} with {bindings}");
        for outcome in outcomes {
            assert_eq!(outcome.reason.is_some(), outcome.word.word() == "UNKNOWN", "{rule}");
        }
    }
}

#[test]
fn evaluation_alone_knows_what_is_forced() {
    for (rule, bindings, truth) in [
        ("(or p q)", "q=true", Some(true)),
        ("(and p q)", "q=false", Some(false)),
        ("(or p q)", "q=false", None),
        ("(or p (not p))", "", None),
        ("(if p (<= x 5) (<= x 6))", "x=4", Some(true)),
        ("(if p (<= x 5) (<= x 6))", "x=5.5", None),
        ("(<= (+ (* x y) 1) 5)", "y=0", Some(true)),
        ("(or (> (/ x d) 5) q)", "d=0 x=1 q=true", Some(true)),
        ("(> (/ x d) 5)", "d=0 x=1", None),
    ] {
        let mut builder = Builder::new(CLAIMS);
        builder.rule("a", Policy::Neutral, rule);
        let plan = builder.plan();
        let bound = bind(plan.ruleset(), bindings);
        let meter = Meter::new(u64::MAX);
        let (program, values) = (&plan.program, &bound.values);
        let evaluation = Evaluation { program, values, meter: &meter };
        let step = plan.assertions[0].entry.step;
        assert_eq!(evaluation.truth(step), truth, "{rule} with {bindings}");
    }
}

#[test]
fn reasons() {
    let engine = Engine::start(settings()).unwrap();
    for (rule, bindings, text, unbridged) in [
        ("(and p q)", "", "the answer depends on what is undetermined: `p`, `q`", ""),
        ("(and p q)", "p=true", "the answer depends on what is undetermined: `q`", ""),
        (
            "(if (== colour colour:red) p q)",
            "colour=red",
            "the answer depends on what is undetermined: `p`",
            "",
        ),
        ("(<= (+ x y) 5)", "y=1", "the answer depends on what is undetermined: `x`", ""),
        ("(> (/ 1 d) 5)", "d=0", "the answer depends on a division by zero", ""),
        ("(== (% x d) 5)", "d=0", "the answer depends on a division by zero", ""),
        (
            "(and p (<= (convert x mo d) 30))",
            "x=1",
            "the answer depends on units that no exact conversion bridges",
            "mo d",
        ),
        (
            "(<= (+ (convert x USD EUR) (convert y CAD EUR) (convert 2 USD EUR)) 30)",
            "x=1 y=1",
            "the answer depends on units that no exact conversion bridges",
            "CAD EUR, USD EUR",
        ),
        ("(or (<= x 5) (<= (convert x USD EUR) 5))", "x=5", "", ""),
    ] {
        let mut builder = Builder::new(CLAIMS);
        builder.rule("a", Policy::Neutral, rule);
        builder.rule("b", Policy::Pessimistic, rule);
        let plan = builder.plan();
        let bound = bind(plan.ruleset(), bindings);
        let outcomes = engine.check(&plan, &bound, &Cancel::new()).unwrap();
        let reason = outcomes[0].reason.as_ref();
        assert_eq!(reason.map_or(String::new(), |it| it.text(plan.ruleset())), text, "{rule}");
        assert_eq!(outcomes[1].reason, None, "{rule}");
        for outcome in &outcomes {
            let pairs = outcome.unbridged.iter().map(|(from, to)| format!("{from} {to}"));
            assert_eq!(pairs.collect::<Vec<_>>().join(", "), unbridged, "{rule}");
        }
    }
}

#[test]
fn claims_in_units_that_lead_nowhere_are_named() {
    let engine = Engine::start(settings()).unwrap();
    let mut builder = Builder::new(CLAIMS);
    builder.rule("reads it", Policy::Neutral, "(<= x 5)");
    builder.rule("applies a policy", Policy::Pessimistic, "(<= x 5)");
    builder.rule("does not need it", Policy::Neutral, "(or (<= x 5) p)");
    builder.rule("does not read it", Policy::Neutral, "(<= y 5)");
    let plan = builder.plan();
    let mut bound = bind(plan.ruleset(), "p=true");
    let pair = (Unit::new("EUR"), Unit::new("USD"));
    let (variable, from, to) = (VariableId::new(3), pair.0.clone(), pair.1.clone());
    bound.unbridged.push(UnbridgedClaim { variable, from, to });
    let outcomes = engine.check(&plan, &bound, &Cancel::new()).unwrap();
    let found: Vec<_> =
        outcomes.iter().map(|it| (it.word.word(), it.reason.clone(), it.unbridged.len())).collect();
    let y = Reason::Undetermined(vec![VariableId::new(4)]);
    assert_eq!(
        found,
        [
            ("UNKNOWN", Some(Reason::UnbridgedUnits), 1),
            ("FALSE", None, 1),
            ("TRUE", None, 0),
            ("UNKNOWN", Some(y), 0),
        ]
    );
    assert_eq!(outcomes[0].unbridged, [pair]);
}

#[test]
fn what_the_solver_does_not_accept_is_named() {
    let engine = Engine::start(settings()).unwrap();
    let mut builder = Builder::new(CLAIMS);
    builder.rule("good", Policy::Neutral, "(<= x 5)");
    builder.rule("adds a truth value", Policy::Neutral, "(<= (+ x p) 5)");
    builder.rule("compares sorts", Policy::Neutral, "(== x colour)");
    let faults = engine.verify(&builder.plan()).unwrap_err();
    let found: Vec<_> = faults.iter().map(|it| (it.assertion, it.message.as_str())).collect();
    assert_eq!(
        found,
        [
            (1, "the solver's translation met an operand that is no number"),
            (2, "the solver's translation met a comparison of different sorts"),
        ]
    );
    // The thread serves the next one all the same.
    let mut builder = Builder::new(CLAIMS);
    builder.rule("good", Policy::Neutral, "(<= (% x 3) (/ y d))");
    assert_eq!(engine.verify(&builder.plan()), Ok(()));
}

#[test]
fn many_completions_are_left_to_the_solver() {
    let claims: String = (0..14).map(|it| format!("b{it}:boolean ")).collect();
    let engine = Engine::start(settings()).unwrap();
    for (count, decided) in [(12, true), (13, false)] {
        let mut builder = Builder::new(&claims);
        let ones: String = (0..count).map(|it| format!("(if b{it} 1 0) ")).collect();
        builder.rule("all", Policy::Neutral, &format!("(<= (+ {ones}) {count})"));
        builder.rule("not all", Policy::Neutral, &format!("(< (+ {ones}) {count})"));
        let plan = builder.plan();
        let bound = bind(plan.ruleset(), "");
        let meter = Meter::new(EVALUATION_LIMIT);
        let mut climb = Climb::new(&plan, &bound, &meter);
        for (place, planned) in plan.assertions.iter().enumerate() {
            assert_eq!(climb.rung(place, planned).is_ok(), decided, "{count}");
        }
        let outcomes = engine.check(&plan, &bound, &Cancel::new()).unwrap();
        let words: Vec<_> = outcomes.iter().map(|it| it.word.word()).collect();
        assert_eq!(words, ["TRUE", "UNKNOWN"], "{count}");
    }
}
