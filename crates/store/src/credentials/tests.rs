use assay_base::{SecretDigest, Timestamp};

use super::{MAX_KEYS, MAX_SESSIONS, NewCredential};
use crate::error::StoreError;
use crate::refusal::Refusal;
use crate::store::Store;
use crate::testing::OWN;
use crate::workspaces::{PersonId, WorkspaceId};

fn new(token: &str, workspace: Option<WorkspaceId>, issued_at: i64) -> NewCredential<'_> {
    NewCredential {
        digest: SecretDigest::of(token.as_bytes()),
        address: token,
        person: PersonId::OWNER,
        workspace,
        label: Some("for a test"),
        scopes: "read check",
        bound: crate::Bound::default(),
        issued_at: Timestamp::from_seconds(issued_at),
        expires_at: Some(Timestamp::from_seconds(issued_at + 100)),
    }
}

#[test]
fn a_key_is_known_until_it_is_revoked() {
    let store = Store::in_memory().unwrap();
    store.put_credential(&new("key", Some(OWN), 0)).unwrap();
    let known = store.credential(SecretDigest::of(b"key")).unwrap().unwrap();
    assert_eq!(known.workspace.unwrap().address, "personal-owner");
    assert_eq!((known.person, known.scopes.as_str()), (PersonId::OWNER, "read check"));
    assert_eq!(store.credential(SecretDigest::of(b"KEY")), Ok(None));
    let now = Timestamp::from_seconds(5);
    store.revoke("key", now).unwrap();
    assert_eq!(store.credential(SecretDigest::of(b"key")), Ok(None));
    let again = store.revoke("key", now);
    assert_eq!(again, Err(StoreError::Refused(Refusal::UnknownCredential)));
    assert_eq!(store.keys().unwrap()[0].revoked_at, Some(now));
}

#[test]
fn keys_are_few_and_sessions_make_room() {
    let store = Store::in_memory().unwrap();
    let names: Vec<String> = (0..=MAX_KEYS).map(|it| format!("key-{it}")).collect();
    for name in &names[1..] {
        store.put_credential(&new(name, Some(OWN), 0)).unwrap();
    }
    let limit = Refusal::TooManyKeys { limit: MAX_KEYS };
    let one_more = new(&names[0], Some(OWN), 0);
    assert_eq!(store.put_credential(&one_more), Err(StoreError::Refused(limit)));
    // Keys that ended do not count.
    store.put_credential(&new(&names[0], Some(OWN), 100)).unwrap();
    let names: Vec<String> = (0..=MAX_SESSIONS).map(|it| format!("session-{it}")).collect();
    for (name, issued_at) in names.iter().zip(0..) {
        store.put_credential(&new(name, None, issued_at)).unwrap();
    }
    let known = |it: &String| store.credential(SecretDigest::of(it.as_bytes())).unwrap().is_some();
    let valid: Vec<bool> = names.iter().map(known).collect();
    assert!(!valid[0] && valid[1..].iter().all(|it| *it), "{valid:?}");
}
