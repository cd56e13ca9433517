//! Claim values bound to a ruleset.
//!
//! A claim dictionary is one JSON object with every declared claim exactly once. It is read in
//! one pass over its text, without a tree of values in between, and every field that is wrong is
//! reported in one answer.
//!
//! What a field may hold:
//! - `null`, or the string `unknown` where that is no member of the claim's own vocabulary: the
//!   claim is undetermined.
//! - boolean claims: `true` or `false`; a string such as `"true"` is refused.
//! - enum claims: a string that is a member, letter for letter.
//! - numeric claims: a JSON number, or a string that is a numeral, or, where the claim has a
//!   unit, a numeral, exactly one space and a unit. Numerals are those of
//!   [`assay_base::numeral`] with an optional minus. The space is required, so that `5e3`,
//!   `12x34` and `5E` have one reading each: a number, and twice a refusal. A unit does not begin
//!   with a digit, so that `500 000` is refused and not read as 500.
//!
//! A number without a unit is in the claim's own. One in another unit is converted exactly before
//! its bounds are checked. Where both units measure one thing and no exact conversion leads to
//! the declared one, the value is accepted and undetermined in the declared unit, and its bounds
//! cannot be checked.

use assay_base::canonical::Slot;
use assay_base::json::{self, JsonError};

use crate::budget::{Budget, BudgetExceeded};
use crate::ir::{Ruleset, Unit, Value, VariableId};
use crate::units::Library;

mod index;
mod quantity;
mod reader;
mod rejection;
#[cfg(test)]
mod tests;
mod value;

pub use index::ClaimIndex;
pub use quantity::{Arrival, Quantity};
pub use rejection::{FieldFailure, Rejection};

use reader::Reader;

/// Claim values that passed validation, in the shape that deciders read.
#[derive(Debug, Clone, Default)]
pub struct Bound {
    /// The value of each variable by its place; `None` is undetermined. Locals are always `None`.
    pub values: Vec<Option<Value>>,
    /// Claims whose value came in a unit that nothing converts to the declared one. Their entry in
    /// `values` is `None`: in the declared unit they are undetermined.
    pub unbridged: Vec<UnbridgedClaim>,
    /// What each determined numeric claim was worth, in the order of declaration.
    pub quantities: Vec<Quantity>,
    /// How many characters the determined values have together, without quotes and escapes.
    pub characters: usize,
}

/// A determined claim whose unit leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnbridgedClaim {
    /// The claim.
    pub variable: VariableId,
    /// The unit of the submitted value.
    pub from: Unit,
    /// The declared unit.
    pub to: Unit,
}

/// Why a claim dictionary was not bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BindError {
    /// The text is no JSON object.
    Malformed(JsonError),
    /// The text or one value is too long.
    Budget(BudgetExceeded),
    /// Fields are missing, undeclared or hold what their claims do not accept.
    Rejected(Rejection),
}

/// Binds the claim dictionary that `claims` holds as JSON text. `index` is that of the same
/// ruleset.
///
/// # Errors
/// [`BindError`] says whether the text is no JSON object, too long, or holds fields that are
/// refused; all of those are named at once, up to a limit.
pub fn bind(
    ruleset: &Ruleset,
    index: &ClaimIndex,
    library: &Library,
    claims: &str,
) -> Result<Bound, BindError> {
    Budget::CLAIM_PAYLOAD_BYTES.check(claims.len()).map_err(BindError::Budget)?;
    let mut reader = Reader::new(ruleset, index, library);
    let mut exceeded = None;
    let read = json::each_member(claims, |field, raw| {
        if let Err(budget) = Budget::VALUE_BYTES.check(raw.get().len()) {
            exceeded = Some(budget);
            return Err(String::new());
        }
        reader.field(&field, raw);
        Ok(())
    });
    match (exceeded, read) {
        (Some(budget), _) => Err(BindError::Budget(budget)),
        (None, Err(error)) => Err(BindError::Malformed(error)),
        (None, Ok(())) => reader.finish().map_err(BindError::Rejected),
    }
}

impl Bound {
    /// Whether the claim was submitted with a value, be it in a unit that leads nowhere.
    #[must_use]
    pub fn is_determined(&self, variable: VariableId) -> bool {
        self.values.get(variable.index()).is_some_and(Option::is_some)
            || self.unbridged.iter().any(|it| it.variable == variable)
    }

    /// Writes `{bound[], quantities[], unbound[]}`: the names of the determined claims, what the
    /// numeric ones were worth, and the names of the others, each in the order of declaration.
    pub fn write_claims(&self, slot: Slot<'_>, ruleset: &Ruleset) {
        let names = |determined: bool| {
            let claims = ruleset.claims.iter().enumerate();
            let kept = claims.filter(move |(place, _)| {
                self.is_determined(VariableId::new(*place)) == determined
            });
            kept.map(|(_, claim)| &claim.name)
        };
        slot.object(|object| {
            object.key("bound").strings(names(true));
            object.key("quantities").array(|array| {
                for quantity in &self.quantities {
                    quantity.write(array.item(), ruleset);
                }
            });
            object.key("unbound").strings(names(false));
        });
    }
}
