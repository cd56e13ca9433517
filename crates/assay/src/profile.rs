//! The profile that a flag or a variable names.

use std::path::Path;

use assay_core::{Profile, ProfileFault};

use crate::failure::Failure;

/// The profile `named`: one that the program carries, or a file, which has a folder or an ending
/// in its name.
pub(crate) fn named(named: &str) -> Result<Result<Profile, Vec<ProfileFault>>, Failure> {
    let path = Path::new(named);
    if path.extension().is_none() && path.components().count() == 1 {
        return Ok(Profile::shipped(named));
    }
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::usage(format!("the profile `{named}` cannot be read: {error}"))
            .help("name a profile that ships, such as `rules`, or a text file with one")
    })?;
    Ok(Profile::read(named, &text))
}

/// As [`named`], where only a sound profile is of use.
pub(crate) fn sound(name: &str) -> Result<Profile, Failure> {
    named(name)?.map_err(|faults| Failure::usage(lines(&faults)))
}

/// Every fault, each on its line.
pub(crate) fn lines(faults: &[ProfileFault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
