//! What changed between two revisions of a ruleset, as a person would say it.
//!
//! Claims, local names and rules are compared by name and by what a reader of the review sees of
//! them. Comments that describe nothing, line breaks and the order of statements are no change.
//! A statement that lost its name and is otherwise the same was renamed.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use assay_base::canonical::Slot;
use assay_base::{Source, Span};

use crate::answer::{data_type, vocabulary};
use crate::ir::{Assertion, Claim, Ruleset, Sort};
use crate::lexer::lex;
use crate::token::{Sign, Token, TokenKind};

/// What happened to one statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It says something else.
    Changed,
}

/// What kind of statement it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A claim.
    Claim,
    /// A local name.
    Local,
    /// A rule.
    Rule,
}

/// One statement that is not as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What happened.
    pub kind: Kind,
    /// To what kind of statement.
    pub subject: Subject,
    /// The name of the statement, the new one where it was renamed.
    pub name: String,
    /// What differs. Of an added or removed statement, everything that it says.
    pub aspects: Vec<Aspect>,
}

/// One thing that a statement says, before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aspect {
    /// What the thing is called.
    pub aspect: &'static str,
    /// What it was; `None` where it was not said.
    pub before: Option<String>,
    /// What it is; `None` where it is not said.
    pub after: Option<String>,
}

/// A statement as it is compared.
#[derive(Debug, PartialEq, Eq)]
struct Statement {
    name: String,
    says: Vec<(&'static str, Option<Text>)>,
}

/// A text as it is compared, and as it is shown.
#[derive(Debug, Clone)]
struct Text {
    /// Equal where two texts say the same: of code, its tokens.
    meaning: String,
    shown: String,
}

impl From<String> for Text {
    fn from(shown: String) -> Self {
        Self { meaning: shown.clone(), shown }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.meaning == other.meaning
    }
}

impl Eq for Text {}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        self.meaning.cmp(&other.meaning)
    }
}

/// What changed from `before` to `after`: claims, then local names, then rules, each in the order
/// of the newer source, and behind them those that are gone.
#[must_use]
pub fn changes(before: &Ruleset, after: &Ruleset) -> Vec<Change> {
    let (old, new) = (Texts::new(&before.source), Texts::new(&after.source));
    let claims = |it: &Ruleset| it.claims.iter().map(|claim| of_claim(it, claim)).collect();
    let rules = |it: &Ruleset, texts: &Texts<'_>| {
        it.assertions.iter().map(|assertion| of_rule(texts, assertion)).collect()
    };
    let mut found = compare(Subject::Claim, claims(before), claims(after));
    found.extend(compare(Subject::Local, of_locals(before, &old), of_locals(after, &new)));
    found.extend(compare(Subject::Rule, rules(before, &old), rules(after, &new)));
    found
}

/// Writes the changes as a list.
pub fn write_changes(slot: Slot<'_>, changes: &[Change]) {
    slot.array(|array| {
        for change in changes {
            array.item().object(|object| {
                object.key("aspects").array(|aspects| {
                    for Aspect { aspect, before, after } in &change.aspects {
                        aspects.item().object(|object| {
                            object.key("after").optional_string(after.as_deref());
                            object.key("aspect").string(aspect);
                            object.key("before").optional_string(before.as_deref());
                        });
                    }
                });
                object.key("kind").string(match change.kind {
                    Kind::Added => "added",
                    Kind::Removed => "removed",
                    Kind::Changed => "changed",
                });
                object.key("name").string(&change.name);
                object.key("subject").string(match change.subject {
                    Subject::Claim => "claim",
                    Subject::Local => "local",
                    Subject::Rule => "rule",
                });
            });
        }
    });
}

fn of_claim(ruleset: &Ruleset, claim: &Claim) -> Statement {
    let words = vocabulary(ruleset, claim);
    let range = claim.range.as_ref().map(|it| format!("{} to {}", it.low, it.high));
    let says = [
        ("type", Some(data_type(claim.sort).to_owned())),
        ("question", claim.question.clone()),
        ("context", claim.context.clone()),
        ("unit", claim.unit.as_ref().map(|it| it.symbol().to_owned())),
        ("range", range),
        ("vocabulary", words.map(|it| quoted(&it.members))),
        ("order", words.map(|it| if it.ordered { "ordered" } else { "unordered" }.to_owned())),
    ];
    let says = says.into_iter().map(|(aspect, text)| (aspect, text.map(Text::from)));
    Statement { name: claim.name.clone(), says: says.collect() }
}

fn quoted(members: &[String]) -> String {
    let quoted: Vec<String> = members.iter().map(|it| format!("\"{it}\"")).collect();
    quoted.join(", ")
}

fn of_locals(ruleset: &Ruleset, texts: &Texts<'_>) -> Vec<Statement> {
    let definitions = texts.definitions();
    let locals = ruleset.locals.iter().map(|local| {
        let kind = match local.sort {
            Sort::Member(id) => format!("enum [{}]", quoted(&ruleset.vocabulary(id).members)),
            sort => data_type(sort).to_owned(),
        };
        let definition = definitions.get(local.name.as_str()).cloned();
        Statement {
            name: local.name.clone(),
            says: vec![("type", Some(kind.into())), ("expression", definition)],
        }
    });
    locals.collect()
}

