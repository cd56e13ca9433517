use std::thread::sleep;

use assay_base::Timestamp;

use super::{PersonId, Role};
use crate::converters::Converter;
use crate::labels::Label;
use crate::store::Store;
use crate::testing::{Folder, OWN, hash};
use crate::usage::Charge;
use crate::watch::LOOK_EVERY;

#[test]
fn the_owner_starts_alone() {
    let store = Store::in_memory().unwrap();
    let own = store.current_workspace(PersonId::OWNER).unwrap();
    assert_eq!((own.id, own.address.as_str(), own.role), (OWN, "personal-owner", Role::Owner));
    assert_eq!(store.workspaces(PersonId::OWNER).unwrap(), [own]);
    assert_eq!(store.people().unwrap().len(), 1);
}

#[test]
fn an_allowance_is_never_exceeded() {
    let store = Store::in_memory().unwrap();
    let charge = |units| store.charge(OWN, "2026-12", units, 10).unwrap();
    assert_eq!(charge(7), Charge::Spent);
    assert_eq!(charge(4), Charge::Exceeds { used: 7 });
    assert_eq!(charge(3), Charge::Spent);
    assert_eq!(charge(1), Charge::Exceeds { used: 10 });
    store.refund(OWN, "2026-12", 3).unwrap();
    assert_eq!(store.used(OWN, "2026-12"), Ok(7));
    assert_eq!(store.used(OWN, "2027-01"), Ok(0));
}

#[test]
fn converters_are_replaced_unless_someone_else_was_faster() {
    let store = Store::in_memory().unwrap();
    let converter = |from: &str, factor: &str| Converter {
        from: from.to_owned(),
        to: "USD".to_owned(),
        factor: factor.to_owned(),
        offset: "0".to_owned(),
        attribution: Some("Ada".to_owned()),
    };
    let (eur, gbp) = (converter("EUR", "11/10"), converter("GBP", "5/4"));
    let now = Timestamp::from_seconds(1);
    let replace = |old: &[Converter], new: &[Converter]| {
        store.replace_converters(OWN, old, new, now).unwrap()
    };
    assert!(replace(&[], std::slice::from_ref(&eur)));
    assert!(!replace(&[], std::slice::from_ref(&gbp)), "what was there is not what is there");
    let newer = converter("EUR", "12/10");
    assert!(replace(std::slice::from_ref(&eur), &[newer.clone(), gbp.clone()]));
    assert_eq!(store.converters(OWN).unwrap(), [newer, gbp]);
}

#[test]
fn a_label_is_kept_with_the_time_of_its_last_change() {
    let store = Store::in_memory().unwrap();
    store.put_source(OWN, hash("one"), "one", None).unwrap();
    let label = |domain: Option<&str>, at| Label {
        domain: domain.map(str::to_owned),
        confidence: None,
        declined: domain.is_none(),
        updated_at: Timestamp::from_seconds(at),
    };
    assert_eq!(store.label(OWN, hash("one")), Ok(None));
    for (given, kept) in [
        (label(Some("finance"), 1), label(Some("finance"), 1)),
        (label(Some("finance"), 2), label(Some("finance"), 1)),
        (label(None, 3), label(None, 3)),
    ] {
        assert_eq!(store.put_label(OWN, hash("one"), &given), Ok(kept.clone()));
        assert_eq!(store.label(OWN, hash("one")), Ok(Some(kept)));
    }
}

#[test]
fn every_write_is_noticed() {
    let folder = Folder::new("generation");
    let store = Store::open(&folder.database()).unwrap();
    let other = Store::open(&folder.database()).unwrap();
    let before = store.generation();
    store.source(OWN, hash("one")).unwrap();
    assert_eq!(store.generation(), before, "a read is no write");
    store.use_workspace(PersonId::OWNER, "personal").unwrap();
    let after = store.generation();
    assert_ne!(after, before);
    other.put_source(OWN, hash("two"), "two", None).unwrap();
    sleep(LOOK_EVERY * 2);
    assert_ne!(store.generation(), after);
    // A look at the file takes any write for one that counts; in memory nobody looks.
    let store = Store::in_memory().unwrap();
    let before = store.generation();
    store.put_source(OWN, hash("one"), "one", None).unwrap();
    assert_eq!(store.generation(), before, "a ruleset changes nobody's rights");
    store.use_workspace(PersonId::OWNER, "personal").unwrap();
    assert_ne!(store.generation(), before);
}
