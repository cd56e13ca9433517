//! A Merkle tree over entries, of the shape that RFC 6962 gives it, with BLAKE3.
//!
//! A leaf hashes `0x00` and the entry's hash, a node `0x01` and both its children, so neither can
//! stand for the other. The left child of a node holds the largest power of two of leaves that is
//! smaller than the whole.

use assay_base::{EntryHash, TreeHash};

/// The side on which a proof's hash stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Before what was computed so far.
    Left,
    /// Behind what was computed so far.
    Right,
}

fn leaf(entry: &EntryHash) -> TreeHash {
    TreeHash::of(&[&[0][..], entry.as_bytes()].concat())
}

fn node(left: &TreeHash, right: &TreeHash) -> TreeHash {
    TreeHash::of(&[&[1][..], left.as_bytes(), right.as_bytes()].concat())
}

/// The tree as it grows: one hash for each full subtree, so that roots cost no second reading.
#[derive(Debug, Clone, Default)]
pub struct Frontier {
    size: u64,
    /// Full subtrees from left to right, each with its height.
    full: Vec<(u32, TreeHash)>,
}

impl Frontier {
    /// Adds one entry on the right.
    pub fn push(&mut self, entry: &EntryHash) {
        let (mut height, mut hash) = (0, leaf(entry));
        while let Some((_, left)) = self.full.pop_if(|(last, _)| *last == height) {
            (height, hash) = (height + 1, node(&left, &hash));
        }
        self.full.push((height, hash));
        self.size += 1;
    }

    /// How many entries it holds.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The root over all entries so far; that of none is the hash of nothing.
    #[must_use]
    pub fn root(&self) -> TreeHash {
        let mut hashes = self.full.iter().rev().map(|(_, hash)| *hash);
        let Some(last) = hashes.next() else { return TreeHash::of(b"") };
        hashes.fold(last, |right, left| node(&left, &right))
    }
}

/// The root over `entries`.
#[must_use]
pub fn root(entries: &[EntryHash]) -> TreeHash {
    let mut frontier = Frontier::default();
    entries.iter().for_each(|entry| frontier.push(entry));
    frontier.root()
}

/// A tree whose full subtrees are kept, so that each of many proofs costs a few look-ups.
#[derive(Debug, Clone)]
pub struct Tree {
    /// By height, from the leaves up: the hash of every full subtree, from left to right.
    levels: Vec<Vec<TreeHash>>,
}

impl Tree {
    /// The tree over `entries`.
    #[must_use]
    pub fn new(entries: &[EntryHash]) -> Self {
        let mut levels = vec![entries.iter().map(leaf).collect::<Vec<_>>()];
        while let Some(below) = levels.last().filter(|it| it.len() > 1) {
            let pairs = below.as_chunks().0.iter();
            let above = pairs.map(|[left, right]| node(left, right)).collect();
            levels.push(above);
        }
        Self { levels }
    }

    /// How many entries it holds.
    #[must_use]
    pub fn size(&self) -> usize {
        self.levels.first().map_or(0, Vec::len)
    }

    /// The root over all entries; that of none is the hash of nothing.
    #[must_use]
    pub fn root(&self) -> TreeHash {
        self.subtree(0, self.size())
    }

    /// What shows that the entry at `index`, from zero, is in the tree; `None` when there is no
    /// such entry.
    #[must_use]
    pub fn inclusion(&self, index: usize) -> Option<Vec<TreeHash>> {
        if index >= self.size() {
            return None;
        }
        let (mut from, mut size, mut path) = (0, self.size(), Vec::new());
        while let Some(left) = left_size(size) {
            if index < from + left {
                path.push(self.subtree(from + left, size - left));
                size = left;
            } else {
                path.push(self.subtree(from, left));
                (from, size) = (from + left, size - left);
            }
        }
        path.reverse();
        Some(path)
    }

    /// The hash over `size` leaves from `from` on, which is where a subtree of that size may begin.
    fn subtree(&self, from: usize, size: usize) -> TreeHash {
        if size.is_power_of_two() {
            let height = usize::try_from(size.ilog2()).unwrap_or_default();
            let kept = self.levels.get(height).and_then(|it| it.get(from / size));
            return kept.copied().unwrap_or_else(|| TreeHash::of(b""));
        }
        match left_size(size) {
            Some(left) => node(&self.subtree(from, left), &self.subtree(from + left, size - left)),
            None => TreeHash::of(b""),
        }
    }
}

