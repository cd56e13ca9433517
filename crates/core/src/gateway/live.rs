//! The registry that is in force, and the folder that it came from.
//!
//! The folder is looked at again from time to time. What loads takes the place of what was there,
//! whole; what does not load changes nothing and is told wherever people look at the state.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::SystemTime;

use assay_registry::Catalog;
use assay_registry::gate::Fault;
use assay_registry::gate::snapshot::{Config, File, MAX_FAULTS, Place, Snapshot, Text};
use assay_upstream::{Method, Route, Upstreams};

/// How long a change of the folder may go unseen, in milliseconds.
const LOOK_EVERY: i64 = 500;
/// For how long a folder that did not load is taken not to load, where no file of it changed, in
/// milliseconds.
const AGAIN_AFTER: i64 = 2_000;
/// The most of one file that is read.
const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// The most files that are read.
const MAX_FILES: usize = 2_000;

/// Where a registry comes from.
#[derive(Debug, Clone)]
pub struct RegistrySource {
    /// The folder with `registry.json`, `tools` and `skills`.
    pub folder: PathBuf,
    /// Looks a variable of the environment up, for texts that stand there.
    pub environment: fn(&str) -> Option<String>,
}

/// A registry with the servers that carry its tools out.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) snapshot: Snapshot,
    pub(crate) upstreams: Arc<Upstreams>,
    routes: BTreeMap<String, Place>,
    texts: Vec<String>,
}

/// The registry in force.
pub(crate) struct Live {
    source: RegistrySource,
    own: Arc<Catalog>,
    current: RwLock<Arc<Loaded>>,
    due: AtomicI64,
    look: Mutex<Look>,
}

/// What was last seen of the folder.
#[derive(Debug, Default)]
struct Look {
    stamps: Vec<Stamp>,
    /// When what did not load is read again although it looks as it did before.
    again_at: i64,
    faults: Vec<String>,
}

type Stamp = (String, u64, Option<SystemTime>);

/// What a look at the folder came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Looked {
    /// Nothing is new.
    Same,
    /// Another registry is in force now.
    Loaded,
    /// What is there does not load; what was in force stays.
    Refused,
}

impl Live {
    /// Loads the folder. `own` are the product's tools.
    ///
    /// # Errors
    /// Each fault as one line.
    pub(crate) fn open(source: RegistrySource, own: Arc<Catalog>) -> Result<Self, Vec<String>> {
        let (stamps, files) = read(&source.folder).map_err(|it| told(&it))?;
        let loaded = load(&source, &files, &own, None)?;
        let look = Mutex::new(Look { stamps, ..Look::default() });
        let current = RwLock::new(Arc::new(loaded));
        Ok(Self { source, own, current, due: AtomicI64::new(i64::MIN), look })
    }

    /// The registry in force. Whoever decides a call holds on to this one from start to end.
    pub(crate) fn current(&self) -> Arc<Loaded> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Looks at the folder, where it is time and nobody else does.
    pub(crate) fn look(&self, now: i64) -> Looked {
        let due = self.due.load(Ordering::Relaxed);
        if now < due && due - now <= LOOK_EVERY {
            return Looked::Same;
        }
        let Ok(mut look) = self.look.try_lock() else { return Looked::Same };
        self.due.store(now.saturating_add(LOOK_EVERY), Ordering::Relaxed);
        let is_same = stamps(&self.source.folder).is_ok_and(|it| it == look.stamps);
        if is_same && (look.faults.is_empty() || now < look.again_at) {
            return Looked::Same;
        }
        let found = read(&self.source.folder).map_err(|it| told(&it));
        // What did not load is read again after a while, also where it looks as it did before: a
        // secret that it names may be there by then.
        look.again_at = now.saturating_add(AGAIN_AFTER);
        look.stamps.clear();
        let loaded = found.and_then(|(stamps, files)| {
            look.stamps = stamps;
            self.replace(&files)
        });
        match loaded {
            Ok(()) => {
                look.faults.clear();
                Looked::Loaded
            }
            Err(faults) if look.faults == faults => Looked::Same,
            Err(faults) => {
                look.faults = faults;
                Looked::Refused
            }
        }
    }

