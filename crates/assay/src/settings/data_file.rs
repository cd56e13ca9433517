//! Where the data file lies, and what every command takes that works on it.

use std::path::PathBuf;

use directories::ProjectDirs;

use super::{Setting, variable};
use crate::failure::Failure;

/// The folder of the data file.
pub(super) const DATA: Setting = Setting {
    variable: "ASSAY_DATA",
    flag: "--data DIR",
    default: "the data folder of the platform",
    meaning: "The folder of the data file, assay.db. It is created where it is missing.",
};

/// Flags that stand before or behind the name of what is to be done.
#[derive(Debug, clap::Args)]
pub(crate) struct Flags {
    /// The folder of the data file [default: the platform's data folder]
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
    /// Print canonical JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

impl Flags {
    /// The folder of the data file.
    ///
    /// # Errors
    /// A line for whoever called, where there is none.
    pub(crate) fn folder(&self) -> Result<PathBuf, Failure> {
        folder(self.data.as_ref())
    }
}

/// The folder that holds the data file: the flag, else the variable, else the platform's.
///
/// # Errors
/// A line for whoever called, where there is none.
pub(crate) fn folder(flag: Option<&PathBuf>) -> Result<PathBuf, Failure> {
    let given = flag.cloned().or_else(|| variable(&DATA).map(PathBuf::from));
    let folder = given.or_else(|| {
        ProjectDirs::from("", "", "assay").map(|folders| folders.data_dir().to_owned())
    });
    folder.filter(|it| !it.as_os_str().is_empty()).ok_or_else(|| {
        Failure::usage("there is no folder for the data")
            .help(format!("name one with `--data DIR` or `{}`", DATA.variable))
    })
}
