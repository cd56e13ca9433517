//! `assay serve`: MCP and REST over HTTP, on one port of this machine.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assay_core::{Service, Settings};
use axum::Router;
use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::server::Limits;
use crate::settings::governed;
use crate::show::text::visible;
use crate::{doors, output, server, service, settings};

/// How long running calls may take to finish once the process was asked to stop.
const GRACE: Duration = Duration::from_secs(10);
/// Connections that may wait to be accepted.
const BACKLOG: u32 = 1024;

const AFTER_HELP: &str = "\
An interrupt or a termination signal lets running calls finish, for ten seconds at most.

Examples:
  assay serve
  assay serve --http 0.0.0.0:8725 --token-file /run/secrets/assay
  assay serve --profile public
  assay serve --profile practice --registry ./registry --skill practice-desk@1.0
  assay serve --http 127.0.0.1:0 --data ./data";

/// The arguments of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The address and port to listen on; port 0 takes a free one [default: 127.0.0.1:8725]
    #[arg(long, value_name = "ADDR")]
    http: Option<String>,
    /// The folder of the data file [default: the platform's data folder]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// What is served: a profile that ships, or the file of one [default: rules]
    #[arg(long, value_name = "NAME|FILE")]
    profile: Option<String>,
    /// A file with the token that makes its bearer the owner [default: no token]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    #[command(flatten)]
    governed: governed::Flags,
}

/// Serves until a signal ends it.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let profile = settings::profile(arguments.profile.as_deref())?;
    let settings = arguments.governed.serving(profile)?;
    let access = settings::access(arguments.token_file.as_ref())?;
    let address = address(&settings::http(arguments.http.as_deref()), access.required)?;
    let hosts = settings::hosts()?;
    let folder = settings::data_file::folder(arguments.data.as_ref())?;
    let runtime = service::runtime()?;
    // The port is taken first: another server that runs is found before its data is opened.
    let listener = runtime.block_on(async { listen(address) })?;
    let address = listener.local_addr().unwrap_or(address);
    let page = settings.page.clone().or_else(|| Some(page(address)));
    let service = service::in_folder(&folder, Settings { access, page, ..settings })?;
    // Whoever swapped the head of the instructions hears at once where it is not used.
    let _ = service.instructions();
    // Whoever reads the launch line may stop the process gracefully from then on.
    let signals = runtime.block_on(async { Signals::new() })?;
    output::notice(&launch_line(&service, address, &service::data_file(&folder)));
    let router = doors::router(&service, address.ip(), &hosts);
    let outcome = runtime.block_on(serve(listener, router, signals));
    // A call that outlives the grace period does not hold up the end.
    runtime.shutdown_background();
    outcome
}

/// What is served, where, and with what.
fn launch_line(service: &Service, address: SocketAddr, data: &Path) -> String {
    let registry = service.registry_in_force().map(|(id, count)| {
        let noun = if count == 1 { "tool" } else { "tools" };
        format!(", the registry {id} with {count} {noun}")
    });
    format!(
        "assay {} serves http://{address} with the profile {}{} and the data file {}: {}",
        env!("CARGO_PKG_VERSION"),
        service.profile().name(),
        registry.unwrap_or_default(),
        visible(&data.display().to_string()),
        doors::ROUTES,
    )
}

/// Where people find the pages of a server that has no public address. One that listens on every
/// address of the machine has no single one, and links begin with their path.
fn page(address: SocketAddr) -> String {
    if address.ip().is_unspecified() { String::new() } else { format!("http://{address}") }
}

/// The address that `written` names. Where nobody needs a credential it is one of this machine.
fn address(written: &str, needs_credentials: bool) -> Result<SocketAddr, Failure> {
    let numeric = written.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let parsed: Result<SocketAddr, _> = numeric.as_deref().unwrap_or(written).parse();
    match parsed {
        Ok(address) if address.ip().is_loopback() || needs_credentials => Ok(address),
        Ok(_) => Err(Failure::usage(format!("`{written}` is reachable from other machines")).help(
            "serve on 127.0.0.1, [::1] or localhost, or ask for credentials: name a file with a \
             token by `--token-file`",
        )),
        Err(_) => Err(Failure::usage(format!("`{written}` is no address with a port"))
            .help("write it as `127.0.0.1:8725`, `[::1]:8725` or `localhost:8725`")),
    }
}

fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    let bound = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        // A server that was just stopped leaves its port unusable for a minute otherwise.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    bound().map_err(|error: io::Error| {
        let failure = Failure::unavailable(format!("`{address}` cannot be served: {error}"));
        match error.kind() {
            io::ErrorKind::AddrInUse => failure.help(
                "another process has the port: stop it, or choose another with `--http`; port 0 \
                 takes a free one",
            ),
            _ => failure,
        }
    })
}

async fn serve(listener: TcpListener, router: Router, mut signals: Signals) -> Outcome {
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = server::serve(listener, router, Limits::DEFAULT, async {
        let _ = stopped.await;
    });
    let mut serving = tokio::spawn(serving);
    tokio::select! {
        ended = &mut serving => return served(ended),
        () = signals.next() => {}
    }
    let _ = stop.send(());
    tokio::select! {
        ended = &mut serving => served(ended),
        () = tokio::time::sleep(GRACE) => {
            output::notice("assay stops with calls still running");
            Ok(Exit::Ran)
        }
        () = signals.next() => Ok(Exit::Ran),
    }
}

fn served(ended: Result<(), tokio::task::JoinError>) -> Outcome {
    match ended {
        Ok(()) => Ok(Exit::Ran),
        Err(error) => Err(Failure::unavailable(format!("serving failed: {error}"))),
    }
}

/// The signals that ask the process to stop. None is lost between two waits.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn new() -> Result<Self, Failure> {
        let listen = |kind| {
            signal(kind).map_err(|error| {
                Failure::unavailable(format!("the process cannot hear signals: {error}"))
            })
        };
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{address, page};

    #[test]
    fn links_lead_to_where_people_find_the_server() {
        for (listening, expected) in [
            ("127.0.0.1:8725", "http://127.0.0.1:8725"),
            ("[::1]:80", "http://[::1]:80"),
            ("0.0.0.0:8725", ""),
        ] {
            assert_eq!(page(listening.parse().unwrap()), expected);
        }
    }

    #[test]
    fn only_this_machine_is_served_without_credentials() {
        for (written, parsed) in [
            ("127.0.0.1:8725", "127.0.0.1:8725"),
            ("localhost:0", "127.0.0.1:0"),
            ("[::1]:80", "[::1]:80"),
            ("127.1.2.3:1", "127.1.2.3:1"),
        ] {
            for needs in [false, true] {
                let found = address(written, needs).map(|it| it.to_string());
                assert_eq!(found, Ok(parsed.to_owned()));
            }
        }
        for written in ["0.0.0.0:8725", "[::]:8725", "192.168.0.1:1"] {
            assert!(address(written, false).is_err(), "{written}");
            assert!(address(written, true).is_ok(), "{written}");
        }
        for written in ["8725", "localhost", "x:1", "", ":1"] {
            assert!(address(written, true).is_err(), "{written}");
        }
    }
}
