-- 2: workspaces, and everything that belongs to one of them.
CREATE TABLE person (
    id INTEGER NOT NULL PRIMARY KEY,
    subject TEXT NOT NULL UNIQUE,
    name TEXT,
    current INTEGER REFERENCES workspace (id)
) STRICT;
CREATE TABLE workspace (
    id INTEGER NOT NULL PRIMARY KEY,
    address TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('personal', 'team')),
    name TEXT NOT NULL
) STRICT;
CREATE TABLE membership (
    workspace INTEGER NOT NULL REFERENCES workspace (id),
    person INTEGER NOT NULL REFERENCES person (id),
    role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    PRIMARY KEY (workspace, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX membership_person ON membership (person);
-- Neither the token nor the address of an invitation is kept: `digest` stands for the token, and
-- `bound` for the token together with the address.
CREATE TABLE invitation (
    digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    bound BLOB NOT NULL CHECK (length(bound) = 32),
    workspace INTEGER NOT NULL REFERENCES workspace (id),
    inviter INTEGER NOT NULL REFERENCES person (id),
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT;
CREATE INDEX invitation_workspace ON invitation (workspace);
-- Keys name one workspace, sessions name a person; the secret of both is kept as a digest.
CREATE TABLE credential (
    digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    address TEXT NOT NULL UNIQUE,
    person INTEGER NOT NULL REFERENCES person (id),
    workspace INTEGER REFERENCES workspace (id),
    label TEXT,
    scopes TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT;
CREATE INDEX credential_person ON credential (person, workspace);

CREATE TABLE source (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    text TEXT NOT NULL
) STRICT;
CREATE TABLE revision (
    workspace INTEGER NOT NULL REFERENCES workspace (id),
    hash BLOB NOT NULL REFERENCES source (hash),
    parent BLOB,
    depth INTEGER NOT NULL CHECK (depth >= 0),
    PRIMARY KEY (workspace, hash),
    FOREIGN KEY (workspace, parent) REFERENCES revision (workspace, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX revision_parent ON revision (workspace, parent) WHERE parent IS NOT NULL;
-- `name` holds where each name points now, `binding` where it ever pointed.
CREATE TABLE name (
    workspace INTEGER NOT NULL,
    name TEXT NOT NULL,
    hash BLOB NOT NULL,
    bound_at INTEGER NOT NULL,
    bindings INTEGER NOT NULL,
    PRIMARY KEY (workspace, name),
    FOREIGN KEY (workspace, hash) REFERENCES revision (workspace, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX name_hash ON name (workspace, hash);
CREATE TABLE binding (
    workspace INTEGER NOT NULL,
    name TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    hash BLOB NOT NULL,
    bound_at INTEGER NOT NULL,
    PRIMARY KEY (workspace, name, sequence)
) STRICT, WITHOUT ROWID;
CREATE TABLE approval (
    workspace INTEGER NOT NULL,
    hash BLOB NOT NULL,
    sequence INTEGER NOT NULL,
    approver TEXT NOT NULL,
    note TEXT,
    approved_at INTEGER NOT NULL,
    library BLOB CHECK (length(library) = 32),
    PRIMARY KEY (workspace, hash, sequence),
    FOREIGN KEY (workspace, hash) REFERENCES revision (workspace, hash)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER approval_stays BEFORE UPDATE ON approval
BEGIN SELECT RAISE(ABORT, 'an approval is never edited'); END;
CREATE TRIGGER approval_remains BEFORE DELETE ON approval
BEGIN SELECT RAISE(ABORT, 'an approval is never removed'); END;
CREATE TABLE label (
    workspace INTEGER NOT NULL,
    hash BLOB NOT NULL,
    domain TEXT,
    confidence TEXT,
    declined INTEGER NOT NULL CHECK (declined IN (0, 1)),
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (workspace, hash),
    FOREIGN KEY (workspace, hash) REFERENCES revision (workspace, hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE converter (
    workspace INTEGER NOT NULL REFERENCES workspace (id),
    from_unit TEXT NOT NULL,
    to_unit TEXT NOT NULL,
    factor TEXT NOT NULL,
    shift TEXT NOT NULL,
    attribution TEXT,
    added_at INTEGER NOT NULL,
    PRIMARY KEY (workspace, from_unit, to_unit)
) STRICT, WITHOUT ROWID;
CREATE TABLE usage (
    workspace INTEGER NOT NULL REFERENCES workspace (id),
    period TEXT NOT NULL,
    used INTEGER NOT NULL CHECK (used >= 0),
    PRIMARY KEY (workspace, period)
) STRICT, WITHOUT ROWID;

INSERT INTO workspace (id, address, kind, name) VALUES (1, 'personal-owner', 'personal', 'personal');
INSERT INTO person (id, subject, name, current) VALUES (1, 'owner', NULL, 1);
INSERT INTO membership (workspace, person, role) VALUES (1, 1, 'owner');
INSERT INTO source (hash, text) SELECT hash, source FROM ruleset;
-- By depth, so that each parent is there before what follows it.
INSERT INTO revision (workspace, hash, parent, depth)
    SELECT 1, hash, parent, depth FROM ruleset ORDER BY depth;
DROP TABLE ruleset;
