//! The service behind every door: a call is admitted, run and answered in canonical bytes.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use assay_base::canonical::{Fragment, to_bytes};
use assay_base::{Code, RulesetHash};
use assay_dsail::units::Library;
use assay_dsail::{Options, grammar};
use assay_engine::{Cancel, Engine};
use assay_registry::{Catalog, Instructions, Profile, Scopes, Tool, admit, list};
use assay_store::{Lineage, Store};

use crate::caller::Caller;
use crate::failure::Failure;
use crate::reply::{Reply, Started, Work};
use crate::rulesets::{Prepared, Rulesets, prepare};
use crate::table::{Call, Step, function};
use crate::versions::versions;

/// Where a service keeps what it stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    /// In memory, gone with the service.
    Memory,
    /// In this database file, which is made where it is missing.
    File(PathBuf),
}

/// What a service is opened with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Where it keeps what it stores.
    pub data: Data,
    /// What the solver may use.
    pub engine: assay_engine::Settings,
}

/// Why a service did not open: one line for each reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenError(Vec<String>);

impl fmt::Display for OpenError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for OpenError {}

/// The service. It is shared by all doors of a process.
#[derive(Debug)]
pub struct Service {
    catalog: Catalog,
    instructions: Instructions,
    pub(crate) engine: Engine,
    store: Store,
    pub(crate) library: &'static Library,
    rulesets: Rulesets,
    versions: Fragment,
}

impl Service {
    /// Opens the store, starts the solver and loads the catalogue of tools.
    ///
    /// # Errors
    /// [`OpenError`] names everything that is wrong.
    pub fn open(settings: Settings) -> Result<Arc<Self>, OpenError> {
        let catalog = Catalog::load();
        let store = match &settings.data {
            Data::Memory => Store::in_memory(),
            Data::File(path) => Store::open(path),
        };
        let engine = Engine::start(settings.engine);
        let mut faults = Vec::new();
        faults.extend(catalog.as_ref().err().into_iter().flatten().cloned());
        faults.extend(store.as_ref().err().map(|it| format!("{it}: {}", it.help())));
        faults.extend(engine.as_ref().err().map(ToString::to_string));
        let (Ok(catalog), Ok(store), Ok(engine)) = (catalog, store, engine) else {
            return Err(OpenError(faults));
        };
        Ok(Arc::new(Self {
            versions: versions(&engine.solver_version()),
            instructions: Instructions::compose(
                Instructions::HEAD,
                grammar::GUIDE,
                grammar::INTEGRITY_RULE,
            ),
            rulesets: Rulesets::new(),
            library: Library::standard(),
            catalog,
            store,
            engine,
        }))
    }

    /// Starts a call. `arguments` is the JSON text of the tool's argument object, as it was sent.
    ///
    /// A call that takes microseconds is answered at once; anything else is handed back, to be run
    /// on a thread that may block.
    #[must_use]
    pub fn start(self: &Arc<Self>, caller: &Caller, tool: &str, arguments: &str) -> Started {
        let step = guard(|| self.step(caller, tool, arguments));
        match step {
            Ok(Step::Work(work)) => {
                let service = Arc::clone(self);
                Started::Work(Work::new(move |cancel| service.reply(guard(|| work(cancel)))))
            }
            Ok(Step::Done(result)) => Started::Done(self.reply(result)),
            Err(failure) => Started::Done(self.reply(Err(failure))),
        }
    }

    /// Runs a call from start to end on this thread.
    #[must_use]
    pub fn call(
        self: &Arc<Self>,
        caller: &Caller,
        tool: &str,
        arguments: &str,
        cancel: &Cancel,
    ) -> Reply {
        match self.start(caller, tool, arguments) {
            Started::Done(reply) => reply,
            Started::Work(work) => work.run(cancel),
        }
    }

    /// The tools that `caller` may call, in listing order.
    #[must_use]
    pub fn tools(&self, caller: &Caller) -> Vec<&Tool> {
        list(&self.catalog, registry_caller(caller)).map(assay_registry::Admitted::tool).collect()
    }

    /// What a model reads when it connects.
    #[must_use]
    pub fn instructions(&self) -> &str {
        self.instructions.text()
    }

    /// The `versions` object in canonical bytes.
    #[must_use]
    pub fn versions(&self) -> &Fragment {
        &self.versions
    }

    /// Whether the service answers: it does once it is open.
    #[must_use]
    pub fn health(&self) -> Reply {
        let body = to_bytes(|value| {
            value.object(|object| {
                object.key("ok").boolean(true);
                object.key("versions").fragment(&self.versions);
            });
        });
        Reply { body, failure: None, retry_after_ms: None }
    }

    /// The envelope for a problem that a door found before it could call.
    #[must_use]
    pub fn refusal(&self, code: Code, message: &str) -> Reply {
        Failure::Other { code, message: message.to_owned() }.reply(&self.versions)
    }

    fn step(
        self: &Arc<Self>,
        caller: &Caller,
        tool: &str,
        arguments: &str,
    ) -> Result<Step, Failure> {
        let admitted =
            admit(&self.catalog, tool, registry_caller(caller)).map_err(Failure::Refused)?;
        let Some(run) = function(&admitted.tool().name) else {
            let message = format!("the tool `{}` has no function", admitted.tool().name);
            return Err(Failure::Other { code: Code::Internal, message });
        };
        run(&Call { service: self, admitted, caller, arguments })
    }

    fn reply(&self, result: Result<Vec<u8>, Failure>) -> Reply {
        match result {
            Ok(body) => Reply { body, failure: None, retry_after_ms: None },
            Err(failure) => failure.reply(&self.versions),
        }
    }

    /// The ruleset under `hash` where it is ready.
    pub(crate) fn ready(&self, hash: RulesetHash) -> Option<Arc<Prepared>> {
        self.rulesets.get(hash)
    }

    /// The ruleset under `hash`, compiled again where it is not ready.
    pub(crate) fn stored(&self, hash: RulesetHash) -> Result<Arc<Prepared>, Failure> {
        if let Some(prepared) = self.ready(hash) {
            return Ok(prepared);
        }
        let Some(source) = self.store.source(hash)? else {
            return Err(Failure::RulesetNotFound { hash });
        };
        let options = Options { require_descriptions: false };
        Ok(self.keep(prepare(&self.engine, self.library, &source, options)?))
    }

    /// Compiles a source and stores it, so that its hash works from now on.
    pub(crate) fn store(
        &self,
        source: &str,
        parent: Option<RulesetHash>,
        options: Options,
    ) -> Result<(Arc<Prepared>, Lineage), Failure> {
        let prepared = prepare(&self.engine, self.library, source, options)?;
        let (hash, text) = (prepared.ruleset.hash, prepared.ruleset.source.text());
        let stored = self.store.put_source(hash, text, parent)?;
        // A ruleset is ready only once it is stored, so that no answer depends on the cache.
        Ok((self.keep(prepared), stored.lineage))
    }

    fn keep(&self, prepared: Prepared) -> Arc<Prepared> {
        let prepared = Arc::new(prepared);
        self.rulesets.insert(Arc::clone(&prepared));
        prepared
    }
}

fn registry_caller(_: &Caller) -> assay_registry::Caller {
    assay_registry::Caller { profile: Profile::Rules, scopes: Scopes::ALL }
}

/// Runs one call so that a fault in it stays its own.
fn guard<T>(run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // Nothing that a call shares is left half-changed: the store rolls back and the cache takes
    // whole values.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let message = "the call failed unexpectedly and was contained".to_owned();
        Err(Failure::Other { code: Code::Internal, message })
    })
}
