use assay_base::{CallHash, Timestamp};

use super::{Arrival, Departure, Left};
use crate::audit::{AuditHead, AuditRow};
use crate::evidence::{Evidence, Sought};
use crate::outcomes::{Outcome, OutcomeKey, OutcomeState};
use crate::refusal::Refusal;
use crate::requests::{MAX_REQUESTS, Request, RequestState, Word};
use crate::stops::{Lift, Stop};
use crate::testing::OWN;
use crate::workspaces::{PersonId, WorkspaceId};
use crate::{Store, StoreError};

const CALL: CallHash = CallHash::from_bytes([1; 32]);
const KEY: OutcomeKey<'static> = OutcomeKey { organisation: "o", key: CALL };
const SHOWN: CallHash = CallHash::from_bytes([2; 32]);

fn outcome(state: OutcomeState, until: i64) -> Outcome {
    Outcome { state, fingerprint: "{}".to_owned(), reference: "evt_1".to_owned(), until }
}

fn request(address: &str, call: CallHash, made_at: i64) -> Request {
    Request {
        address: address.to_owned(),
        workspace: OWN,
        call,
        requester: PersonId::OWNER,
        tool: "email.send".to_owned(),
        version: "1.0".to_owned(),
        matter: Some("m1".to_owned()),
        arguments: "{}".to_owned(),
        made_at,
        expires_at: made_at + 1_000,
        state: RequestState::Open,
    }
}

/// Nothing that is recorded.
fn unsealed(_: Option<AuditHead>) -> Vec<AuditRow> {
    Vec::new()
}

fn depart(store: &Store, request: Option<&str>, targets: &[&str], now: i64) -> Left {
    let targets: Vec<String> = targets.iter().map(|it| (*it).to_owned()).collect();
    let in_flight = outcome(OutcomeState::InFlight, now + 500);
    let departure =
        Departure { key: Some(KEY), outcome: &in_flight, targets: &targets, request, now };
    store.depart(&departure, "o", |_| Vec::new()).unwrap()
}

fn arrive(store: &Store, kept: Option<&Outcome>, now: i64) {
    let arrival = Arrival { outcome: Some((KEY, kept)), evidence: None, now };
    store.arrive(&arrival, "o", |_| Vec::new()).unwrap();
}

fn stop(target: &str) -> Stop {
    let (set_by, reason) = ("ada".to_owned(), "wrong".to_owned());
    Stop { target: target.to_owned(), set_by, reason, set_at: 5, lift: None }
}

#[test]
fn a_call_leaves_once_until_it_is_forgotten() {
    let store = Store::in_memory().unwrap();
    assert_eq!(depart(&store, None, &[], 0), Left::Yes);
    let Left::Taken(first) = depart(&store, None, &[], 1) else { panic!() };
    assert_eq!((first.state, first.until), (OutcomeState::InFlight, 500));
    // A lease that ran out is no leave to repeat.
    assert!(matches!(depart(&store, None, &[], 900), Left::Taken(_)));
    arrive(&store, None, 1_000);
    assert_eq!(depart(&store, None, &[], 1_001), Left::Yes);
    let done = outcome(OutcomeState::Done("{\"a\":1}".to_owned()), 3_000);
    arrive(&store, Some(&done), 1_002);
    assert_eq!(store.outcome(KEY, 2_999).unwrap(), Some(done));
    assert_eq!(store.outcome(KEY, 3_000).unwrap(), None);
    assert_eq!(depart(&store, None, &[], 3_000), Left::Yes);
    let other = OutcomeKey { organisation: "p", ..KEY };
    assert_eq!(store.outcome(other, 3_000).unwrap(), None);
}

#[test]
fn what_nobody_knows_is_kept_until_somebody_says() {
    let store = Store::in_memory().unwrap();
    for payload in [Some("{}"), None] {
        let settle = |now| {
            store
                .reconcile_outcome("evt_1", payload.map(|it| (it, 9)), now, ("o", unsealed))
                .unwrap()
        };
        assert_eq!(depart(&store, None, &[], 0), Left::Yes);
        // It may still be under way until its lease has run out.
        assert!(!settle(499));
        let doubt = outcome(OutcomeState::Unknown, i64::MAX);
        arrive(&store, Some(&doubt), 1);
        assert_eq!(store.outcome(KEY, i64::MAX - 1).unwrap(), Some(doubt));
        assert!(settle(2));
        assert!(!settle(2));
        let kept = store.outcome(KEY, 8).unwrap().map(|it| it.state);
        assert_eq!(kept, payload.map(|it| OutcomeState::Done(it.to_owned())));
        arrive(&store, None, 10);
    }
}

