//! Calls that wait for people, and what people said to them.

use assay_base::CallHash;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction};

use crate::audit::{self, AuditHead, AuditRow};
use crate::error::StoreError;
use crate::refusal::Refusal;
use crate::store::Store;
use crate::workspaces::{PersonId, WorkspaceId};

/// Most calls of one workspace that wait for people.
pub const MAX_REQUESTS: u32 = 500;

/// A call that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// By which it is found.
    pub address: String,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The exact call.
    pub call: CallHash,
    /// The person who asks.
    pub requester: PersonId,
    /// The tool.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// The matter that the work is about, where there is one.
    pub matter: Option<String>,
    /// The arguments, as a JSON text.
    pub arguments: String,
    /// When it was made, in milliseconds since 1970.
    pub made_at: i64,
    /// When it ends, in milliseconds since 1970.
    pub expires_at: i64,
    /// What became of it.
    pub state: RequestState,
}

/// What became of a call that waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestState {
    /// It waits.
    Open,
    /// It was carried out.
    Used,
    /// Somebody was against it.
    Closed,
}

/// What a person says to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// Another person may go on.
    Approve,
    /// Nobody may.
    Refuse,
    /// I want this done.
    Confirm,
    /// I do not.
    Decline,
}

impl Word {
    /// Every word.
    pub const ALL: [Self; 4] = [Self::Approve, Self::Refuse, Self::Confirm, Self::Decline];

    /// The word in the tables and on the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Refuse => "refuse",
            Self::Confirm => "confirm",
            Self::Decline => "decline",
        }
    }

    /// The word that is written so; `None` for any other.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.word() == text)
    }

    /// Whether it closes the request.
    #[must_use]
    pub const fn is_against(self) -> bool {
        matches!(self, Self::Refuse | Self::Decline)
    }
}

/// What one person said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The person.
    pub person: PersonId,
    /// The person's name for others.
    pub subject: String,
    /// What was said.
    pub word: Word,
    /// The address of what was shown to the person.
    pub shown: CallHash,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The audit entry that records it; none for a word from before that was kept.
    pub event: Option<String>,
}

impl Store {
    /// The open request for the same exact call, or `new` kept as one.
    ///
    /// # Errors
    /// [`Refusal::TooMany`], and the errors that name a file.
    pub fn open_request(&self, new: &Request) -> Result<Request, StoreError> {
        let now = new.made_at;
        self.write(|transaction| {
            let key = (new.workspace.0, new.call.as_bytes());
            let mut statement = transaction.prepare_cached(LATEST)?;
            let kept = statement.query_row(key, request).optional()?;
            let open = kept.filter(|it| it.state == RequestState::Open && now < it.expires_at);
            if let Some(open) = open {
                return Ok(open);
            }
            let waiting: u32 = transaction
                .prepare_cached(COUNT)?
                .query_row((new.workspace.0, now), |row| row.get(0))?;
            if waiting >= MAX_REQUESTS {
                return Err(Refusal::TooMany { what: "waiting calls", limit: MAX_REQUESTS }.into());
            }
            transaction.prepare_cached(INSERT)?.execute((
                &new.address,
                new.workspace.0,
                new.call.as_bytes(),
                new.requester.0,
                &new.tool,
                &new.version,
                &new.arguments,
                new.made_at,
                new.expires_at,
                &new.matter,
            ))?;
            Ok(new.clone())
        })
    }

    /// Forgets the requests of a workspace whose time is over at `now`, some of them at a time, with
    /// what people said to them. `seal` makes the entries in `chain` of those that still waited.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn expire_requests(
        &self,
        workspace: WorkspaceId,
        now: i64,
        chain: &str,
        seal: impl FnOnce(Option<AuditHead>, &[Request]) -> Vec<AuditRow>,
    ) -> Result<(), StoreError> {
        let is_any_over: bool = self.read(|connection| {
            let row = (workspace.0, now);
            connection.prepare_cached(ANY_OVER)?.query_row(row, |row| row.get(0))
        })?;
        if !is_any_over {
            return Ok(());
        }
        self.write(|transaction| {
            let mut over = over(transaction, workspace, now)?;
            for it in &over {
                for statement in FORGET {
                    transaction.prepare_cached(statement)?.execute((&it.address,))?;
                }
            }
            over.retain(|it| it.state == RequestState::Open);
            if !over.is_empty() {
                audit::append(transaction, chain, |head| seal(head, &over))?;
            }
            Ok(())
        })
    }

    /// The latest request for an exact call, with what people said to it.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn request_for(
        &self,
        workspace: WorkspaceId,
        call: CallHash,
    ) -> Result<Option<(Request, Vec<Said>)>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(LATEST)?;
            let kept = statement.query_row((workspace.0, call.as_bytes()), request).optional()?;
            kept.map(|it| with_words(connection, it)).transpose()
        })
    }

    /// The request at an address, with what people said to it; `None` where the workspace has none.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn request(
        &self,
        workspace: WorkspaceId,
        address: &str,
    ) -> Result<Option<(Request, Vec<Said>)>, StoreError> {
        self.read(|connection| {
            let kept = at(connection, workspace, address)?;
            kept.map(|it| with_words(connection, it)).transpose()
        })
    }

    /// The calls of a workspace that wait at `now`, the oldest first, with what people said.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn open_requests(
        &self,
        workspace: WorkspaceId,
        now: i64,
    ) -> Result<Vec<(Request, Vec<Said>)>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(OPEN)?;
            let row = (workspace.0, now, MAX_REQUESTS);
            let open: Vec<Request> =
                statement.query_map(row, request)?.collect::<rusqlite::Result<_>>()?;
            open.into_iter().map(|it| with_words(connection, it)).collect()
        })
    }

    /// Keeps what a person says to an open request, with the audit entry that records it. A word
    /// against it closes it.
    ///
    /// # Errors
    /// [`Refusal::UnknownRequest`] where the workspace has no such request that waits, and the
    /// errors that name a file.
    pub fn say(
        &self,
        (workspace, address): (WorkspaceId, &str),
        person: PersonId,
        (word, shown, event): (Word, CallHash, &str),
        now: i64,
    ) -> Result<(Request, Vec<Said>), StoreError> {
        self.write(|transaction| {
            let kept = at(transaction, workspace, address)?;
            let open = kept.filter(|it| it.state == RequestState::Open && now < it.expires_at);
            let open = open.ok_or(Refusal::UnknownRequest)?;
            let row = (address, person.0, word.word(), shown.as_bytes(), now, event);
            transaction.prepare_cached(SAY)?.execute(row)?;
            if word.is_against() {
                let close = "UPDATE request SET state = 'closed' WHERE address = ?1";
                transaction.prepare_cached(close)?.execute((address,))?;
            }
            Ok(with_words(transaction, open)?)
        })
    }
}

