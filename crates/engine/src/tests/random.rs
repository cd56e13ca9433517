//! Generated rulesets and bindings: every rung says what the solver says of the whole.

use std::thread;

use assay_base::Rational;
use assay_dsail::arena::Comparison;
use assay_dsail::bind::Bound;
use assay_dsail::ir::{NodeId, Policy, Sort, Value};

use super::build::{Builder, settings};
use crate::evaluate::Evaluation;
use crate::meter::Meter;
use crate::{Cancel, Engine, Outcome, Plan};

const CLAIMS: &str = "p:boolean q:boolean r:boolean x:number y:number z:number \
    colour:red|green|blue tier:low|medium|high|top wanted:low|medium|high|top";

/// A generator of its own, so that every run tries the same.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn number(&mut self) -> Rational {
        let numerator = i64::try_from(self.below(9)).unwrap() - 4;
        Rational::fraction(numerator, self.pick(&[1, 1, 1, 2, 3])).unwrap()
    }

    fn statement(&mut self, rules: &mut Builder, depth: usize) -> NodeId {
        if depth == 0 {
            let name = self.pick(&["p", "q", "r"]);
            return rules.claim(name);
        }
        let depth = depth - 1;
        match self.below(10) {
            0 => {
                let a = self.statement(rules, depth);
                rules.0.arena.not(a)
            }
            1 | 2 => {
                let operands = self.statements(rules, depth);
                rules.0.arena.and(operands)
            }
            3 | 4 => {
                let operands = self.statements(rules, depth);
                rules.0.arena.or(operands)
            }
            5 => {
                let (a, b) = (self.statement(rules, depth), self.statement(rules, depth));
                rules.0.arena.same(a, b)
            }
            6 => {
                let condition = self.statement(rules, depth);
                let (a, b) = (self.statement(rules, depth), self.statement(rules, depth));
                rules.0.arena.conditional(condition, a, b)
            }
            7 => {
                let (a, b) = (self.member(rules, depth), self.member(rules, depth));
                let comparison = self.comparison();
                rules.0.arena.compare(comparison, a, b)
            }
            8 => rules.expression(self.pick(&[
                "(== colour colour:red)",
                "(== colour colour:blue)",
                "(< tier tier:high)",
                "(<= x 2)",
                "(< 1/2 y)",
            ])),
            _ => {
                let (a, b) = (self.quantity(rules, depth), self.quantity(rules, depth));
                let comparison = self.comparison();
                rules.0.arena.compare(comparison, a, b)
            }
        }
    }

    fn statements(&mut self, rules: &mut Builder, depth: usize) -> Vec<NodeId> {
        (0..2 + self.below(2)).map(|_| self.statement(rules, depth)).collect()
    }

    fn comparison(&mut self) -> Comparison {
        self.pick(&[Comparison::Equal, Comparison::Less, Comparison::LessOrEqual])
    }

    fn member(&mut self, rules: &mut Builder, depth: usize) -> NodeId {
        if depth > 0 && self.below(4) == 0 {
            let condition = self.statement(rules, depth - 1);
            let (a, b) = (self.member(rules, 0), self.member(rules, 0));
            return rules.0.arena.conditional(condition, a, b);
        }
        rules.expression(self.pick(&["tier", "wanted", "tier", "tier:medium", "tier:top"]))
    }

    fn quantity(&mut self, rules: &mut Builder, depth: usize) -> NodeId {
        if depth == 0 {
            return match self.below(3) {
                0 => {
                    let value = self.number();
                    rules.0.arena.number(value)
                }
                _ => rules.claim(self.pick(&["x", "y", "z"])),
            };
        }
        let depth = depth - 1;
        match self.below(8) {
            0 | 1 => {
                let operands = (0..2 + self.below(2)).map(|_| self.quantity(rules, depth));
                let operands = operands.collect();
                rules.0.arena.add(operands)
            }
            2 => {
                let condition = self.statement(rules, depth);
                let (a, b) = (self.quantity(rules, depth), self.quantity(rules, depth));
                rules.0.arena.conditional(condition, a, b)
            }
            3 => {
                let (factor, a) = (self.number(), self.quantity(rules, depth));
                let factor = rules.0.arena.number(factor);
                rules.0.arena.multiply(factor, a)
            }
            4 => {
                // Zero is among the divisors.
                let (divisor, a) = (self.number(), self.quantity(rules, depth));
                let divisor = rules.0.arena.number(divisor);
                rules.0.arena.divide(a, divisor)
            }
            5 => {
                let divisor = self.pick(&["2", "-3", "1/2", "5", "0"]);
                let (divisor, a) = (rules.expression(divisor), self.quantity(rules, 0));
                rules.0.arena.modulo(a, divisor)
            }
            6 => {
                let (from, to) = self.pick(&[("USD", "EUR"), ("mo", "d"), ("km", "m")]);
                let (from, to) = (rules.unit(from), rules.unit(to));
                let a = self.quantity(rules, depth);
                rules.0.arena.convert(a, from, to)
            }
            _ => self.quantity(rules, 0),
        }
    }

    fn values(&mut self, plan: &Plan) -> Bound {
        let chance = self.pick(&[0, 1, 2, 3, 4]);
        let claims = plan.ruleset().claims.iter();
        let values = claims.map(|claim| {
            (self.below(4) < chance).then(|| match claim.sort {
                Sort::Boolean => Value::Boolean(self.below(2) == 0),
                Sort::Number => Value::Number(self.number()),
                Sort::Member(id) => {
                    let members = plan.ruleset().vocabulary(id).members.len();
                    Value::Member(u32::try_from(self.below(members)).unwrap())
                }
            })
        });
        Bound { values: values.collect(), ..Bound::default() }
    }

    fn case(&mut self) -> (Plan, Bound) {
        let mut rules = Builder::new(CLAIMS);
        for place in 0..2 {
            let depth = 1 + self.below(4);
            let rule = self.statement(&mut rules, depth);
            rules.assert(&format!("rule {place}"), Policy::Neutral, rule);
        }
        let plan = rules.plan();
        let bound = self.values(&plan);
        (plan, bound)
    }
}

