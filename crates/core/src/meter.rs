//! The allowance of a workspace, spent by checks alone.
//!
//! The workspace that holds the ruleset pays: one unit for each rule and each started thousand
//! characters of determined values. It is charged once the values are bound and before anything is
//! solved; a check that then gets no answer is given back what it was charged.

use assay_dsail::bind::Bound;
use assay_store::{Charge, WorkspaceId};

use crate::caller::Session;
use crate::failure::Failure;
use crate::rulesets::Prepared;
use crate::service::Service;

/// Characters that one unit covers for one rule.
const CHARACTERS: usize = 1_000;

/// What a check was charged; nothing where nothing is counted.
#[derive(Debug)]
pub(crate) struct Charged(Option<(WorkspaceId, String, u64)>);

impl Charged {
    /// Charges a check.
    pub(crate) fn charge(
        service: &Service,
        session: &Session,
        prepared: &Prepared,
        bound: &Bound,
    ) -> Result<Self, Failure> {
        let units = units(prepared.ruleset.assertions.len(), bound.characters);
        let Some(limit) = service.allowance.filter(|_| units > 0) else { return Ok(Self(None)) };
        let (workspace, period) = (session.workspace.id, service.now().month());
        match service.store.charge(workspace, &period, units, limit)? {
            Charge::Spent => Ok(Self(Some((workspace, period, units)))),
            Charge::Exceeds { used } => Err(Failure::Entitlement { units, used, limit, period }),
        }
    }

    /// Gives the charge back.
    pub(crate) fn refund(self, service: &Service) -> Result<(), Failure> {
        let Some((workspace, period, units)) = self.0 else { return Ok(()) };
        Ok(service.store.refund(workspace, &period, units)?)
    }
}

fn units(rules: usize, characters: usize) -> u64 {
    rules as u64 * characters.div_ceil(CHARACTERS) as u64
}

#[cfg(test)]
mod tests {
    use super::units;

    #[test]
    fn a_unit_is_a_rule_and_a_started_thousand() {
        for (rules, characters, expected) in
            [(4, 0, 0), (4, 1, 4), (4, 1_000, 4), (4, 1_001, 8), (1, 2_500, 3)]
        {
            assert_eq!(units(rules, characters), expected, "{rules} x {characters}");
        }
    }
}
