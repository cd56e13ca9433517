-- 7: the audit entry in which a person's word stands, and how often what is stopped changed.
ALTER TABLE word ADD COLUMN event TEXT;
CREATE TABLE stop_change (
    only INTEGER NOT NULL PRIMARY KEY CHECK (only = 1),
    number INTEGER NOT NULL
) STRICT;
INSERT INTO stop_change (only, number) VALUES (1, 0);
CREATE TRIGGER stop_set AFTER INSERT ON stop BEGIN
    UPDATE stop_change SET number = number + 1;
END;
CREATE TRIGGER stop_lifted AFTER DELETE ON stop BEGIN
    UPDATE stop_change SET number = number + 1;
END;
