//! The limits of the language and of a claim dictionary, each with the name that an error and the
//! validation contract give it.

/// Most bytes of a normalised source.
pub const MAX_SOURCE_BYTES: usize = 256 * 1024;
/// Most claims of a ruleset.
pub const MAX_CLAIMS: usize = 500;
/// Most assertions of a ruleset.
pub const MAX_ASSERTIONS: usize = 2_000;
/// Most expression nodes of a ruleset, counted before equal ones are shared.
pub const MAX_EXPRESSION_NODES: usize = 20_000;
/// Most elements that the quantifiers of a ruleset unroll to.
pub const MAX_UNROLLED_ELEMENTS: usize = 4_096;
/// Deepest nesting of brackets and conditionals.
pub const MAX_NESTING: usize = 128;
/// Most bytes of a name.
pub const MAX_IDENTIFIER_BYTES: usize = 128;
/// Most bytes of an enum member or of a unit.
pub const MAX_STRING_BYTES: usize = 256;
/// Most bytes of a claim dictionary as it is submitted.
pub const MAX_CLAIM_PAYLOAD_BYTES: usize = 256 * 1024;
/// Most bytes of one claim value as it is submitted, quotes and escapes included.
pub const MAX_VALUE_BYTES: usize = 4 * 1024;
/// Most failing fields that one rejection reports; the rest are counted.
pub const MAX_FAILURES_REPORTED: usize = 50;
/// Most characters of an approver's name, and of a note.
pub const MAX_APPROVAL_CHARACTERS: usize = 512;

/// One limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The name on the wire.
    pub name: &'static str,
    /// The largest value that is allowed.
    pub limit: usize,
}

impl Budget {
    /// The text of a ruleset.
    pub const SOURCE_BYTES: Self = Self::new("source_bytes", MAX_SOURCE_BYTES);
    /// The claims of a ruleset.
    pub const CLAIMS: Self = Self::new("claims", MAX_CLAIMS);
    /// The assertions of a ruleset.
    pub const ASSERTIONS: Self = Self::new("assertions", MAX_ASSERTIONS);
    /// The expressions of a ruleset.
    pub const EXPRESSION_NODES: Self = Self::new("expression_nodes", MAX_EXPRESSION_NODES);
    /// The unrolled quantifiers of a ruleset.
    pub const UNROLLED_ELEMENTS: Self = Self::new("unrolled_elements", MAX_UNROLLED_ELEMENTS);
    /// The nesting of a ruleset.
    pub const NESTING: Self = Self::new("nesting", MAX_NESTING);
    /// A name.
    pub const IDENTIFIER_BYTES: Self = Self::new("identifier_bytes", MAX_IDENTIFIER_BYTES);
    /// An enum member or a unit.
    pub const STRING_BYTES: Self = Self::new("string_bytes", MAX_STRING_BYTES);
    /// A claim dictionary.
    pub const CLAIM_PAYLOAD_BYTES: Self = Self::new("claim_payload_bytes", MAX_CLAIM_PAYLOAD_BYTES);
    /// A claim value.
    pub const VALUE_BYTES: Self = Self::new("value_bytes", MAX_VALUE_BYTES);
    /// The failing fields of one rejection.
    pub const FAILURES_REPORTED: Self = Self::new("failures_reported", MAX_FAILURES_REPORTED);
    /// An approver's name or a note.
    pub const APPROVAL_CHARACTERS: Self = Self::new("max_approval_chars", MAX_APPROVAL_CHARACTERS);

    /// Every limit, by name.
    pub const ALL: [Self; 12] = [
        Self::ASSERTIONS,
        Self::CLAIM_PAYLOAD_BYTES,
        Self::CLAIMS,
        Self::EXPRESSION_NODES,
        Self::FAILURES_REPORTED,
        Self::IDENTIFIER_BYTES,
        Self::APPROVAL_CHARACTERS,
        Self::NESTING,
        Self::SOURCE_BYTES,
        Self::STRING_BYTES,
        Self::UNROLLED_ELEMENTS,
        Self::VALUE_BYTES,
    ];

    const fn new(name: &'static str, limit: usize) -> Self {
        Self { name, limit }
    }

    /// Whether `actual` keeps the limit.
    ///
    /// # Errors
    /// [`BudgetExceeded`] when it does not.
    pub const fn check(self, actual: usize) -> Result<(), BudgetExceeded> {
        if actual <= self.limit { Ok(()) } else { Err(self.exceeded(Some(actual as u64))) }
    }

    /// The error of going beyond the limit, with how far where that is known.
    #[must_use]
    pub const fn exceeded(self, actual: Option<u64>) -> BudgetExceeded {
        BudgetExceeded { budget: self.name, limit: self.limit as u64, actual }
    }
}

/// A limit that was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetExceeded {
    /// The name of the limit.
    pub budget: &'static str,
    /// The largest value that is allowed.
    pub limit: u64,
    /// The value that was met; `None` where work stopped before it was known.
    pub actual: Option<u64>,
}

impl std::fmt::Display for BudgetExceeded {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "the budget `{}` allows {}", self.budget, self.limit)?;
        match self.actual {
            Some(actual) => write!(out, " and {actual} were submitted"),
            None => write!(out, " and more were submitted"),
        }
    }
}

impl std::error::Error for BudgetExceeded {}

#[cfg(test)]
mod tests {
    use super::{Budget, BudgetExceeded};

    #[test]
    fn limits_are_inclusive() {
        assert_eq!(Budget::CLAIMS.check(500), Ok(()));
        let exceeded = BudgetExceeded { budget: "claims", limit: 500, actual: Some(501) };
        assert_eq!(Budget::CLAIMS.check(501), Err(exceeded));
        assert_eq!(exceeded.to_string(), "the budget `claims` allows 500 and 501 were submitted");
    }

    #[test]
    fn names_are_unique_and_stand_in_order() {
        assert!(Budget::ALL.is_sorted_by(|a, b| a.name < b.name));
    }
}
