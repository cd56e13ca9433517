//! Source to ruleset, every time another source, since a known one is found by its hash.

use std::cell::Cell;
use std::sync::Arc;

use assay_base::canonical::to_bytes;
use assay_core::{Cancel, Service};
use assay_dsail::units::Library;
use assay_dsail::{Options, compile};

use crate::failure::Failure;
use crate::measure::{Effort, Entrant, contest};
use crate::ours::{caller, service, text};
use crate::policy::Policy;
use crate::report::{Bar, Group, Report, Unit};

pub(crate) fn measure(effort: &Effort) -> Result<Report, Failure> {
    let service = service()?;
    let (few, many) = (Policy::new(50).dsail(), Policy::new(1_000).dsail());
    let (few_sources, many_sources) = (Sources::new(&few)?, Sources::new(&many)?);
    for sources in [&few_sources, &many_sources] {
        call(&service, sources)?;
    }
    let options = Options { require_descriptions: false };
    let alone = |source| compile(source, Library::standard(), options);
    let entrants = vec![
        Entrant::mean("assay, 50 rules, verified and stored", || call(&service, &few_sources)),
        Entrant::mean("assay, 1,000 rules, verified and stored", || call(&service, &many_sources)),
        Entrant::mean("language alone, 50 rules", || alone(&few)),
        Entrant::mean("language alone, 1,000 rules", || alone(&many)),
    ];
    let figures = contest(effort, entrants);
    let growth = |name: &str, few: usize, many: usize| {
        let (few, many) = (figures.get(few)?, figures.get(many)?);
        Some(format!("growth, rules x20: {name} x{:.1}", many.median / few.median))
    };
    let notes = [growth("with verification", 0, 1), growth("language alone", 2, 3)];
    let notes = notes.into_iter().flatten().collect();
    let mut bars = Vec::new();
    for (kind, most) in [("first bar", 50e6), ("goal", 20e6)] {
        for figure in figures.iter().take(2) {
            bars.push(Bar::at_most(kind, &figure.name, figure.median, most));
        }
    }
    Ok(Report { groups: vec![Group::alone("one compile", Unit::Time, figures)], bars, notes })
}

/// The arguments of compiles that differ in their first line.
struct Sources {
    /// The JSON text from the second line on.
    rest: String,
    count: Cell<u64>,
}

impl Sources {
    fn new(source: &str) -> Result<Self, Failure> {
        let rest = text(to_bytes(|it| it.string(&format!("\n{source}"))))?;
        let rest = rest.strip_prefix('"').ok_or("a string without a quotation mark")?.to_owned();
        Ok(Self { rest, count: Cell::new(0) })
    }

    fn next(&self) -> String {
        self.count.set(self.count.get() + 1);
        format!("{{\"source\": \"// {}{}}}", self.count.get(), self.rest)
    }
}

fn call(service: &Arc<Service>, sources: &Sources) -> Result<Vec<u8>, Failure> {
    let reply = service.call(&caller(service)?, "dsail_compile", &sources.next(), &Cancel::new());
    match reply.failure {
        None => Ok(reply.body),
        Some(_) => Err(Failure(text(reply.body)?)),
    }
}
