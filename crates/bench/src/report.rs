//! What a row found, as text and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::machine;
use crate::measure::Figure;
use crate::rows::Row;

/// What the figures of a group count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Nanoseconds for one operation: less is better.
    Time,
    /// Operations in a second: more is better.
    Rate,
}

/// Figures of one contest. The first is ours.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) title: String,
    pub(crate) unit: Unit,
    pub(crate) figures: Vec<Figure>,
    /// Whether the others are peers; otherwise all are ours.
    pub(crate) has_peers: bool,
}

/// A bar and whether it is met.
#[derive(Debug)]
pub(crate) struct Bar {
    /// `first bar` or `goal`.
    pub(crate) kind: &'static str,
    /// What is asked.
    pub(crate) asked: String,
    /// What was found.
    pub(crate) found: String,
    pub(crate) met: bool,
}

/// What a row found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) groups: Vec<Group>,
    pub(crate) bars: Vec<Bar>,
    /// What a reader must know to judge the figures, and growth.
    pub(crate) notes: Vec<String>,
}

impl Group {
    pub(crate) fn new(title: &str, unit: Unit, figures: Vec<Figure>) -> Self {
        Self { title: title.to_owned(), unit, figures, has_peers: true }
    }

    /// Figures of ours alone.
    pub(crate) fn alone(title: &str, unit: Unit, figures: Vec<Figure>) -> Self {
        Self { has_peers: false, ..Self::new(title, unit, figures) }
    }

    /// How many times better ours is than `other`; below one where it is worse.
    pub(crate) fn lead(&self, other: &Figure) -> f64 {
        self.figures.first().map_or(f64::NAN, |ours| match self.unit {
            Unit::Time => other.ratio_to(ours),
            Unit::Rate => ours.ratio_to(other),
        })
    }

    /// How the times of all grew from this group to one with more work.
    pub(crate) fn growth(&self, larger: &Self) -> String {
        let growth = |(few, many): (&Figure, &Figure)| {
            format!("{} x{:.1}", few.name, many.median / few.median)
        };
        let growth: Vec<_> = self.figures.iter().zip(&larger.figures).map(growth).collect();
        growth.join(", ")
    }

    /// The figure of the entrant whose name begins with `name`.
    pub(crate) fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|it| it.name.starts_with(name))
    }

    /// The best of the others, references aside.
    pub(crate) fn best_peer(&self) -> Option<&Figure> {
        let peers = self.figures.iter().skip(1).filter(|it| !it.name.starts_with("reference"));
        peers.max_by(|a, b| self.lead(b).total_cmp(&self.lead(a)))
    }
}

impl Bar {
    /// A bar that asks for a lead over a peer of at least `least`.
    pub(crate) fn lead(
        kind: &'static str,
        group: &Group,
        peer: Option<&Figure>,
        least: f64,
    ) -> Self {
        let (name, lead) =
            peer.map_or(("no peer", f64::NAN), |it| (it.name.as_str(), group.lead(it)));
        Self {
            kind,
            asked: format!("at least {least} times as fast as {name}"),
            found: format!("{lead:.2} times"),
            met: lead >= least,
        }
    }

    /// A bar that asks for at most `most` times the time of a peer.
    pub(crate) fn within(
        kind: &'static str,
        group: &Group,
        peer: Option<&Figure>,
        most: f64,
    ) -> Self {
        let (name, ratio) =
            peer.map_or(("no peer", f64::NAN), |it| (it.name.as_str(), group.lead(it).recip()));
        Self {
            kind,
            asked: format!("at most {most} times the time of {name}"),
            found: format!("{ratio:.2} times"),
            met: ratio <= most,
        }
    }

    /// A bar that asks for at most `most` nanoseconds.
    pub(crate) fn at_most(kind: &'static str, what: &str, figure: f64, most: f64) -> Self {
        Self {
            kind,
            asked: format!("{what} in at most {}", time(most)),
            found: time(figure),
            met: figure <= most,
        }
    }

    /// A bar that asks for at least `least` operations in a second.
    pub(crate) fn at_least(kind: &'static str, what: &str, figure: f64, least: f64) -> Self {
        Self {
            kind,
            asked: format!("{what} at least {}", show(Unit::Rate, least)),
            found: show(Unit::Rate, figure),
            met: figure >= least,
        }
    }
}

