//! The peers, each with the rules of one [`crate::policy::Policy`] made ready once.
//!
//! `holding` evaluates every rule for the facts that were given beforehand and counts those that
//! hold. `answer` takes facts as JSON and gives which rules hold as JSON.

mod cedar;
mod cel;
mod rego;
mod rmcp_bare;
mod z3_direct;
mod zen;

use serde::ser::{SerializeMap as _, Serializer as _};

use crate::failure::Failure;

pub(crate) use cedar::Cedar;
pub(crate) use cel::Cel;
pub(crate) use rego::{Rego, RegoMachine};
pub(crate) use rmcp_bare::BareTool;
pub(crate) use z3_direct::{Arrangement, Direct, Query, Window};
pub(crate) use zen::Zen;

/// The verdicts as a JSON object, written by serde_json straight into bytes.
fn write_verdicts<'n>(
    verdicts: impl IntoIterator<Item = (&'n str, bool)>,
) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::with_capacity(256);
    let mut serializer = serde_json::Serializer::new(&mut bytes);
    let mut map = serializer.serialize_map(None)?;
    for (name, holds) in verdicts {
        map.serialize_entry(name, &holds)?;
    }
    map.end()?;
    Ok(bytes)
}
