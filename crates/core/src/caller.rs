//! Who calls, and through which door.

use std::sync::Arc;

use assay_audit::{Actor, Context, Scope};
use assay_base::Timestamp;
use assay_dsail::units::Library;
use assay_registry::Scopes;
use assay_registry::gate::snapshot::SkillName;
use assay_store::{PersonId, Workspace};

use crate::origin::Origin;
use crate::switches::Stops;
use crate::tally::Counts;

/// The way in which a call arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Door {
    /// The command line.
    CommandLine,
    /// The Model Context Protocol, over any transport.
    Mcp,
    /// Plain HTTP.
    Rest,
}

/// What a request carries to show who sent it. Either place may hold any kind of credential.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Credentials<'a> {
    /// The token of `Authorization: Bearer`.
    pub bearer: Option<&'a str>,
    /// The value of `x-jaxon-credential`.
    pub key: Option<&'a str>,
}

/// The facts of one call that its arguments do not hold. Only a service makes one, from
/// credentials that it has checked.
#[derive(Debug, Clone)]
pub struct Caller {
    pub(crate) door: Door,
    pub(crate) session: Arc<Session>,
    pub(crate) origin: Arc<Origin>,
}

impl Caller {
    /// The caller with what the door knows of where the call came from.
    #[must_use]
    pub fn coming_from(self, origin: Origin) -> Self {
        Self { origin: Arc::new(origin), ..self }
    }

    /// Where the call came from.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The way in which the call arrived.
    #[must_use]
    pub const fn door(&self) -> Door {
        self.door
    }
}

/// What shows who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grade {
    /// Nothing: the caller is on the owner's machine.
    None,
    /// The token of the installation.
    Instance,
    /// The session of a person.
    Person,
    /// A key of a workspace.
    Full,
}

impl Grade {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Instance => "instance",
            Self::Person => "person",
            Self::Full => "full",
        }
    }
}

/// What governed tools know of a caller. All of it comes from the credential and from what the
/// operator set, and nothing from the call.
#[derive(Debug, Clone, Default)]
pub(crate) struct Standing {
    /// The address of the credential, or what stands for one on the owner's machine.
    pub(crate) id: String,
    /// The name of the person for others.
    pub(crate) subject: String,
    /// The roles of the practice that the person has in the workspace.
    pub(crate) roles: Vec<String>,
    /// When the person signed in; none for a program, and for whoever is only at the machine.
    pub(crate) signed_in_at: Option<Timestamp>,
    /// The skill that the credential was issued for.
    pub(crate) own_skill: Option<SkillName>,
    /// The skill that works with it: its own, else the one that the operator bound everybody to.
    pub(crate) skill: Option<SkillName>,
    /// The matter that the work is about.
    pub(crate) matter: Option<String>,
}

impl Standing {
    /// The skill that binds the product's own tools. People who signed in are themselves there,
    /// unless their session was opened for a skill.
    pub(crate) fn binding_skill(&self) -> Option<&SkillName> {
        if self.signed_in_at.is_some() { self.own_skill.as_ref() } else { self.skill.as_ref() }
    }
}

/// Who calls and what that opens, resolved once and shared by the calls that follow.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) person: PersonId,
    pub(crate) workspace: Workspace,
    /// The standards with the converters of the workspace.
    pub(crate) library: Arc<Library>,
    pub(crate) scopes: Scopes,
    pub(crate) grade: Grade,
    pub(crate) expires_at: Option<Timestamp>,
    /// What governed tools know of the caller.
    pub(crate) standing: Standing,
    /// The calls of the product's own tools that are not written down yet.
    pub(crate) counts: Arc<Counts>,
    /// What is stopped in an emergency.
    pub(crate) stops: Arc<Stops>,
    /// The state of the store that this was read from.
    pub(crate) generation: u64,
}

/// Who calls, as it stands in the log.
#[derive(Debug, Default)]
pub(crate) struct By {
    pub(crate) actor: Actor,
    pub(crate) context: Context,
    pub(crate) scope: Scope,
}

impl Session {
    /// Who calls from there, for the log. Nobody can be trusted to say which model asked, so nothing
    /// says it.
    pub(crate) fn by(&self, origin: &Origin) -> By {
        let (standing, organisation) = (&self.standing, &self.workspace.address);
        let kind = match standing.signed_in_at {
            Some(_) => "user",
            None if self.is_person() => "machine",
            None => "service",
        };
        By {
            actor: Actor {
                ip_address: origin.ip_address(),
                principal_kind: Some(kind.to_owned()),
                role: Some(standing.roles.join(" ")),
                session_id: Some(standing.id.clone()),
                user_agent: origin.user_agent(),
                user_id: Some(standing.subject.clone()),
            },
            context: Context {
                model_id: None,
                request_id: origin.request_id(),
                skill_id: standing.skill.as_ref().map(|it| it.skill.clone()),
                skill_version: standing.skill.as_ref().map(|it| it.version.clone()),
                trace_id: origin.trace_id(),
            },
            scope: Scope {
                environment: None,
                matter_id: standing.matter.clone(),
                org_id: Some(organisation.clone()),
                workspace_id: Some(organisation.clone()),
            },
        }
    }

    /// Whether a person calls, and not a program with a key.
    pub(crate) fn is_person(&self) -> bool {
        self.grade != Grade::Full
    }
}
