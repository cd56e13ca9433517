//! From credentials to sessions.
//!
//! A session is resolved once and kept for as long as nothing was written to the store: whatever
//! could change it (a revoked key, a lost membership, another workspace, a new converter) is a
//! write. Expiry is looked at on every call.

use std::sync::Arc;

use assay_base::{Code, Moment, SecretDigest, Timestamp};
use assay_dsail::units::Library;
use assay_registry::gate::snapshot::SkillName;
use assay_registry::{Scope, Scopes};
use assay_store::{Bound, Credential, PersonId, Refusal, Workspace};
use quick_cache::sync::Cache;

use crate::caller::{Caller, Credentials, Door, Grade, Session, Standing};
use crate::failure::Failure;
use crate::operator::OperatorError;
use crate::reply::Reply;
use crate::service::Service;
use crate::tally::Counts;
use crate::units;

/// How many sessions are kept ready.
const KEPT: usize = 4_096;

/// How many sessions are ready, by what was presented.
#[derive(Debug)]
pub(crate) struct Sessions(Cache<Presented, Arc<Session>>);

/// What was presented, without the secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Presented {
    Nothing,
    One(SecretDigest),
    /// Bearer and key.
    Two(SecretDigest, SecretDigest),
}

impl Sessions {
    pub(crate) fn new() -> Self {
        Self(Cache::new(KEPT))
    }
}

impl Service {
    /// The caller behind a request from the network.
    ///
    /// # Errors
    /// The envelope of `CREDENTIAL_REQUIRED` where this installation asks for a credential and none
    /// came, of `CREDENTIAL_INVALID` where one came that is not known, was revoked or has expired,
    /// and of `STORE_UNAVAILABLE`.
    pub fn caller(&self, door: Door, credentials: &Credentials<'_>) -> Result<Caller, Reply> {
        self.caller_of(door, credentials).map_err(|failure| {
            self.strangers.failed("credential", failure.code());
            failure.reply(self.versions())
        })
    }

    /// As [`Service::caller`].
    pub(crate) fn caller_of(
        &self,
        door: Door,
        credentials: &Credentials<'_>,
    ) -> Result<Caller, Failure> {
        let presented = match (credentials.bearer, credentials.key) {
            (None, None) if self.access.required => {
                let message = "this installation asks for a credential: send an API key or a \
                               token as `Authorization: Bearer` or as `x-jaxon-credential`";
                return Err(Failure::other(Code::CredentialRequired, message));
            }
            (None, None) => Presented::Nothing,
            (Some(one), None) | (None, Some(one)) => Presented::One(digest(one)),
            (Some(bearer), Some(key)) if bearer == key => Presented::One(digest(bearer)),
            (Some(bearer), Some(key)) => Presented::Two(digest(bearer), digest(key)),
        };
        Ok(Caller { door, session: self.session(presented)?, origin: Arc::default() })
    }

    /// Whoever calls on this machine: the person whose session the settings name, else the owner.
    ///
    /// # Errors
    /// The envelope of `STORE_UNAVAILABLE`, and of `CREDENTIAL_INVALID` for such a session that has
    /// ended.
    pub fn local(&self, door: Door) -> Result<Caller, Reply> {
        let presented = self.at_machine.map_or(Presented::Nothing, Presented::One);
        let session = self.session(presented).map_err(|it| it.reply(self.versions()))?;
        Ok(Caller { door, session, origin: Arc::default() })
    }

    /// A person as if they had just signed in, for whoever may read the data file: they could open
    /// a session for the person as well.
    ///
    /// # Errors
    /// [`OperatorError`] says that there is no such person, or why the store does not answer.
    pub fn caller_as(&self, door: Door, subject: &str) -> Result<Caller, OperatorError> {
        let resolve = || {
            let unknown = || Failure::rule(Refusal::UnknownPerson { person: subject.to_owned() });
            let person = self.store.person(subject)?.ok_or_else(unknown)?;
            let signed_in = Credential {
                address: format!("as-{subject}"),
                person: person.id,
                workspace: None,
                scopes: String::new(),
                bound: Bound::default(),
                issued_at: self.now(),
                expires_at: None,
            };
            let session = Arc::new(self.of(&signed_in, self.store.generation())?);
            Ok(Caller { door, session, origin: Arc::default() })
        };
        resolve().map_err(|it: Failure| it.into())
    }

    fn session(&self, presented: Presented) -> Result<Arc<Session>, Failure> {
        self.look_at_stop_file();
        // Asked for before anything is read, so that a write meanwhile makes the session old.
        let generation = self.store.generation();
        let session = match self.sessions.0.get(&presented) {
            Some(session) if session.generation == generation => session,
            _ => {
                let session = Arc::new(self.resolve(presented, generation)?);
                self.sessions.0.insert(presented, Arc::clone(&session));
                session
            }
        };
        match session.expires_at {
            Some(expires_at) if (self.world.now)() >= expires_at => Err(invalid("has expired")),
            _ => Ok(session),
        }
    }

