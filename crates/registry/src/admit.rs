//! Admission: the one decision whether a caller may call a tool now.
//!
//! It is a pure function of its arguments and denies by default. Listing asks it for every tool,
//! so a list never shows what a call would refuse.

use std::fmt;

use assay_base::Code;
use assay_base::json::printable;

use crate::catalog::Catalog;
use crate::facet::Facet;
use crate::gate::switch::Stopped;
use crate::profile::Profile;
use crate::scope::{Scope, Scopes};
use crate::tool::Tool;

/// What is known about a caller before its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller<'p> {
    /// The profile that the instance was started with.
    pub profile: &'p Profile,
    /// What the caller's credential lets it do.
    pub scopes: Scopes,
    /// What is stopped in an emergency.
    pub stopped: &'p Stopped,
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
    /// The tool exists, and the profile denies what it does to every caller.
    FacetDenied {
        /// The name that was called.
        tool: String,
        /// The facet of the tool.
        facet: Facet,
        /// The reason that the profile gives.
        reason: String,
    },
    /// The tool is served, and was stopped in an emergency.
    Suspended {
        /// The name that was called.
        tool: String,
    },
    /// The tool is served, and the caller is not let do what it does.
    OutOfScope {
        /// The name that was called.
        tool: String,
        /// What the call needs.
        needed: Scope,
    },
}

impl Refusal {
    /// The code on the wire.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::UnknownTool { .. } => Code::UnknownTool,
            Self::FacetDenied { .. } => Code::FacetDenied,
            Self::Suspended { .. } => Code::ToolSuspended,
            Self::OutOfScope { .. } => Code::CredentialScope,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTool { name } => {
                write!(out, "no tool is called `{}`", printable(name))
            }
            Self::FacetDenied { tool, facet, reason } => write!(
                out,
                "the profile denies `{tool}`, whose facet is `{}`: {reason}",
                facet.word()
            ),
            Self::Suspended { tool } => write!(
                out,
                "`{tool}` is stopped at present, and nothing was done; whoever looks after this \
                 installation can say when it is back"
            ),
            Self::OutOfScope { tool, needed: Scope::Account } => write!(
                out,
                "`{tool}` needs the scope `account`, which no key carries; a person's session has \
                 it, once that person is signed in"
            ),
            Self::OutOfScope { tool, needed } => write!(
                out,
                "`{tool}` needs the scope `{}`, which this credential does not carry; the session \
                 of a person who is signed in has it, and so has a key that was issued with it",
                needed.word()
            ),
        }
    }
}

impl std::error::Error for Refusal {}

/// Decides whether `caller` may call the tool of this name: what the profile does not read is not
/// there, what it denies is denied to everybody, what is stopped is stopped for everybody, and the
/// rest is for those who hold the scope.
///
/// # Errors
/// [`Refusal`], which says why not.
pub fn admit<'c>(
    catalog: &'c Catalog,
    name: &str,
    caller: Caller<'_>,
) -> Result<Admitted<'c>, Refusal> {
    let Caller { profile, scopes, stopped } = caller;
    let Some(tool) = catalog.tool(name).filter(|it| profile.has(it)) else {
        return Err(Refusal::UnknownTool { name: name.to_owned() });
    };
    if let Some(reason) = profile.denies(tool.facet) {
        let (tool, facet) = (tool.name.clone(), tool.facet);
        return Err(Refusal::FacetDenied { tool, facet, reason: reason.to_owned() });
    }
    if stopped.holds(&tool.targets) {
        return Err(Refusal::Suspended { tool: tool.name.clone() });
    }
    if !scopes.contains(tool.scope) {
        return Err(Refusal::OutOfScope { tool: tool.name.clone(), needed: tool.scope });
    }
    Ok(Admitted { tool })
}

