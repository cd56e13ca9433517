//! What happens when the solver is given too much, too often, or is told to stop.

use std::thread;
use std::time::Duration;

use assay_dsail::bind::Bound;
use assay_dsail::ir::Policy;

use super::build::{Builder, bind, settings};
use crate::outcome::Reason;
use crate::{Cancel, CheckError, Engine, Plan, Settings};

/// A plan whose first assertion is easy and whose second nobody has decided: whether 114 is a
/// sum of three cubes.
fn hard() -> (Plan, Bound) {
    let mut builder = Builder::new("x:number y:number z:number");
    builder.rule("easy", Policy::Optimistic, "(<= (+ x y) 3)");
    let cubes = "(not (== (+ (* (* x x) x) (* (* y y) y) (* (* z z) z)) 114))";
    let whole = "(== (+ (% x 1) (% y 1) (% z 1)) 0)";
    builder.rule("hard", Policy::Optimistic, &format!("(or (not {whole}) {cubes})"));
    let plan = builder.plan();
    let bound = bind(plan.ruleset(), "");
    (plan, bound)
}

fn easy() -> (Plan, Bound) {
    let mut builder = Builder::new("x:number y:number");
    builder.rule("easy", Policy::Neutral, "(or (< x y) (>= x y))");
    let plan = builder.plan();
    let bound = bind(plan.ruleset(), "");
    (plan, bound)
}

fn endless(workers: usize, queue: usize) -> Engine {
    let wall_clock = Duration::from_secs(60);
    let settings = Settings { workers, queue, resource_limit: u32::MAX, wall_clock };
    Engine::start(settings).unwrap()
}

fn assert_answers(engine: &Engine) {
    let (plan, bound) = easy();
    let outcomes = engine.check(&plan, &bound, &Cancel::new()).unwrap();
    assert_eq!(outcomes[0].word.word(), "TRUE");
}

#[test]
fn the_resource_limit_answers_unknown_whatever_the_policy() {
    let resource_limit = 200_000;
    let engine = Engine::start(Settings { workers: 1, resource_limit, ..settings() }).unwrap();
    let (plan, bound) = hard();
    let first = engine.check(&plan, &bound, &Cancel::new()).unwrap();
    assert_eq!(first[0].word.word(), "TRUE");
    assert_eq!(first[1].word.word(), "UNKNOWN");
    assert_eq!(first[1].reason, Some(Reason::SolverBudget { limit: resource_limit }));
    let text = first[1].reason.as_ref().unwrap().text(plan.ruleset());
    assert!(text.contains("`solver_resource_limit` of 200000"), "{text}");
    for _ in 0..3 {
        assert_answers(&engine);
        assert_eq!(engine.check(&plan, &bound, &Cancel::new()).unwrap(), first);
    }
    let other = Engine::start(Settings { resource_limit, ..settings() }).unwrap();
    assert_eq!(other.check(&plan, &bound, &Cancel::new()).unwrap(), first);
}

#[test]
fn the_wall_clock_is_an_error_that_names_the_assertion() {
    let wall_clock = Duration::from_millis(100);
    let settings = Settings { workers: 1, queue: 4, resource_limit: u32::MAX, wall_clock };
    let engine = Engine::start(settings).unwrap();
    let (plan, bound) = hard();
    let found = engine.check(&plan, &bound, &Cancel::new());
    assert_eq!(found, Err(CheckError::Inconclusive { assertion: "hard".to_owned() }));
    thread::sleep(Duration::from_millis(250));
    assert_answers(&engine);
}

#[test]
fn a_cancelled_check_leaves_the_solver_to_others() {
    let engine = endless(1, 4);
    let (plan, bound) = hard();
    for _ in 0..3 {
        let cancel = Cancel::new();
        thread::scope(|scope| {
            let check = scope.spawn(|| engine.check(&plan, &bound, &cancel));
            thread::sleep(Duration::from_millis(100));
            cancel.cancel();
            assert_eq!(check.join().unwrap(), Err(CheckError::Cancelled));
            // There is one worker, so this answer also shows that the solver is idle again.
            assert_answers(&engine);
        });
    }
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(engine.check(&plan, &bound, &cancel), Err(CheckError::Cancelled));
}

#[test]
fn a_full_queue_is_busy() {
    let engine = endless(1, 1);
    let (plan, bound) = hard();
    let cancel = Cancel::new();
    thread::scope(|scope| {
        let solving = scope.spawn(|| engine.check(&plan, &bound, &cancel));
        thread::sleep(Duration::from_millis(50));
        let waiting = scope.spawn(|| engine.check(&plan, &bound, &cancel));
        thread::sleep(Duration::from_millis(50));
        let refused = engine.check(&plan, &bound, &Cancel::new());
        assert_eq!(refused, Err(CheckError::Busy { retry_after_ms: 50 }));
        // What needs no solver does not queue.
        let mut builder = Builder::new("x:number");
        builder.rule("quick", Policy::Neutral, "(<= x 3)");
        let quick = builder.plan();
        let known = bind(quick.ruleset(), "x=3");
        let outcomes = engine.check(&quick, &known, &Cancel::new()).unwrap();
        assert_eq!(outcomes[0].word.word(), "TRUE");
        cancel.cancel();
        assert_eq!(solving.join().unwrap(), Err(CheckError::Cancelled));
        assert_eq!(waiting.join().unwrap(), Err(CheckError::Cancelled));
    });
    assert_answers(&engine);
}

#[test]
fn dropping_the_engine_stops_what_was_abandoned() {
    let engine = endless(2, 4);
    let (plan, bound) = hard();
    let cancel = Cancel::new();
    thread::scope(|scope| {
        let check = scope.spawn(|| engine.check(&plan, &bound, &cancel));
        thread::sleep(Duration::from_millis(50));
        cancel.cancel();
        assert_eq!(check.join().unwrap(), Err(CheckError::Cancelled));
    });
    // This waits for the solver threads, which would not end by themselves.
    drop(engine);
}

#[test]
fn the_solver_says_its_version() {
    let version = Engine::start(settings()).unwrap().solver_version();
    let (name, number) = version.split_once(' ').unwrap();
    assert_eq!(name, "z3");
    assert_eq!(number.split('.').filter(|it| it.parse::<u32>().is_ok()).count(), 3, "{version}");
}
