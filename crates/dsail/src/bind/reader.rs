//! The fields of one claim dictionary, read in turn.

use assay_base::json::{Raw, Scalar, printable, scalar};
use assay_base::{Rational, numeral};

use super::quantity::{Arrival, Quantity};
use super::value::{self, Numeric};
use super::{Bound, ClaimIndex, Rejection, UnbridgedClaim};
use crate::answer::{UNKNOWN, expected};
use crate::ir::{Claim, Ruleset, Sort, Unit, Value, VariableId, VocabularyId};
use crate::nearest::nearest;
use crate::units::{Bridge, Library};

/// Most refused words of one dictionary for which a similar known word is looked up, the most
/// bytes of such a word, and the most words it is compared with. Together they bound the time
/// that a rejection takes.
const SUGGESTIONS: usize = 10;
const SUGGESTION_BYTES: usize = 64;
const SUGGESTION_CANDIDATES: usize = 500;

/// Values and failures so far.
pub(super) struct Reader<'r> {
    ruleset: &'r Ruleset,
    index: &'r ClaimIndex,
    library: &'r Library,
    bound: Bound,
    rejection: Rejection,
    /// Which claims were seen, by place.
    seen: Vec<bool>,
    /// The claim that most likely comes next.
    next: usize,
    suggestions: usize,
}

impl<'r> Reader<'r> {
    pub(super) fn new(ruleset: &'r Ruleset, index: &'r ClaimIndex, library: &'r Library) -> Self {
        Self {
            ruleset,
            index,
            library,
            bound: Bound { values: vec![None; ruleset.variable_count()], ..Bound::default() },
            rejection: Rejection::default(),
            seen: vec![false; ruleset.claims.len()],
            next: 0,
            suggestions: 0,
        }
    }

    /// Reads one field.
    pub(super) fn field(&mut self, name: &str, raw: Raw<'_>) {
        let place = self.index.claim(self.ruleset, name, self.next);
        let Some((place, claim)) = place.and_then(|it| Some((it, self.ruleset.claims.get(it)?)))
        else {
            let expected = self.undeclared(name);
            return self.rejection.add(name, Some(raw), || expected);
        };
        self.next = place + 1;
        let Some(seen) = self.seen.get_mut(place) else { return };
        if std::mem::replace(seen, true) {
            let expected = || "one value, and the field stands more than once".to_owned();
            return self.rejection.add(name, Some(raw), expected);
        }
        if let Err(mend) = self.value(VariableId::new(place), claim, &scalar(raw)) {
            let ruleset = self.ruleset;
            self.rejection.add(name, Some(raw), || match mend.as_str() {
                "" => expected(ruleset, claim),
                mend => format!("{}; {mend}", expected(ruleset, claim)),
            });
        }
    }

    /// What was read, when every declared claim is there and nothing was refused.
    pub(super) fn finish(mut self) -> Result<Bound, Rejection> {
        let missing = self.ruleset.claims.iter().zip(&self.seen).filter(|(_, seen)| !**seen);
        for (claim, _) in missing {
            self.rejection.add(&claim.name, None, || {
                "a value, since every declared claim must be present".to_owned()
            });
        }
        if self.rejection.total > 0 {
            return Err(self.rejection);
        }
        self.bound.quantities.sort_unstable_by_key(|it| it.variable);
        self.bound.unbridged.sort_unstable_by_key(|it| it.variable);
        Ok(self.bound)
    }

    /// Keeps the value of a claim, or says what to mend; an empty text where only the type is
    /// wrong.
    fn value(
        &mut self,
        variable: VariableId,
        claim: &'r Claim,
        scalar: &Scalar<'_>,
    ) -> Result<(), String> {
        let value = match (claim.sort, scalar) {
            (_, Scalar::Null) => return Ok(()),
            (Sort::Member(id), Scalar::String(text)) => {
                if text == UNKNOWN && !self.index.unknown_is_member(id) {
                    return Ok(());
                }
                self.member(id, text)?
            }
            (_, Scalar::String(text)) if text == UNKNOWN => return Ok(()),
            (Sort::Boolean, Scalar::Boolean(value)) => {
                self.bound.characters += if *value { "true".len() } else { "false".len() };
                Value::Boolean(*value)
            }
            (Sort::Boolean, Scalar::String(_)) => {
                return Err("a truth value stands without quotes".to_owned());
            }
            (Sort::Number, Scalar::Number(text)) => {
                let value = numeral::parse(text).map_err(|it| it.to_string())?;
                let numeral_bytes = text.len();
                return self.number(
                    variable,
                    claim,
                    text,
                    Numeric { value, numeral_bytes, unit: None },
                );
            }
            (Sort::Number, Scalar::String(text)) => {
                return self.number(variable, claim, text, value::numeric(text)?);
            }
            (Sort::Member(_), Scalar::Number(_) | Scalar::Boolean(_)) => {
                return Err("a member stands in quotes".to_owned());
            }
            (Sort::Number, Scalar::Boolean(_))
            | (Sort::Boolean, Scalar::Number(_))
            | (_, Scalar::Array | Scalar::Object) => return Err(String::new()),
        };
        self.keep(variable, value);
        Ok(())
    }

    fn keep(&mut self, variable: VariableId, value: Value) {
        if let Some(kept) = self.bound.values.get_mut(variable.index()) {
            *kept = Some(value);
        }
    }

