//! Rulesets that ask for more arithmetic than one check may do.

use assay_dsail::bind::Bound;
use assay_dsail::ir::Policy;

use super::build::{Builder, bind, settings};
use crate::limits::{EVALUATION_LIMIT, NUMERAL_LIMIT, PRODUCT_NUMERAL_LIMIT, QUICK_LIMIT};
use crate::meter::{Arithmetic, Meter};
use crate::outcome::{Outcome, Reason};
use crate::{Cancel, CheckError, Engine, Plan, Settings};

const EVALUATION: Reason = Reason::EvaluationBudget { limit: EVALUATION_LIMIT };
const LINEAR: Reason = Reason::NumeralBudget { limit: NUMERAL_LIMIT };
const PRODUCT: Reason = Reason::NumeralBudget { limit: PRODUCT_NUMERAL_LIMIT };

/// Digits without a pattern that arithmetic could profit from.
fn digits(seed: usize, count: usize) -> String {
    let digit = |place: usize| (place * 7 + seed * 13 + place * place * (seed + 1)) % 9 + 1;
    (0..count).map(|place| digit(place).to_string()).collect()
}

/// Terms one after another.
fn list(count: usize, term: impl Fn(usize) -> String) -> String {
    (0..count).map(term).collect::<Vec<_>>().join(" ")
}

/// `1/1 + 1/3 + 1/5 + …`
fn odd_fractions(count: usize) -> String {
    format!("(+ {})", list(count, |place| format!("1/{}", 2 * place + 1)))
}

/// `x/x/…/(y+i)`, 200 times: nothing small is left of it.
fn quotients() -> String {
    let top = (0..30).fold("x".to_owned(), |top, _| format!("(/ {top} x)"));
    format!("(<= 1 (+ {}))", list(200, |place| format!("(/ {top} (+ y {place}))")))
}

/// The plan of one optimistic rule, so that a policy that is applied shows.
fn plan(claims: &str, rule: &str) -> Plan {
    let mut builder = Builder::new(claims);
    builder.rule("dear", Policy::Optimistic, rule);
    builder.plan()
}

fn word(outcome: &Outcome) -> (&'static str, Option<Reason>) {
    (outcome.word.word(), outcome.reason.clone())
}

/// The outcomes, which must be the same in every run and on every engine.
fn repeated(plan: &Plan, bound: &Bound) -> Vec<Outcome> {
    let engine = Engine::start(settings()).unwrap();
    let other = Engine::start(Settings { workers: 1, ..settings() }).unwrap();
    let first = engine.check(plan, bound, &Cancel::new()).unwrap();
    for engine in [&engine, &other, &engine] {
        assert_eq!(engine.check(plan, bound, &Cancel::new()).unwrap(), first);
    }
    let quick = plan.quick(bound);
    assert_eq!(quick.len(), first.len());
    for (quick, outcome) in quick.iter().zip(&first) {
        assert!(quick.is_none() || quick.as_ref() == Some(outcome), "{quick:?} and {outcome:?}");
    }
    first
}

#[test]
fn what_cannot_be_paid_for_is_unknown_whatever_the_policy() {
    let (x, y) = (digits(3, 999), digits(5, 999));
    let power = |place| (0..30 + place).fold("y".to_owned(), |it, _| format!("(* {it} y)"));
    let long = format!("(<= (+ (* x {}) (* z {})) 3)", power(0), power(1));
    let cubes = "(<= (+ (* y (* x (* x x))) (* (* z (* z z)) (+ y 1)) (* x z)) (* y y))";
    let powers = list(60, |place| format!("(* {place} (* (* y y) (* y (+ y {place}))))"));
    let coefficients = list(2_000, |place| format!("(/ x {})", 2 * place + 1));
    for (claims, rule, bindings, expected) in [
        ("x:number y:number", quotients(), format!("x={x} y={y}"), EVALUATION),
        ("x:number y:number", quotients(), format!("x={x}"), PRODUCT),
        ("x:number y:number", quotients(), format!("y={y}"), PRODUCT),
        ("x:number", format!("(<= x {})", odd_fractions(20_000)), String::new(), EVALUATION),
        ("x:number", format!("(<= x {})", odd_fractions(20_000)), "x=3".to_owned(), EVALUATION),
        ("x:number", format!("(<= (+ {coefficients}) 3)"), String::new(), EVALUATION),
        ("x:number y:number", format!("(<= x (+ {powers}))"), format!("y=0.{y}"), EVALUATION),
        ("x:number y:number z:number", long, format!("y={y}"), LINEAR),
        ("x:number y:number z:number", cubes.to_owned(), format!("y={y}"), PRODUCT),
    ] {
        let plan = plan(claims, &rule);
        let bound = bind(plan.ruleset(), &bindings);
        assert_eq!(plan.quick(&bound), [None], "{expected:?}");
        let outcomes = repeated(&plan, &bound);
        assert_eq!(outcomes.iter().map(word).collect::<Vec<_>>(), [("UNKNOWN", Some(expected))]);
    }
}

#[test]
fn the_reasons_name_their_budgets() {
    let plan = plan("x:number", "(<= x 3)");
    for (reason, name) in [
        (EVALUATION, "`evaluation_limit` of 67108864"),
        (LINEAR, "`solver_numeral_limit` of 1024"),
        (PRODUCT, "`solver_numeral_limit` of 128"),
    ] {
        let text = reason.text(plan.ruleset());
        assert!(text.contains(name), "{text}");
    }
}

