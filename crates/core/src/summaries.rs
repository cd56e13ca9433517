//! What a list says about a ruleset, derived from its source and kept ready. It is never stored,
//! so it cannot differ from what it describes.

use std::sync::Arc;

use assay_base::{LibraryHash, RulesetHash};
use assay_dsail::review::summary;
use assay_dsail::{Options, compile};
use quick_cache::sync::Cache;

use crate::caller::Session;
use crate::failure::Failure;
use crate::service::Service;

/// How many are kept ready.
const KEPT: usize = 131_072;

/// What a list says about one ruleset.
#[derive(Debug)]
pub(crate) struct Summary {
    /// One sentence.
    pub(crate) text: String,
    /// How many claims and rules it has; `None` where it does not compile.
    pub(crate) counts: Option<(usize, usize)>,
}

/// Summaries by ruleset and unit library.
#[derive(Debug)]
pub(crate) struct Summaries(Cache<(RulesetHash, Option<LibraryHash>), Arc<Summary>>);

impl Summaries {
    pub(crate) fn new() -> Self {
        Self(Cache::new(KEPT))
    }
}

impl Service {
    /// The summary of a stored ruleset.
    pub(crate) fn summary(
        &self,
        session: &Session,
        hash: RulesetHash,
    ) -> Result<Arc<Summary>, Failure> {
        let key = (hash, session.library.hash());
        if let Some(summary) = self.summaries.0.get(&key) {
            return Ok(summary);
        }
        let source = self.store.source(session.workspace.id, hash)?;
        let options = Options { require_descriptions: false };
        let ruleset = source
            .and_then(|it| compile(&it, &session.library, options).ok())
            .and_then(|it| it.ruleset);
        let summary = Arc::new(match ruleset {
            Some(it) => {
                Summary { text: summary(&it), counts: Some((it.claims.len(), it.assertions.len())) }
            }
            None => Summary {
                text: "The stored source does not compile under this release.".to_owned(),
                counts: None,
            },
        });
        self.summaries.0.insert(key, Arc::clone(&summary));
        Ok(summary)
    }
}