/// What shows that the entry at `index`, from zero, is in the tree over `entries`; `None` when
/// there is no such entry.
#[must_use]
pub fn inclusion(entries: &[EntryHash], index: usize) -> Option<Vec<TreeHash>> {
    Tree::new(entries).inclusion(index)
}

/// Whether `path` shows that `entry` stands at `index`, from zero, of the `size` entries below
/// `root`.
#[must_use]
pub fn verify_inclusion(
    entry: &EntryHash,
    (index, size): (u64, u64),
    path: &[TreeHash],
    root: &TreeHash,
) -> bool {
    let Some(sides) = sides(index, size) else { return false };
    let mut hash = leaf(entry);
    for (side, other) in sides.iter().zip(path) {
        hash = match side {
            Side::Left => node(other, &hash),
            Side::Right => node(&hash, other),
        };
    }
    sides.len() == path.len() && hash == *root
}

/// What shows that the tree over the first `old` of `entries` is the beginning of the tree over
/// all; `None` when there are fewer. Empty where both are one, or the old one is empty.
#[must_use]
pub fn consistency(entries: &[EntryHash], old: usize) -> Option<Vec<TreeHash>> {
    entries.get(..old)?;
    if old == 0 || old == entries.len() {
        return Some(Vec::new());
    }
    let (mut range, mut old, mut whole, mut path) = (entries, old, true, Vec::new());
    while old < range.len() {
        let Some((left, right)) = split(range) else { break };
        if old <= left.len() {
            path.push(root(right));
            range = left;
        } else {
            path.push(root(left));
            (range, old, whole) = (right, old - left.len(), false);
        }
    }
    if !whole {
        path.push(root(range));
    }
    path.reverse();
    Some(path)
}

/// Whether `path` shows that the tree of `old` (its size and root) is the beginning of that of
/// `new`.
#[must_use]
pub fn verify_consistency(old: (u64, TreeHash), new: (u64, TreeHash), path: &[TreeHash]) -> bool {
    if old.0 == 0 {
        return path.is_empty() && old.1 == TreeHash::of(b"");
    }
    if old.0 >= new.0 {
        return old == new && path.is_empty();
    }
    // The smallest subtree that ends where the old tree ends; it is the old tree itself when that
    // is full and stands on the left edge, and then the proof leaves it out.
    let height = old.0.trailing_zeros();
    let mut path = path.iter();
    let first = if old.0.is_power_of_two() { Some(&old.1) } else { path.next() };
    let Some(first) = first else { return false };
    let Some(sides) = sides(old.0 - 1, new.0) else { return false };
    let (mut before, mut after) = (*first, *first);
    // Steps below that subtree stay within it.
    for side in sides.iter().skip(usize::try_from(height).unwrap_or(usize::MAX)) {
        let Some(other) = path.next() else { return false };
        match side {
            Side::Left => (before, after) = (node(other, &before), node(other, &after)),
            Side::Right => after = node(&after, other),
        }
    }
    path.next().is_none() && before == old.1 && after == new.1
}

fn split(range: &[EntryHash]) -> Option<(&[EntryHash], &[EntryHash])> {
    range.split_at_checked(left_size(range.len())?)
}

/// The largest power of two below `size`; a single leaf has no children.
fn left_size(size: usize) -> Option<usize> {
    (size > 1).then(|| 1 << (size - 1).ilog2())
}

/// On which side each hash of the path from leaf `index` to the root stands, from the leaf up.
fn sides(index: u64, size: u64) -> Option<Vec<Side>> {
    if index >= size {
        return None;
    }
    let (mut index, mut size) = (usize::try_from(index).ok()?, usize::try_from(size).ok()?);
    let mut sides = Vec::new();
    while let Some(left) = left_size(size) {
        if index < left {
            sides.push(Side::Right);
            size = left;
        } else {
            sides.push(Side::Left);
            (index, size) = (index - left, size - left);
        }
    }
    sides.reverse();
    Some(sides)
}
