use crate::tests::{CHAIN, chain, checkpoint, key, record};
use crate::{
    Action, Checkpoint, CheckpointFault, Decision, Event, Head, Latency, Outcome, RecordFault,
    SigningKey, Stage,
};

const FIRST: &str = concat!(
    r#"{"action":{"error_code":null,"name":"invoke","result":"success"},"#,
    r#""actor":{"ip_address":null,"principal_kind":null,"role":null,"session_id":null,"#,
    r#""user_agent":null,"user_id":"usr_1"},"chain":"org_1","#,
    r#""context":{"model_id":null,"request_id":null,"skill_id":null,"skill_version":null,"#,
    r#""trace_id":null},"decision":{"approvals":[],"confirmation":null,"kill_epoch":4,"#,
    r#""rate":{"limit":10,"used":3},"replay_of":null,"snapshot":null,"#,
    r#""stages":[["permission","pass"],["prerequisite","pass",["evt_0"]]]},"event_id":"evt_1","event_type":"tool.invoked","#,
    r#""input":{},"input_digest":null,"latency_ms":{"attempts":null,"gateway":null,"#,
    r#""promised":null,"total":null,"upstream":null},"output":{},"previous_hash":null,"#,
    r#""resource":{"id":null,"kind":null,"name":null},"#,
    r#""scope":{"environment":null,"matter_id":null,"org_id":null,"workspace_id":null},"#,
    r#""sequence":1,"slo_breached":true,"timestamp":"2026-12-01T03:05:32.007Z","tool":null}"#,
);

fn stage(name: &str, evidence: &[&str]) -> Stage {
    let evidence = evidence.iter().map(|it| (*it).to_owned()).collect();
    Stage { name: name.to_owned(), word: "pass".to_owned(), evidence }
}

#[test]
fn bytes_of_an_entry() {
    let mut head = Head::new(CHAIN, None);
    let decision = Decision {
        kill_epoch: Some(4),
        stages: vec![stage("permission", &[]), stage("prerequisite", &["evt_0"])],
        rate: Some((10, 3)),
        ..Decision::default()
    };
    let latency = Latency { breached: Some(true), ..Latency::default() };
    let first = head.seal(&crate::Record { decision, latency, ..record(1) }).unwrap();
    assert_eq!(String::from_utf8(first.bytes).unwrap(), FIRST);
    let second = head.seal(&record(2)).unwrap();
    let link = format!(r#""previous_hash":"{}""#, first.hash);
    assert!(String::from_utf8(second.bytes).unwrap().contains(&link));
    assert_eq!((second.sequence, head.size()), (2, 2));
}

/// Entries from before times had milliseconds and stages had what they relied on verify as they are.
#[test]
fn older_entries_stand_before_newer_ones() {
    let old = FIRST.replace(".007Z", "Z").replace(r#","slo_breached":true"#, "");
    let old = old.replace(r#","kill_epoch":4"#, "").replace(r#",["evt_0"]"#, "");
    let hash = crate::chain::hash(old.as_bytes());
    let mut head = Head::new(CHAIN, Some((1, hash)));
    let new = head.seal(&record(2)).unwrap();
    let key = key();
    let mut verifier = crate::Verifier::new(CHAIN, &key.verifying_key(), []);
    verifier.entry(crate::Stored { sequence: 1, hash, bytes: old.as_bytes() });
    verifier.entry(crate::Stored { sequence: 2, hash: new.hash, bytes: &new.bytes });
    let faults = verifier.finish().findings.into_iter().filter(|it| it.kind.is_fault());
    assert_eq!(faults.count(), 0);
}

#[test]
fn a_refusal_never_counts_as_a_success() {
    let mut head = Head::new(CHAIN, None);
    for result in Outcome::ALL {
        let action = Action { name: "invoke".to_owned(), result: *result, error_code: None };
        let record = crate::Record { event: Event::ToolDenied, action, ..record(1) };
        let expected = match result {
            Outcome::Failure => Ok(1),
            Outcome::Success | Outcome::Partial => Err(RecordFault::DenialWithoutFailure),
        };
        assert_eq!(head.seal(&record).map(|it| it.sequence), expected);
    }
    assert_eq!(head.size(), 1);
}

#[test]
fn words_of_events_are_distinct() {
    let words: std::collections::BTreeSet<_> = Event::ALL.iter().map(|it| it.word()).collect();
    assert_eq!(words.len(), Event::ALL.len());
}

#[test]
fn a_checkpoint_is_read_as_it_was_signed() {
    let signed = checkpoint(&chain(1, 3), 3);
    let line = signed.sign(&key());
    assert!(line.len() < 512 && !line.contains('\n'), "{line}");
    assert_eq!(line, signed.sign(&key()));
    let verifying = key().verifying_key();
    assert_eq!(Checkpoint::read(&line, &verifying), Ok(signed));
    let other = SigningKey::from_bytes(&[8; 32]).verifying_key();
    for (line, key, expected) in [
        (line.clone(), &other, CheckpointFault::Signature),
        (line.replace(r#""size":3"#, r#""size":2"#), &verifying, CheckpointFault::Signature),
        (line.replace("org_1", "org_2"), &verifying, CheckpointFault::Signature),
        (line.replace(r#""size":3"#, r#""size": 3"#), &verifying, CheckpointFault::Malformed),
        (line.replace("signature", "Signature"), &verifying, CheckpointFault::Malformed),
        (line.replace(r#""size":3"#, r#""size":-3"#), &verifying, CheckpointFault::Malformed),
        (String::new(), &verifying, CheckpointFault::Malformed),
    ] {
        assert_eq!(Checkpoint::read(&line, key), Err(expected), "{line}");
    }
}

#[test]
fn keys_are_not_shown() {
    assert_eq!(
        format!("{:?} {:?}", key(), crate::FieldKey::from_bytes([1; 32])),
        "SigningKey(..) FieldKey(..)"
    );
    let verifying = key().verifying_key();
    assert_eq!(crate::VerifyingKey::from_bytes(&verifying.to_bytes()), Some(verifying));
}