#[test]
fn generous_numbers_are_paid_for() {
    let claims = list(250, |place| format!("c{place}:number"));
    let names = list(250, |place| format!("c{place}"));
    let decimals = list(250, |place| format!("c{place}=0.{}", digits(place, 960)));
    let integers = list(250, |place| format!("c{place}={}", digits(place, 960)));
    let (few, long) = (format!("(<= x {})", odd_fractions(6_000)), "1e999".to_owned());
    for (claims, rule, bindings, expected) in [
        (&claims, format!("(<= (+ {names}) 200)"), &decimals, "TRUE"),
        (&claims, format!("(<= (+ {names}) {long})"), &integers, "TRUE"),
        (&claims, "(<= (* c0 (* c1 c2)) (* c3 (+ c4 1)))".to_owned(), &decimals, "TRUE"),
        (&claims, "(<= (* c0 (* c1 c2)) (* c3 c4))".to_owned(), &integers, "FALSE"),
        (&"x:number".to_owned(), few.clone(), &"x=3".to_owned(), "TRUE"),
        (&"x:number".to_owned(), few, &"x=6".to_owned(), "FALSE"),
    ] {
        let plan = plan(claims, &rule);
        let outcomes = repeated(&plan, &bind(plan.ruleset(), bindings));
        assert_eq!(outcomes.iter().map(word).collect::<Vec<_>>(), [(expected, None)], "{rule}");
    }
}

#[test]
fn what_is_undetermined_among_large_numbers_is_still_found() {
    for (left, terms, count) in [("x", 6_000, 1), ("(+ x y)", 6_000, 2), ("(* x y)", 1_000, 2)] {
        let rule = format!("(<= {left} {})", odd_fractions(terms));
        let mut builder = Builder::new("x:number y:number");
        builder.rule("dear", Policy::Neutral, &rule);
        let plan = builder.plan();
        let outcomes = repeated(&plan, &bind(plan.ruleset(), ""));
        let Some(Reason::Undetermined(variables)) = &outcomes[0].reason else {
            panic!("{outcomes:?}");
        };
        assert_eq!(variables.len(), count);
    }
}

#[test]
fn a_refused_assertion_leaves_the_rest_to_the_others() {
    let mut builder = Builder::new("x:number y:number");
    builder.rule("before", Policy::Neutral, "(< x y)");
    builder.rule("dear", Policy::Pessimistic, &quotients());
    builder.rule("behind", Policy::Neutral, "(<= (+ x 1) y)");
    // One operand decides, whatever the other would cost.
    builder.rule("beside", Policy::Neutral, &format!("(and {} (< y x))", quotients()));
    let plan = builder.plan();
    let bound = bind(plan.ruleset(), &format!("x={} y={}", digits(3, 998), digits(5, 999)));
    let expected = [("TRUE", None), ("UNKNOWN", Some(EVALUATION)), ("TRUE", None), ("FALSE", None)];
    let outcomes = repeated(&plan, &bound);
    assert_eq!(outcomes.iter().map(word).collect::<Vec<_>>(), expected);
    // What is behind a refusal might depend on what the refused one would have cost elsewhere.
    let quick = plan.quick(&bound);
    assert_eq!(quick.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, false, false]);
}

#[test]
fn a_cancelled_check_computes_nothing_large() {
    let engine = Engine::start(settings()).unwrap();
    let plan = plan("x:number", &format!("(<= x {})", odd_fractions(6_000)));
    let bound = bind(plan.ruleset(), "x=3");
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(engine.check(&plan, &bound, &cancel), Err(CheckError::Cancelled));
}

#[test]
fn no_time_is_no_answer() {
    let wall_clock = std::time::Duration::ZERO;
    let engine = Engine::start(Settings { wall_clock, ..settings() }).unwrap();
    let plan = plan("x:number", "(<= x 3)");
    let found = engine.check(&plan, &bind(plan.ruleset(), "x=3"), &Cancel::new());
    assert_eq!(found, Err(CheckError::Inconclusive { assertion: "dear".to_owned() }));
}

#[test]
fn payment_comes_before_work() {
    let number = |text: &str| super::build::number(text).unwrap();
    let (long, short) = (number(&digits(1, 900)), number("3"));
    let meter = Meter::new(1_000);
    assert_eq!(meter.compute(Arithmetic::Add, &short, &short), Some(number("6")));
    assert!(meter.compute(Arithmetic::Multiply, &long, &long).is_none());
    assert!(meter.has_refused());
    meter.forget_refusal();
    assert!(!meter.has_refused());
    // A refusal takes nothing, so smaller work is still done.
    assert!(meter.compute(Arithmetic::Add, &long, &short).is_some());
    assert!(meter.pay(500) && !meter.pay(500));
    let meter = Meter::new(1_000);
    assert_eq!(meter.compute(Arithmetic::Divide, &short, &number("0")), None);
    assert!(!meter.has_refused(), "no value is no refusal");
    let cancel = Cancel::new();
    let meter = Meter::cancelled_by(QUICK_LIMIT, &cancel);
    assert!(meter.compute(Arithmetic::Add, &long, &short).is_some());
    cancel.cancel();
    assert!(meter.compute(Arithmetic::Add, &long, &short).is_none());
}