    fn resolve(&self, presented: Presented, generation: u64) -> Result<Session, Failure> {
        match presented {
            Presented::Nothing => self.owner(Grade::None, generation),
            Presented::One(digest) if self.access.token == Some(digest) => {
                self.owner(Grade::Instance, generation)
            }
            Presented::One(digest) => self.of(&self.known(digest)?, generation),
            Presented::Two(bearer, key) => {
                let person = self.resolve(Presented::One(bearer), generation)?;
                let other = self.resolve(Presented::One(key), generation)?;
                self.together(person, other)
            }
        }
    }

    /// A session says who calls, a key which workspace it is about.
    fn together(&self, one: Session, other: Session) -> Result<Session, Failure> {
        let (person, key) = if one.is_person() { (one, other) } else { (other, one) };
        if !person.is_person() || key.is_person() {
            return Err(invalid("stands beside another of its kind: send one of the two"));
        }
        let workspaces = self.store.workspaces(person.person)?;
        let Some(workspace) = workspaces.into_iter().find(|it| it.id == key.workspace.id) else {
            let message = "the key is for a workspace that the person of the session is not in";
            return Err(Failure::other(Code::CredentialScope, message));
        };
        let expires_at = match (person.expires_at, key.expires_at) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        let scopes = key.scopes.with(Scope::Account);
        let bound = Standing {
            own_skill: key.standing.own_skill.or(person.standing.own_skill),
            matter: key.standing.matter.or(person.standing.matter),
            ..person.standing
        };
        let standing = self.standing(bound, person.person, &workspace)?;
        let counts = self.counts(&workspace, &standing);
        let library = key.library;
        Ok(Session { workspace, library, scopes, expires_at, standing, counts, ..person })
    }

    fn owner(&self, grade: Grade, generation: u64) -> Result<Session, Failure> {
        let workspace = self.store.current_workspace(PersonId::OWNER)?;
        let standing = Standing { id: grade.word().to_owned(), ..Standing::default() };
        let standing = self.standing(standing, PersonId::OWNER, &workspace)?;
        Ok(Session {
            counts: self.counts(&workspace, &standing),
            standing,
            stops: self.stops_at(generation)?,
            person: PersonId::OWNER,
            library: self.library_of(&workspace)?,
            workspace,
            scopes: Scopes::ALL,
            grade,
            expires_at: None,
            generation,
        })
    }

    /// The session of a person, who works in one of their workspaces, or of a key, which has one.
    fn of(&self, known: &Credential, generation: u64) -> Result<Session, Failure> {
        let (workspace, scopes, grade) = match &known.workspace {
            // A word that this release does not know opens nothing.
            Some(workspace) => {
                let scopes = Scopes::parse(&known.scopes).unwrap_or(Scopes::EMPTY);
                (workspace.clone(), scopes, Grade::Full)
            }
            None => (self.store.current_workspace(known.person)?, Scopes::ALL, Grade::Person),
        };
        let standing = Standing {
            id: known.address.clone(),
            signed_in_at: (grade == Grade::Person).then_some(known.issued_at),
            // A skill that cannot be read binds nothing, so that no tool is open to it.
            own_skill: known
                .bound
                .skill
                .as_deref()
                .map(|it| SkillName::parse(it).unwrap_or_default()),
            matter: known.bound.matter.clone(),
            ..Standing::default()
        };
        let standing = self.standing(standing, known.person, &workspace)?;
        Ok(Session {
            counts: self.counts(&workspace, &standing),
            standing,
            stops: self.stops_at(generation)?,
            person: known.person,
            library: self.library_of(&workspace)?,
            workspace,
            scopes,
            grade,
            expires_at: known.expires_at,
            generation,
        })
    }

    fn counts(&self, workspace: &Workspace, standing: &Standing) -> Arc<Counts> {
        self.tally.counts(&workspace.address, &standing.id, &standing.subject)
    }

    /// Completes what is known of a caller: the person's name and roles, and the skill that the
    /// operator bound everybody to.
    fn standing(
        &self,
        known: Standing,
        person: PersonId,
        workspace: &Workspace,
    ) -> Result<Standing, Failure> {
        Ok(Standing {
            subject: self.store.subject(person)?,
            roles: self.store.practice_roles(workspace.id, person)?,
            skill: known.own_skill.clone().or_else(|| self.skill.clone()),
            ..known
        })
    }

    fn known(&self, digest: SecretDigest) -> Result<Credential, Failure> {
        self.store.credential(digest)?.ok_or_else(|| invalid("is not known"))
    }

    fn library_of(&self, workspace: &Workspace) -> Result<Arc<Library>, Failure> {
        let converters = self.store.converters(workspace.id)?;
        if converters.is_empty() {
            return Ok(Arc::clone(&self.standard));
        }
        units::library(&converters).map(Arc::new)
    }

    /// The present time as it stands in the log.
    pub(crate) fn moment(&self) -> Moment {
        self.world.moment()
    }

    /// The present time.
    pub(crate) fn now(&self) -> Timestamp {
        (self.world.now)()
    }
}

/// What stands for a secret.
pub(crate) fn digest(secret: &str) -> SecretDigest {
    SecretDigest::of(secret.as_bytes())
}

fn invalid(why: &str) -> Failure {
    let message = format!("the credential {why}; a person's session or a new key is the mend");
    Failure::Other { code: Code::CredentialInvalid, message }
}
