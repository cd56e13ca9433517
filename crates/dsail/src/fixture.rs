//! Rulesets made by hand, for tests of what is derived from them.

use assay_base::{Rational, RulesetHash, Source, Span, numeral};

use crate::ir::{
    Arena, Assertion, Claim, LanguageVersion, NodeId, Policy, Range, Ruleset, Sort, Unit,
    VariableId, Vocabulary, VocabularyId,
};

/// A ruleset under construction. Its source is what the statements were given as, one a line.
pub(crate) struct Rules {
    claims: Vec<Claim>,
    vocabularies: Vec<Vocabulary>,
    assertions: Vec<Assertion>,
    arena: Arena,
    text: String,
}

impl Rules {
    pub(crate) fn new() -> Self {
        Self {
            claims: Vec::new(),
            vocabularies: Vec::new(),
            assertions: Vec::new(),
            arena: Arena::default(),
            text: String::new(),
        }
    }

    fn claim(&mut self, name: &str, sort: Sort) -> &mut Claim {
        self.claims.push(Claim {
            name: name.to_owned(),
            sort,
            question: None,
            context: None,
            unit: None,
            range: None,
            span: Span::default(),
        });
        self.claims.last_mut().unwrap()
    }

    pub(crate) fn boolean(&mut self, name: &str) -> &mut Claim {
        self.claim(name, Sort::Boolean)
    }

    pub(crate) fn number(&mut self, name: &str) -> &mut Claim {
        self.claim(name, Sort::Number)
    }

    pub(crate) fn quantity(
        &mut self,
        name: &str,
        unit: &str,
        range: Option<(&str, &str)>,
    ) -> &mut Claim {
        let claim = self.claim(name, Sort::Number);
        claim.unit = Some(Unit::new(unit));
        claim.range = range.map(|(low, high)| Range { low: number(low), high: number(high) });
        claim
    }

    pub(crate) fn member(&mut self, name: &str, members: &[&str], ordered: bool) -> &mut Claim {
        let members = members.iter().map(|&it| it.to_owned()).collect();
        self.vocabularies.push(Vocabulary { members, ordered });
        let id = VocabularyId(u32::try_from(self.vocabularies.len() - 1).unwrap());
        self.claim(name, Sort::Member(id))
    }

    /// An assertion that is shown as `body` and reads the claims that it names.
    pub(crate) fn assertion(&mut self, name: &str, policy: Policy, body: &str) -> &mut Assertion {
        let start = self.text.len();
        self.text.push_str(&format!("assert {name} {{ {body} }};\n"));
        let open = start + "assert ".len() + name.len() + " { ".len();
        let named = |it: &(usize, &Claim)| body.contains(it.1.name.as_str());
        let reads = self.claims.iter().enumerate().filter(named);
        let reads = reads.map(|(place, _)| VariableId::new(place)).collect();
        let variable = VariableId::new(0);
        let expression: NodeId = self.arena.variable(variable, Sort::Boolean);
        self.assertions.push(Assertion {
            name: name.to_owned(),
            policy,
            expression,
            reads,
            description: None,
            span: span(start, self.text.len() - 1),
            body: span(open, open + body.len()),
        });
        self.assertions.last_mut().unwrap()
    }

    pub(crate) fn build(self) -> Ruleset {
        Ruleset {
            hash: RulesetHash::of(self.text.as_bytes()),
            source: Source::new(self.text),
            version: LanguageVersion::V1_3,
            claims: self.claims,
            locals: Vec::new(),
            vocabularies: self.vocabularies,
            units: Vec::new(),
            assertions: self.assertions,
            arena: self.arena,
        }
    }
}

/// The expense rules that most tests read.
pub(crate) fn expenses() -> Ruleset {
    let mut rules = Rules::new();
    let amount = rules.quantity("amount", "USD", Some(("0", "1000000")));
    amount.question = Some("What is the total of the expense, in USD?".to_owned());
    amount.context = Some("Tips count.".to_owned());
    rules.boolean("has_receipt");
    rules.member("category", &["travel", "meals", "other"], false);
    rules.member("tier", &["low", "unknown", "high"], true);
    let cap = rules.assertion("within_cap", Policy::Neutral, "amount <= 25000 \"USD\"");
    cap.description = Some("No expense is above the cap.".to_owned());
    rules.assertion(
        "receipt_over_75",
        Policy::Pessimistic,
        "Implies(amount > 75 \"USD\", has_receipt)",
    );
    rules.build()
}

pub(crate) fn number(text: &str) -> Rational {
    numeral::parse(text).unwrap()
}

fn span(start: usize, end: usize) -> Span {
    Span::new(u32::try_from(start).unwrap(), u32::try_from(end).unwrap())
}

/// The text that `write` writes.
pub(crate) fn written(write: impl FnOnce(assay_base::canonical::Slot<'_>)) -> String {
    String::from_utf8(assay_base::canonical::to_bytes(write)).unwrap()
}
