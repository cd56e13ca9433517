//! The tools of the rule language.

pub(crate) mod check;
pub(crate) mod compile;
pub(crate) mod prompt_pack;

use std::borrow::Cow;
use std::sync::Arc;

use assay_base::RulesetHash;
use assay_dsail::{Options, normalize};

use crate::failure::Failure;
use crate::input::{Input, missing};
use crate::rulesets::Prepared;
use crate::service::Service;

/// Which ruleset a call means: a hash, a source, or both where they agree.
#[derive(Debug)]
pub(crate) enum Which {
    /// The ruleset that is stored under the hash.
    Stored(RulesetHash),
    /// The ruleset of this source, which is stored where it is not yet.
    Written { hash: RulesetHash, source: String },
}

impl Which {
    /// Reads `ruleset_hash` and `source`.
    pub(crate) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let given = input.ruleset_hash("ruleset_hash")?;
        let source: Option<Cow<'_, str>> = input.string("source")?;
        let Some(source) = source else {
            return given.map(Self::Stored).ok_or_else(|| missing("ruleset_hash` or `source"));
        };
        assay_dsail::budget::Budget::SOURCE_BYTES.check(source.len())?;
        let hash = normalize::hash(&normalize::normalize(&source));
        match given {
            Some(given) if given != hash => Err(Failure::bad_request(format!(
                "`ruleset_hash` is `{given}` and `source` hashes to `{hash}`; give one of the two"
            ))),
            _ => Ok(Self::Written { hash, source: source.into_owned() }),
        }
    }

    /// The ruleset where it is ready.
    pub(crate) fn ready(&self, service: &Service) -> Option<Arc<Prepared>> {
        match self {
            Self::Stored(hash) | Self::Written { hash, .. } => service.ready(*hash),
        }
    }

    /// The ruleset, read and compiled where it is not ready.
    pub(crate) fn load(&self, service: &Service) -> Result<Arc<Prepared>, Failure> {
        match self {
            Self::Stored(hash) => service.stored(*hash),
            Self::Written { source, .. } => match self.ready(service) {
                Some(prepared) => Ok(prepared),
                None => Ok(service.store(source, None, Options { require_descriptions: false })?.0),
            },
        }
    }
}
