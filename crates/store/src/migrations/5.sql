-- 5: audit entries by their identifier and by their time, across chains. An entry whose text is no
-- JSON any more has neither, so that what was tampered with can still be read.
CREATE INDEX audit_entry_event ON audit_entry (
    CASE WHEN json_valid(record) THEN json_extract(record, '$.event_id') END);
CREATE INDEX audit_entry_time ON audit_entry (
    CASE WHEN json_valid(record) THEN json_extract(record, '$.timestamp') END);
