//! What every command takes that works on the data file.

use std::path::PathBuf;

use crate::failure::Failure;

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
        super::data(self.data.as_ref())
    }
}
