//! The composition root: which store is behind the service of a command.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_base::canonical::{self, Object};
use assay_core::{Cancel, Data, Door, EngineSettings, Reply, Service, Settings};
use tokio::runtime::Runtime;

use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::{output, settings};

/// The data file within its folder.
const DATA_FILE: &str = "assay.db";

/// A service that keeps nothing: its store ends with the process and no file is written.
pub(crate) fn in_memory() -> Result<Arc<Service>, Failure> {
    // A command asks one thing after the other, so more solver threads would only be waited for.
    let engine = EngineSettings { workers: 1, ..settings::engine()? };
    open(Settings { engine, ..Settings::default() })
}

/// A service whose store is the data file of `folder`, for the operator at this machine.
pub(crate) fn of_operator(folder: &Path) -> Result<Arc<Service>, Failure> {
    in_folder(folder, settings::service()?)
}

/// A service whose store is the data file of `folder`.
pub(crate) fn in_folder(folder: &Path, settings: Settings) -> Result<Arc<Service>, Failure> {
    let (data, audit) = (Data::File(data_file(folder)), settings::audit(folder));
    Service::open(Settings { data, audit, ..settings }).map_err(|error| {
        if error.is_of_registry() {
            return Failure::usage(error.to_string())
                .help("`assay tool check` looks at a registry without serving it");
        }
        let folder = folder.display();
        Failure::unavailable(error.to_string())
            .help(format!("the data folder is `{folder}`; choose another with `--data`"))
    })
}

/// The data file of `folder`.
pub(crate) fn data_file(folder: &Path) -> PathBuf {
    folder.join(DATA_FILE)
}

/// The threads that doors run on. Even on one core there are two, so that a door still reads
/// while an answer that took microseconds is written on the other.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(cores.max(2)).enable_all().build().map_err(|error| {
        Failure::unavailable(format!("the process cannot start its threads: {error}"))
    })
}

/// A service with these settings.
pub(crate) fn open(settings: Settings) -> Result<Arc<Service>, Failure> {
    Service::open(settings).map_err(|error| Failure::unavailable(error.to_string()))
}

/// Calls a tool on this thread.
pub(crate) fn call(
    service: &Arc<Service>,
    tool: &str,
    arguments: impl FnOnce(&mut Object<'_>),
) -> Reply {
    let bytes = canonical::to_bytes(|value| value.object(arguments));
    call_raw(service, tool, &String::from_utf8_lossy(&bytes))
}

/// As [`call`], with arguments that are JSON text already.
pub(crate) fn call_raw(service: &Arc<Service>, tool: &str, arguments: &str) -> Reply {
    match service.local(Door::CommandLine) {
        Ok(caller) => service.call(&caller, tool, arguments, &Cancel::new()),
        Err(refusal) => refusal,
    }
}

/// Prints a payload, byte for byte.
pub(crate) fn payload(reply: &Reply) -> Outcome {
    output::payload(&reply.body)?;
    Ok(if reply.failure.is_some() { Exit::Refused } else { Exit::Ran })
}
