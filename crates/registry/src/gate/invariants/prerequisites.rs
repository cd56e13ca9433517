//! What must have been done before: by a tool that is there, that can find what is asked of it, and
//! about something that can be told to be the same.
//!
//! A prerequisite that nothing can meet would hold a tool back for ever, and one that everything
//! meets would hold nothing back. Records out of use are left as they are.

use std::collections::{BTreeMap, BTreeSet};

use assay_base::json::printable;

use crate::gate::Fault;
use crate::gate::invariants::Filed;
use crate::gate::record::{Prerequisite, Record};

pub(super) fn check(records: &[Filed<'_>], faults: &mut Vec<Fault>) {
    steps(records, faults);
    let mut in_use: BTreeMap<String, Vec<&Record>> = BTreeMap::new();
    for filed in records.iter().filter(|it| it.record.enabled) {
        in_use.entry(filed.record.tool_id.to_string()).or_default().push(filed.record);
    }
    for &filed in records.iter().filter(|it| it.record.enabled) {
        for (index, needed) in filed.record.prerequisites.iter().enumerate() {
            let place = format!("/prerequisites/{index}");
            let named = in_use.get(&needed.tool).map_or(&[][..], Vec::as_slice);
            findings((filed, &place), needed, named, faults);
            subjects((filed, &place), needed, named, faults);
        }
    }
}

/// Each tool that is waited for is there and waits for nobody who waits for it.
fn steps(records: &[Filed<'_>], faults: &mut Vec<Fault>) {
    let mut needs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for filed in records {
        let tools = filed.record.prerequisites.iter().map(|it| it.tool.clone());
        needs.entry(filed.record.tool_id.to_string()).or_default().extend(tools);
    }
    for filed in records {
        let id = filed.record.tool_id.to_string();
        for (index, needed) in filed.record.prerequisites.iter().enumerate() {
            let pointer = format!("/prerequisites/{index}/tool");
            if !needs.contains_key(&needed.tool) {
                let message = format!("`{}` is no tool of this registry", printable(&needed.tool));
                faults.push(filed.fault(&pointer, message, "correct it, or add the tool"));
            } else if leads_to(&needs, &needed.tool, &id) {
                let message = "the two tools wait for each other";
                faults.push(filed.fault(&pointer, message, "remove one of the prerequisites"));
            }
        }
    }
}

/// Whether `from` is `to`, or needs it at some remove.
fn leads_to(needs: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(tool) = open.pop() {
        if tool == to {
            return true;
        }
        if seen.insert(tool) {
            open.extend(needs.get(tool).into_iter().flatten().map(String::as_str));
        }
    }
    false
}

/// The words that are waited for are words that the tool may find.
fn findings(
    (filed, place): (Filed<'_>, &str),
    needed: &Prerequisite,
    named: &[&Record],
    faults: &mut Vec<Fault>,
) {
    let decision = needed.or_decision.as_ref();
    if needed.verdict_in.is_empty() && decision.is_some() {
        let message = "every finding counts here, so that there is none to decide on";
        let mend = "state in `verdict_in` which findings count without a decision";
        faults.push(filed.fault(&format!("{place}/or_decision"), message, mend));
    }
    let listed = needed.verdict_in.iter().enumerate();
    let listed = listed.map(|(index, word)| (format!("{place}/verdict_in/{index}"), word));
    let decided = decision.map(|it| (format!("{place}/or_decision/verdict"), &it.verdict));
    let words: Vec<(String, &String)> = listed.chain(decided).collect();
    for record in named.iter().filter(|_| !words.is_empty()) {
        let tool = format!("version {} of `{}`", record.version, record.tool_id);
        let Some(verdict) = &record.verdict else {
            let message = format!("{tool} finds nothing that could be waited for");
            let mend = "state `verdict` in its record, or wait for no finding";
            faults.push(filed.fault(&format!("{place}/verdict_in"), message, mend));
            continue;
        };
        for (pointer, word) in words.iter().filter(|(_, it)| !verdict.values.contains(it)) {
            let message = format!("{tool} never finds `{}`", printable(word));
            let mend = format!("use one of its words: {}", printable(&verdict.values.join(", ")));
            faults.push(filed.fault(pointer, message, mend));
        }
    }
}

/// What is to be about the same says on both sides what it is about.
fn subjects(
    (filed, place): (Filed<'_>, &str),
    needed: &Prerequisite,
    named: &[&Record],
    faults: &mut Vec<Fault>,
) {
    if !needed.same_subject {
        return;
    }
    let mut refuse = |record: &Record| {
        let message = format!(
            "nothing says what version {} of `{}` is about, so that no subject is the same",
            record.version, record.tool_id
        );
        let mend = "state `subject_key` in its record, or `\"same_subject\": false` here";
        faults.push(filed.fault(&format!("{place}/same_subject"), message, mend));
    };
    let silent = std::iter::once(&filed.record).chain(named).filter(|it| it.subject_key.is_none());
    silent.for_each(|it| refuse(it));
}
