use crate::tests::{CHAIN, chain, checkpoint, key};
use crate::{Checkpoint, Entry, Report, Stored, Verifier};

/// Entries of the chain that is tampered with, and where it was signed.
const SIZE: u64 = 8;
const SIGNED: [usize; 2] = [3, 6];

fn read(entries: &[Entry], lines: &[String]) -> Report {
    let key = key().verifying_key();
    let mut verifier = Verifier::new(CHAIN, &key, lines.iter().map(String::as_str));
    for Entry { sequence, hash, bytes } in entries {
        verifier.entry(Stored { sequence: *sequence, hash: *hash, bytes });
    }
    verifier.finish()
}

fn lines(entries: &[Entry]) -> Vec<String> {
    SIGNED.iter().map(|size| checkpoint(entries, *size).sign(&key())).collect()
}

fn texts(report: &Report) -> Vec<String> {
    report.findings.iter().map(ToString::to_string).collect()
}

/// The chain that somebody with the first `kept` entries writes on by himself.
fn rewritten(kept: u64) -> Vec<Entry> {
    let original = chain(1, kept);
    let last = original.last().map(|it| (it.sequence, it.hash));
    let mut head = crate::Head::new(CHAIN, last);
    let rest = (kept..SIZE).map(|it| head.seal(&crate::tests::record(100 + it)).unwrap());
    original.iter().cloned().chain(rest).collect()
}

