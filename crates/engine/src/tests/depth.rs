//! Expressions that are deeper or more shared than any source gives, on a small stack.

use assay_dsail::arena::Comparison;
use assay_dsail::ir::Policy;

use super::build::{Builder, bind, settings};
use crate::{Cancel, Engine};

fn on_small_stack(body: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(body).unwrap().join().unwrap();
}

/// `depth` conditionals, each in the branch of the next.
fn nested(builder: &mut Builder, depth: usize) -> assay_dsail::ir::NodeId {
    let (x, p) = (builder.claim("x"), builder.claim("p"));
    let (one, two) = (builder.expression("1"), builder.expression("2"));
    let mut node = x;
    for place in 0..depth {
        let step = if place % 2 == 0 { one } else { two };
        let more = builder.0.arena.add(vec![node, step]);
        node = builder.0.arena.conditional(p, more, x);
    }
    node
}

#[test]
fn deep_expressions() {
    on_small_stack(|| {
        let engine = Engine::start(settings()).unwrap();
        for depth in [100, 5_000, 50_000] {
            let mut builder = Builder::new("x:number p:boolean");
            let deep = nested(&mut builder, depth);
            let limit = builder.expression("10");
            let rule = builder.0.arena.compare(Comparison::LessOrEqual, deep, limit);
            builder.assert("deep", Policy::Neutral, rule);
            let plan = builder.plan();
            let word = |bindings: &str| {
                let bound = bind(plan.ruleset(), bindings);
                engine.check(&plan, &bound, &Cancel::new()).unwrap()[0].word.word()
            };
            assert_eq!(word("x=10 p=true"), "FALSE", "{depth}");
            assert_eq!(word("x=10 p=false"), "TRUE", "{depth}");
            assert_eq!(word("x=1 p=false"), "TRUE", "{depth}");
            if depth <= 5_000 {
                assert_eq!(word("x=10"), "UNKNOWN", "{depth}");
            }
        }
    });
}

#[test]
fn shared_expressions() {
    // Written out, the sum has 2^200 operands.
    let mut builder = Builder::new("x:number y:number");
    let mut node = builder.claim("x");
    for _ in 0..200 {
        node = builder.0.arena.add(vec![node, node]);
    }
    let y = builder.claim("y");
    let rule = builder.0.arena.compare(Comparison::Less, node, y);
    builder.assert("shared", Policy::Neutral, rule);
    let plan = builder.plan();
    let engine = Engine::start(settings()).unwrap();
    let power = "1606938044258990275541962092341162602522202993782792835301376";
    for (bindings, word) in [
        (format!("x=1 y={power}"), "FALSE"),
        (format!("x=1 y={power}.1"), "TRUE"),
        (format!("y={power}"), "UNKNOWN"),
        (String::new(), "UNKNOWN"),
    ] {
        let bound = bind(plan.ruleset(), &bindings);
        let outcomes = engine.check(&plan, &bound, &Cancel::new()).unwrap();
        assert_eq!(outcomes[0].word.word(), word, "{bindings}");
    }
}
