//! Against a tree that is written down as the standard defines it, for every size up to 64.

use assay_base::{EntryHash, TreeHash};

use crate::{Frontier, Tree, consistency, inclusion, root, verify_consistency, verify_inclusion};

const SIZES: usize = 64;

fn entries() -> Vec<EntryHash> {
    (0..SIZES as u8).map(|number| EntryHash::of(&[number])).collect()
}

/// The definition of section 2.1, with the other hash function.
fn naive(entries: &[EntryHash]) -> [u8; 32] {
    let hash = |parts: &[&[u8]]| *blake3::hash(&parts.concat()).as_bytes();
    match entries {
        [] => hash(&[]),
        [entry] => hash(&[&[0], entry.as_bytes()]),
        _ => {
            let mut left = 1;
            while left * 2 < entries.len() {
                left *= 2;
            }
            hash(&[&[1], &naive(&entries[..left]), &naive(&entries[left..])])
        }
    }
}

/// The definition of section 2.1.2.
fn naive_proof(old: usize, entries: &[EntryHash], whole: bool) -> Vec<[u8; 32]> {
    if old == entries.len() {
        return if whole { Vec::new() } else { vec![naive(entries)] };
    }
    let mut left = 1;
    while left * 2 < entries.len() {
        left *= 2;
    }
    let (mut proof, other) = if old <= left {
        (naive_proof(old, &entries[..left], whole), &entries[left..])
    } else {
        (naive_proof(old - left, &entries[left..], false), &entries[..left])
    };
    proof.push(naive(other));
    proof
}

#[test]
fn roots() {
    let (all, mut frontier) = (entries(), Frontier::default());
    for size in 0..=SIZES {
        let expected = TreeHash::from_bytes(naive(&all[..size]));
        assert_eq!((root(&all[..size]), frontier.root()), (expected, expected), "{size}");
        assert_eq!(frontier.size(), size as u64);
        assert_eq!(Tree::new(&all[..size]).root(), expected, "{size}");
        if let Some(entry) = all.get(size) {
            frontier.push(entry);
        }
    }
}

#[test]
fn inclusion_of_every_entry() {
    let all = entries();
    for size in 0..=SIZES {
        let (some, tree) = (&all[..size], TreeHash::from_bytes(naive(&all[..size])));
        assert_eq!(inclusion(some, size), None);
        for index in 0..size {
            let path = inclusion(some, index).unwrap();
            let holds = |entry, at: usize, path: &[_]| {
                verify_inclusion(entry, (at as u64, size as u64), path, &tree)
            };
            assert!(holds(&some[index], index, &path), "{index} of {size}");
            for other in 0..size {
                let same = other == index;
                assert_eq!(holds(&some[other], index, &path), same, "{other} at {index}");
                assert_eq!(holds(&some[index], other, &path), same, "{index} at {other}");
            }
            assert!(!holds(&some[index], size, &path));
            let longer = [path.as_slice(), &[tree]].concat();
            assert!(!holds(&some[index], index, &longer));
            if let Some((_, shorter)) = path.split_last() {
                assert!(!holds(&some[index], index, shorter));
            }
        }
    }
}

#[test]
fn consistency_of_every_pair() {
    let all = entries();
    let sized = |size: usize| (size as u64, TreeHash::from_bytes(naive(&all[..size])));
    for new in 0..=SIZES {
        assert_eq!(consistency(&all[..new], new + 1), None);
        for old in 0..=new {
            let path = consistency(&all[..new], old).unwrap();
            if old > 0 {
                let expected = naive_proof(old, &all[..new], true);
                let found: Vec<_> = path.iter().map(|it| *it.as_bytes()).collect();
                assert_eq!(found, expected, "{old} of {new}");
            }
            assert!(verify_consistency(sized(old), sized(new), &path), "{old} of {new}");
            let longer = [path.as_slice(), &[sized(0).1]].concat();
            assert!(!verify_consistency(sized(old), sized(new), &longer), "{old} of {new}");
            if let Some((_, shorter)) = path.split_last() {
                assert!(!verify_consistency(sized(old), sized(new), shorter));
            }
            let wrong = TreeHash::of(b"another");
            assert!(!verify_consistency((old as u64, wrong), sized(new), &path));
            if old > 0 {
                assert!(!verify_consistency(sized(old), (new as u64, wrong), &path));
            }
        }
    }
}
