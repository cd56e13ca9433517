//! What leads from unit to unit, and the shortest way through it.

use std::collections::{BTreeMap, BTreeSet};

use super::project::Project;
use super::standards::Standards;
use super::{Conversion, Library, MAX_STEPS, Place};

/// Which links a path may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// Converters and the groups of the standards.
    Exact,
    /// Those, and the intervals of the standards.
    ExactAndIntervals,
}

/// The links between units. A path stands on few of them: where it ends, where a converter
/// touches and where an interval does.
#[derive(Debug)]
pub(super) struct Graph {
    /// Each converter in both directions.
    converters: BTreeMap<Place, BTreeMap<Place, Conversion>>,
    /// Each interval in both directions.
    intervals: BTreeMap<Place, BTreeSet<Place>>,
    /// For each group, by its base: the units through which links leave it.
    exits: BTreeMap<Place, BTreeSet<Place>>,
}

impl Graph {
    pub(super) fn new(standards: &Standards, project: &Project) -> Self {
        let (mut converters, mut intervals) = (BTreeMap::new(), BTreeMap::new());
        for (from, to, conversion) in project.links(standards) {
            let Some(back) = conversion.inverse() else { continue };
            let onward: &mut BTreeMap<_, _> = converters.entry(from).or_default();
            onward.insert(to, conversion);
            converters.entry(to).or_default().insert(from, back);
        }
        for &(from, to) in standards.interval_places() {
            let onward: &mut BTreeSet<_> = intervals.entry(from).or_default();
            onward.insert(to);
            intervals.entry(to).or_default().insert(from);
        }
        let mut exits: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for &place in converters.keys().chain(intervals.keys()) {
            if let Some(base) = standards.base(place) {
                exits.entry(base).or_default().insert(place);
            }
        }
        Self { converters, intervals, exits }
    }

    /// The converter from one unit to another, in whichever direction it was given.
    pub(super) fn converter(&self, from: Place, to: Place) -> Option<&Conversion> {
        self.converters.get(&from)?.get(&to)
    }

    /// The places on the shortest path, both ends included. Of equally short paths the one whose
    /// symbols sort first, because neighbours are reached in the order of their symbols.
    pub(super) fn path(
        &self,
        library: &Library,
        start: Place,
        goal: Place,
        links: Links,
    ) -> Option<Vec<Place>> {
        let mut previous = BTreeMap::from([(start, start)]);
        let mut reached = vec![start];
        for _ in 0..MAX_STEPS {
            let mut next = Vec::new();
            for from in reached {
                for to in self.neighbours(library, from, goal, links) {
                    previous.entry(to).or_insert_with(|| {
                        next.push(to);
                        from
                    });
                }
            }
            if previous.contains_key(&goal) {
                return Some(walk_back(&previous, start, goal));
            }
            reached = next;
        }
        None
    }

    /// The places one step away that can lie on a path to `goal`, ordered by symbol.
    fn neighbours(&self, library: &Library, from: Place, goal: Place, links: Links) -> Vec<Place> {
        let base = library.standards.base(from);
        let exits = base.and_then(|it| self.exits.get(&it)).into_iter().flatten().copied();
        let converters = self.converters.get(&from).into_iter().flat_map(BTreeMap::keys).copied();
        let mut found: BTreeSet<Place> = exits.chain(converters).collect();
        if base.is_some() && base == library.standards.base(goal) {
            found.insert(goal);
        }
        if links == Links::ExactAndIntervals {
            found.extend(self.intervals.get(&from).into_iter().flatten());
        }
        let mut ordered: Vec<Place> = found.into_iter().collect();
        ordered.sort_by(|a, b| library.unit_at(*a).cmp(&library.unit_at(*b)));
        ordered
    }
}

/// The path that ends at `goal`, where each place knows the one before it.
fn walk_back(previous: &BTreeMap<Place, Place>, start: Place, goal: Place) -> Vec<Place> {
    let mut path = vec![goal];
    let mut current = goal;
    while current != start {
        let Some(&before) = previous.get(&current) else { break };
        path.push(before);
        current = before;
    }
    path.reverse();
    path
}
