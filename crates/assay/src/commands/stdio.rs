//! `assay stdio`: MCP over standard input and output.

use std::io;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::PathBuf;
use std::time::Duration;

use assay_core::Settings;
use assay_mcp_stdio::Target;
use tokio::io::{stdin, stdout};

use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::settings::governed;
use crate::{service, settings};

/// How long a server on this machine may take to accept a connection.
const PATIENCE: Duration = Duration::from_secs(2);

/// The flags of a process that answers itself.
const SERVING: [&str; 5] = ["data", "profile", "registry", "skill", "stop_file"];

const AFTER_HELP: &str = "\
Messages are JSON-RPC, one on each line. Standard output carries nothing else.

Examples:
  assay stdio
  assay stdio --profile public
  assay stdio --forward http://127.0.0.1:8725";

/// The arguments of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The folder of the data file [default: the platform's data folder]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// What is served: a profile that ships, or the file of one [default: rules]
    #[arg(long, value_name = "NAME|FILE")]
    profile: Option<String>,
    #[command(flatten)]
    governed: governed::Flags,
    /// Pass everything on to a running `assay serve` instead of answering here.
    #[arg(long, value_name = "URL", conflicts_with_all = SERVING)]
    forward: Option<String>,
}

/// Serves until standard input ends and every call is answered.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let runtime = service::runtime()?;
    let outcome = match &arguments.forward {
        Some(url) => {
            let target = known(reachable(url)?)?;
            runtime.block_on(assay_mcp_stdio::forward(target, stdin(), stdout()))
        }
        None => {
            let profile = settings::profile(arguments.profile.as_deref())?;
            let folder = settings::data_file::folder(arguments.data.as_ref())?;
            let session = governed::at_machine();
            let settings = Settings { session, ..arguments.governed.serving(profile)? };
            let service = service::in_folder(&folder, settings)?;
            // Whoever swapped the head of the instructions hears at once where it is not used.
            let _ = service.instructions();
            runtime.block_on(assay_mcp_stdio::serve(service, stdin(), stdout()))
        }
    };
    // The thread that reads standard input may wait for more, and nobody waits for it.
    runtime.shutdown_background();
    match outcome {
        Ok(()) => Ok(Exit::Ran),
        Err(error) => Err(Failure::unavailable(format!("serving failed: {error}"))),
    }
}

/// The target for the caller whose credential is set.
fn known(target: Target) -> Result<Target, Failure> {
    match settings::forward_credential() {
        Some(credential) => target.with_credential(&credential).map_err(Failure::usage),
        None => Ok(target),
    }
}

/// The server at `url`, if it accepts a connection now: a client is better told at once than by
/// its first call.
fn reachable(url: &str) -> Result<Target, Failure> {
    let target = Target::parse(url).map_err(|problem| {
        Failure::usage(problem).help("give the address of an `assay serve` on this machine")
    })?;
    let connect = || {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in target.authority().to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, PATIENCE) {
                Ok(_) => return Ok(()),
                Err(error) => last = error,
            }
        }
        Err(last)
    };
    match connect() {
        Ok(()) => Ok(target),
        Err(error) => Err(Failure::unavailable(format!("nothing answers at `{url}`: {error}"))
            .help("start `assay serve` there, or leave `--forward` out")),
    }
}