/// Uses a request up; `false` where another call has, or where somebody was against it meanwhile.
pub(crate) fn use_up(transaction: &Transaction<'_>, address: &str) -> rusqlite::Result<bool> {
    let used = transaction
        .prepare_cached("UPDATE request SET state = 'used' WHERE address = ?1 AND state = 'open'")?
        .execute((address,))?;
    Ok(used > 0)
}

/// The requests whose time is over, the oldest first.
fn over(
    connection: &Connection,
    workspace: WorkspaceId,
    now: i64,
) -> rusqlite::Result<Vec<Request>> {
    let mut statement = connection.prepare_cached(OVER)?;
    statement.query_map((workspace.0, now, MAX_REQUESTS), request)?.collect()
}

fn at(
    connection: &Connection,
    workspace: WorkspaceId,
    address: &str,
) -> rusqlite::Result<Option<Request>> {
    connection.prepare_cached(AT)?.query_row((workspace.0, address), request).optional()
}

fn with_words(connection: &Connection, it: Request) -> rusqlite::Result<(Request, Vec<Said>)> {
    let mut statement = connection.prepare_cached(WORDS)?;
    let words = statement.query_map((&it.address,), |row| {
        let word: String = row.get(2)?;
        Ok(Said {
            person: PersonId(row.get(0)?),
            subject: row.get(1)?,
            // A word that this release does not know opens nothing.
            word: Word::parse(&word).unwrap_or(Word::Refuse),
            shown: CallHash::from_bytes(row.get(3)?),
            at: row.get(4)?,
            event: row.get(5)?,
        })
    })?;
    let words = words.collect::<rusqlite::Result<_>>()?;
    Ok((it, words))
}

fn request(row: &Row<'_>) -> rusqlite::Result<Request> {
    Ok(Request {
        address: row.get(0)?,
        workspace: WorkspaceId(row.get(1)?),
        call: CallHash::from_bytes(row.get(2)?),
        requester: PersonId(row.get(3)?),
        tool: row.get(4)?,
        version: row.get(5)?,
        arguments: row.get(6)?,
        state: match row.get::<_, String>(7)?.as_str() {
            "open" => RequestState::Open,
            "used" => RequestState::Used,
            _ => RequestState::Closed,
        },
        made_at: row.get(8)?,
        expires_at: row.get(9)?,
        matter: row.get(10)?,
    })
}

/// The statement that reads requests as [`request`] takes them.
macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT address, workspace, call, requester, tool, version, arguments, state, made_at, ",
            "expires_at, matter FROM request WHERE ",
            $which
        )
    };
}

const LATEST: &str = select!("workspace = ?1 AND call = ?2 ORDER BY made_at DESC, address LIMIT 1");
const AT: &str = select!("workspace = ?1 AND address = ?2");
const OPEN: &str = select!(
    "workspace = ?1 AND state = 'open' AND expires_at > ?2
    ORDER BY made_at, address LIMIT ?3"
);
const OVER: &str =
    select!("workspace = ?1 AND expires_at <= ?2 ORDER BY made_at, address LIMIT ?3");
const ANY_OVER: &str =
    "SELECT EXISTS (SELECT 1 FROM request WHERE workspace = ?1 AND expires_at <= ?2)";
const FORGET: [&str; 2] =
    ["DELETE FROM word WHERE request = ?1", "DELETE FROM request WHERE address = ?1"];
const COUNT: &str =
    "SELECT count(*) FROM request WHERE workspace = ?1 AND state = 'open' AND expires_at > ?2";
const INSERT: &str = "
    INSERT INTO request
        (address, workspace, call, requester, tool, version, arguments, state, made_at, expires_at,
        matter)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'open', ?8, ?9, ?10)";
const WORDS: &str = "
    SELECT word.person, person.subject, word, shown, said_at, event
    FROM word JOIN person ON person.id = word.person
    WHERE request = ?1 ORDER BY said_at, word.person";
const SAY: &str = "
    INSERT OR REPLACE INTO word (request, person, word, shown, said_at, event)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
