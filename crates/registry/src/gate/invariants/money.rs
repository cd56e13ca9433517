//! No tool moves money between accounts.
//!
//! A word for moving refuses a name or a sentence where money is what it is about: in the money
//! categories always, elsewhere where a word for money stands beside it. So a change of venue may
//! be called a transfer.

use crate::gate::Fault;
use crate::gate::invariants::{Filed, words};
use crate::gate::record::Effect;

const MOVING: &[&str] = &["transfer", "disburse", "payout", "wire", "debit", "refund"];

const ENDINGS: &[&str] = &["", "s", "d", "r", "ed", "ing", "red", "ring", "ment", "ments", "al"];

const MONEY: &[&str] = &[
    "account", "accounts", "amount", "balance", "bank", "cash", "fund", "funds", "iban", "money",
    "moneys", "monies", "payment", "payments", "retainer", "sum", "trust",
];

/// Verbs of tools that only show something.
const SHOWING: &[&str] =
    &["count", "export", "find", "get", "list", "lookup", "read", "report", "search", "show"];

pub(super) fn check(filed: Filed<'_>, faults: &mut Vec<Fault>) {
    let record = filed.record;
    let mut refuse = |pointer: &str| {
        let message = "this says that the tool moves money";
        let mend = "remove the tool: people move money, tools do not";
        faults.push(filed.fault(pointer, message, mend));
    };
    let about_money = is_money_category(&record.category);
    let reads = record.effect() == Effect::Read;
    let segments = words(record.tool_id.path());
    let last = words(record.tool_id.path().rsplit('.').next().unwrap_or_default());
    let in_id = about_money || segments.iter().any(|it| is_money(it));
    if in_id && names_a_move(&last, reads) {
        refuse("/tool_id");
    }
    let name = words(&record.name);
    if (in_id || name.iter().any(|it| is_money(it))) && names_a_move(&name, reads) {
        refuse("/name");
    }
    if tells_of_a_move(&record.description, about_money, reads) {
        refuse("/description");
    }
    for (index, text) in record.side_effects.iter().enumerate() {
        if tells_of_a_move(text, about_money, false) {
            refuse(&format!("/side_effects/{index}"));
        }
    }
}

fn is_money_category(category: &str) -> bool {
    category == "efirm-finance" || category == "trust" || category.starts_with("trust-")
}

fn is_money(word: &str) -> bool {
    MONEY.contains(&word)
}

fn is_moving(word: &str) -> bool {
    MOVING.iter().any(|stem| {
        let rest = word.strip_prefix(stem);
        let stem_without_e = stem.strip_suffix('e').and_then(|it| word.strip_prefix(it));
        rest.is_some_and(|it| ENDINGS.contains(&it)) || stem_without_e == Some("ing")
    })
}

/// A name that has a word for moving, unless it is that of a tool which shows such moves.
fn names_a_move(name: &[String], reads: bool) -> bool {
    let shows = reads && name.first().is_some_and(|it| SHOWING.contains(&it.as_str()));
    !shows && name.iter().any(|it| is_moving(it))
}

/// A sentence that tells of a move. Where nothing is changed only one that begins with it counts,
/// since a list of refunds is no refund.
fn tells_of_a_move(text: &str, about_money: bool, reads: bool) -> bool {
    text.split(['.', ';', '\n']).map(words).any(|sentence| {
        let money = about_money || sentence.iter().any(|it| is_money(it));
        let moves = if reads {
            sentence.first().is_some_and(|it| is_moving(it))
        } else {
            sentence.iter().any(|it| is_moving(it))
        };
        money && moves
    })
}
