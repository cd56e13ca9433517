//! Admission: the one decision whether a caller may call a tool now.
//!
//! It is a pure function of its arguments and denies by default. Listing asks it for every tool,
//! so a list never shows what a call would refuse.

use std::fmt;

use assay_base::Code;
use assay_base::json::printable;

use crate::catalog::Catalog;
use crate::tool::Tool;

/// Which part of the catalogue an instance serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Profile {
    /// Rulesets, with every facet.
    Rules,
}

/// What is known about a caller before its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The profile of the door that the call came through.
    pub profile: Profile,
}

/// The proof that a call was admitted. Only [`admit`] makes one, and tool functions take it, so
/// that no door can go around the decision.
#[derive(Debug, Clone, Copy)]
pub struct Admitted<'c> {
    tool: &'c Tool,
}

impl<'c> Admitted<'c> {
    /// The tool that may be called.
    #[must_use]
    pub const fn tool(self) -> &'c Tool {
        self.tool
    }
}

/// Why a call was not admitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// No tool of this name is served to the caller.
    UnknownTool {
        /// The name that was called.
        name: String,
    },
}

impl Refusal {
    /// The code on the wire.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::UnknownTool { .. } => Code::UnknownTool,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTool { name } => {
                write!(out, "no tool is called `{}`", printable(name))
            }
        }
    }
}

impl std::error::Error for Refusal {}

/// Decides whether `caller` may call the tool of this name.
///
/// # Errors
/// [`Refusal`], which says why not.
pub fn admit<'c>(
    catalog: &'c Catalog,
    name: &str,
    caller: Caller,
) -> Result<Admitted<'c>, Refusal> {
    let Caller { profile: Profile::Rules } = caller;
    match catalog.tool(name) {
        Some(tool) => Ok(Admitted { tool }),
        None => Err(Refusal::UnknownTool { name: name.to_owned() }),
    }
}

/// The tools that `caller` may call, in listing order.
pub fn list(catalog: &Catalog, caller: Caller) -> impl Iterator<Item = Admitted<'_>> {
    catalog.tools().iter().filter_map(move |it| admit(catalog, &it.name, caller).ok())
}

#[cfg(test)]
mod tests {
    use super::{Caller, Profile, Refusal, admit, list};
    use crate::catalog::Catalog;

    #[test]
    fn only_what_is_listed_is_admitted() {
        let catalog = Catalog::load().unwrap();
        let caller = Caller { profile: Profile::Rules };
        let listed: Vec<_> = list(&catalog, caller).map(|it| it.tool().name.as_str()).collect();
        assert_eq!(listed, ["dsail_compile", "dsail_get_prompt_pack", "dsail_check"]);
        for name in ["dsail_Check", "dsail_check ", "", "law_ask", "a\u{202e}\n"] {
            let refusal = admit(&catalog, name, caller).unwrap_err();
            assert_eq!(refusal, Refusal::UnknownTool { name: name.to_owned() });
        }
        let refusal = admit(&catalog, "a\u{202e}\n", caller).unwrap_err();
        assert_eq!(refusal.to_string(), "no tool is called `a\\u{202e}\\u{a}`");
        assert_eq!(refusal.code().word(), "UNKNOWN_TOOL");
    }
}
