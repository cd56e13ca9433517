use assay_base::{SecretDigest, Timestamp};

use super::{Invitation, MAX_INVITATIONS, MAX_TEAMS};
use crate::credentials::NewCredential;
use crate::error::StoreError;
use crate::refusal::Refusal;
use crate::store::Store;
use crate::workspaces::{PERSONAL, PersonId, Role};

const OWNER: PersonId = PersonId::OWNER;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_seconds(seconds)
}

fn invitation(token: &str, address: &str) -> Invitation {
    let bound = SecretDigest::of(format!("{token} {address}").as_bytes());
    Invitation { digest: SecretDigest::of(token.as_bytes()), bound }
}

/// A store with a team of which `ada` is a member.
fn team() -> (Store, PersonId) {
    let store = Store::in_memory().unwrap();
    store.create_team(OWNER, "team-1", "Legal").unwrap();
    store.invite(OWNER, "team-1", invitation("t", "a@x"), [at(0), at(100)]).unwrap();
    let (ada, joined) =
        store.accept(invitation("t", "a@x"), None, ["person-ada", "Ada"], at(1)).unwrap();
    assert_eq!((joined.address.as_str(), joined.role), ("team-1", Role::Member));
    (store, ada)
}

fn refused<T: std::fmt::Debug>(outcome: Result<T, StoreError>) -> Refusal {
    match outcome {
        Err(StoreError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

fn roles(store: &Store) -> Vec<(String, Role)> {
    let members = store.members(OWNER, "team-1").unwrap();
    members.into_iter().map(|it| (it.person.subject, it.role)).collect()
}

#[test]
fn an_invitation_is_for_one_address_and_one_use() {
    let (store, ada) = team();
    let accept = |token: &str, address: &str, now| {
        store.accept(invitation(token, address), None, ["person-x", "X"], at(now))
    };
    assert_eq!(refused(accept("t", "a@x", 2)), Refusal::InvitationUsed);
    store.invite(OWNER, "team-1", invitation("u", "b@x"), [at(0), at(100)]).unwrap();
    assert_eq!(refused(accept("u", "a@x", 2)), Refusal::InvitationForAnother);
    assert_eq!(refused(accept("v", "b@x", 2)), Refusal::UnknownInvitation);
    assert_eq!(refused(accept("u", "b@x", 100)), Refusal::InvitationExpired);
    assert_eq!(store.people().unwrap().len(), 2, "a refusal makes no person");
    // Somebody who is known joins as who they are.
    store.create_team(ada, "team-2", "Legal").unwrap();
    store.invite(ada, "team-2", invitation("w", "o@x"), [at(0), at(100)]).unwrap();
    let known = store.accept(invitation("w", "o@x"), Some(OWNER), ["", ""], at(2)).unwrap();
    assert_eq!(known.0, OWNER);
    assert_eq!(store.people().unwrap().len(), 2);
    // Two teams of one name are told apart by their addresses.
    let addresses = vec!["team-1".to_owned(), "team-2".to_owned()];
    let ambiguous = Refusal::AmbiguousWorkspace { name: "Legal".to_owned(), addresses };
    assert_eq!(refused(store.use_workspace(OWNER, "Legal")), ambiguous);
    assert_eq!(store.use_workspace(OWNER, "team-2").unwrap().address, "team-2");
    assert_eq!(store.current_workspace(OWNER).unwrap().address, "team-2");
    assert_eq!(store.use_workspace(OWNER, PERSONAL).unwrap().address, "personal-owner");
    let unknown = Refusal::UnknownWorkspace { workspace: "team-3".to_owned() };
    assert_eq!(refused(store.use_workspace(OWNER, "team-3")), unknown);
}

#[test]
fn only_administrators_change_a_team_and_one_remains() {
    let (store, ada) = team();
    let member = |role| vec![("owner".to_owned(), Role::Admin), ("person-ada".to_owned(), role)];
    let invite = store.invite(ada, "team-1", invitation("z", "c@x"), [at(0), at(9)]);
    assert_eq!(refused(invite), Refusal::NotAdmin);
    assert_eq!(refused(store.set_role(ada, "team-1", "owner", Role::Member)), Refusal::NotAdmin);
    assert_eq!(refused(store.remove_member(ada, "team-1", "owner", at(2))), Refusal::NotAdmin);
    let demote = store.set_role(OWNER, "team-1", "owner", Role::Member);
    assert_eq!(refused(demote), Refusal::LastAdmin);
    assert_eq!(refused(store.remove_member(OWNER, "team-1", "owner", at(2))), Refusal::LastAdmin);
    let unknown = Refusal::UnknownMember { member: "person-x".to_owned() };
    assert_eq!(refused(store.set_role(OWNER, "team-1", "person-x", Role::Admin)), unknown);
    let team = || Refusal::UnknownTeam { team: "team-9".to_owned() };
    assert_eq!(refused(store.set_role(OWNER, "team-9", "owner", Role::Admin)), team());
    assert_eq!(refused(store.members(ada, "team-9")), team());
    assert_eq!(roles(&store), member(Role::Member));
    store.set_role(OWNER, "team-1", "person-ada", Role::Admin).unwrap();
    assert_eq!(roles(&store), member(Role::Admin));
    store.set_role(ada, "team-1", "owner", Role::Member).unwrap();
    assert_eq!(refused(store.set_role(OWNER, "team-1", "owner", Role::Admin)), Refusal::NotAdmin);
}

#[test]
fn who_leaves_takes_no_key_along() {
    let (store, ada) = team();
    let team = store.use_workspace(ada, "team-1").unwrap().id;
    let key = |token: &'static str, workspace| NewCredential {
        digest: SecretDigest::of(token.as_bytes()),
        address: token,
        person: ada,
        workspace,
        label: None,
        scopes: "read",
        bound: crate::Bound::default(),
        issued_at: at(1),
        expires_at: None,
    };
    store.put_credential(&key("in-team", Some(team))).unwrap();
    let own = store.workspace(ada, PERSONAL).unwrap();
    store.put_credential(&key("own", Some(own.id))).unwrap();
    assert_eq!(store.remove_member(OWNER, "team-1", "person-ada", at(2)), Ok(1));
    assert_eq!(store.credential(SecretDigest::of(b"in-team")), Ok(None));
    assert!(store.credential(SecretDigest::of(b"own")).unwrap().is_some());
    assert_eq!(store.current_workspace(ada).unwrap(), own);
    let gone = Refusal::UnknownTeam { team: "team-1".to_owned() };
    assert_eq!(refused(store.members(ada, "team-1")), gone);
}

#[test]
fn what_a_stranger_can_grow_has_a_limit() {
    let store = Store::in_memory().unwrap();
    for it in 0..MAX_TEAMS {
        store.create_team(OWNER, &format!("team-{it}"), "Team").unwrap();
    }
    let teams = Refusal::TooMany { what: "teams", limit: MAX_TEAMS };
    assert_eq!(refused(store.create_team(OWNER, "team-x", "Team")), teams);
    let invite = |it: u32, now| {
        let invitation = invitation(&format!("{it}"), "a@x");
        store.invite(OWNER, "team-0", invitation, [at(now), at(now + 10)])
    };
    for it in 0..MAX_INVITATIONS {
        invite(it, 0).unwrap();
    }
    let open = Refusal::TooMany { what: "open invitations", limit: MAX_INVITATIONS };
    assert_eq!(refused(invite(1_000, 0)), open);
    invite(1_000, 10).unwrap();
}
