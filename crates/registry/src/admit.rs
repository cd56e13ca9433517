//! Admission: what the gate says to a caller who would call one of the product's own tools now.
//!
//! It is a pure function of its arguments and denies by default. Listing asks it for every tool,
//! so a list never shows what a call would refuse.

use std::fmt;

use assay_base::json::printable;
use assay_base::{CallHash, Code, Timestamp};
use serde_json::Value;

use crate::catalog::Catalog;
use crate::facet::Facet;
use crate::gate;
use crate::gate::approval::Asked;
use crate::gate::decide::{Confirmed, Facts, decide, visible};
use crate::gate::idempotency::State;
use crate::gate::permission::{Holder, PRACTICE};
use crate::gate::prerequisite::{Place, Waiting};
use crate::gate::snapshot::Skill;
use crate::gate::switch::Stopped;
use crate::gate::version::{Range, Stored};
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
    /// What the skill may call that works with the credential. Who has none is bound to nothing.
    pub skill: Option<&'p Skill>,
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

    /// The sentence for a person.
    #[must_use]
    pub const fn sentence(&self) -> &'static str {
        let code = match self {
            Self::UnknownTool { .. } => gate::Code::ToolUnknown,
            Self::FacetDenied { .. } => gate::Code::FacetDenied,
            Self::Suspended { .. } => gate::Code::ToolSuspended,
            Self::OutOfScope { .. } => gate::Code::PermissionDenied,
        };
        code.sentence()
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
/// there, what it denies is denied to everybody, what is stopped is stopped for everybody, what a
/// skill does not list is not there for it, and the rest is for those who hold the scope.
///
/// # Errors
/// [`Refusal`], which says why not.
pub fn admit<'c>(
    catalog: &'c Catalog,
    name: &str,
    caller: Caller<'_>,
) -> Result<Admitted<'c>, Refusal> {
    let tool = catalog.tool(name).filter(|it| caller.profile.has(it));
    let unknown = || Refusal::UnknownTool { name: name.to_owned() };
    let decided = facts(tool, caller, None, |facts| decide(facts).map(|_| ()));
    let tool = tool.ok_or_else(unknown)?;
    match decided.map_err(|(_, refusal)| refusal.code) {
        Ok(()) => Ok(Admitted { tool }),
        Err(code) => Err(words(code, tool, caller.profile)),
    }
}

/// The tools that `caller` may call, in listing order.
pub fn list<'c>(catalog: &'c Catalog, caller: Caller<'_>) -> impl Iterator<Item = &'c Tool> {
    let served = catalog.tools().iter().filter(move |it| caller.profile.has(it));
    served.filter(move |it| facts(Some(it), caller, None, |facts| visible(facts).is_ok()))
}