/// The tools that `caller` may call, in listing order.
pub fn list<'c>(catalog: &'c Catalog, caller: Caller<'_>) -> impl Iterator<Item = Admitted<'c>> {
    catalog.tools().iter().filter_map(move |it| admit(catalog, &it.name, caller).ok())
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::{Caller, Refusal, admit, list};
    use crate::catalog::Catalog;
    use crate::facet::Facet;
    use crate::files::shipped;
    use crate::gate::switch::{Stopped, Target};
    use crate::profile::Profile;
    use crate::scope::{Scope, Scopes};

    static RULES: LazyLock<Profile> = LazyLock::new(Profile::default);
    static NOTHING: LazyLock<Stopped> = LazyLock::new(Stopped::default);

    fn everything() -> Caller<'static> {
        Caller { profile: &RULES, scopes: Scopes::ALL, stopped: &NOTHING }
    }

    #[test]
    fn only_what_is_listed_is_admitted() {
        let catalog = Catalog::load().unwrap();
        let listed: Vec<_> = list(&catalog, everything()).map(|it| &it.tool().name).collect();
        assert_eq!(listed, catalog.tools().iter().map(|it| &it.name).collect::<Vec<_>>());
        for name in ["dsail_Check", "dsail_check ", "", "law_ask", "a\u{202e}\n"] {
            let refusal = admit(&catalog, name, everything()).unwrap_err();
            assert_eq!(refusal, Refusal::UnknownTool { name: name.to_owned() });
        }
        let refusal = admit(&catalog, "a\u{202e}\n", everything()).unwrap_err();
        assert_eq!(refusal.to_string(), "no tool is called `a\\u{202e}\\u{a}`");
        assert_eq!(refusal.code().word(), "UNKNOWN_TOOL");
    }

    /// For every set of scopes, the list holds exactly the tools whose calls are admitted.
    #[test]
    fn a_list_shows_what_the_scopes_admit_and_nothing_else() {
        let catalog = Catalog::load().unwrap();
        for bits in 0_u8..1 << Scope::ALL.len() {
            let held = Scope::ALL.iter().enumerate().filter(|(at, _)| bits & (1 << at) != 0);
            let scopes = held.fold(Scopes::EMPTY, |scopes, (_, scope)| scopes.with(*scope));
            let caller = Caller { scopes, ..everything() };
            let listed: Vec<_> = list(&catalog, caller).map(|it| &it.tool().name).collect();
            for tool in catalog.tools() {
                let admitted = admit(&catalog, &tool.name, caller);
                assert_eq!(admitted.is_ok(), scopes.contains(tool.scope), "{scopes} {}", tool.name);
                assert_eq!(listed.contains(&&tool.name), admitted.is_ok(), "{scopes}");
                if let Err(refusal) = admitted {
                    let expected =
                        Refusal::OutOfScope { tool: tool.name.clone(), needed: tool.scope };
                    assert_eq!(refusal, expected);
                    assert_eq!(refusal.code().word(), "CREDENTIAL_SCOPE");
                }
            }
        }
    }

    #[test]
    fn a_refusal_names_the_tool_the_scope_and_who_has_it() {
        for (needed, mends) in [
            (Scope::Read, ["`t` needs the scope `read`", "person", "key that was issued with it"]),
            (Scope::Account, ["`t` needs the scope `account`", "person", "no key carries"]),
        ] {
            let refusal = Refusal::OutOfScope { tool: "t".to_owned(), needed }.to_string();
            for mend in mends {
                assert!(refusal.contains(mend), "{refusal}");
            }
        }
    }

    /// A tool that needs a package is there where the profile reads it, and unknown elsewhere.
    #[test]
    fn a_tool_without_its_package_is_not_there() {
        let mut files = shipped();
        let record =
            files.tools[1].record.replacen('{', "{\"package\": \"calc-multiple-testing\",", 1);
        files.tools[1].record = &record;
        let catalog = Catalog::from_files(&files).unwrap();
        let profile = |packages: &str| {
            let all: Vec<String> =
                Facet::ALL.iter().map(|it| format!("\"{}\"", it.word())).collect();
            let text = format!(
                "{{\"facets\": {{\"allow\": [{}], \"deny\": {{}}}}, \"rulesets\": true, \
                 \"packages\": [{packages}], \"upstream\": []}}",
                all.join(", ")
            );
            Profile::read("science.json", &text).unwrap()
        };
        for (packages, served) in
            [("", 19), ("\"oss.licences\"", 19), ("\"calc-multiple-testing\"", 20)]
        {
            let profile = &profile(packages);
            let caller = Caller { profile, ..everything() };
            assert_eq!(list(&catalog, caller).count(), served, "{packages}");
            let called = admit(&catalog, "dsail_check", caller).map(|_| ());
            let unknown = Refusal::UnknownTool { name: "dsail_check".to_owned() };
            assert_eq!(called, if served == 20 { Ok(()) } else { Err(unknown) }, "{packages}");
        }
    }

    /// A stop speaks before the scopes and after the profile, for lists as for calls.
    #[test]
    fn what_is_stopped_is_not_there_for_anybody() {
        let catalog = Catalog::load().unwrap();
        for (text, left) in [("everything", 0), ("dsail.*", 0), ("dsail.check", 19), ("law.*", 20)]
        {
            let stopped = &Target::parse(text).into_iter().collect();
            let caller = Caller { stopped, ..everything() };
            assert_eq!(list(&catalog, caller).count(), left, "{text}");
            let nobody = Caller { scopes: Scopes::EMPTY, ..caller };
            let refusal = admit(&catalog, "dsail_check", nobody).unwrap_err();
            let expected = if left < 20 { "TOOL_SUSPENDED" } else { "CREDENTIAL_SCOPE" };
            assert_eq!(refusal.code().word(), expected, "{text}");
        }
    }

    /// For every shipped profile and with no scope as with all: the profile speaks first, and the
    /// list is what calls are admitted for.
    #[test]
    fn the_profile_decides_before_the_scopes() {
        let catalog = Catalog::load().unwrap();
        for (name, served) in
            [("rules", 20), ("all", 20), ("public", 1), ("islam", 0), ("practice", 0)]
        {
            let profile = &Profile::shipped(name).unwrap();
            let caller = Caller { profile, ..everything() };
            assert_eq!(list(&catalog, caller).count(), served, "{name}");
            let nobody = Caller { profile, scopes: Scopes::EMPTY, ..everything() };
            for tool in catalog.tools() {
                let word = admit(&catalog, &tool.name, nobody).unwrap_err().code().word();
                let expected = match (profile.reads(&tool.name), profile.denies(tool.facet)) {
                    (false, _) => "UNKNOWN_TOOL",
                    (true, Some(_)) => "FACET_DENIED",
                    (true, None) => "CREDENTIAL_SCOPE",
                };
                assert_eq!(word, expected, "{name} {}", tool.name);
            }
        }
        let public = &Profile::shipped("public").unwrap();
        let caller = Caller { profile: public, ..everything() };
        let refusal = admit(&catalog, "dsail_compile", caller).unwrap_err();
        let reason = public.denies(Facet::Drafting).unwrap();
        assert_eq!(
            refusal.to_string(),
            format!("the profile denies `dsail_compile`, whose facet is `drafting`: {reason}")
        );
    }
}
