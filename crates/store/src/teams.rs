//! Teams: who belongs to one, and how somebody comes in.
//!
//! A team always has an administrator. An invitation is for one address and one use; neither its
//! token nor the address is kept, only digests that can tell whether both are right.

use assay_base::{SecretDigest, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Transaction};

use crate::error::StoreError;
use crate::refusal::Refusal;
use crate::store::{Store, WriteError};
use crate::workspaces::{self, Person, PersonId, Role, Workspace, WorkspaceId, add_person, join};

/// Most teams that one person is in.
pub const MAX_TEAMS: u32 = 100;
/// Most members of one team.
pub const MAX_MEMBERS: u32 = 1_000;
/// Most invitations of one team that are still open.
pub const MAX_INVITATIONS: u32 = 100;

/// A member of a team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Who it is.
    pub person: Person,
    /// What the member may do.
    pub role: Role,
}

/// What stands for an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Invitation {
    /// Stands for the token.
    pub digest: SecretDigest,
    /// Stands for the token together with the address.
    pub bound: SecretDigest,
}

impl Store {
    /// Makes a team with `founder` as its administrator.
    ///
    /// # Errors
    /// [`Refusal::TooMany`], and the errors that name a file.
    pub fn create_team(
        &self,
        founder: PersonId,
        address: &str,
        name: &str,
    ) -> Result<Workspace, StoreError> {
        self.write_watched(|transaction| {
            few_teams(transaction, founder)?;
            transaction
                .prepare_cached(
                    "INSERT INTO workspace (address, kind, name) VALUES (?1, 'team', ?2)",
                )?
                .execute((address, name))?;
            let id = WorkspaceId(transaction.last_insert_rowid());
            join(transaction, id, founder, Role::Admin)?;
            let (address, name) = (address.to_owned(), name.to_owned());
            Ok(Workspace { id, address, name, role: Role::Admin })
        })
    }

    /// Keeps what stands for an invitation that `inviter` issues.
    ///
    /// # Errors
    /// [`Refusal::UnknownTeam`], [`Refusal::NotAdmin`], [`Refusal::TooMany`], and the errors that
    /// name a file.
    pub fn invite(
        &self,
        inviter: PersonId,
        team: &str,
        invitation: Invitation,
        [now, expires_at]: [Timestamp; 2],
    ) -> Result<(), StoreError> {
        self.write_watched(|transaction| {
            let team = administered(transaction, inviter, team)?;
            let open: u32 = transaction
                .prepare_cached(OPEN)?
                .query_row((team.id.0, now.seconds()), |row| row.get(0))?;
            if open >= MAX_INVITATIONS {
                let limit = MAX_INVITATIONS;
                return Err(Refusal::TooMany { what: "open invitations", limit }.into());
            }
            transaction.prepare_cached(INVITE)?.execute((
                invitation.digest.as_bytes(),
                invitation.bound.as_bytes(),
                team.id.0,
                inviter.0,
                expires_at.seconds(),
            ))?;
            Ok(())
        })
    }

    /// Uses an invitation: `known` joins the team, or a new person with `subject` and `name` does.
    ///
    /// # Errors
    /// [`Refusal::UnknownInvitation`], [`Refusal::InvitationForAnother`],
    /// [`Refusal::InvitationUsed`], [`Refusal::InvitationExpired`], [`Refusal::TooMany`], and the
    /// errors that name a file.
    pub fn accept(
        &self,
        invitation: Invitation,
        known: Option<PersonId>,
        [subject, name]: [&str; 2],
        now: Timestamp,
    ) -> Result<(PersonId, Workspace), StoreError> {
        self.write_watched(|transaction| {
            let id = open_invitation(transaction, invitation, now)?;
            let person = match known {
                Some(person) => person,
                None => add_person(transaction, subject, Some(name))?,
            };
            few_teams(transaction, person)?;
            let members: u32 = transaction
                .prepare_cached("SELECT count(*) FROM membership WHERE workspace = ?1")?
                .query_row((id,), |row| row.get(0))?;
            if members >= MAX_MEMBERS {
                return Err(Refusal::TooMany { what: "members", limit: MAX_MEMBERS }.into());
            }
            if member(transaction, WorkspaceId(id), person)?.is_none() {
                join(transaction, WorkspaceId(id), person, Role::Member)?;
            }
            transaction
                .prepare_cached("UPDATE invitation SET used_at = ?2 WHERE digest = ?1")?
                .execute((invitation.digest.as_bytes(), now.seconds()))?;
            let workspaces = workspaces::of(transaction, person)?;
            let team = workspaces.into_iter().find(|it| it.id.0 == id);
            team.map(|it| (person, it)).ok_or_else(|| Refusal::UnknownInvitation.into())
        })
    }

