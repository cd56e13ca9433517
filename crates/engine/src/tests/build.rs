//! Rulesets and bindings from short texts, without the compiler.
//!
//! Expressions are written operator first: `(<= (+ amount 1/3) 5)`, `(if p a b)`,
//! `(convert distance mi km)`, and `colour:red` for a member of that claim's vocabulary.

use std::sync::Arc;

use assay_base::{Rational, RulesetHash, Source, Span, numeral};
use assay_dsail::arena::Comparison;
use assay_dsail::bind::Bound;
use assay_dsail::ir::{
    Arena, Assertion, Claim, LanguageVersion, NodeId, Policy, Ruleset, Sort, Unit, UnitId, Value,
    VariableId, Vocabulary, VocabularyId,
};
use assay_dsail::units::Library;

use crate::{Plan, Settings};

/// Settings for tests: two workers, whatever the machine has.
pub(super) fn settings() -> Settings {
    Settings { workers: 2, ..Settings::default() }
}

/// A ruleset that grows.
pub(super) struct Builder(pub(super) Ruleset);

impl Builder {
    /// Declares claims: `p:boolean x:number colour:red|green`.
    pub(super) fn new(claims: &str) -> Self {
        let mut builder = Self(Ruleset {
            hash: RulesetHash::of(claims.as_bytes()),
            source: Source::new(String::new()),
            version: LanguageVersion::V1_3,
            claims: Vec::new(),
            locals: Vec::new(),
            vocabularies: Vec::new(),
            units: Vec::new(),
            assertions: Vec::new(),
            arena: Arena::default(),
        });
        for claim in claims.split_whitespace() {
            let (name, sort) = claim.split_once(':').unwrap();
            let sort = builder.sort(sort);
            builder.0.claims.push(Claim {
                name: name.to_owned(),
                sort,
                question: None,
                context: None,
                unit: None,
                range: None,
                span: Span::default(),
            });
        }
        builder
    }

    fn sort(&mut self, text: &str) -> Sort {
        match text {
            "boolean" => Sort::Boolean,
            "number" => Sort::Number,
            members => {
                let members: Vec<_> = members.split('|').map(str::to_owned).collect();
                let known = self.0.vocabularies.iter().position(|it| it.members == members);
                let place = known.unwrap_or_else(|| {
                    self.0.vocabularies.push(Vocabulary { members, ordered: true });
                    self.0.vocabularies.len() - 1
                });
                Sort::Member(VocabularyId::new(place))
            }
        }
    }

    pub(super) fn rule(&mut self, name: &str, policy: Policy, text: &str) {
        let expression = self.expression(text);
        self.assert(name, policy, expression);
    }

    pub(super) fn assert(&mut self, name: &str, policy: Policy, expression: NodeId) {
        self.0.assertions.push(Assertion {
            name: name.to_owned(),
            policy,
            expression,
            reads: Vec::new(),
            description: None,
            span: Span::default(),
            body: Span::default(),
        });
    }

    pub(super) fn plan(self) -> Plan {
        Plan::new(Arc::new(self.0), Library::standard())
    }

    pub(super) fn claim(&mut self, name: &str) -> NodeId {
        let place = self.place(name).unwrap_or_else(|| panic!("no claim {name}"));
        let sort = self.0.claims[place].sort;
        self.0.arena.variable(VariableId::new(place), sort)
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.0.claims.iter().position(|it| it.name == name)
    }

    pub(super) fn unit(&mut self, symbol: &str) -> UnitId {
        let unit = Unit::new(symbol);
        let known = self.0.units.iter().position(|it| *it == unit);
        UnitId::new(known.unwrap_or_else(|| {
            self.0.units.push(unit);
            self.0.units.len() - 1
        }))
    }

    pub(super) fn expression(&mut self, text: &str) -> NodeId {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut words = spaced.split_whitespace();
        let node = self.read(&mut words);
        assert_eq!(words.next(), None, "{text}");
        node
    }

