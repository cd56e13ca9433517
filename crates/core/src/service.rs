//! The service behind every door: a call is admitted, run and answered in canonical bytes.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use assay_base::canonical::{Fragment, Object, to_bytes};
use assay_base::json::printable;
use assay_base::{Code, RulesetHash, SecretDigest};
use assay_dsail::Options;
use assay_dsail::units::Library;
use assay_engine::{Cancel, Engine};
use assay_registry::gate::snapshot::SkillName;
use assay_registry::{Admitted, Catalog, Instructions, Profile, Scope, Tool};
use assay_store::{Lineage, Store};

use crate::caller::{Caller, Session};
use crate::ending::Ending;
use crate::failure::Failure;
use crate::gateway::{Gateway, Limits, RegistrySource};
use crate::instructions::{Composed, HeadSource};
use crate::ledger::{AuditSettings, INSTALLATION, Ledger};
use crate::reply::{Reply, Started, Work};
use crate::rulesets::{Prepared, Rulesets, prepare};
use crate::sessions::Sessions;
use crate::summaries::Summaries;
use crate::switches::Switches;
use crate::table::{Blocking, Call, Step, function};
use crate::tally::{Counts, Tally};
use crate::versions::versions;
use crate::world::World;

/// The most characters of a name that is written down of a tool that there is not.
const LONGEST_NAME: usize = 64;

/// Where a service keeps what it stores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    /// In memory, gone with the service.
    Memory,
    /// In this database file, which is made where it is missing.
    File(PathBuf),
}

/// Who may call from the network.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Access {
    /// Whether a caller from the network needs a credential. Without, it is taken for the owner.
    pub required: bool,
    /// Stands for the token of the installation, which makes its bearer the owner.
    pub token: Option<SecretDigest>,
}

impl Access {
    /// Asks every caller from the network for a credential, and takes `token` as the owner's.
    #[must_use]
    pub fn with_token(token: &str) -> Self {
        Self { required: true, token: Some(crate::sessions::digest(token)) }
    }
}

/// What a service is opened with.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it keeps what it stores.
    pub data: Data,
    /// Which tools it serves, whoever calls.
    pub profile: Profile,
    /// What the solver may use.
    pub engine: assay_engine::Settings,
    /// Who may call from the network.
    pub access: Access,
    /// How many units a workspace may spend on checks in a calendar month; `None` counts nothing.
    pub allowance: Option<u64>,
    /// Whether the review interface calls tools itself or hands its calls to the conversation;
    /// `None` leaves it to what the client can do.
    pub direct_calls: Option<bool>,
    /// The address that people reach the installation at, which begins the links that are issued.
    pub public_url: Option<String>,
    /// Where an operator's head of the instructions comes from; `None` keeps the one that ships.
    pub head: Option<HeadSource>,
    /// Where the records of governed tools are; `None` serves none.
    pub registry: Option<RegistrySource>,
    /// The skill that everybody works with whose credential is bound to none.
    pub skill: Option<SkillName>,
    /// The address of the page on which people agree to calls and confirm them; `None` where this
    /// installation serves none.
    pub page: Option<String>,
    /// The clients that show prompts to a person, by the names that they give themselves.
    pub prompting: Vec<String>,
    /// The token of the session of whoever is at this machine; `None` takes them for the owner, who
    /// has not signed in.
    pub session: Option<SecretDigest>,
    /// The file that stops tools, one on each line.
    pub stop_file: Option<PathBuf>,
    /// Where the audit log has its key and the copies of its checkpoints.
    pub audit: AuditSettings,
    /// Where the time and chance come from.
    pub world: World,
}

impl Default for Settings {
    /// In memory, with the profile `rules`, for the owner, without an allowance.
    fn default() -> Self {
        Self {
            data: Data::Memory,
            profile: Profile::default(),
            engine: assay_engine::Settings::default(),
            access: Access::default(),
            allowance: None,
            direct_calls: None,
            public_url: None,
            head: None,
            registry: None,
            skill: None,
            page: None,
            prompting: Vec::new(),
            session: None,
            stop_file: None,
            audit: AuditSettings::default(),
            world: World::default(),
        }
    }
}

/// Why a service did not open: one line for each reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenError {
    lines: Vec<String>,
    is_of_registry: bool,
}

impl OpenError {
    const fn new(lines: Vec<String>) -> Self {
        Self { lines, is_of_registry: false }
    }

    /// Whether it is the registry of governed tools that cannot be used.
    #[must_use]
    pub const fn is_of_registry(&self) -> bool {
        self.is_of_registry
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.lines.join("\n"))
    }
}

impl std::error::Error for OpenError {}

