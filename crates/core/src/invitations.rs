//! How somebody comes into a team: by an invitation, which is no tool, because whoever accepts one
//! is nobody yet.

use assay_store::{Invitation, NewCredential, PersonId};

use crate::caller::{Credentials, Door};
use crate::failure::Failure;
use crate::input::{Input, missing};
use crate::names::{MAX_SHORT_NAME, email, one_line};
use crate::reply::Reply;
use crate::service::Service;
use crate::sessions::digest;

/// What the token of an invitation begins with.
pub(crate) const PREFIX: &str = "assay_invitation_";
/// What the token of a person's session begins with.
pub(crate) const SESSION_PREFIX: &str = "assay_session_";
/// For how many days an invitation is valid.
pub(crate) const DAYS: u32 = 7;
/// For how many days the session of a person is valid.
pub(crate) const SESSION_DAYS: u32 = 90;

/// Characters of the random part of a person's subject, and of a credential's address.
pub(crate) const ADDRESS: usize = 16;
/// Characters of the random part of a secret.
pub(crate) const SECRET: usize = 64;

/// What stands for a token and for the address that may use it. The token is not kept, so what is
/// kept tells nobody which address it was.
pub(crate) fn invitation(token: &str, email: &str) -> Invitation {
    Invitation { digest: digest(token), bound: digest(&format!("{token}\n{email}")) }
}

impl Service {
    /// Accepts an invitation: `body` is `{"invitation": …, "email": …, "name": …}`, where the
    /// invitation is the link or the token in it. Somebody whose session comes along joins as who
    /// they are; anybody else becomes a person, and the answer holds the token of their session,
    /// which is shown once.
    ///
    /// This makes durable writes, so it is called where waiting is no harm.
    #[must_use]
    pub fn accept_invitation(
        &self,
        door: Door,
        credentials: &Credentials<'_>,
        body: &str,
    ) -> Reply {
        match self.accept(door, credentials, body) {
            Ok(body) => Reply { body, failure: None, retry_after_ms: None },
            Err(failure) => failure.reply(self.versions()),
        }
    }

    fn accept(
        &self,
        door: Door,
        credentials: &Credentials<'_>,
        body: &str,
    ) -> Result<Vec<u8>, Failure> {
        let input = Input::read(body, &["invitation", "email", "name"])?;
        let link = input.string("invitation")?.ok_or_else(|| missing("invitation"))?;
        let token = link.rsplit_once('#').map_or(&*link, |(_, token)| token);
        let address = email(&input.string("email")?.ok_or_else(|| missing("email"))?)?;
        let name = input.string("name")?.ok_or_else(|| missing("name"))?;
        one_line("name", &name, MAX_SHORT_NAME)?;
        let known = self.accepting(door, credentials)?;
        let subject = format!("person-{}", self.chance(ADDRESS)?);
        let now = self.now();
        let invitation = invitation(token, &address);
        let (person, team) = self.store.accept(invitation, known, [&subject, &name], now)?;
        let session = if known.is_some() { None } else { Some(self.open_session(person)?) };
        Ok(self.payload(|object| {
            object.key("name").string(&team.name);
            object.key("role").string(team.role.word());
            object.key("session").optional_string(session.as_deref());
            object.key("team_id").string(&team.address);
            object.key("workspace").string(&team.address);
        }))
    }

    /// Who accepts, where a person shows who they are.
    fn accepting(
        &self,
        door: Door,
        credentials: &Credentials<'_>,
    ) -> Result<Option<PersonId>, Failure> {
        if *credentials == Credentials::default() {
            return Ok(None);
        }
        let caller = self.caller_of(door, credentials)?;
        Ok(caller.session.is_person().then_some(caller.session.person))
    }

    /// Issues a session for a person and returns its token.
    pub(crate) fn open_session(&self, person: PersonId) -> Result<String, Failure> {
        let secret = format!("{SESSION_PREFIX}{}", self.chance(SECRET)?);
        let now = self.now();
        self.store.put_credential(&NewCredential {
            digest: digest(&secret),
            address: &format!("session-{}", self.chance(ADDRESS)?),
            person,
            workspace: None,
            label: None,
            scopes: "",
            bound: assay_store::Bound::default(),
            issued_at: now,
            expires_at: Some(now.after_days(SESSION_DAYS)),
        })?;
        Ok(secret)
    }
}