fn of_rule(texts: &Texts<'_>, assertion: &Assertion) -> Statement {
    let says = vec![
        ("description", assertion.description.clone().map(Text::from)),
        ("expression", Some(texts.within(assertion.body))),
        ("policy", Some(assertion.policy.word().to_owned().into())),
    ];
    Statement { name: assertion.name.clone(), says }
}

/// A source as its tokens, so that white space and comments do not count.
struct Texts<'s> {
    source: &'s Source,
    tokens: Vec<Token>,
}

impl<'s> Texts<'s> {
    fn new(source: &'s Source) -> Self {
        // The source compiled, so there is nothing to report.
        Self { source, tokens: lex(source, &mut Vec::new()).tokens }
    }

    /// The tokens of a part.
    fn within(&self, span: Span) -> Text {
        let from = self.tokens.partition_point(|it| it.span.start < span.start);
        let to = self.tokens.partition_point(|it| it.span.end <= span.end);
        self.join(self.tokens.get(from..to).unwrap_or_default())
    }

    /// Tokens are shown with one space between those that had anything between them.
    fn join(&self, tokens: &[Token]) -> Text {
        let (mut meaning, mut shown, mut end) = (String::new(), String::new(), None);
        for token in tokens {
            let text = self.source.slice(token.span);
            if end.is_some_and(|end| end < token.span.start) {
                shown.push(' ');
            }
            shown.push_str(text);
            // No token holds a line break.
            meaning.push_str(text);
            meaning.push('\n');
            end = Some(token.span.end);
        }
        Text { meaning, shown }
    }

    /// What `let` defines, by name.
    fn definitions(&self) -> BTreeMap<&'s str, Text> {
        let is = |token: &Token, sign| token.kind == TokenKind::Sign(sign);
        let statements = self.tokens.split(|it| is(it, Sign::Semicolon));
        let bindings = statements.filter_map(|tokens| match tokens {
            [word, name, assign, rest @ ..]
                if self.source.slice(word.span) == "let" && is(assign, Sign::Assign) =>
            {
                Some((self.source.slice(name.span), self.join(rest)))
            }
            _ => None,
        });
        bindings.collect()
    }
}

fn compare(subject: Subject, before: Vec<Statement>, after: Vec<Statement>) -> Vec<Change> {
    let order: Vec<String> = after.iter().map(|it| it.name.clone()).collect();
    let mut gone: BTreeMap<String, Statement> = BTreeMap::new();
    let names: Vec<String> = before.iter().map(|it| it.name.clone()).collect();
    gone.extend(before.into_iter().map(|it| (it.name.clone(), it)));
    let (mut new, mut found) = (Vec::new(), BTreeMap::new());
    for statement in after {
        match gone.remove(&statement.name) {
            None => new.push(statement),
            Some(old) if old == statement => {}
            Some(old) => {
                let aspects = differences(&old, &statement);
                found.insert(statement.name.clone(), (Kind::Changed, aspects));
            }
        }
    }
    // Equal statements are paired in their order, each once.
    let mut unnamed: BTreeMap<_, Vec<&String>> = BTreeMap::new();
    for name in names.iter().rev() {
        if let Some(old) = gone.get(name).filter(|it| is_telling(it)) {
            unnamed.entry(&old.says).or_default().push(name);
        }
    }
    let renamed: Vec<Option<String>> =
        new.iter().map(|it| unnamed.get_mut(&it.says).and_then(Vec::pop).cloned()).collect();
    for (statement, old) in new.into_iter().zip(renamed) {
        let Statement { name, says } = statement;
        let (kind, aspects) = match old {
            Some(old) => {
                gone.remove(&old);
                let (before, after) = (Some(old), Some(name.clone()));
                (Kind::Changed, vec![Aspect { aspect: "name", before, after }])
            }
            None => (Kind::Added, said(says, |after| (None, Some(after)))),
        };
        found.insert(name, (kind, aspects));
    }
    let change = |name: String, (kind, aspects)| Change { kind, subject, name, aspects };
    let mut changes: Vec<Change> = order
        .into_iter()
        .filter_map(|name| found.remove(&name).map(|it| change(name, it)))
        .collect();
    changes.extend(names.into_iter().filter_map(|name| {
        let old = gone.remove(&name)?;
        let aspects = said(old.says, |before| (Some(before), None));
        Some(change(name, (Kind::Removed, aspects)))
    }));
    changes
}

/// Whether a statement says enough to be known again under another name: a question or an
/// expression, and not only a type.
fn is_telling(statement: &Statement) -> bool {
    let telling =
        |it: &(&str, Option<Text>)| matches!(it.0, "question" | "expression") && it.1.is_some();
    statement.says.iter().any(telling)
}

fn differences(old: &Statement, new: &Statement) -> Vec<Aspect> {
    let pairs = old.says.iter().zip(&new.says).filter(|(before, after)| before != after);
    let aspects = pairs.map(|((aspect, before), (_, after))| Aspect {
        aspect,
        before: before.as_ref().map(|it| it.shown.clone()),
        after: after.as_ref().map(|it| it.shown.clone()),
    });
    aspects.collect()
}

fn said(
    says: Vec<(&'static str, Option<Text>)>,
    side: impl Fn(String) -> (Option<String>, Option<String>),
) -> Vec<Aspect> {
    let aspects = says.into_iter().filter_map(|(aspect, text)| {
        let (before, after) = side(text?.shown);
        Some(Aspect { aspect, before, after })
    });
    aspects.collect()
}

#[cfg(test)]
mod tests;