#[test]
fn a_stop_and_a_spent_request_hold_a_call_back_and_change_nothing() {
    let store = Store::in_memory().unwrap();
    store.set_stop(&stop("email.*")).unwrap();
    store.open_request(&request("req_1", CALL, 0)).unwrap();
    assert_eq!(depart(&store, Some("req_1"), &["x.y", "email.*"], 1), Left::Stopped);
    assert_eq!(store.outcome(KEY, 1).unwrap(), None);
    assert_eq!(depart(&store, Some("req_1"), &["x.y"], 1), Left::Yes);
    arrive(&store, None, 2);
    assert_eq!(depart(&store, Some("req_1"), &[], 3), Left::Spent);
    assert_eq!(store.outcome(KEY, 3).unwrap(), None);
}

#[test]
fn a_request_is_one_for_one_call_and_closes_with_a_no() {
    let store = Store::in_memory().unwrap();
    let first = store.open_request(&request("req_1", CALL, 0)).unwrap();
    assert_eq!(store.open_request(&request("req_2", CALL, 1)).unwrap(), first);
    let place = (OWN, "req_1");
    for (word, person) in [(Word::Approve, PersonId::OWNER), (Word::Approve, PersonId::OWNER)] {
        store.say(place, person, (word, SHOWN, "evt_w"), 5).unwrap();
    }
    let (_, said) = store.request(OWN, "req_1").unwrap().unwrap();
    assert_eq!(said.len(), 1, "one person counts once");
    assert_eq!(said[0].event.as_deref(), Some("evt_w"));
    assert_eq!(store.request(WorkspaceId(2), "req_1").unwrap(), None);
    let unknown = |found: Result<_, StoreError>| {
        matches!(found, Err(StoreError::Refused(Refusal::UnknownRequest)))
    };
    assert!(unknown(store.say(
        (WorkspaceId(2), "req_1"),
        PersonId::OWNER,
        (Word::Approve, SHOWN, "evt_w"),
        6
    )));
    assert!(unknown(store.say(place, PersonId::OWNER, (Word::Approve, SHOWN, "evt_w"), 1_000)));
    store.say(place, PersonId::OWNER, (Word::Refuse, SHOWN, "evt_w"), 6).unwrap();
    assert!(unknown(store.say(place, PersonId::OWNER, (Word::Approve, SHOWN, "evt_w"), 7)));
    assert!(store.open_requests(OWN, 7).unwrap().is_empty());
    let again = store.open_request(&request("req_3", CALL, 8)).unwrap();
    assert_eq!(again.address, "req_3");
    assert_eq!(store.request_for(OWN, CALL).unwrap().unwrap().0.address, "req_3");
}

#[test]
fn what_waits_has_a_limit_and_time_makes_room() {
    let store = Store::in_memory().unwrap();
    let call = |number: u32| {
        let mut bytes = [9; 32];
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        CallHash::from_bytes(bytes)
    };
    for number in 0..MAX_REQUESTS {
        store.open_request(&request(&format!("req_{number}"), call(number), 0)).unwrap();
    }
    let one_more = request("req_x", call(MAX_REQUESTS), 1);
    let refused = store.open_request(&one_more);
    assert!(matches!(refused, Err(StoreError::Refused(Refusal::TooMany { .. }))), "{refused:?}");
    assert!(store.open_request(&request("req_y", call(MAX_REQUESTS), 1_000)).is_ok());
}

#[test]
fn what_is_over_is_forgotten_and_told_where_it_still_waited() {
    let store = Store::in_memory().unwrap();
    let other = CallHash::from_bytes([3; 32]);
    for (address, call, made_at) in [("req_1", CALL, 0), ("req_2", other, 0), ("req_3", SHOWN, 9)] {
        store.open_request(&request(address, call, made_at)).unwrap();
    }
    store.say((OWN, "req_1"), PersonId::OWNER, (Word::Approve, SHOWN, "evt_w"), 1).unwrap();
    assert_eq!(depart(&store, Some("req_1"), &[], 2), Left::Yes);
    let expire = |now| {
        let mut told = Vec::new();
        let seal = |_, over: &[Request]| {
            told.extend(over.iter().map(|it| it.address.clone()));
            Vec::new()
        };
        store.expire_requests(OWN, now, "o", seal).unwrap();
        told
    };
    assert_eq!(expire(999), [""; 0]);
    assert!(store.request(OWN, "req_1").unwrap().is_some());
    assert_eq!(expire(1_000), ["req_2"]);
    assert_eq!(expire(1_000), [""; 0]);
    for (address, is_kept) in [("req_1", false), ("req_2", false), ("req_3", true)] {
        assert_eq!(store.request(OWN, address).unwrap().is_some(), is_kept, "{address}");
    }
}

