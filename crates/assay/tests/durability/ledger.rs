//! The file as SQLite alone sees it, against what was acknowledged.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use crate::writer::Acknowledged;

/// One revision in the file.
struct Revision {
    parent: Option<String>,
    depth: u32,
    source: String,
    approvals: u32,
}

const REVISIONS: &str = "
    SELECT lower(hex(revision.hash)), nullif(lower(hex(revision.parent)), ''), revision.depth,
        source.text,
        (SELECT count(*) FROM approval WHERE approval.hash = revision.hash)
    FROM revision JOIN source USING (hash)";
const NAMES: &str = "
    SELECT name.name, lower(hex(name.hash)), count(binding.hash), count(DISTINCT binding.hash)
    FROM name JOIN binding USING (workspace, name) GROUP BY name.name";

/// Holds that the file is sound, that each line of revisions is unbroken, and that nothing that was
/// acknowledged is missing or differs.
pub(crate) fn check(file: &Path, acknowledged: &[Acknowledged]) {
    let file = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let sound: String = file.pragma_query_value(None, "integrity_check", |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    assert!(!file.prepare("PRAGMA foreign_key_check").unwrap().exists([]).unwrap());
    let revisions = revisions(&file);
    let lines = lines(&file, &revisions);
    let joined: usize = lines.values().map(Vec::len).sum();
    assert_eq!(joined, revisions.len(), "a revision stands outside of every line");
    for it in acknowledged {
        let kept = revisions.get(&it.hash).unwrap_or_else(|| panic!("{it:?} is gone"));
        assert_eq!((&kept.parent, kept.depth), (&it.parent, it.depth), "{it:?}");
        assert_eq!(kept.source, it.source, "{it:?}");
        // One that was not acknowledged may be there all the same, and none is there twice.
        let least = u32::from(it.approved);
        assert!((least..=1).contains(&kept.approvals), "{it:?}: {} approvals", kept.approvals);
        let place = usize::try_from(it.depth).unwrap();
        let line = lines.get(&it.name).unwrap_or_else(|| panic!("`{}` is gone", it.name));
        assert_eq!(line.get(place), Some(&it.hash), "{it:?}");
    }
}

fn revisions(file: &Connection) -> BTreeMap<String, Revision> {
    let mut statement = file.prepare(REVISIONS).unwrap();
    let row = |row: &rusqlite::Row<'_>| {
        let (parent, depth) = (row.get(1)?, row.get(2)?);
        let (source, approvals) = (row.get(3)?, row.get(4)?);
        Ok((row.get(0)?, Revision { parent, depth, source, approvals }))
    };
    statement.query_map([], row).unwrap().map(Result::unwrap).collect()
}

/// The revisions of each name, oldest first. Each follows the one before it, from the first on, and
/// there are as many as the name ever pointed to.
fn lines(
    file: &Connection,
    revisions: &BTreeMap<String, Revision>,
) -> BTreeMap<String, Vec<String>> {
    let mut statement = file.prepare(NAMES).unwrap();
    let row = |row: &rusqlite::Row<'_>| {
        let (name, head): (String, String) = (row.get(0)?, row.get(1)?);
        let bindings: [u32; 2] = [row.get(2)?, row.get(3)?];
        Ok((name, head, bindings))
    };
    let names = statement.query_map([], row).unwrap().map(Result::unwrap);
    let line = |(name, head, bindings): (String, String, [u32; 2])| {
        let (mut line, mut next) = (Vec::new(), Some(head));
        while let Some(hash) = next {
            let revision = revisions.get(&hash).unwrap_or_else(|| panic!("{hash} is gone"));
            line.push((hash, revision.depth));
            next = revision.parent.clone();
        }
        line.reverse();
        let depths: Vec<u32> = line.iter().map(|it| it.1).collect();
        assert!((0..).zip(&depths).all(|(place, depth)| place == *depth), "{name}: {depths:?}");
        assert_eq!(bindings.map(|it| it as usize), [line.len(); 2], "{name}");
        (name, line.into_iter().map(|it| it.0).collect())
    };
    names.map(line).collect()
}
