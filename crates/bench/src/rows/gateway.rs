//! The gateway: what a governed call takes beyond a direct call of the same server, and what a
//! governed write takes that is on the disk twice.
//!
//! The direct call goes through the same code that carries the governed one out, to the same back
//! end. Where arguments name things, the gate asks the back end whose they are, which is a call of
//! its own: it stands beside, so that both can be judged.

use std::cell::{Cell, RefCell};
use std::fs;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use assay_core::{Caller, Cancel, World};
use assay_upstream::{Call, Context};
use serde_json::{Value, json};

use super::store::synced_pages;
use crate::failure::{Failure, same};
use crate::folder::Folder;
use crate::measure::{Effort, Entrant, Figure, contest, percentiles};
use crate::ours::{caller, text};
use crate::practice::{Practice, Transport};
use crate::report::{Bar, Group, Report, Unit};

pub(crate) fn measure(effort: &Effort) -> Result<Report, Failure> {
    let folder = Folder::new()?;
    let mut report = Report::default();
    for (transport, title) in
        [(Transport::Stdio, "a child over its pipes"), (Transport::Http, "a server over HTTP")]
    {
        let place = folder.0.join(format!("{transport:?}"));
        fs::create_dir_all(&place)?;
        let practice = Practice::open(&place, transport)?;
        let desk = Desk { caller: caller(&practice.service)?, practice };
        let group = Group::alone(title, Unit::Time, desk.reads(effort)?);
        for figure in group.figures.iter().filter(|it| it.name.starts_with(ADDED)) {
            let what = format!("{title}, {}", figure.name);
            for (kind, most) in [("first bar", 150e3), ("goal", 50e3)] {
                report.bars.push(Bar::at_most(kind, &what, figure.median, most));
            }
        }
        report.groups.push(group);
        let mut figures = desk.writes(effort)?;
        figures.extend(synced_pages(effort, &folder)?);
        report.groups.push(Group::alone(&format!("{title}, a write"), Unit::Time, figures));
    }
    refusals(effort, &folder, &mut report)?;
    Ok(report)
}

/// A tool that the skill does not list, and a name that is no tool's: neither may take longer to
/// refuse, since that would tell them apart.
fn refusals(effort: &Effort, folder: &Folder, report: &mut Report) -> Result<(), Failure> {
    // Two minutes go by with each look at the clock, so that nobody is refused unheard.
    static NOW: AtomicI64 = AtomicI64::new(1_796_094_332_000);
    let world =
        World { milliseconds: || NOW.fetch_add(120_000, Ordering::Relaxed), ..World::default() };
    let place = folder.0.join("refusals");
    fs::create_dir_all(&place)?;
    let skill = "efirm-matter-creation-flow@1.0";
    let practice = Practice::open_for(&place, Transport::Stdio, (skill, world))?;
    let caller = caller(&practice.service)?;
    let arguments = json!({ "matter_id": practice.ids.get("matter") }).to_string();
    let refused = |tool: &str| {
        let reply = practice.service.call(&caller, tool, &arguments, &Cancel::new());
        reply.failure.is_some_and(|it| it.word() == "UNKNOWN_TOOL")
    };
    for tool in ["lookup_matter", "lookup_mattes"] {
        same(tool, &refused(tool), &true)?;
    }
    let entrants = vec![
        Entrant::median("unlisted", || refused("lookup_matter")),
        Entrant::median("unknown", || refused("lookup_mattes")),
    ];
    let figures = contest(effort, entrants);
    if let [unlisted, unknown] = figures.as_slice() {
        let ratio = unlisted.ratio_to(unknown);
        report.notes.push(format!("unlisted takes {ratio:.2} of the time of unknown"));
    }
    report.groups.push(Group::alone("a refusal of a tool", Unit::Time, figures));
    Ok(())
}

/// How the figures begin for which there are bars.
const ADDED: &str = "added to";

/// Somebody who calls through the gate and past it.
struct Desk {
    // The caller goes before the service.
    caller: Caller,
    practice: Practice,
}

