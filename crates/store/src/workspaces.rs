//! People and the workspaces that they work in.
//!
//! Every person has one workspace of their own, and is a member of any number of teams, each of
//! which is a workspace too. The owner of the installation is the first person.

use assay_base::json::printable;
use rusqlite::{Connection, OptionalExtension as _, Transaction};

use crate::error::StoreError;
use crate::refusal::Refusal;
use crate::store::{Store, WriteError};

/// The word by which everyone calls their own workspace.
pub const PERSONAL: &str = "personal";

/// One workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkspaceId(pub(crate) i64);

/// One person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonId(pub(crate) i64);

impl PersonId {
    /// The owner of the installation.
    pub const OWNER: Self = Self(1);
}

/// What a person may do in a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is the person's own.
    Owner,
    /// Reads and writes it, and decides who else does.
    Admin,
    /// Reads and writes it.
    Member,
}

impl Role {
    /// The word on the wire and in the tables.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Admin => "admin",
            Self::Member => "member",
        }
    }

    /// The role of this word; `None` for any other.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Owner, Self::Admin, Self::Member].into_iter().find(|it| it.word() == word)
    }
}

/// A workspace as one person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// The workspace.
    pub id: WorkspaceId,
    /// Its address on the wire, which is unique.
    pub address: String,
    /// What its people call it.
    pub name: String,
    /// What the person may do there.
    pub role: Role,
}

impl Workspace {
    /// Whether it is a team and not somebody's own.
    #[must_use]
    pub fn is_team(&self) -> bool {
        self.role != Role::Owner
    }
}

/// A person as the lists of people show them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The person.
    pub id: PersonId,
    /// The address on the wire, which is unique.
    pub subject: String,
    /// What the person is called.
    pub name: Option<String>,
}

impl Store {
    /// The workspace that a person works in.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn current_workspace(&self, person: PersonId) -> Result<Workspace, StoreError> {
        self.read(|connection| {
            connection.prepare_cached(CURRENT)?.query_row((person.0,), workspace)
        })
    }

    /// Every workspace of a person: the own one first, then the teams by name.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn workspaces(&self, person: PersonId) -> Result<Vec<Workspace>, StoreError> {
        self.read(|connection| of(connection, person))
    }

    /// The workspace of a person that a name, an address or [`PERSONAL`] means.
    ///
    /// # Errors
    /// [`Refusal::UnknownWorkspace`], [`Refusal::AmbiguousWorkspace`], and the errors that name a
    /// file.
    pub fn workspace(&self, person: PersonId, named: &str) -> Result<Workspace, StoreError> {
        Ok(choose(self.workspaces(person)?, named)?)
    }

    /// Makes a workspace the one that a person works in from now on.
    ///
    /// # Errors
    /// As [`Store::workspace`].
    pub fn use_workspace(&self, person: PersonId, named: &str) -> Result<Workspace, StoreError> {
        self.write_watched(|transaction| {
            let chosen = choose(of(transaction, person)?, named)?;
            transaction
                .prepare_cached("UPDATE person SET current = ?2 WHERE id = ?1")?
                .execute((person.0, chosen.id.0))?;
            Ok(chosen)
        })
    }

    /// Everyone, in the order in which they came.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn people(&self) -> Result<Vec<Person>, StoreError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT id, subject, name FROM person ORDER BY id")?;
            statement.query_map([], person)?.collect()
        })
    }

    /// The subject of a person.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn subject(&self, person: PersonId) -> Result<String, StoreError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT subject FROM person WHERE id = ?1")?;
            statement.query_row((person.0,), |row| row.get(0))
        })
    }

    /// The person with this subject.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn person(&self, subject: &str) -> Result<Option<Person>, StoreError> {
        self.read(|connection| {
            let mut statement = connection
                .prepare_cached("SELECT id, subject, name FROM person WHERE subject = ?1")?;
            statement.query_row((subject,), person).optional()
        })
    }
}

/// Adds a person with a workspace of their own.
pub(crate) fn add_person(
    transaction: &Transaction<'_>,
    subject: &str,
    name: Option<&str>,
) -> Result<PersonId, WriteError> {
    transaction
        .prepare_cached("INSERT INTO workspace (address, kind, name) VALUES (?1, 'personal', ?2)")?
        .execute((format!("{PERSONAL}-{subject}"), PERSONAL))?;
    let own = WorkspaceId(transaction.last_insert_rowid());
    transaction
        .prepare_cached("INSERT INTO person (subject, name, current) VALUES (?1, ?2, ?3)")?
        .execute((subject, name, own.0))?;
    let person = PersonId(transaction.last_insert_rowid());
    join(transaction, own, person, Role::Owner)?;
    Ok(person)
}

/// Makes a person a member of a workspace.
pub(crate) fn join(
    transaction: &Transaction<'_>,
    workspace: WorkspaceId,
    person: PersonId,
    role: Role,
) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("INSERT INTO membership (workspace, person, role) VALUES (?1, ?2, ?3)")?
        .execute((workspace.0, person.0, role.word()))?;
    Ok(())
}

pub(crate) fn of(connection: &Connection, person: PersonId) -> rusqlite::Result<Vec<Workspace>> {
    let mut statement = connection.prepare_cached(LIST)?;
    statement.query_map((person.0,), workspace)?.collect()
}

fn choose(workspaces: Vec<Workspace>, named: &str) -> Result<Workspace, Refusal> {
    if named == PERSONAL {
        let own = workspaces.into_iter().find(|it| !it.is_team());
        return own.ok_or_else(|| Refusal::UnknownWorkspace { workspace: named.to_owned() });
    }
    let is_address = workspaces.iter().any(|it| it.address == named);
    let mut chosen: Vec<Workspace> = workspaces
        .into_iter()
        .filter(|it| if is_address { it.address == named } else { it.name == named })
        .collect();
    match (chosen.pop(), chosen.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(last), false) => {
            let addresses = chosen.into_iter().chain([last]).map(|it| it.address);
            let name = printable(named);
            Err(Refusal::AmbiguousWorkspace { name, addresses: addresses.collect() })
        }
        (None, _) => Err(Refusal::UnknownWorkspace { workspace: named.to_owned() }),
    }
}

/// A row of id, address, name and role.
pub(crate) fn workspace(row: &rusqlite::Row<'_>) -> rusqlite::Result<Workspace> {
    Ok(Workspace {
        id: WorkspaceId(row.get(0)?),
        address: row.get(1)?,
        name: row.get(2)?,
        role: role(row, 3)?,
    })
}

/// A role in a column.
pub(crate) fn role(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Role> {
    let word: String = row.get(column)?;
    // The tables hold no other word.
    Role::parse(&word).ok_or(rusqlite::Error::InvalidQuery)
}

/// A row of id, subject and name.
pub(crate) fn person(row: &rusqlite::Row<'_>) -> rusqlite::Result<Person> {
    Ok(Person { id: PersonId(row.get(0)?), subject: row.get(1)?, name: row.get(2)? })
}

const CURRENT: &str = "
    SELECT workspace.id, workspace.address, workspace.name, membership.role
    FROM person
    JOIN workspace ON workspace.id = person.current
    JOIN membership ON membership.workspace = workspace.id AND membership.person = person.id
    WHERE person.id = ?1";
const LIST: &str = "
    SELECT workspace.id, workspace.address, workspace.name, membership.role
    FROM membership JOIN workspace ON workspace.id = membership.workspace
    WHERE membership.person = ?1
    ORDER BY workspace.kind, workspace.name, workspace.address";

#[cfg(test)]
mod tests;
