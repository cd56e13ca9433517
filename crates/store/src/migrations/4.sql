-- 4: governed calls.
-- What a credential is bound to when it is issued: the skill that works with it, and the matter.
ALTER TABLE credential ADD COLUMN skill TEXT;
ALTER TABLE credential ADD COLUMN matter TEXT;
-- Which roles of a practice a person has in a workspace.
CREATE TABLE practice_role (
    workspace INTEGER NOT NULL REFERENCES workspace (id),
    person INTEGER NOT NULL REFERENCES person (id),
    role TEXT NOT NULL,
    PRIMARY KEY (workspace, person, role)
) STRICT, WITHOUT ROWID;
-- What is stopped. Times of governed calls are milliseconds since 1970. The last four columns hold
-- the first of the two people whom it takes to lift a stop.
CREATE TABLE stop (
    target TEXT NOT NULL PRIMARY KEY,
    set_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    set_at INTEGER NOT NULL,
    lift_by INTEGER REFERENCES person (id),
    lift_fix TEXT,
    lift_reason TEXT,
    lift_at INTEGER
) STRICT, WITHOUT ROWID;
-- What became of a call that may happen only once.
CREATE TABLE outcome (
    organisation TEXT NOT NULL,
    key BLOB NOT NULL CHECK (length(key) = 32),
    state TEXT NOT NULL CHECK (state IN ('in_flight', 'done', 'unknown')),
    fingerprint TEXT NOT NULL,
    payload TEXT,
    reference TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (organisation, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcome_until ON outcome (until);
CREATE INDEX outcome_reference ON outcome (reference);
-- What a call found, for the calls that must come after it. A row stands for the audit entry that
-- bears the same event, and is written with it.
CREATE TABLE evidence (
    event TEXT NOT NULL PRIMARY KEY,
    organisation TEXT NOT NULL,
    tool TEXT NOT NULL,
    matter TEXT,
    session TEXT NOT NULL,
    subject TEXT,
    verdict TEXT,
    finished_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_tool ON evidence (organisation, tool, subject, finished_at);
CREATE TABLE decision (
    event TEXT NOT NULL REFERENCES evidence (event),
    person INTEGER NOT NULL REFERENCES person (id),
    note TEXT NOT NULL,
    decided_at INTEGER NOT NULL,
    PRIMARY KEY (event, person)
) STRICT, WITHOUT ROWID;
-- Calls that wait for people, and what people said to them.
CREATE TABLE request (
    address TEXT NOT NULL PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspace (id),
    call BLOB NOT NULL CHECK (length(call) = 32),
    requester INTEGER NOT NULL REFERENCES person (id),
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    arguments TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'used', 'closed')),
    made_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX request_call ON request (workspace, call, made_at);
CREATE INDEX request_open ON request (workspace, expires_at) WHERE state = 'open';
CREATE TABLE word (
    request TEXT NOT NULL REFERENCES request (address),
    person INTEGER NOT NULL REFERENCES person (id),
    word TEXT NOT NULL CHECK (word IN ('approve', 'refuse', 'confirm', 'decline')),
    shown BLOB NOT NULL CHECK (length(shown) = 32),
    said_at INTEGER NOT NULL,
    PRIMARY KEY (request, person, word)
) STRICT, WITHOUT ROWID;
