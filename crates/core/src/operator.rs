//! What the operator of an installation does at its machine: keys, people and their sessions.

use std::fmt;

use assay_base::Timestamp;
use assay_base::json::printable;
use assay_registry::Scopes;
use assay_registry::gate::snapshot::SkillName;
use assay_store::{Bound, ListedKey, NewCredential, Person, PersonId, Refusal, WorkspaceId};

use crate::failure::Failure;
use crate::invitations::{ADDRESS, SECRET};
use crate::names::{MAX_KEY_LABEL, one_line};
use crate::service::Service;
use crate::sessions::digest;

/// What a key begins with.
const KEY_PREFIX: &str = "assay_key_";

/// A key that is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyRequest {
    /// What it is for.
    pub label: Option<String>,
    /// What it may do.
    pub scopes: Scopes,
    /// For how many days it is valid; for ever where none is given.
    pub days: Option<u32>,
    /// The skill that works with it, as `name@version`.
    pub skill: Option<String>,
    /// The matter that the work is about.
    pub matter: Option<String>,
}

/// A key that was issued. Its secret is kept nowhere else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuedKey {
    /// What is sent as the credential.
    pub secret: String,
    /// The address by which the key is listed and revoked.
    pub address: String,
    /// The address of its workspace.
    pub workspace: String,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

/// Why an operator's command was refused: one line with what mends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorError(pub(crate) String);

impl fmt::Display for OperatorError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for OperatorError {}

impl From<Failure> for OperatorError {
    fn from(failure: Failure) -> Self {
        Self(failure.message())
    }
}

impl Service {
    /// Issues a key of the owner for the workspace that `named` means, or for the one in use.
    ///
    /// # Errors
    /// [`OperatorError`] says what is wrong and what mends it.
    pub fn issue_key(
        &self,
        named: Option<&str>,
        request: &KeyRequest,
    ) -> Result<IssuedKey, OperatorError> {
        let issue = || {
            request.label.as_deref().map_or(Ok(()), |it| one_line("label", it, MAX_KEY_LABEL))?;
            request.matter.as_deref().map_or(Ok(()), |it| one_line("matter", it, MAX_KEY_LABEL))?;
            let skill = request.skill.as_deref().filter(|it| SkillName::parse(it).is_none());
            if let Some(skill) = skill {
                let skill = printable(skill);
                let message = format!("`{skill}` is no skill: write it as `name@version`");
                return Err(Failure::bad_request(message));
            }
            let workspace = match named {
                Some(named) => self.store.workspace(PersonId::OWNER, named)?,
                None => self.store.current_workspace(PersonId::OWNER)?,
            };
            let key = self.issue(PersonId::OWNER, workspace.id, request)?;
            Ok(IssuedKey { workspace: workspace.address, ..key })
        };
        issue().map_err(|it: Failure| it.into())
    }

    /// Every key that was ever issued, oldest first.
    ///
    /// # Errors
    /// As [`Service::issue_key`].
    pub fn keys(&self) -> Result<Vec<ListedKey>, OperatorError> {
        self.store.keys().map_err(|it| Failure::from(it).into())
    }

    /// Ends a key or a session for good.
    ///
    /// # Errors
    /// As [`Service::issue_key`].
    pub fn revoke_key(&self, address: &str) -> Result<(), OperatorError> {
        self.store.revoke(address, self.now()).map_err(|it| Failure::from(it).into())
    }

    /// Everyone whom the installation knows.
    ///
    /// # Errors
    /// As [`Service::issue_key`].
    pub fn people(&self) -> Result<Vec<Person>, OperatorError> {
        self.store.people().map_err(|it| Failure::from(it).into())
    }

    /// A new session for a person, whose token is returned and kept nowhere.
    ///
    /// # Errors
    /// As [`Service::issue_key`].
    pub fn session_for(&self, subject: &str) -> Result<String, OperatorError> {
        let open = || {
            let unknown = || Failure::rule(Refusal::UnknownPerson { person: subject.to_owned() });
            let person = self.store.person(subject)?.ok_or_else(unknown)?;
            self.open_session(person.id)
        };
        open().map_err(|it: Failure| it.into())
    }

    /// Issues a key; its workspace's address is for the caller to fill in.
    pub(crate) fn issue(
        &self,
        person: PersonId,
        workspace: WorkspaceId,
        request: &KeyRequest,
    ) -> Result<IssuedKey, Failure> {
        let secret = format!("{KEY_PREFIX}{}", self.chance(SECRET)?);
        let address = format!("key-{}", self.chance(ADDRESS)?);
        let now = self.now();
        let expires_at = request.days.map(|it| now.after_days(it));
        self.store.put_credential(&NewCredential {
            digest: digest(&secret),
            address: &address,
            person,
            workspace: Some(workspace),
            label: request.label.as_deref(),
            scopes: &request.scopes.to_string(),
            bound: Bound { skill: request.skill.clone(), matter: request.matter.clone() },
            issued_at: now,
            expires_at,
        })?;
        Ok(IssuedKey { secret, address, workspace: String::new(), expires_at })
    }

    /// This many random lower-case hexadecimal digits, at most 64.
    pub(crate) fn chance(&self, digits: usize) -> Result<String, Failure> {
        let mut bytes = [0; 32];
        if !(self.world.random)(&mut bytes) {
            let message = "the operating system gave no random numbers: repeat the call";
            return Err(Failure::other(assay_base::Code::Internal, message));
        }
        Ok(crate::world::hexadecimal(bytes).chars().take(digits).collect())
    }
}