#[derive(Debug, Default)]
struct Decided {
    evaluated: usize,
    enumerated: usize,
    solved: usize,
    words: [usize; 3],
}

fn compare(engine: &Engine, plan: &Plan, bound: &Bound, decided: &mut Decided) {
    let quick = plan.quick(bound);
    let outcomes = engine.check(plan, bound, &Cancel::new()).unwrap();
    let solved = engine.check_with_solver(plan, bound, &Cancel::new()).unwrap();
    let meter = Meter::new(u64::MAX);
    let (program, values) = (&plan.program, &bound.values);
    let evaluation = Evaluation { program, values, meter: &meter };
    for (place, planned) in plan.assertions.iter().enumerate() {
        let (outcome, solved) = (&outcomes[place], &solved[place]);
        assert_eq!(outcome.word, solved.word, "{:?} with {bound:?}", plan.arena);
        if let Some(quick) = &quick[place] {
            assert_eq!(quick, outcome);
        }
        match (evaluation.truth(planned.entry.step), &quick[place]) {
            (Some(holds), _) => {
                assert_eq!(outcome.word, holds.into());
                decided.evaluated += 1;
            }
            (None, Some(_)) => decided.enumerated += 1,
            (None, None) => decided.solved += 1,
        }
        decided.words[outcome.word as usize] += 1;
    }
}

#[test]
fn every_rung_agrees_with_the_solver() {
    let engine = Engine::start(settings()).unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut decided = Decided::default();
    for _ in 0..3_000 {
        let (plan, bound) = random.case();
        compare(&engine, &plan, &bound, &mut decided);
    }
    // The comparison means something only while every rung and every word is met often.
    let Decided { evaluated, enumerated, solved, words } = decided;
    assert!(
        evaluated > 1_000 && enumerated > 500 && solved > 200,
        "{evaluated} {enumerated} {solved}"
    );
    assert!(words.iter().all(|it| *it > 500), "{words:?}");
}

#[test]
fn concurrent_checks_do_not_disturb_each_other() {
    let engine = Engine::start(settings()).unwrap();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let cases: Vec<_> = (0..60).map(|_| random.case()).collect();
    let run = || -> Vec<Vec<Outcome>> {
        let check = |(plan, bound): &(Plan, Bound)| engine.check(plan, bound, &Cancel::new());
        cases.iter().map(|case| check(case).unwrap()).collect()
    };
    let alone = run();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(run)).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), alone);
        }
    });
}