impl Desk {
    fn reads(&self, effort: &Effort) -> Result<Vec<Figure>, Failure> {
        let matter = self.practice.ids.get("matter").ok_or("the back end has no matter")?;
        let client = json!({ "name": "Marsh" });
        let named = json!({ "matter_id": matter });
        let owner = json!({ "kind": "matter", "id": matter });
        let failed = RefCell::new(None);
        let direct = |tool: &'static str, arguments: &Value| {
            note(&failed, self.direct(tool, arguments).map(|_| ()));
        };
        let governed = |tool: &'static str, arguments: &Value| {
            note(&failed, self.governed(tool, arguments).map(|_| ()));
        };
        let entrants = vec![
            Entrant::median("lookup_client, direct", || direct("lookup_client", &client)),
            Entrant::median("lookup_client, governed", || governed("lookup_client", &client)),
            Entrant::median("lookup_matter, direct", || direct("lookup_matter", &named)),
            Entrant::median("lookup_matter, governed", || governed("lookup_matter", &named)),
            Entrant::median("owner_of, direct", || direct("owner_of", &owner)),
        ];
        let mut figures = contest(effort, entrants);
        if let Some(failure) = failed.take() {
            return Err(failure);
        }
        if let [client, governed_client, matter, governed_matter, owner] = figures.as_slice() {
            let whole = governed_matter.beyond("lookup_matter with its owner, added", matter);
            figures.extend([
                governed_client.beyond(&format!("{ADDED} lookup_client"), client),
                whole.beyond(&format!("{ADDED} lookup_matter, its owner aside"), owner),
                whole,
            ]);
        }
        Ok(figures)
    }

    /// New clients, each of whom was screened before.
    fn writes(&self, effort: &Effort) -> Result<Vec<Figure>, Failure> {
        let count = Cell::new(0);
        let next = |kind: &str| {
            count.set(count.get() + 1);
            format!("{kind} {}", count.get())
        };
        let client = |name: &str| json!({ "full_name": name, "kind": "company" });
        let direct = percentiles(
            effort,
            "create_client, direct",
            || client(&next("Direct")),
            |arguments| self.direct("create_client", &arguments).map(|_| ()),
        )?;
        let screened = percentiles(
            effort,
            "check_sanctions, governed, a finding kept",
            || json!({ "full_name": next("Screened") }),
            |arguments| self.governed("check_sanctions", &arguments).map(|_| ()),
        )?;
        let governed = percentiles(
            effort,
            "create_client, governed, two transactions",
            || {
                let name = next("Governed");
                let found = self.governed("check_sanctions", &json!({ "full_name": name }));
                // A finding counts for what comes after its millisecond.
                std::thread::sleep(Duration::from_millis(2));
                found.map(|_| client(&name))
            },
            |arguments| self.governed("create_client", &arguments?).map(|_| ()),
        )?;
        Ok([direct, screened, governed].into_iter().flatten().collect())
    }

    fn direct(&self, tool: &str, arguments: &Value) -> Result<Value, Failure> {
        let answer = self.practice.direct.call(&Call {
            upstream: "practice",
            tool,
            arguments,
            context: Context { org_id: &self.practice.org, matter_id: None, idempotency_key: None },
            within: Duration::from_secs(5),
            max_output_bytes: 65_536,
            cancel: &|| false,
        })?;
        if answer.is_error { Err(answer.result.to_string().into()) } else { Ok(answer.result) }
    }

    fn governed(&self, tool: &str, arguments: &Value) -> Result<Vec<u8>, Failure> {
        let arguments = arguments.to_string();
        let service = &self.practice.service;
        let reply = service.call(&self.caller, tool, &arguments, &Cancel::new());
        match reply.failure {
            None => Ok(reply.body),
            Some(_) => Err(Failure(text(reply.body)?)),
        }
    }
}

/// Keeps the first failure: a time of calls that fail says nothing.
fn note(failed: &RefCell<Option<Failure>>, outcome: Result<(), Failure>) {
    if let Err(failure) = outcome {
        failed.borrow_mut().get_or_insert(failure);
    }
}
