//! What governed calls found, for the calls that must come after them, and who decided on it.

use assay_base::Timestamp;
use rusqlite::{Connection, Row, Transaction};

use crate::error::StoreError;
use crate::practice_roles;
use crate::refusal::Refusal;
use crate::store::Store;
use crate::workspaces::{PersonId, WorkspaceId};

/// Findings that one question returns at most, the latest first.
pub const MAX_EVIDENCE: u32 = 64;

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// The audit entry that records the call.
    pub event: String,
    /// The organisation.
    pub organisation: String,
    /// The tool that was called.
    pub tool: String,
    /// The matter of the session, where it had one.
    pub matter: Option<String>,
    /// The session.
    pub session: String,
    /// What the call was about.
    pub subject: Option<String>,
    /// What it found.
    pub verdict: Option<String>,
    /// When it ended, in milliseconds since 1970.
    pub finished_at: i64,
}

/// Which findings are asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sought<'s> {
    /// Those of this tool.
    pub tool: &'s str,
    /// Those about this subject; about any where none is given.
    pub subject: Option<&'s str>,
    /// Those of this matter; of any where none is given.
    pub matter: Option<&'s str>,
    /// Those of this session; of any where none is given.
    pub session: Option<&'s str>,
}

/// A finding with the people who decided on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The finding.
    pub evidence: Evidence,
    /// The roles that those people have now.
    pub decided_by: Vec<String>,
}

impl Store {
    /// The latest findings of the kind that is sought, at most [`MAX_EVIDENCE`].
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn evidence(
        &self,
        workspace: WorkspaceId,
        organisation: &str,
        sought: Sought<'_>,
    ) -> Result<Vec<Found>, StoreError> {
        self.read(|connection| {
            let found = find(connection, organisation, sought)?;
            found.into_iter().map(|it| decided(connection, workspace, it)).collect()
        })
    }

    /// The finding that an audit entry records; `None` where the organisation has none.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn evidence_of(
        &self,
        organisation: &str,
        event: &str,
    ) -> Result<Option<Evidence>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(OF)?;
            let mut rows = statement.query_map((organisation, event), evidence)?;
            rows.next().transpose()
        })
    }

    /// The latest findings with one of `verdicts`, by subject no more than one, for people to
    /// decide on.
    ///
    /// # Errors
    /// The errors that name a file.
    pub fn open_findings(
        &self,
        workspace: WorkspaceId,
        organisation: &str,
        (tool, verdict): (&str, &str),
    ) -> Result<Vec<Found>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(OPEN)?;
            let row = (organisation, tool, verdict, MAX_EVIDENCE);
            let found: Vec<Evidence> =
                statement.query_map(row, evidence)?.collect::<rusqlite::Result<_>>()?;
            found.into_iter().map(|it| decided(connection, workspace, it)).collect()
        })
    }

    /// Notes that a person decided on a finding. The first word stands.
    ///
    /// # Errors
    /// [`Refusal::UnknownEvidence`] where the organisation has no such finding, and the errors
    /// that name a file.
    pub fn decide(
        &self,
        (organisation, event): (&str, &str),
        person: PersonId,
        note: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            let known = transaction.prepare_cached(OF)?.exists((organisation, event))?;
            if !known {
                return Err(Refusal::UnknownEvidence.into());
            }
            let row = (event, person.0, note, now.seconds());
            transaction.prepare_cached(DECIDE)?.execute(row)?;
            Ok(())
        })
    }
}

pub(crate) fn put(transaction: &Transaction<'_>, it: &Evidence) -> rusqlite::Result<()> {
    transaction.prepare_cached(PUT)?.execute((
        &it.event,
        &it.organisation,
        &it.tool,
        &it.matter,
        &it.session,
        &it.subject,
        &it.verdict,
        it.finished_at,
    ))?;
    Ok(())
}

fn find(
    connection: &Connection,
    organisation: &str,
    Sought { tool, subject, matter, session }: Sought<'_>,
) -> rusqlite::Result<Vec<Evidence>> {
    let mut statement = connection.prepare_cached(FIND)?;
    let row = (organisation, tool, subject, matter, session, MAX_EVIDENCE);
    statement.query_map(row, evidence)?.collect()
}

fn decided(
    connection: &Connection,
    workspace: WorkspaceId,
    evidence: Evidence,
) -> rusqlite::Result<Found> {
    let mut statement = connection
        .prepare_cached("SELECT person FROM decision WHERE event = ?1 ORDER BY person")?;
    let people: Vec<i64> =
        statement.query_map((&evidence.event,), |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut decided_by = Vec::new();
    for person in people {
        decided_by.extend(practice_roles::of(connection, workspace, PersonId(person))?);
    }
    Ok(Found { evidence, decided_by })
}

fn evidence(row: &Row<'_>) -> rusqlite::Result<Evidence> {
    Ok(Evidence {
        event: row.get(0)?,
        organisation: row.get(1)?,
        tool: row.get(2)?,
        matter: row.get(3)?,
        session: row.get(4)?,
        subject: row.get(5)?,
        verdict: row.get(6)?,
        finished_at: row.get(7)?,
    })
}

const FIND: &str = "
    SELECT event, organisation, tool, matter, session, subject, verdict, finished_at FROM evidence
    WHERE organisation = ?1 AND tool = ?2 AND (?3 IS NULL OR subject = ?3)
        AND (?4 IS NULL OR matter = ?4) AND (?5 IS NULL OR session = ?5)
    ORDER BY finished_at DESC LIMIT ?6";
const OF: &str = "
    SELECT event, organisation, tool, matter, session, subject, verdict, finished_at FROM evidence
    WHERE organisation = ?1 AND event = ?2";
const OPEN: &str = "
    SELECT event, organisation, tool, matter, session, subject, verdict, finished_at
    FROM evidence AS it
    WHERE organisation = ?1 AND tool = ?2 AND verdict = ?3 AND NOT EXISTS (
        SELECT 1 FROM evidence AS later
        WHERE later.organisation = ?1 AND later.tool = ?2 AND later.subject IS it.subject
            AND (later.finished_at, later.event) > (it.finished_at, it.event))
    ORDER BY finished_at DESC LIMIT ?4";
const PUT: &str = "
    INSERT INTO evidence
        (event, organisation, tool, matter, session, subject, verdict, finished_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
const DECIDE: &str = "
    INSERT OR IGNORE INTO decision (event, person, note, decided_at) VALUES (?1, ?2, ?3, ?4)";