/// Hands what is known of a call of one of the product's own tools to `ask`, in the form in which
/// the gate takes it. Their functions read the arguments themselves; whoever only asks has them held
/// to the schema.
pub fn facts<T>(
    tool: Option<&Tool>,
    caller: Caller<'_>,
    arguments: Option<&Value>,
    ask: impl FnOnce(&Facts<'_>) -> T,
) -> T {
    let every = Range::default();
    let record = tool.map(|it| &*it.record);
    let version = record.map(Stored::from);
    let id = record.map(|it| &it.tool_id);
    let validator =
        arguments.zip(tool).and_then(|(_, it)| jsonschema::validator_for(it.input_schema()).ok());
    ask(&Facts {
        session_is_valid: true,
        tool: record.map(|it| (it, validator.as_ref())),
        denied_facet: tool
            .filter(|it| caller.profile.denies(it.facet).is_some())
            .map(|it| it.facet.word()),
        is_killed: tool.is_some_and(|it| caller.stopped.holds(&it.targets)),
        versions: version.as_slice(),
        bound: match caller.skill {
            Some(skill) => id.and_then(|it| skill.permitted.get(it)),
            None => Some(&every),
        },
        holder: Holder {
            grants: &PRACTICE,
            roles: &[],
            is_person: false,
            signed_in_at: Timestamp::from_seconds(0),
            scopes: caller.scopes,
            token: None,
            skill: None,
        },
        matter: None,
        owner: &|_, _| None,
        arguments: arguments.unwrap_or(&Value::Null),
        state: &State::None,
        evidence: &[],
        waiting: Waiting { place: NOWHERE, subject: None, received_at: 0 },
        given: &[],
        asked: Asked { person: "", roles: &[], call: CallHash::from_bytes([0; 32]), now: 0 },
        confirmed: Confirmed::Unavailable,
        rate: &|_| Ok(()),
    })
}

/// Own records name nothing that is looked for somewhere: who calls is known by what the store
/// keeps under the caller's workspace.
const NOWHERE: Place<'static> = Place { organisation: "", matter: None, session: "" };

/// A refusal of the gate in the words of the product's own tools. What a skill does not list is
/// unknown to it.
fn words(code: gate::Code, tool: &Tool, profile: &Profile) -> Refusal {
    let name = tool.name.clone();
    match code {
        gate::Code::FacetDenied => {
            let reason = profile.denies(tool.facet).unwrap_or_default().to_owned();
            Refusal::FacetDenied { tool: name, facet: tool.facet, reason }
        }
        gate::Code::ToolSuspended => Refusal::Suspended { tool: name },
        gate::Code::PermissionDenied => Refusal::OutOfScope { tool: name, needed: tool.scope },
        _ => Refusal::UnknownTool { name },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::LazyLock;

    use super::{Caller, Refusal, admit, list};
    use crate::catalog::Catalog;
    use crate::facet::Facet;
    use crate::files::shipped;
    use crate::gate::record::ToolId;
    use crate::gate::snapshot::Skill;
    use crate::gate::switch::{Stopped, Target};
    use crate::gate::version::Range;
    use crate::profile::Profile;
    use crate::scope::{Scope, Scopes};

    static RULES: LazyLock<Profile> = LazyLock::new(Profile::default);
    static NOTHING: LazyLock<Stopped> = LazyLock::new(Stopped::default);

    fn everything() -> Caller<'static> {
        Caller { profile: &RULES, scopes: Scopes::ALL, stopped: &NOTHING, skill: None }
    }

    #[test]
    fn only_what_is_listed_is_admitted() {
        let catalog = Catalog::load().unwrap();
        let listed: Vec<_> = list(&catalog, everything()).map(|it| &it.name).collect();
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
            let listed: Vec<_> = list(&catalog, caller).map(|it| &it.name).collect();
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

    /// Who works as a skill may call what the skill lists, in the versions that it takes; the rest
    /// is unknown to it, as what there is not.
    #[test]
    fn a_skill_is_bound_to_what_it_lists() {
        let catalog = Catalog::load().unwrap();
        for (tool, range, served) in [
            ("dsail.check", ">=1", 1),
            ("dsail.check", ">=1.1", 0),
            ("dsail.check:v2", ">=1", 0),
            ("efirm.matter-db.create-matter", ">=1", 0),
        ] {
            let listed = (ToolId::parse(tool).unwrap(), Range::parse(range).unwrap());
            let skill = Skill { permitted: BTreeMap::from([listed]), permissions: Some(vec![]) };
            let caller = Caller { skill: Some(&skill), ..everything() };
            assert_eq!(list(&catalog, caller).count(), served, "{tool} {range}");
            assert_eq!(
                admit(&catalog, "dsail_check", caller).is_ok(),
                served == 1,
                "{tool} {range}"
            );
            let refusal = admit(&catalog, "dsail_save_ruleset", caller).unwrap_err();
            assert_eq!(refusal, Refusal::UnknownTool { name: "dsail_save_ruleset".to_owned() });
        }
        let nothing = Caller { skill: Some(Skill::NOTHING), ..everything() };
        assert_eq!(list(&catalog, nothing).count(), 0);
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