impl Report {
    /// Whether every first bar is met.
    pub(crate) fn holds(&self) -> bool {
        self.bars.iter().all(|it| it.met || it.kind != "first bar")
    }

    /// The row as a table.
    pub(crate) fn to_text(&self, row: &Row) -> String {
        let mut text = format!("{}: {}", row.name, row.what);
        for group in &self.groups {
            // Writing to a string does not fail.
            let _ = write!(
                text,
                "\n\n  {:<52}{:>12}{:>12}{:>12}{:>16}",
                group.title, "median", "least", "most", "our speed"
            );
            for (place, figure) in group.figures.iter().enumerate() {
                let show = |value| show(group.unit, value);
                let lead = match place {
                    1.. if group.has_peers => format!("{:.2} times", group.lead(figure)),
                    _ => String::new(),
                };
                let _ = write!(
                    text,
                    "\n  {:<52}{:>12}{:>12}{:>12}{lead:>16}",
                    figure.name,
                    show(figure.median),
                    show(figure.least),
                    show(figure.most)
                );
            }
        }
        text.push('\n');
        for Bar { kind, asked, found, met } in &self.bars {
            let met = if *met { "met" } else { "MISSED" };
            let _ = write!(text, "\n  {kind}: {asked}: {found}, {met}");
        }
        for note in &self.notes {
            let _ = write!(text, "\n  {note}");
        }
        text
    }

    /// The row as one JSON object.
    pub(crate) fn to_json(&self, row: &Row) -> Value {
        let groups = self.groups.iter().map(|group| {
            let unit = if group.unit == Unit::Time { "nanoseconds" } else { "per_second" };
            let figures = group.figures.iter().map(|it| {
                json!({
                    "name": it.name, "median": it.median, "least": it.least, "most": it.most,
                    "our_speed": group.has_peers.then(|| group.lead(it)),
                })
            });
            json!({ "title": group.title, "unit": unit, "figures": figures.collect::<Vec<_>>() })
        });
        let bars = self.bars.iter().map(
            |it| json!({ "kind": it.kind, "asked": it.asked, "found": it.found, "met": it.met }),
        );
        json!({
            "row": row.name,
            "what": row.what,
            "cores": machine::cores(),
            "load": machine::load(),
            "groups": groups.collect::<Vec<_>>(),
            "bars": bars.collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}

fn show(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Time => time(value),
        Unit::Rate => format!("{value:.0}/s"),
    }
}

/// Nanoseconds in the unit that suits them.
pub(crate) fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        it if it < 1e3 => format!("{it:.0} ns"),
        it if it < 1e6 => format!("{:.2} us", it / 1e3),
        it if it < 1e9 => format!("{:.2} ms", it / 1e6),
        it => format!("{:.2} s", it / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::{Bar, Group, Unit, time};
    use crate::measure::Figure;

    #[test]
    fn leads_and_bars() {
        let figure = |name: &str, value| Figure::new(name, vec![value]);
        let figures = || {
            vec![
                figure("ours", 2.0),
                figure("slow", 8.0),
                figure("fast", 3.0),
                figure("reference", 1.0),
            ]
        };
        let times = Group::new("t", Unit::Time, figures());
        let best = times.best_peer().unwrap();
        assert_eq!((best.name.as_str(), times.lead(best)), ("fast", 1.5));
        assert!(Bar::lead("goal", &times, Some(best), 1.5).met);
        assert!(!Bar::lead("goal", &times, Some(best), 1.6).met);
        assert!(Bar::within("goal", &times, times.figure("reference"), 2.0).met);
        assert!(!Bar::within("goal", &times, times.figure("reference"), 1.9).met);
        let rates = Group::new("r", Unit::Rate, figures());
        assert_eq!(rates.best_peer().unwrap().name, "slow");
        assert!(!Bar::lead("goal", &rates, None, 0.1).met);
    }

    #[test]
    fn times_have_units() {
        assert_eq!(
            [1.0, 1_500.0, 2e6, 3e9].map(time),
            ["1 ns", "1.50 us", "2.00 ms", "3.00 s"].map(str::to_owned)
        );
    }
}