/// The service. It is shared by all doors of a process.
#[derive(Debug)]
pub struct Service {
    pub(crate) catalog: Arc<Catalog>,
    profile: Profile,
    instructions: Composed,
    pub(crate) engine: Engine,
    pub(crate) store: Arc<Store>,
    /// Calls whose caller was not let in.
    pub(crate) strangers: Arc<Counts>,
    // INVARIANT: what is counted is written down before the log closes.
    pub(crate) tally: Tally,
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) gateway: Option<Gateway>,
    pub(crate) limits: Limits,
    pub(crate) skill: Option<SkillName>,
    pub(crate) page: Option<String>,
    pub(crate) prompting: Vec<String>,
    pub(crate) at_machine: Option<SecretDigest>,
    pub(crate) switches: Switches,
    /// The unit library of a workspace that added nothing.
    pub(crate) standard: Arc<Library>,
    pub(crate) access: Access,
    pub(crate) allowance: Option<u64>,
    pub(crate) direct_calls: Option<bool>,
    pub(crate) public_url: Option<String>,
    pub(crate) world: World,
    pub(crate) sessions: Sessions,
    pub(crate) summaries: Summaries,
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
        let standard = Library::with_converters([]);
        faults.extend(standard.as_ref().err().map(ToString::to_string));
        let (Ok(catalog), Ok(store), Ok(engine), Ok(standard)) = (catalog, store, engine, standard)
        else {
            return Err(OpenError::new(faults));
        };
        let store = Arc::new(store);
        let ledger = Ledger::start(Arc::clone(&store), settings.audit, settings.world)
            .map_err(|fault| OpenError::new(vec![fault]))?;
        let ledger = Arc::new(ledger);
        let catalog = Arc::new(catalog);
        let tally = Tally::start(Arc::clone(&ledger), Arc::clone(&catalog), settings.world);
        let gateway = gateway(settings.registry, &catalog, settings.skill.as_ref())
            .map_err(|lines| OpenError { lines, is_of_registry: true })?;
        let service = Arc::new(Self {
            gateway,
            limits: Limits::default(),
            skill: settings.skill,
            page: settings.page,
            prompting: settings.prompting,
            at_machine: settings.session,
            switches: Switches::new(settings.stop_file),
            versions: versions(&engine.solver_version()),
            instructions: Composed::new(settings.head),
            rulesets: Rulesets::new(),
            sessions: Sessions::new(),
            summaries: Summaries::new(),
            standard: Arc::new(standard),
            profile: settings.profile,
            access: settings.access,
            allowance: settings.allowance,
            direct_calls: settings.direct_calls,
            public_url: settings.public_url,
            world: settings.world,
            catalog,
            store,
            strangers: tally.counts(INSTALLATION, "none", "nobody"),
            tally,
            ledger,
            engine,
        });
        service.tell_of_beginning();
        Ok(service)
    }

    /// Starts a call. `arguments` is the JSON text of the tool's argument object, as it was sent.
    ///
    /// A call that takes microseconds is answered at once; anything else is handed back, to be run
    /// on a thread that may block.
    #[must_use]
    pub fn start(self: &Arc<Self>, caller: &Caller, tool: &str, arguments: &str) -> Started {
        if let Some(work) = self.governed(caller, tool, arguments) {
            return self.later(work);
        }
        let admitted = match self.admitted(caller, tool) {
            Ok(admitted) => admitted,
            Err(failure) => {
                let name: String = printable(tool).chars().take(LONGEST_NAME).collect();
                caller.session.counts.failed(&name, failure.code());
                return Started::Done(self.answered(Err(failure)));
            }
        };
        let ending = Ending {
            service: Arc::clone(self),
            session: Arc::clone(&caller.session),
            place: self.catalog.tools().iter().position(|it| std::ptr::eq(it, admitted.tool())),
        };
        if changes_what_people_keep(admitted.tool()) {
            let (caller, tool) = (caller.clone(), tool.to_owned());
            let arguments = arguments.to_owned();
            return self.later(Box::new(move |cancel| {
                ending.put_on_record(&caller, (&tool, &arguments), cancel)
            }));
        }
        match guard(|| self.step(caller, admitted, arguments)) {
            Ok(Step::Work(work)) => {
                self.later(Box::new(move |cancel| ending.counted(guard(|| work(cancel)))))
            }
            Ok(Step::Done(result)) => Started::Done(self.answered(ending.counted(result))),
            Err(failure) => Started::Done(self.answered(ending.counted(Err(failure)))),
        }
    }

    /// What is left of a call, to be run on a thread that may block.
    fn later(self: &Arc<Self>, work: Blocking) -> Started {
        let service = Arc::clone(self);
        Started::Work(Work::new(move |cancel| service.answered(guard(|| work(cancel)))))
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

    /// The profile that it was opened with.
    #[must_use]
    pub const fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Every tool, in listing order, whoever may call it.
    #[must_use]
    pub fn every_tool(&self) -> &[Tool] {
        self.catalog.tools()
    }

    /// What a model reads when it connects: about rulesets, unless nothing but the tools of other
    /// servers is served, and about those where there are any. A head that the operator swapped
    /// holds from now on.
    #[must_use]
    pub fn instructions(&self) -> Arc<str> {
        let own = self.instructions.text(&self.catalog);
        let is_governed = self.gateway.is_some() && !self.profile.upstream().is_empty();
        match (self.profile.rulesets(), is_governed) {
            (_, false) => own,
            (true, true) => format!("{own}\n\n{}", Instructions::GOVERNED.trim()).into(),
            (false, true) => Instructions::GOVERNED.trim().into(),
        }
    }

    /// The `versions` object in canonical bytes.
    #[must_use]
    pub fn versions(&self) -> &Fragment {
        &self.versions
    }

    /// The envelope for a problem that a door found before it could call.
    #[must_use]
    pub fn refusal(&self, code: Code, message: &str) -> Reply {
        Failure::Other { code, message: message.to_owned() }.reply(&self.versions)
    }

    pub(crate) fn step(
        self: &Arc<Self>,
        caller: &Caller,
        admitted: Admitted<'_>,
        arguments: &str,
    ) -> Result<Step, Failure> {
        let Some(run) = function(&admitted.tool().name) else {
            let message = format!("the tool `{}` has no function", admitted.tool().name);
            return Err(Failure::Other { code: Code::Internal, message });
        };
        run(&Call { service: self, admitted, caller, arguments })
    }

    /// The tool of this place in the catalogue.
    pub(crate) fn tool_at(&self, place: usize) -> Option<&Tool> {
        self.catalog.tools().get(place)
    }

    pub(crate) fn answered(&self, result: Result<Vec<u8>, Failure>) -> Reply {
        match result {
            Ok(body) => Reply { body, failure: None, retry_after_ms: None },
            Err(failure) => failure.reply(&self.versions),
        }
    }

    /// The ruleset under `hash` where it is ready.
    pub(crate) fn ready(&self, session: &Session, hash: RulesetHash) -> Option<Arc<Prepared>> {
        self.rulesets.get(session.workspace.id, hash, &session.library)
    }

    /// The ruleset under `hash`, compiled again where it is not ready.
    pub(crate) fn stored(
        &self,
        session: &Session,
        hash: RulesetHash,
    ) -> Result<Arc<Prepared>, Failure> {
        if let Some(prepared) = self.ready(session, hash) {
            return Ok(prepared);
        }
        let Some(source) = self.store.source(session.workspace.id, hash)? else {
            return Err(Failure::RulesetNotFound { hash });
        };
        let options = Options { require_descriptions: false };
        Ok(self.keep(session, prepare(&self.engine, &session.library, &source, options)?))
    }

    /// Compiles a source and stores it, so that its hash works from now on.
    pub(crate) fn store(
        &self,
        session: &Session,
        source: &str,
        parent: Option<RulesetHash>,
        options: Options,
    ) -> Result<(Arc<Prepared>, Lineage), Failure> {
        let prepared = prepare(&self.engine, &session.library, source, options)?;
        let (hash, text) = (prepared.ruleset.hash, prepared.ruleset.source.text());
        let stored = self.store.put_source(session.workspace.id, hash, text, parent)?;
        // A ruleset is ready only once it is stored, so that no answer depends on the cache.
        Ok((self.keep(session, prepared), stored.lineage))
    }

    /// Where a stored revision stands.
    pub(crate) fn lineage(&self, session: &Session, hash: RulesetHash) -> Result<Lineage, Failure> {
        let lineage = self.store.lineage(session.workspace.id, hash)?;
        lineage.ok_or(Failure::RulesetNotFound { hash })
    }

    /// The record of a tool.
    pub(crate) fn tool(&self, name: &str) -> Option<&Tool> {
        self.catalog.tool(name)
    }

    /// Makes a stored ruleset ready for the calls that follow.
    pub(crate) fn keep(&self, session: &Session, prepared: Prepared) -> Arc<Prepared> {
        let prepared = Arc::new(prepared);
        self.rulesets.insert(session.workspace.id, Arc::clone(&prepared));
        prepared
    }

    /// A success: what `write` writes, with `ok` and the versions.
    pub(crate) fn payload(&self, write: impl FnOnce(&mut Object<'_>)) -> Vec<u8> {
        to_bytes(|value| {
            value.object(|object| {
                write(object);
                object.key("ok").boolean(true);
                object.key("versions").fragment(&self.versions);
            });
        })
    }
}

/// The governed tools of the registry, where there is one. The skill that the operator names must
/// be one of it.
fn gateway(
    source: Option<RegistrySource>,
    own: &Arc<Catalog>,
    skill: Option<&SkillName>,
) -> Result<Option<Gateway>, Vec<String>> {
    let Some(source) = source else { return Ok(None) };
    let gateway = Gateway::open(source, Arc::clone(own))?;
    if let Some(skill) = skill {
        gateway.has_skill(skill).map_err(|fault| vec![fault])?;
    }
    Ok(Some(gateway))
}

/// Whether calls of a tool change names, approvals, units, keys or teams. Sources that a call
/// stores under their own hash change nothing that anybody finds.
fn changes_what_people_keep(tool: &Tool) -> bool {
    matches!(tool.scope, Scope::Write | Scope::Account) && !tool.annotations.read_only.value
}

/// Runs one call so that a fault in it stays its own.
pub(crate) fn guard<T>(run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // Nothing that a call shares is left half-changed: the store rolls back and the cache takes
    // whole values.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let message = "the call failed unexpectedly and was contained".to_owned();
        Err(Failure::Other { code: Code::Internal, message })
    })
}
