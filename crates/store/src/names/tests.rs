use assay_base::{LibraryHash, RulesetHash, Timestamp};

use super::{Listed, Named, Save, Saved};
use crate::approvals::{Approval, Recorded, Sign};
use crate::error::StoreError;
use crate::refusal::Refusal;
use crate::rulesets::Lineage;
use crate::store::Store;
use crate::testing::{Folder, OWN, hash};
use crate::workspaces::{PersonId, WorkspaceId};

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_seconds(seconds)
}

fn save(store: &Store, name: &str, source: &str, now: i64) -> Result<Saved, StoreError> {
    let save = Save { name, hash: hash(source), source, parent: None, label: None, now: at(now) };
    store.save(OWN, save)
}

fn saved(created: bool, parent: Option<&str>, depth: u32, bound_at: i64) -> Saved {
    let lineage = Lineage { parent: parent.map(hash), depth };
    Saved { created, lineage, bound_at: at(bound_at), label: None }
}

fn approval(approver: &str, approved_at: i64) -> Approval {
    let library = Some(LibraryHash::of(b"library"));
    Approval { approver: approver.to_owned(), note: None, approved_at: at(approved_at), library }
}

fn approve(
    store: &Store,
    source: &str,
    name: Option<&str>,
    approval: &Approval,
) -> Result<Recorded, StoreError> {
    store.approve(OWN, Sign { hash: hash(source), name, approval, label: None })
}

fn chain(store: &Store, workspace: WorkspaceId, name: &str) -> Vec<RulesetHash> {
    store.named(workspace, name).unwrap().unwrap().chain
}

#[test]
fn saving_over_a_name_links_what_it_pointed_to() {
    let store = Store::in_memory().unwrap();
    for (source, now, expected) in [
        ("one", 1, saved(true, None, 0, 1)),
        // The same again changes nothing, not even since when.
        ("one", 2, saved(false, None, 0, 1)),
        ("two", 3, saved(true, Some("one"), 1, 3)),
        ("three", 4, saved(true, Some("two"), 2, 4)),
        // Back to a revision that comes before: it stays where it stands.
        ("one", 5, saved(false, None, 0, 5)),
    ] {
        assert_eq!(save(&store, "name", source, now), Ok(expected), "{source}");
    }
    save(&store, "name", "three", 6).unwrap();
    assert_eq!(chain(&store, OWN, "name"), [hash("three"), hash("two"), hash("one")]);
    assert_eq!(store.named(OWN, "Name"), Ok(None));
    assert_eq!(store.name_of(OWN, hash("three")), Ok(Some("name".to_owned())));
    assert_eq!(store.name_of(OWN, hash("two")), Ok(None));
}

#[test]
fn a_refused_save_leaves_nothing() {
    let store = Store::in_memory().unwrap();
    let (hash_of, parent) = (hash("new"), Some(hash("x")));
    let save = Save { name: "n", hash: hash_of, source: "new", parent, label: None, now: at(1) };
    let refusal = Refusal::UnknownParent { parent: hash("x") };
    assert_eq!(store.save(OWN, save), Err(StoreError::Refused(refusal)));
    assert_eq!(store.named(OWN, "n"), Ok(None));
    assert_eq!(store.source(OWN, hash("new")), Ok(None));
    let wrong = Save { hash: hash("other"), parent: None, ..save };
    assert!(matches!(store.save(OWN, wrong), Err(StoreError::WrongAddress { .. })));
}

