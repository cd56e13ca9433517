//! What becomes of a tool from one version to the next one, and from one registry to the next one.

use std::cmp::Ordering;

use super::strictness::{Turn, turns};
use super::{Governed, Loader, Snapshot, config};
use crate::gate::Fault;
use crate::gate::permission::{Grants, ROLES};
use crate::gate::version::{Change, Kind, diff};

impl Loader {
    /// Under one id, whoever could call a version can call the next one with the same arguments,
    /// and read its answers in the same way. Where calls are held less strictly, or more, that is
    /// told.
    pub(super) fn evolution(&mut self, before: Option<&Snapshot>) {
        let (mut faults, mut warnings) = (Vec::new(), Vec::new());
        for (id, versions) in &self.tools {
            let replaced = before.and_then(|it| it.tools.get(id)).map_or(&[][..], Vec::as_slice);
            let pairs = versions.windows(2).filter_map(|pair| match pair {
                [old, new] => Some((old, new)),
                _ => None,
            });
            // A version that is gone is held against the one that its callers get instead.
            let next = |old: &Governed| versions.iter().find(|it| follows(it, old));
            let kept = replaced.iter().filter_map(|old| Some((old, next(old)?)));
            for (old, new) in pairs.chain(kept) {
                promises(old, new, &mut faults);
                told(old, new, &mut warnings);
            }
            // Callers without a range of their own get the highest version that is in use, which
            // may be a lower one now.
            if let (Some(old), Some(new)) = (in_use(replaced), in_use(versions)) {
                told(old, new, &mut warnings);
            }
        }
        self.faults.extend(faults);
        for warning in warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }
}

impl Loader {
    /// Where a role has more of a permission than before, or less.
    pub(super) fn granting(&mut self, before: Option<&Snapshot>, grants: &Grants) {
        let old = before.into_iter().flat_map(|it| it.grants.added());
        for (permission, old) in old {
            let Some((_, new)) = grants.added().find(|(it, _)| *it == permission) else { continue };
            for ((old, new), role) in old.iter().zip(new).zip(ROLES).filter(|((a, b), _)| a != b) {
                let (is_looser, what) = match new.rank().cmp(&old.rank()) {
                    Ordering::Less => (true, "the role has more of it than before"),
                    Ordering::Equal => (true, "another role agrees to it than before"),
                    Ordering::Greater => (false, "the role has less of it than before"),
                };
                let pointer = format!("/grants/{permission}/{role}");
                let turn = Turn { pointer, is_looser, what: what.to_owned() };
                let message = turn.to_string();
                self.warnings.push(Fault::new(
                    config::FILE,
                    turn.pointer,
                    message,
                    mend(is_looser),
                ));
            }
        }
    }
}

fn follows(new: &Governed, old: &Governed) -> bool {
    new.record.version >= old.record.version
}

fn in_use(versions: &[Governed]) -> Option<&Governed> {
    versions.iter().rev().find(|it| it.record.enabled && !it.withdrawn)
}

/// What callers of `old` rely on and do not find in `new`.
fn promises(old: &Governed, new: &Governed, faults: &mut Vec<Fault>) {
    let mut broken = |pointer: String, what: &str| {
        let message = format!("callers of version {} may break: {what}", old.record.version);
        let mend = "give the tool a new major version, with an id that says so";
        faults.push(Fault::new(&new.file, pointer, message, mend));
    };
    let changes = diff(&old.record.input_schema, &new.record.input_schema);
    for change in changes.iter().filter(|it| !it.kind.is_compatible()) {
        broken(format!("/input_schema{}", change.pointer), &format!("{:?}", change.kind));
    }
    // Answers go the other way: what the new version says is taken by those who know the old one,
    // who do not miss a field that they do not know. A version without a schema promised nothing.
    let Some(promised) = &old.record.output_schema else { return };
    let Some(said) = &new.record.output_schema else {
        return broken("/output_schema".to_owned(), "answers promise nothing any more");
    };
    let added = |it: &Change| it.kind == Kind::PropertyRemoved;
    let changes = diff(said, promised);
    for change in changes.iter().filter(|it| !it.kind.is_compatible() && !added(it)) {
        let what = format!("{:?}, from the new answer back to the old one", change.kind);
        broken(format!("/output_schema{}", change.pointer), &what);
    }
}

/// Where `new` holds calls less strictly than `old`, and where more.
fn told(old: &Governed, new: &Governed, warnings: &mut Vec<Fault>) {
    for turn in turns(&old.record, &new.record) {
        let message = format!("{turn}, compared with version {}", old.record.version);
        warnings.push(Fault::new(&new.file, turn.pointer, message, mend(turn.is_looser)));
    }
}

const fn mend(is_looser: bool) -> &'static str {
    if is_looser {
        "let somebody read this who did not write it"
    } else {
        "tell those who call the tool"
    }
}