    /// Puts the registry of these files in force, whole or not at all.
    fn replace(&self, files: &[File]) -> Result<(), Vec<String>> {
        let loaded = load(&self.source, files, &self.own, Some(&self.current()))?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(loaded);
        Ok(())
    }

    /// Why what is in the folder is not in force; empty where it is.
    pub(crate) fn faults(&self) -> Vec<String> {
        self.look.lock().unwrap_or_else(PoisonError::into_inner).faults.clone()
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Live").field("source", &self.source).finish_non_exhaustive()
    }
}

fn load(
    source: &RegistrySource,
    files: &[File],
    own: &Catalog,
    before: Option<&Loaded>,
) -> Result<Loaded, Vec<String>> {
    let before_it = before.map(|it| &it.snapshot);
    let snapshot = Snapshot::load(files, own.tools(), before_it).map_err(|it| told(&it))?;
    let routes = snapshot.config().upstreams.clone();
    let mut resolver = Resolver { source, texts: Vec::new(), faults: Vec::new() };
    let resolved = resolver.routes(snapshot.config());
    if !resolver.faults.is_empty() {
        return Err(resolver.faults);
    }
    let texts = resolver.texts;
    // Servers that are reached as before go on, with what they have begun.
    let kept = before.filter(|it| it.routes == routes && it.texts == texts);
    let upstreams = match kept {
        Some(kept) => Arc::clone(&kept.upstreams),
        None => Arc::new(Upstreams::new(resolved).map_err(|it| vec![it.to_string()])?),
    };
    Ok(Loaded { snapshot, upstreams, routes, texts })
}

/// The registry of a folder, for somebody who writes more of it.
///
/// # Errors
/// Each fault as one line.
pub(super) fn open_once(source: &RegistrySource) -> Result<Loaded, Vec<String>> {
    let (_, files) = read(&source.folder).map_err(|it| told(&it))?;
    load(source, &files, &Catalog::load()?, None)
}

/// The faults as lines, the first of them in full and the rest counted.
fn told(faults: &[Fault]) -> Vec<String> {
    let mut lines: Vec<String> = faults.iter().take(MAX_FAULTS).map(ToString::to_string).collect();
    if let Some(more) = faults.len().checked_sub(MAX_FAULTS).filter(|it| *it > 0) {
        lines.push(format!("{more} more faults are not listed"));
    }
    lines
}

/// The files of the registry in `folder`: `registry.json`, and those of `skills` and `tools`.
///
/// # Errors
/// A [`Fault`] for each file that cannot be read, or for a folder that is none.
pub fn read_registry(folder: &Path) -> Result<Vec<File>, Vec<Fault>> {
    read(folder).map(|(_, files)| files)
}

/// Every file of a registry, with its stamp.
fn read(folder: &Path) -> Result<(Vec<Stamp>, Vec<File>), Vec<Fault>> {
    let stamps = stamps(folder).map_err(|it| vec![it])?;
    let mut faults = Vec::new();
    let mut files = Vec::new();
    for (path, length, _) in &stamps {
        if *length > MAX_FILE_BYTES {
            faults.push(fault(path, format!("larger than {MAX_FILE_BYTES} bytes"), "split it"));
            continue;
        }
        match fs::read_to_string(folder.join(path)) {
            Ok(text) => files.push((path.clone(), text)),
            Err(error) => {
                let message = format!("cannot be read: {error}");
                faults.push(fault(path, message, "let it be a text file that may be read"));
            }
        }
    }
    if faults.is_empty() { Ok((stamps, files)) } else { Err(faults) }
}

/// What is wrong with the whole of a file or a folder.
fn fault(file: &str, message: impl Into<String>, mend: impl Into<String>) -> Fault {
    let (message, mend) = (message.into(), mend.into());
    Fault { file: file.to_owned(), pointer: String::new(), message, mend }
}

