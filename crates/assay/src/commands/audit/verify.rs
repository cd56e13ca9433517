//! `assay audit verify`.

use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use assay_base::canonical::{Object, to_bytes};
use assay_core::{AuditLog, FindingKind, OperatorError, Verified};

use super::{Opened, chains, no_chain, unserved};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::show::table::{Cell, Table};
use crate::{output, settings};

/// Entries of a chain from which on it is shown how far the reading is.
const LONG: u64 = 10_000;
/// Findings of a chain that a person is shown.
const SHOWN: usize = 20;
/// Columns of the bar.
const BAR: u64 = 30;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The chain of this organisation alone.
    #[arg(long, value_name = "ORG")]
    org: Option<String>,
    /// A folder with copies of checkpoints, which count as those of the data file do [default: the
    /// one that the server writes to]
    #[arg(long, value_name = "DIR")]
    checkpoints: Option<PathBuf>,
    /// A file with either half of the key [default: the one that the server signs with]
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

/// One chain, and what came of it.
struct Chain {
    name: String,
    verified: Verified,
}

pub(super) fn run(opened: &Opened, arguments: &Arguments, as_json: bool) -> Outcome {
    let unusable = |error: OperatorError| Failure::usage(error.to_string());
    let server = settings::audit(&opened.folder);
    let key = arguments.key.clone().or(server.key_file).unwrap_or_default();
    let key = AuditLog::key(&key)
        .map_err(|it| unusable(it).help("name a file with either half of the key by `--key`"))?;
    let folder = arguments.checkpoints.clone().or(server.checkpoints);
    let copies = folder.as_deref().map(AuditLog::copies).transpose().map_err(unusable)?;
    let copies = copies.unwrap_or_default();
    let org = arguments.org.as_deref();
    let mut names = chains(opened, org)?;
    names.extend(copies.keys().filter(|it| org.is_none_or(|org| org == *it)).cloned());
    names.sort();
    names.dedup();
    if let Some(org) = org.filter(|_| names.is_empty()) {
        return Err(no_chain(org));
    }
    let sizes = opened.log.chains().map_err(unserved)?;
    let mut found = Vec::new();
    for name in names {
        let size = sizes.iter().find(|it| it.name == name).map_or(0, |it| it.size);
        let verified = opened.log.verify(&name, &key, &copies, |read| progress(&name, read, size));
        output::progress("");
        found.push(Chain { name, verified: verified.map_err(unserved)? });
    }
    if as_json {
        output::payload(&payload(&found))?
    } else {
        page(&found)?
    }
    let intact = found.iter().all(|it| it.verified.report.is_intact());
    Ok(if intact { Exit::Ran } else { Exit::Faulty })
}

fn progress(name: &str, read: u64, size: u64) {
    if size < LONG {
        return;
    }
    let done = read.saturating_mul(BAR).checked_div(size).unwrap_or(BAR).min(BAR);
    let bar = |count: u64, sign: &str| sign.repeat(usize::try_from(count).unwrap_or_default());
    let bar = format!("{}{}", bar(done, "#"), bar(BAR - done, "."));
    output::progress(&format!("{bar} {read} of {size} entries of {name}"));
}

fn page(found: &[Chain]) -> Result<(), Failure> {
    if found.is_empty() {
        return output::page("the log is empty\n");
    }
    let mut table = Table::with_heading(["chain", "entries", "agreeing checkpoint", "found"]);
    for Chain { name, verified } in found {
        let signed = match &verified.last {
            Some(it) => format!("{} entries, {}", it.size, it.at),
            None => "none".to_owned(),
        };
        table.row([
            Cell::from(name),
            Cell::from(verified.report.entries.to_string()),
            Cell::from(signed),
            findings(verified),
        ]);
    }
    output::page(&table.render(output::columns()))
}

/// Faults in their words, or that there is none; and from where on nothing is signed yet.
fn findings(verified: &Verified) -> Cell {
    let report = &verified.report;
    let fault = AnsiColor::Red.on_default().bold();
    let mut cell = Cell::default();
    if report.is_intact() {
        cell = cell.and("OK", AnsiColor::Green.on_default().bold());
    }
    let faults = || report.findings.iter().filter(|it| it.kind.is_fault());
    for finding in faults().take(SHOWN) {
        cell = cell.and(&finding.to_string(), fault);
    }
    let more = faults().count().saturating_sub(SHOWN);
    if more > 0 {
        cell = cell.and(&format!("and {more} more"), fault);
    }
    let unsigned = report.findings.iter().find(|it| it.kind == FindingKind::UnsignedRegion);
    match unsigned {
        Some(it) => cell.and(&format!("not signed from {} on", it.sequence), Style::new()),
        None => cell,
    }
}

fn payload(found: &[Chain]) -> Vec<u8> {
    to_bytes(|slot| {
        slot.object(|object| {
            object.key("chains").array(|array| {
                found.iter().for_each(|it| array.item().object(|object| write(object, it)));
            });
            object.key("ok").boolean(found.iter().all(|it| it.verified.report.is_intact()));
        });
    })
}

fn write(object: &mut Object<'_>, Chain { name, verified: Verified { report, last } }: &Chain) {
    object.key("chain").string(name);
    object.key("entries").integer(report.entries);
    object.key("findings").array(|array| {
        for finding in &report.findings {
            array.item().object(|object| {
                object.key("fault").boolean(finding.kind.is_fault());
                object.key("kind").string(finding.kind.words());
                object.key("sequence").integer(finding.sequence);
            });
        }
    });
    let checkpoint = object.key("last_checkpoint");
    match last {
        None => checkpoint.null(),
        Some(last) => checkpoint.object(|object| {
            object.key("at").display(last.at);
            object.key("root").display(last.root);
            object.key("size").integer(last.size);
        }),
    }
    object.key("ok").boolean(report.is_intact());
}