#[test]
fn the_latest_findings_are_found_by_what_they_are_about() {
    let store = Store::in_memory().unwrap();
    let finding = |event: &str, subject: &str, verdict: &str, finished_at| Evidence {
        event: event.to_owned(),
        organisation: "o".to_owned(),
        tool: "a.check".to_owned(),
        matter: None,
        session: "s".to_owned(),
        subject: Some(subject.to_owned()),
        verdict: Some(verdict.to_owned()),
        finished_at,
    };
    for (event, subject, verdict, at) in
        [("e1", "x", "CONCERN", 1), ("e2", "y", "CONCERN", 2), ("e3", "x", "CLEAN", 3)]
    {
        let found = finding(event, subject, verdict, at);
        let arrival = Arrival { outcome: None, evidence: Some(&found), now: at };
        store.arrive(&arrival, "o", |_| Vec::new()).unwrap();
    }
    let events = |sought| -> Vec<String> {
        let found = store.evidence(OWN, "o", sought).unwrap();
        found.into_iter().map(|it| it.evidence.event).collect()
    };
    let tool = Sought { tool: "a.check", ..Sought::default() };
    assert_eq!(events(tool), ["e3", "e2", "e1"]);
    assert_eq!(events(Sought { subject: Some("x"), ..tool }), ["e3", "e1"]);
    assert_eq!(events(Sought { matter: Some("m"), ..tool }), [""; 0]);
    assert_eq!(events(Sought { session: Some("s"), ..tool }).len(), 3);
    // What a later finding overtook waits for nobody.
    let open = store.open_findings(OWN, "o", ("a.check", "CONCERN")).unwrap();
    assert_eq!(open.iter().map(|it| it.evidence.event.as_str()).collect::<Vec<_>>(), ["e2"]);
    store.grant_practice_role(OWN, PersonId::OWNER, "partner").unwrap();
    store.decide(("o", "e2"), PersonId::OWNER, "fine", Timestamp::from_seconds(1)).unwrap();
    let decided = store.evidence(OWN, "o", Sought { subject: Some("y"), ..tool }).unwrap();
    assert_eq!(decided[0].decided_by, ["partner"]);
    assert!(store.revoke_practice_role(OWN, PersonId::OWNER, "partner").unwrap());
    let decided = store.evidence(OWN, "o", Sought { subject: Some("y"), ..tool }).unwrap();
    assert!(decided[0].decided_by.is_empty());
    let foreign = store.decide(("p", "e2"), PersonId::OWNER, "no", Timestamp::from_seconds(1));
    assert!(matches!(foreign, Err(StoreError::Refused(Refusal::UnknownEvidence))));
}

#[test]
fn a_stop_that_is_set_again_loses_the_word_for_its_lift() {
    let store = Store::in_memory().unwrap();
    let (fix, reason) = ("T-1".to_owned(), "mended".to_owned());
    let lift = Lift { by: PersonId::OWNER, fix, reason, at: 7 };
    let before = store.generation();
    store.set_stop(&stop("a.b")).unwrap();
    assert_ne!(store.generation(), before);
    let (_, lifted) = store
        .lift_stop("a.b", &lift, |it| Ok(it.lift.is_some()), ("o", |head, _| unsealed(head)))
        .unwrap();
    assert!(!lifted && store.stops().unwrap()[0].lift.as_ref() == Some(&lift));
    store.set_stop(&stop("a.b")).unwrap();
    let (_, lifted) = store
        .lift_stop("a.b", &lift, |it| Ok(it.lift.is_some()), ("o", |head, _| unsealed(head)))
        .unwrap();
    assert!(!lifted);
    let (_, lifted) = store
        .lift_stop("a.b", &lift, |it| Ok(it.lift.is_some()), ("o", |head, _| unsealed(head)))
        .unwrap();
    assert!(lifted && store.stops().unwrap().is_empty());
    let gone = store.lift_stop("a.b", &lift, |_| Ok(true), ("o", |head, _| unsealed(head)));
    assert!(matches!(gone, Err(StoreError::Refused(Refusal::UnknownStop))));
    assert_eq!(store.stop_changes().unwrap(), 2, "what is set again is no change");
    let before = store.generation();
    store.stops_changed().unwrap();
    assert_eq!(store.stop_changes().unwrap(), 3);
    assert_ne!(store.generation(), before);
}