#[test]
fn an_approval_stays_with_its_revision() {
    let store = Store::in_memory().unwrap();
    save(&store, "policy", "one", 1).unwrap();
    let recorded = approve(&store, "one", None, &approval("Ada", 2)).unwrap();
    assert_eq!(recorded.name.as_deref(), Some("policy"));
    assert_eq!(recorded.approvals, [approval("Ada", 2)]);
    save(&store, "policy", "two", 3).unwrap();
    let two = store.named(OWN, "policy").unwrap().unwrap();
    let expected =
        Named { hash: hash("two"), bound_at: at(3), chain: two.chain.clone(), approvals: vec![] };
    assert_eq!(two, expected);
    // The name is bound with the approval.
    let recorded = approve(&store, "one", Some("old"), &approval("Bob", 4)).unwrap();
    assert_eq!(recorded.name.as_deref(), Some("old"));
    assert_eq!(recorded.approvals, [approval("Ada", 2), approval("Bob", 4)]);
    let listed = |name: &str, of: &str, bound_at, depth, approvals| Listed {
        name: name.to_owned(),
        hash: hash(of),
        bound_at: at(bound_at),
        depth,
        approvals,
    };
    let expected = [listed("old", "one", 4, 0, 2), listed("policy", "two", 3, 1, 0)];
    assert_eq!(store.names(OWN).unwrap(), expected);
    let unknown = approve(&store, "absent", Some("x"), &approval("Eve", 5));
    let refusal = Refusal::UnknownRevision { hash: hash("absent") };
    assert_eq!(unknown, Err(StoreError::Refused(refusal)));
    assert_eq!(store.named(OWN, "x"), Ok(None));
    for statement in ["UPDATE approval SET approver = 'Eve'", "DELETE FROM approval"] {
        assert!(store.write(|it| Ok(it.execute(statement, [])?)).is_err(), "{statement}");
    }
    assert_eq!(store.approvals(OWN, hash("one")).unwrap().len(), 2);
}

#[test]
fn a_copy_takes_the_revisions_and_no_approval() {
    let store = Store::in_memory().unwrap();
    let team = store.create_team(PersonId::OWNER, "team-1", "Team").unwrap().id;
    for (source, now) in [("one", 1), ("two", 2), ("three", 3)] {
        save(&store, "policy", source, now).unwrap();
    }
    approve(&store, "three", None, &approval("Ada", 4)).unwrap();
    // The team has the middle one already, under another parent.
    store.put_source(team, hash("zero"), "zero", None).unwrap();
    store.put_source(team, hash("two"), "two", Some(hash("zero"))).unwrap();
    let copied = store.copy([OWN, team], ["policy", "copy"], at(5));
    assert_eq!(copied, Ok((hash("three"), 3)));
    assert_eq!(chain(&store, team, "copy"), [hash("three"), hash("two"), hash("zero")]);
    assert_eq!(store.approvals(team, hash("three")), Ok(Vec::new()));
    assert_eq!(store.lineage(team, hash("three")).unwrap().unwrap().depth, 2);
    let taken = Refusal::NameTaken { name: "copy".to_owned() };
    let again = store.copy([OWN, team], ["policy", "copy"], at(6));
    assert_eq!(again, Err(StoreError::Refused(taken)));
    let unknown = Refusal::UnknownName { name: "absent".to_owned() };
    let none = store.copy([OWN, team], ["absent", "new"], at(6));
    assert_eq!(none, Err(StoreError::Refused(unknown)));
}

#[test]
fn a_workspace_sees_its_own_alone() {
    let store = Store::in_memory().unwrap();
    let team = store.create_team(PersonId::OWNER, "team-1", "Team").unwrap().id;
    save(&store, "policy", "one", 1).unwrap();
    assert_eq!(store.source(team, hash("one")), Ok(None));
    assert_eq!(store.lineage(team, hash("one")), Ok(None));
    assert_eq!(store.named(team, "policy"), Ok(None));
    assert_eq!(store.names(team), Ok(Vec::new()));
    let parent = store.put_source(team, hash("two"), "two", Some(hash("one")));
    let refusal = Refusal::UnknownParent { parent: hash("one") };
    assert_eq!(parent, Err(StoreError::Refused(refusal)));
    // What the team stores is new to it, whoever stored it elsewhere.
    let stored = store.put_source(team, hash("one"), "one", None).unwrap();
    assert!(stored.created);
}

#[test]
fn callers_that_save_at_once_leave_one_chain() {
    let folder = Folder::new("chain");
    let path = folder.database();
    drop(Store::open(&path).unwrap());
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let path = &path;
            scope.spawn(move || {
                let store = Store::open(path).unwrap();
                for it in 0..8 {
                    save(&store, "policy", &format!("{thread}/{it}"), 1).unwrap();
                }
            });
        }
    });
    let store = Store::open(&path).unwrap();
    let chain = chain(&store, OWN, "policy");
    assert_eq!(chain.len(), 64);
    for (place, hash) in chain.iter().enumerate() {
        let lineage = store.lineage(OWN, *hash).unwrap().unwrap();
        assert_eq!(lineage.parent, chain.get(place + 1).copied());
        assert_eq!(lineage.depth as usize, 63 - place);
    }
}
