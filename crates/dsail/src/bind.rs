//! Claim values bound to a ruleset.

use crate::ir::{Unit, Value, VariableId};

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

/// What a numeric claim was worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// The claim.
    pub variable: VariableId,
    /// The value as it was submitted.
    pub submitted: String,
    /// The literal that it became, in its submitted unit.
    pub bound: String,
    /// The submitted unit where it differs from the declared one.
    pub converted_from: Option<Unit>,
}