type Tampering = (&'static str, fn(&mut Vec<Entry>), &'static [&'static str]);

const UNSIGNED: &str = "unsigned region at 7";

const TAMPERING: &[Tampering] = &[
    ("nothing", |_| {}, &[UNSIGNED]),
    ("bytes", |it| it[3].bytes[20] ^= 1, &["altered at 4", UNSIGNED]),
    ("hash", |it| it[3].hash = it[4].hash, &["altered at 4", UNSIGNED]),
    ("bytes and hash", |it| it[3] = rewritten(3)[3].clone(), &["altered at 4", UNSIGNED]),
    ("the first", |it| it[0] = rewritten(0)[0].clone(), &["altered at 1", UNSIGNED]),
    (
        "two bytes",
        |it| (it[1].bytes[0], it[7].bytes[0]) = (0, 0),
        &["altered at 2", UNSIGNED, "altered at 8"],
    ),
    (
        "swapped",
        |it| {
            let bytes = it[4].bytes.clone();
            it[4].bytes = it[3].bytes.clone();
            it[3].bytes = bytes;
        },
        &["altered at 4", "altered at 5", UNSIGNED],
    ),
    ("first gone", |it| drop(it.remove(0)), &["missing middle at 1", UNSIGNED]),
    ("middle gone", |it| drop(it.drain(2..4)), &["missing middle at 3", UNSIGNED]),
    ("tail gone", |it| it.truncate(4), &["missing tail at 5"]),
    ("everything gone", Vec::clear, &["missing tail at 1"]),
    ("unsigned tail gone", |it| it.truncate(6), &[]),
    ("a second entry", |it| it.insert(5, rewritten(4)[4].clone()), &["fork at 5", UNSIGNED]),
    ("another end", |it| *it = rewritten(3), &["fork at 4", UNSIGNED]),
    ("another end in the middle", |it| *it = rewritten(5), &["fork at 4", UNSIGNED]),
    (
        "grafted behind a signed one",
        |it| it.splice(3.., rewritten(2).drain(3..)).for_each(drop),
        &["fork at 4", UNSIGNED],
    ),
    ("another history", |it| *it = rewritten(0), &["rewritten from start at 1", UNSIGNED]),
];

#[test]
fn every_tampering_is_named() {
    let signed = lines(&chain(1, SIZE));
    for (name, tamper, expected) in TAMPERING {
        let mut entries = chain(1, SIZE);
        tamper(&mut entries);
        let report = read(&entries, &signed);
        assert_eq!(texts(&report), *expected, "{name}");
        let harmless = expected.iter().all(|it| *it == UNSIGNED);
        assert_eq!(report.is_intact(), harmless, "{name}");
    }
}

#[test]
fn checkpoints_that_do_not_count() {
    let entries = chain(1, SIZE);
    let whole = |entries: &[Entry]| checkpoint(entries, 8);
    let stranger = crate::SigningKey::from_bytes(&[9; 32]);
    let elsewhere = Checkpoint { chain: "org_2".to_owned(), ..whole(&entries) };
    for (lines, expected) in [
        (vec![], vec!["unsigned region at 1"]),
        (
            vec![whole(&entries).sign(&stranger)],
            vec!["unsigned region at 1", "bad checkpoint at 1"],
        ),
        (vec![elsewhere.sign(&key())], vec!["unsigned region at 1", "bad checkpoint at 1"]),
        (vec![whole(&entries).sign(&key()), "{}".to_owned()], vec!["bad checkpoint at 2"]),
        (vec![whole(&entries).sign(&key())], vec![]),
        // Two histories of one length, both signed.
        (vec![whole(&entries).sign(&key()), whole(&rewritten(4)).sign(&key())], vec!["fork at 1"]),
    ] {
        assert_eq!(texts(&read(&entries, &lines)), expected);
    }
    let report = read(&entries, &lines(&entries));
    assert_eq!((report.entries, report.signed), (8, 6));
    assert_eq!(report.root, whole(&entries).root);
}

#[test]
fn entries_in_a_place_that_is_not_theirs() {
    let key = key().verifying_key();
    let entries = chain(1, SIZE);
    let read_as = |name: &str, entries: &[Entry], less: u64| {
        let mut verifier = Verifier::new(name, &key, []);
        for Entry { sequence, hash, bytes } in entries {
            verifier.entry(Stored { sequence: sequence - less, hash: *hash, bytes });
        }
        texts(&verifier.finish())
    };
    let unsigned = "unsigned region at 1";
    assert_eq!(read_as("org_2", &entries[..2], 0), ["altered at 1", unsigned, "altered at 2"]);
    assert_eq!(read_as(CHAIN, &entries[3..5], 3), ["altered at 1", unsigned, "altered at 2"]);
    // An entry that says it is the first and yet follows another.
    let first =
        crate::Head::new(CHAIN, Some((0, entries[0].hash))).seal(&crate::tests::record(1)).unwrap();
    assert_eq!(read_as(CHAIN, &[first], 0), ["altered at 1", unsigned]);
}

#[test]
fn a_checkpoint_agrees_in_root_and_last_hash() {
    let entries = chain(1, SIZE);
    let good = checkpoint(&entries, 8);
    let root = Checkpoint { root: checkpoint(&entries, 7).root, ..good.clone() };
    let last = Checkpoint { last_hash: entries[0].hash, ..good };
    for wrong in [root, last] {
        let report = read(&entries, &[wrong.sign(&key())]);
        assert_eq!(texts(&report), ["rewritten from start at 1"]);
    }
}

#[test]
fn a_reading_may_begin_behind_a_sound_entry() {
    let entries = chain(1, SIZE);
    let read = |from: usize, entries: &[Entry]| {
        let mut verifier = Verifier::behind(CHAIN, (from as u64, entries[from - 1].hash));
        for Entry { sequence, hash, bytes } in &entries[from..] {
            verifier.entry(Stored { sequence: *sequence, hash: *hash, bytes });
        }
        let report = verifier.finish();
        report.findings.into_iter().filter(|it| it.kind.is_fault()).collect::<Vec<_>>()
    };
    assert_eq!(read(3, &entries), []);
    assert_eq!(read(8, &entries), []);
    let mut other = entries.clone();
    other[2] = rewritten(2)[2].clone();
    assert_eq!(read(3, &other)[0].to_string(), "fork at 4");
    let mut gone = entries;
    gone.remove(5);
    assert_eq!(read(3, &gone)[0].to_string(), "missing middle at 6");
}

/// Everything that differs from these bytes in a single bit.
fn flips(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..bytes.len() * 8).map(|bit| {
        let mut flipped = bytes.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    })
}

/// No bit of an entry, or of the hash that is kept beside it, is of no account.
#[test]
fn no_bit_of_an_entry_flips_unseen() {
    let entries = chain(1, 4);
    let read_with = |changed: Entry| {
        let mut verifier = Verifier::behind(CHAIN, (2, entries[1].hash));
        for Entry { sequence, hash, bytes } in [&changed, &entries[3]] {
            verifier.entry(Stored { sequence: *sequence, hash: *hash, bytes });
        }
        let report = verifier.finish();
        let faults = report.findings.iter().filter(|it| it.kind.is_fault());
        faults.map(ToString::to_string).collect::<Vec<_>>()
    };
    let entry = &entries[2];
    assert!(read_with(entry.clone()).is_empty());
    for bytes in flips(&entry.bytes) {
        let changed = Entry { bytes, ..entry.clone() };
        assert_eq!(read_with(changed.clone()), ["altered at 3"], "{changed:?}");
    }
    for hash in flips(entry.hash.as_bytes()) {
        let hash = assay_base::EntryHash::from_bytes(hash.try_into().unwrap());
        assert_eq!(read_with(Entry { hash, ..entry.clone() }), ["altered at 3"], "{hash}");
    }
}

#[test]
fn no_bit_of_a_checkpoint_flips_unseen() {
    let entries = chain(1, 2);
    let line = checkpoint(&entries, 2).sign(&key());
    assert_eq!(texts(&read(&entries, std::slice::from_ref(&line))), [""; 0]);
    for flipped in flips(line.as_bytes()) {
        // A line that is no text at all never gets as far as this.
        let Ok(flipped) = String::from_utf8(flipped) else { continue };
        let report = read(&entries, std::slice::from_ref(&flipped));
        assert_eq!(texts(&report), ["unsigned region at 1", "bad checkpoint at 1"], "{flipped}");
        assert!(!report.is_intact() && report.signed == 0, "{flipped}");
    }
}
