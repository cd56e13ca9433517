//! Compiled rulesets, kept by hash so that a check finds its ruleset ready.

use std::sync::Arc;

use assay_base::canonical::Fragment;
use assay_base::{Code, Diagnostic, LibraryHash, RulesetHash, Source};
use assay_dsail::bind::ClaimIndex;
use assay_dsail::compile::UnbridgedPair;
use assay_dsail::ir::Ruleset;
use assay_dsail::units::Library;
use assay_dsail::{Compilation, Options, compile};
use assay_engine::{Engine, Plan, Word};
use assay_store::WorkspaceId;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::failure::Failure;
use crate::tools::dsail::check::plain_answer;

/// How much the cache may hold, in the bytes that [`Prepared::weight`] estimates.
const CACHE_BYTES: u64 = 256 * 1024 * 1024;
/// How many rulesets the cache expects.
const CACHE_ENTRIES: usize = 1_024;

/// A ruleset with everything that its checks need, made once.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) ruleset: Arc<Ruleset>,
    pub(crate) plan: Arc<Plan>,
    pub(crate) index: ClaimIndex,
    /// The warnings of the compile.
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) unbridged: Vec<UnbridgedPair>,
    /// The unit library that it was compiled with.
    pub(crate) library: Option<LibraryHash>,
    /// The hash as it is written.
    pub(crate) hash: Fragment,
    /// The answers that need no explanation, one pair for each assertion.
    pub(crate) plain: Vec<PlainAnswers>,
}

/// What a check says about a rule whose word needs no explanation, which is most of what it says.
#[derive(Debug)]
pub(crate) struct PlainAnswers {
    pub(crate) holds: Fragment,
    pub(crate) fails: Fragment,
}

impl Prepared {
    fn new(
        ruleset: Ruleset,
        library: &Library,
        warnings: Vec<Diagnostic>,
        unbridged: Vec<UnbridgedPair>,
    ) -> Self {
        let ruleset = Arc::new(ruleset);
        let plain = ruleset.assertions.iter().map(|assertion| PlainAnswers {
            holds: plain_answer(&ruleset, assertion, Word::True),
            fails: plain_answer(&ruleset, assertion, Word::False),
        });
        Self {
            plan: Arc::new(Plan::new(Arc::clone(&ruleset), library)),
            library: library.hash(),
            index: ClaimIndex::new(&ruleset),
            hash: Fragment::new(|value| value.display(ruleset.hash)),
            plain: plain.collect(),
            warnings,
            unbridged,
            ruleset,
        }
    }

    /// An estimate of the memory that the ruleset takes, in bytes.
    fn weight(&self) -> u64 {
        const NODE: usize = 400;
        let text = self.ruleset.source.text().len();
        (4 * text + NODE * self.ruleset.arena.nodes().len()) as u64
    }
}

/// Compiles a source and has the solver accept its translation of every assertion.
///
/// # Errors
/// [`Failure::CompileFailed`] with every problem, or [`Failure::Budget`].
pub(crate) fn prepare(
    engine: &Engine,
    library: &Library,
    text: &str,
    options: Options,
) -> Result<Prepared, Failure> {
    let Compilation { source, ruleset, diagnostics, unbridged, .. } =
        compile(text, library, options)?;
    let Some(ruleset) = ruleset else { return Err(Failure::CompileFailed { source, diagnostics }) };
    let prepared = Prepared::new(ruleset, library, diagnostics, unbridged);
    match engine.verify(&prepared.plan) {
        Ok(()) => Ok(prepared),
        Err(faults) => Err(untranslatable(&prepared.ruleset, source, &faults)),
    }
}

fn untranslatable(
    ruleset: &Ruleset,
    source: Source,
    faults: &[assay_engine::VerifyFault],
) -> Failure {
    let diagnostics = faults.iter().map(|fault| {
        let span = ruleset.assertions.get(fault.assertion).map(|it| it.body).unwrap_or_default();
        Diagnostic::new(Code::Translation, span, fault.message.clone())
            .help("this is a fault of the product; reword the assertion or report it")
    });
    Failure::CompileFailed { source, diagnostics: diagnostics.collect() }
}

/// The bounded cache, by workspace: what one workspace holds says nothing about another.
#[derive(Debug)]
pub(crate) struct Rulesets(Cache<Key, Arc<Prepared>, Weight>);

type Key = (WorkspaceId, RulesetHash);

impl Rulesets {
    pub(crate) fn new() -> Self {
        Self(Cache::with_weighter(CACHE_ENTRIES, CACHE_BYTES, Weight))
    }

    /// The ruleset where it is ready for this unit library.
    pub(crate) fn get(
        &self,
        workspace: WorkspaceId,
        hash: RulesetHash,
        library: &Library,
    ) -> Option<Arc<Prepared>> {
        self.0.get(&(workspace, hash)).filter(|it| it.library == library.hash())
    }

    pub(crate) fn insert(&self, workspace: WorkspaceId, prepared: Arc<Prepared>) {
        self.0.insert((workspace, prepared.ruleset.hash), prepared);
    }
}

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<Key, Arc<Prepared>> for Weight {
    fn weight(&self, _: &Key, prepared: &Arc<Prepared>) -> u64 {
        prepared.weight()
    }
}