    fn member(&mut self, id: VocabularyId, text: &str) -> Result<Value, String> {
        if let Some(place) = self.index.member(self.ruleset, id, text) {
            self.bound.characters += text.chars().count();
            return Ok(Value::Member(place));
        }
        let ruleset = self.ruleset;
        let members = ruleset.vocabulary(id).members.iter().map(String::as_str);
        Err(self.suggest(text, |word| nearest(word, members.take(SUGGESTION_CANDIDATES))))
    }

    /// Keeps a number in the declared unit of its claim.
    fn number(
        &mut self,
        variable: VariableId,
        claim: &'r Claim,
        text: &str,
        numeric: Numeric<'_>,
    ) -> Result<(), String> {
        let Numeric { value, numeral_bytes, unit } = numeric;
        let mut quantity = Quantity {
            variable,
            submitted: text.into(),
            numeral_bytes,
            unit: claim.unit.clone(),
            arrival: None,
        };
        let value = match (unit, &claim.unit) {
            (None, _) => Some(value),
            (Some(symbol), Some(declared)) if symbol == declared.symbol() => Some(value),
            (Some(_), None) => return Err("the claim takes a number without a unit".to_owned()),
            (Some(symbol), Some(declared)) => {
                let (unit, arrival) = self.arrival(symbol, declared)?;
                let arrived = match &arrival {
                    None => Some(value),
                    Some(Arrival::Convertible(conversion)) => {
                        Some(value.multiply(&conversion.factor).add(&conversion.offset))
                    }
                    Some(Arrival::Ambiguous | Arrival::NoPath) => None,
                };
                quantity.unit = Some(unit);
                quantity.arrival = arrival;
                arrived
            }
        };
        if let Some(value) = &value {
            check_range(claim, value, quantity.arrival.is_some())?;
        }
        self.keep_quantity(quantity, claim, value);
        Ok(())
    }

    fn keep_quantity(&mut self, quantity: Quantity, claim: &Claim, value: Option<Rational>) {
        self.bound.characters += quantity.submitted.chars().count();
        match (value, &quantity.unit, &claim.unit) {
            (Some(value), ..) => self.keep(quantity.variable, Value::Number(value)),
            (None, Some(from), Some(to)) => {
                let (from, to) = (from.clone(), to.clone());
                let variable = quantity.variable;
                self.bound.unbridged.push(UnbridgedClaim { variable, from, to });
            }
            (None, ..) => {}
        }
        self.bound.quantities.push(quantity);
    }

    /// The unit that `symbol` spells and how it leads to the declared one; no arrival where both
    /// are one unit.
    fn arrival(
        &mut self,
        symbol: &str,
        declared: &Unit,
    ) -> Result<(Unit, Option<Arrival>), String> {
        let library = self.library;
        let Some(unit) = library.unit(symbol) else {
            let mut mend = format!("no unit library knows `{}`", printable(symbol));
            let suggestion = self.suggest(symbol, |word| library.nearest(word));
            if !suggestion.is_empty() {
                mend = format!("{mend}, {suggestion}");
            }
            return Err(mend);
        };
        let arrival = match library.bridge(&unit, declared) {
            Bridge::Same => None,
            Bridge::Convertible(conversion) => Some(Arrival::Convertible(conversion)),
            Bridge::Ambiguous => Some(Arrival::Ambiguous),
            Bridge::NoPath if library.dimension(&unit) == library.dimension(declared) => {
                Some(Arrival::NoPath)
            }
            Bridge::NoPath | Bridge::UnknownUnit => {
                return Err(format!("nothing converts {unit} to {declared}"));
            }
        };
        Ok((unit, arrival))
    }

    /// What is expected where a field names no claim.
    fn undeclared(&mut self, name: &str) -> String {
        if !self.rejection.has_room() {
            return String::new();
        }
        let ruleset = self.ruleset;
        if ruleset.locals.iter().any(|it| it.name == name) {
            return "no such field, since a local name is never submitted".to_owned();
        }
        let names = ruleset.claims.iter().map(|it| it.name.as_str());
        let suggestion =
            self.suggest(name, |word| nearest(word, names.take(SUGGESTION_CANDIDATES)));
        match suggestion.as_str() {
            "" => "no such field, since the ruleset declares no such claim".to_owned(),
            suggestion => format!("no such field; {suggestion}"),
        }
    }

    /// `did you mean …?` with the word that `look_up` finds; empty where it finds none or enough
    /// was looked up already.
    fn suggest<'s>(&mut self, word: &str, look_up: impl FnOnce(&str) -> Option<&'s str>) -> String {
        if word.len() > SUGGESTION_BYTES || self.suggestions >= SUGGESTIONS {
            return String::new();
        }
        self.suggestions += 1;
        look_up(word).map_or_else(String::new, |it| format!("did you mean `{}`?", printable(it)))
    }
}

/// Whether a value in the declared unit keeps the claim's bounds, both inclusive.
fn check_range(claim: &Claim, value: &Rational, was_converted: bool) -> Result<(), String> {
    let outside = |range: &crate::ir::Range| *value < range.low || *value > range.high;
    match (&claim.range, &claim.unit) {
        (Some(range), Some(unit)) if outside(range) && was_converted => {
            Err(format!("the value is {} in {unit}", printable(&value.to_string())))
        }
        (Some(range), _) if outside(range) => Err("the value lies outside".to_owned()),
        _ => Ok(()),
    }
}
