//! The tools of the rule language, one file for each, named as on the wire.

pub(crate) mod add_unit_converter;
pub(crate) mod check;
pub(crate) mod compile;
mod compiled;
pub(crate) mod copy_ruleset;
pub(crate) mod create_team;
pub(crate) mod get_account_status;
pub(crate) mod get_prompt_pack;
pub(crate) mod invite_to_team;
pub(crate) mod issue_api_key;
pub(crate) mod list_rulesets;
pub(crate) mod list_workspaces;
pub(crate) mod load_ruleset;
pub(crate) mod record_approval;
pub(crate) mod remove_from_team;
pub(crate) mod review;
pub(crate) mod save_ruleset;
pub(crate) mod set_team_role;
pub(crate) mod team_members;
pub(crate) mod unit_library;
pub(crate) mod use_workspace;

use std::borrow::Cow;
use std::sync::Arc;

use assay_base::RulesetHash;
use assay_dsail::{Options, normalize};

use crate::caller::Session;
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
    pub(crate) fn ready(&self, service: &Service, session: &Session) -> Option<Arc<Prepared>> {
        match self {
            Self::Stored(hash) | Self::Written { hash, .. } => service.ready(session, *hash),
        }
    }

    /// The ruleset, read and compiled where it is not ready.
    pub(crate) fn load(
        &self,
        service: &Service,
        session: &Session,
    ) -> Result<Arc<Prepared>, Failure> {
        match self {
            Self::Stored(hash) => service.stored(session, *hash),
            Self::Written { source, .. } => match self.ready(service, session) {
                Some(prepared) => Ok(prepared),
                None => {
                    let options = Options { require_descriptions: false };
                    Ok(service.store(session, source, None, options)?.0)
                }
            },
        }
    }
}