    /// The members of a team that `person` is in, in the order in which they came to the
    /// installation.
    ///
    /// # Errors
    /// [`Refusal::UnknownTeam`], and the errors that name a file.
    pub fn members(&self, person: PersonId, team: &str) -> Result<Vec<Member>, StoreError> {
        let members = self.read(|connection| {
            let Some(team) = team_of(connection, person, team)? else { return Ok(None) };
            let mut statement = connection.prepare_cached(MEMBERS)?;
            let rows = statement.query_map((team.id.0,), |row| {
                Ok(Member { person: workspaces::person(row)?, role: workspaces::role(row, 3)? })
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>().map(Some)
        })?;
        Ok(members.ok_or_else(|| Refusal::UnknownTeam { team: team.to_owned() })?)
    }

    /// Gives a member a role.
    ///
    /// # Errors
    /// [`Refusal::UnknownTeam`], [`Refusal::NotAdmin`], [`Refusal::UnknownMember`],
    /// [`Refusal::LastAdmin`], and the errors that name a file.
    pub fn set_role(
        &self,
        admin: PersonId,
        team: &str,
        subject: &str,
        role: Role,
    ) -> Result<(), StoreError> {
        self.write_watched(|transaction| {
            let team = administered(transaction, admin, team)?;
            let changed = named(transaction, team.id, subject)?;
            transaction
                .prepare_cached(
                    "UPDATE membership SET role = ?3 WHERE workspace = ?1 AND person = ?2",
                )?
                .execute((team.id.0, changed.0, role.word()))?;
            still_administered(transaction, team.id)
        })
    }

    /// Takes a member out of a team and revokes the keys that they issued for it. What they saved
    /// stays. Returns how many keys were revoked.
    ///
    /// # Errors
    /// As [`Store::set_role`].
    pub fn remove_member(
        &self,
        admin: PersonId,
        team: &str,
        subject: &str,
        now: Timestamp,
    ) -> Result<u32, StoreError> {
        self.write_watched(|transaction| {
            let team = administered(transaction, admin, team)?;
            let gone = named(transaction, team.id, subject)?;
            transaction.prepare_cached(LEAVE)?.execute((team.id.0, gone.0))?;
            still_administered(transaction, team.id)?;
            // Who worked in the team is back in the own workspace.
            transaction.prepare_cached(RETURN)?.execute((gone.0, team.id.0))?;
            let revoked =
                transaction.prepare_cached(REVOKE)?.execute((gone.0, team.id.0, now.seconds()))?;
            Ok(u32::try_from(revoked).unwrap_or(u32::MAX))
        })
    }
}

/// The team of an invitation that may be used now.
fn open_invitation(
    transaction: &Transaction<'_>,
    invitation: Invitation,
    now: Timestamp,
) -> Result<i64, WriteError> {
    let mut statement = transaction.prepare_cached(INVITATION)?;
    let read = |row: &rusqlite::Row<'_>| {
        let bound: [u8; 32] = row.get(1)?;
        let (expires_at, used_at): (i64, Option<i64>) = (row.get(2)?, row.get(3)?);
        Ok((row.get(0)?, bound, expires_at, used_at))
    };
    let found = statement.query_row((invitation.digest.as_bytes(),), read).optional()?;
    let (team, bound, expires_at, used_at) = found.ok_or(Refusal::UnknownInvitation)?;
    if bound != *invitation.bound.as_bytes() {
        return Err(Refusal::InvitationForAnother.into());
    }
    if used_at.is_some() {
        return Err(Refusal::InvitationUsed.into());
    }
    if now.seconds() >= expires_at {
        return Err(Refusal::InvitationExpired.into());
    }
    Ok(team)
}

/// Refuses a person one team more than there may be.
fn few_teams(connection: &Connection, person: PersonId) -> Result<(), WriteError> {
    let teams = workspaces::of(connection, person)?.iter().filter(|it| it.is_team()).count();
    if teams < MAX_TEAMS as usize {
        return Ok(());
    }
    Err(Refusal::TooMany { what: "teams", limit: MAX_TEAMS }.into())
}

fn team_of(
    connection: &Connection,
    person: PersonId,
    address: &str,
) -> rusqlite::Result<Option<Workspace>> {
    let workspaces = workspaces::of(connection, person)?;
    Ok(workspaces.into_iter().find(|it| it.is_team() && it.address == address))
}

fn administered(
    connection: &Connection,
    person: PersonId,
    address: &str,
) -> Result<Workspace, WriteError> {
    let unknown = || Refusal::UnknownTeam { team: address.to_owned() };
    let team = team_of(connection, person, address)?.ok_or_else(unknown)?;
    if team.role == Role::Admin { Ok(team) } else { Err(Refusal::NotAdmin.into()) }
}

fn member(
    connection: &Connection,
    team: WorkspaceId,
    person: PersonId,
) -> rusqlite::Result<Option<Role>> {
    let mut statement = connection
        .prepare_cached("SELECT role FROM membership WHERE workspace = ?1 AND person = ?2")?;
    statement.query_row((team.0, person.0), |row| workspaces::role(row, 0)).optional()
}

/// The member of a team with this subject.
fn named(
    connection: &Connection,
    team: WorkspaceId,
    subject: &str,
) -> Result<PersonId, WriteError> {
    let mut statement = connection.prepare_cached(NAMED)?;
    let found = statement.query_row((team.0, subject), |row| row.get(0)).optional()?;
    let unknown = || Refusal::UnknownMember { member: subject.to_owned() };
    Ok(found.map(PersonId).ok_or_else(unknown)?)
}

fn still_administered(connection: &Connection, team: WorkspaceId) -> Result<(), WriteError> {
    let mut statement = connection
        .prepare_cached("SELECT 1 FROM membership WHERE workspace = ?1 AND role = 'admin'")?;
    if statement.exists((team.0,))? { Ok(()) } else { Err(Refusal::LastAdmin.into()) }
}

const OPEN: &str = "
    SELECT count(*) FROM invitation
    WHERE workspace = ?1 AND used_at IS NULL AND expires_at > ?2";
const INVITE: &str = "
    INSERT INTO invitation (digest, bound, workspace, inviter, expires_at)
    VALUES (?1, ?2, ?3, ?4, ?5)";
const INVITATION: &str =
    "SELECT workspace, bound, expires_at, used_at FROM invitation WHERE digest = ?1";
const MEMBERS: &str = "
    SELECT person.id, person.subject, person.name, membership.role
    FROM membership JOIN person ON person.id = membership.person
    WHERE membership.workspace = ?1 ORDER BY person.id";
const NAMED: &str = "
    SELECT person.id FROM membership JOIN person ON person.id = membership.person
    WHERE membership.workspace = ?1 AND person.subject = ?2";
const LEAVE: &str = "DELETE FROM membership WHERE workspace = ?1 AND person = ?2";
const RETURN: &str = "
    UPDATE person SET current = (
        SELECT workspace FROM membership WHERE person = ?1 AND role = 'owner')
    WHERE id = ?1 AND current = ?2";
const REVOKE: &str = "
    UPDATE credential SET revoked_at = ?3
    WHERE person = ?1 AND workspace = ?2 AND revoked_at IS NULL";

#[cfg(test)]
mod tests;