fn stamps(folder: &Path) -> Result<Vec<Stamp>, Fault> {
    let shown = folder.display().to_string();
    if !folder.is_dir() {
        let mend = "name a folder with `registry.json` and `tools`";
        return Err(fault(&shown, "this is no folder with a registry", mend));
    }
    let mut stamps = Vec::new();
    let mut stamp = |path: String| {
        if let Ok(it) = fs::metadata(folder.join(&path)) {
            stamps.push((path, it.len(), it.modified().ok()));
        }
    };
    stamp("registry.json".to_owned());
    for part in ["skills", "tools"] {
        let entries = fs::read_dir(folder.join(part)).into_iter().flatten().flatten();
        let names = entries.filter_map(|it| it.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|it| it.ends_with(".json")).collect();
        names.sort();
        names.iter().for_each(|it| stamp(format!("{part}/{it}")));
    }
    if stamps.len() > MAX_FILES {
        let message = format!("there are more than {MAX_FILES} files");
        return Err(fault(&shown, message, "take some out"));
    }
    Ok(stamps)
}

/// From what a registry says of its servers to what reaches them.
struct Resolver<'s> {
    source: &'s RegistrySource,
    /// What stood elsewhere, so that a change of it is noticed.
    texts: Vec<String>,
    faults: Vec<String>,
}

impl Resolver<'_> {
    fn routes(&mut self, config: &Config) -> BTreeMap<String, Route> {
        let places = config.upstreams.iter();
        places.map(|(name, place)| (name.clone(), self.route(name, place))).collect()
    }

    fn route(&mut self, name: &str, place: &Place) -> Route {
        let at = |rest: &str| format!("registry.json#/upstreams/{name}/{rest}");
        match place {
            Place::McpStdio { command, arguments, environment } => Route::Stdio {
                command: self.text(&at("command"), command),
                arguments: arguments.iter().map(|it| self.text(&at("arguments"), it)).collect(),
                environment: self.secrets(&at("environment"), environment),
            },
            Place::McpHttp { url, headers } => Route::Http {
                url: self.text(&at("url"), url),
                headers: self.secrets(&at("headers"), headers),
            },
            Place::Rest { url, headers, tools } => Route::Rest {
                url: self.text(&at("url"), url),
                headers: self.secrets(&at("headers"), headers),
                tools: tools
                    .iter()
                    .map(|(tool, it)| (tool.clone(), (method(&it.method), it.path.clone())))
                    .collect(),
            },
        }
    }

    fn secrets(
        &mut self,
        at: &str,
        texts: &BTreeMap<String, Text>,
    ) -> BTreeMap<String, assay_upstream::Secret> {
        let resolve = |(key, text): (&String, &Text)| {
            (key.clone(), self.text(&format!("{at}/{key}"), text).into())
        };
        texts.iter().map(resolve).collect()
    }

    /// A text, from where it stands. No fault quotes one.
    fn text(&mut self, at: &str, text: &Text) -> String {
        let found = match text {
            Text::Plain(text) => return text.clone(),
            Text::Env(name) => (self.source.environment)(name)
                .ok_or_else(|| format!("{at}: the variable `{name}` is not set; set it")),
            Text::File(path) => {
                let whole = self.source.folder.join(path);
                fs::read_to_string(whole).map(|it| it.trim().to_owned()).map_err(|error| {
                    format!("{at}: the file `{path}` cannot be read: {error}; write it")
                })
            }
        };
        let text = found.unwrap_or_else(|fault| {
            self.faults.push(fault);
            String::new()
        });
        self.texts.push(text.clone());
        text
    }
}

fn method(word: &str) -> Method {
    match word {
        "GET" => Method::Get,
        "PUT" => Method::Put,
        "PATCH" => Method::Patch,
        "DELETE" => Method::Delete,
        _ => Method::Post,
    }
}