    fn read<'t>(&mut self, words: &mut impl Iterator<Item = &'t str>) -> NodeId {
        match words.next().unwrap() {
            "(" => {}
            "true" => return self.0.arena.boolean(true),
            "false" => return self.0.arena.boolean(false),
            word => return self.leaf(word),
        }
        let operator = words.next().unwrap();
        if operator == "convert" {
            let operand = self.read(words);
            let from = self.unit(words.next().unwrap());
            let to = self.unit(words.next().unwrap());
            assert_eq!(words.next(), Some(")"));
            return self.0.arena.convert(operand, from, to);
        }
        let mut words = words.peekable();
        let mut operands = Vec::new();
        // Recursion through a fresh adapter per level would be an endless type.
        while words.peek() != Some(&")") {
            let words: &mut dyn Iterator<Item = &'t str> = &mut words;
            operands.push(self.read_dynamic(words));
        }
        words.next();
        self.apply(operator, operands)
    }

    fn read_dynamic(&mut self, words: &mut dyn Iterator<Item = &str>) -> NodeId {
        let mut words = words;
        self.read(&mut words)
    }

    fn leaf(&mut self, word: &str) -> NodeId {
        if let Some(value) = number(word) {
            return self.0.arena.number(value);
        }
        match word.split_once(':') {
            None => self.claim(word),
            Some((claim, member)) => {
                let place = self.place(claim).unwrap();
                let Sort::Member(id) = self.0.claims[place].sort else { panic!("{word}") };
                let members = &self.0.vocabulary(id).members;
                let place = members.iter().position(|it| it == member).unwrap();
                self.0.arena.member(id, u32::try_from(place).unwrap())
            }
        }
    }

    fn apply(&mut self, operator: &str, operands: Vec<NodeId>) -> NodeId {
        let arena = &mut self.0.arena;
        match (operator, operands.as_slice()) {
            ("and", _) => arena.and(operands),
            ("or", _) => arena.or(operands),
            ("+", _) => arena.add(operands),
            ("not", &[a]) => arena.not(a),
            ("if", &[a, b, c]) => arena.conditional(a, b, c),
            ("same", &[a, b]) => arena.same(a, b),
            ("==", &[a, b]) => arena.compare(Comparison::Equal, a, b),
            ("<", &[a, b]) => arena.compare(Comparison::Less, a, b),
            ("<=", &[a, b]) => arena.compare(Comparison::LessOrEqual, a, b),
            (">", &[a, b]) => arena.compare(Comparison::Less, b, a),
            (">=", &[a, b]) => arena.compare(Comparison::LessOrEqual, b, a),
            ("*", &[a, b]) => arena.multiply(a, b),
            ("/", &[a, b]) => arena.divide(a, b),
            ("%", &[a, b]) => arena.modulo(a, b),
            ("-", &[a]) => arena.negate(a),
            ("-", &[a, b]) => {
                let b = arena.negate(b);
                arena.add(vec![a, b])
            }
            _ => panic!("{operator} of {}", operands.len()),
        }
    }
}

/// A numeral or a fraction of two.
pub(super) fn number(word: &str) -> Option<Rational> {
    match word.split_once('/') {
        None => numeral::parse(word).ok(),
        Some((a, b)) => numeral::parse(a).ok()?.divide(&numeral::parse(b).ok()?),
    }
}

/// Binds claims: `p=true x=1/3 colour=red`; claims that are left out are undetermined.
pub(super) fn bind(ruleset: &Ruleset, bindings: &str) -> Bound {
    let mut values = vec![None; ruleset.variable_count()];
    for binding in bindings.split_whitespace() {
        let (name, text) = binding.split_once('=').unwrap();
        let place = ruleset.claims.iter().position(|it| it.name == name).unwrap();
        values[place] = Some(match ruleset.claims[place].sort {
            Sort::Boolean => Value::Boolean(text.parse().unwrap()),
            Sort::Number => Value::Number(number(text).unwrap()),
            Sort::Member(id) => {
                let members = &ruleset.vocabulary(id).members;
                let place = members.iter().position(|it| it == text).unwrap();
                Value::Member(u32::try_from(place).unwrap())
            }
        });
    }
    Bound { values, ..Bound::default() }
}
