//! `assay audit export`.

use std::path::PathBuf;

use assay_core::{AuditLog, OperatorError};

use super::{Opened, chains, no_chain, unserved};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::{output, settings};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The chain of this organisation alone.
    #[arg(long, value_name = "ORG")]
    org: Option<String>,
    /// Begin with the entry of this number.
    #[arg(long, value_name = "N", default_value_t = 1)]
    from: u64,
    /// End with the entry of this number [default: the last]
    #[arg(long, value_name = "N")]
    to: Option<u64>,
    /// Give what shows that the largest checkpoint covers each entry.
    #[arg(long)]
    proof: bool,
    /// A file with either half of the key that the checkpoint is signed with [default: the one that
    /// the server signs with]
    #[arg(long, value_name = "FILE", requires = "proof")]
    key: Option<PathBuf>,
}

/// Why the printing ends before the entries do.
enum Ended {
    /// The reader has seen enough.
    Enough,
    Failed(Failure),
}

impl From<OperatorError> for Ended {
    fn from(error: OperatorError) -> Self {
        Self::Failed(unserved(error))
    }
}

pub(super) fn run(opened: &Opened, arguments: &Arguments) -> Outcome {
    let key = if arguments.proof {
        let server = settings::audit(&opened.folder).key_file;
        let file = arguments.key.clone().or(server).unwrap_or_default();
        Some(AuditLog::key(&file).map_err(|it| Failure::usage(it.to_string()))?)
    } else {
        None
    };
    let names = chains(opened, arguments.org.as_deref())?;
    if let Some(org) = arguments.org.as_deref().filter(|_| names.is_empty()) {
        return Err(no_chain(org));
    }
    let numbers = arguments.from..=arguments.to.unwrap_or(u64::MAX);
    let mut lines = output::Lines::new();
    for name in names {
        let exported = opened.log.export(&name, numbers.clone(), key.as_ref(), |line| match lines
            .line(line)
        {
            Ok(true) => Ok(()),
            Ok(false) => Err(Ended::Enough),
            Err(failure) => Err(Ended::Failed(failure)),
        });
        match exported {
            Ok(()) => {}
            Err(Ended::Enough) => return Ok(Exit::Ran),
            Err(Ended::Failed(failure)) => return Err(failure),
        }
    }
    lines.end()?;
    Ok(Exit::Ran)
}
