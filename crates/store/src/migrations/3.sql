-- 3: the audit log, to which rows are only ever added, each behind the last of its chain.
-- `record` is the text that was hashed and is never rendered again from anything else.
CREATE TABLE audit_entry (
    chain TEXT NOT NULL,
    sequence INTEGER NOT NULL CHECK (sequence > 0),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    record TEXT NOT NULL,
    PRIMARY KEY (chain, sequence)
) STRICT, WITHOUT ROWID;
-- Refusing a number that is taken also stops a replacing insert, which fires no trigger on deletes.
CREATE TRIGGER audit_entry_follows BEFORE INSERT ON audit_entry
WHEN NEW.sequence != 1 + coalesce(
    (SELECT max(sequence) FROM audit_entry WHERE chain = NEW.chain), 0)
BEGIN SELECT RAISE(ABORT, 'an audit entry stands behind the last one'); END;
CREATE TRIGGER audit_entry_stays BEFORE UPDATE ON audit_entry
BEGIN SELECT RAISE(ABORT, 'an audit entry is never edited'); END;
CREATE TRIGGER audit_entry_remains BEFORE DELETE ON audit_entry
BEGIN SELECT RAISE(ABORT, 'an audit entry is never removed'); END;
-- The signed lines as they were written. Copies elsewhere are what makes them worth something.
CREATE TABLE audit_checkpoint (
    chain TEXT NOT NULL,
    size INTEGER NOT NULL CHECK (size > 0),
    line TEXT NOT NULL,
    PRIMARY KEY (chain, size)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER audit_checkpoint_follows BEFORE INSERT ON audit_checkpoint
WHEN NEW.size <= coalesce((SELECT max(size) FROM audit_checkpoint WHERE chain = NEW.chain), 0)
BEGIN SELECT RAISE(ABORT, 'an audit checkpoint covers more than the last one'); END;
CREATE TRIGGER audit_checkpoint_stays BEFORE UPDATE ON audit_checkpoint
BEGIN SELECT RAISE(ABORT, 'an audit checkpoint is never edited'); END;
CREATE TRIGGER audit_checkpoint_remains BEFORE DELETE ON audit_checkpoint
BEGIN SELECT RAISE(ABORT, 'an audit checkpoint is never removed'); END;
