//! What the store does not do, because a rule of what it keeps forbids it.

use std::fmt;

use assay_base::RulesetHash;
use assay_base::json::printable;

/// Why a write, or a read that names something, was refused. Nothing was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A revision names a parent that is not stored in the workspace.
    UnknownParent {
        /// The address that leads nowhere.
        parent: RulesetHash,
    },
    /// The workspace holds no such revision.
    UnknownRevision {
        /// The address that leads nowhere.
        hash: RulesetHash,
    },
    /// The workspace knows no ruleset of this name.
    UnknownName {
        /// The name.
        name: String,
    },
    /// The name is in use where it was to be new.
    NameTaken {
        /// The name.
        name: String,
    },
    /// No workspace of the person is called so.
    UnknownWorkspace {
        /// The name or address that was given.
        workspace: String,
    },
    /// Several workspaces of the person bear the name.
    AmbiguousWorkspace {
        /// The name.
        name: String,
        /// The addresses that tell them apart.
        addresses: Vec<String>,
    },
    /// The person is in no such team.
    UnknownTeam {
        /// The address that was given.
        team: String,
    },
    /// The team has no such member.
    UnknownMember {
        /// The subject that was given.
        member: String,
    },
    /// Nobody has this subject.
    UnknownPerson {
        /// The subject that was given.
        person: String,
    },
    /// Only an administrator of the team may do this.
    NotAdmin,
    /// The team would be left without an administrator.
    LastAdmin,
    /// Nothing of this kind is known under the secret or the address that was given.
    UnknownCredential,
    /// There is no such invitation.
    UnknownInvitation,
    /// The invitation was used before.
    InvitationUsed,
    /// The invitation is no longer valid.
    InvitationExpired,
    /// The invitation was issued for another address.
    InvitationForAnother,
    /// Nothing of this name is stopped.
    UnknownStop,
    /// A stop is not lifted before it has stood for a while.
    StopTooYoung {
        /// How many seconds are left.
        seconds: u32,
    },
    /// Another person has to lift what one person asked to lift.
    SamePerson,
    /// No call waits at the address.
    UnknownRequest,
    /// There is no such finding.
    UnknownEvidence,
    /// One more API key would be too many.
    TooManyKeys {
        /// How many a person may have for one workspace.
        limit: u32,
    },
    /// One more would be too many.
    TooMany {
        /// What there would be too many of, in the plural.
        what: &'static str,
        /// How many there may be.
        limit: u32,
    },
}

impl Refusal {
    /// What the caller does about it.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::UnknownParent { .. } => "store the parent first: a compile of its source does",
            Self::UnknownRevision { .. } => "compile its source in this workspace first",
            Self::UnknownName { .. } => "a list of the saved rulesets has the names",
            Self::NameTaken { .. } => "give another name",
            Self::UnknownWorkspace { .. } => "a list of the workspaces has their names",
            Self::AmbiguousWorkspace { .. } => "give one of the addresses",
            Self::UnknownTeam { .. } => "a list of the workspaces has the teams",
            Self::UnknownMember { .. } => "a list of the members has their subjects",
            Self::UnknownPerson { .. } => "a list of the people has their subjects",
            Self::NotAdmin => "ask an administrator of the team",
            Self::LastAdmin => "make another member an administrator first",
            Self::UnknownCredential => "a list of the keys has their ids",
            Self::UnknownInvitation | Self::InvitationUsed | Self::InvitationExpired => {
                "have an administrator of the team issue a new one"
            }
            Self::InvitationForAnother => "accept it with the address that it was issued for",
            Self::UnknownStop => "the status of the switches has their names",
            Self::StopTooYoung { .. } => "wait, and look at the repair meanwhile",
            Self::SamePerson => "have a second administrator of the practice lift it",
            Self::UnknownRequest | Self::UnknownEvidence => "the list of what waits has the ids",
            Self::TooManyKeys { .. } => "revoke one that is no longer needed",
            Self::TooMany { .. } => "use what is there",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownParent { parent } => write!(out, "the parent `{parent}` is not stored"),
            Self::UnknownRevision { hash } => write!(out, "no ruleset is stored under `{hash}`"),
            Self::UnknownName { name } => {
                write!(out, "no ruleset is saved as `{}`", printable(name))
            }
            Self::NameTaken { name } => {
                write!(out, "the name `{}` is in use there", printable(name))
            }
            Self::UnknownWorkspace { workspace } => {
                write!(out, "no workspace of yours is `{}`", printable(workspace))
            }
            Self::AmbiguousWorkspace { name, addresses } => write!(
                out,
                "several workspaces are called `{}`: `{}`",
                printable(name),
                addresses.join("`, `")
            ),
            Self::UnknownTeam { team } => {
                write!(out, "no team of yours is `{}`", printable(team))
            }
            Self::UnknownMember { member } => {
                write!(out, "the team has no member `{}`", printable(member))
            }
            Self::UnknownPerson { person } => {
                write!(out, "nobody is known as `{}`", printable(person))
            }
            Self::NotAdmin => out.write_str("only an administrator of the team may do this"),
            Self::LastAdmin => out.write_str("the team would be left without an administrator"),
            Self::UnknownCredential => out.write_str("there is no such credential"),
            Self::UnknownInvitation => out.write_str("there is no such invitation"),
            Self::InvitationUsed => out.write_str("the invitation was used before"),
            Self::InvitationExpired => out.write_str("the invitation is no longer valid"),
            Self::InvitationForAnother => {
                out.write_str("the invitation was issued for another address")
            }
            Self::UnknownStop => out.write_str("nothing of this name is stopped"),
            Self::StopTooYoung { seconds } => {
                write!(out, "the stop has to stand for another {seconds} s before it is lifted")
            }
            Self::SamePerson => out.write_str("the same person asked for this before"),
            Self::UnknownRequest => out.write_str("no call waits under this id"),
            Self::UnknownEvidence => out.write_str("there is no such finding"),
            Self::TooManyKeys { limit } => {
                write!(out, "there are {limit} API keys already, which is the limit")
            }
            Self::TooMany { what, limit } => {
                write!(out, "there are {limit} {what} already, which is the limit")
            }
        }
    }
}
