//! Names and categories that the product keeps for its own tools.
//!
//! A call is led to its family by the name alone, and a stop of a category holds back whatever has
//! it. So a governed tool with such a name would be listed and never called, and one with such a
//! category would be stopped together with tools that have nothing to do with it.

use std::collections::BTreeSet;

use assay_base::json::printable;

use crate::gate::Fault;
use crate::gate::invariants::Filed;
use crate::gate::switch::{OWN_CATEGORIES, own_category};
use crate::profile::Family;

/// The faults of records that take what the product keeps for itself. `taken` are the names of its
/// tools.
pub(super) fn check(records: &[Filed<'_>], taken: &[&str]) -> Vec<Fault> {
    let own = taken.iter().map(|it| own_category(it));
    let own: BTreeSet<String> = own.chain(OWN_CATEGORIES.map(str::to_owned)).collect();
    let mut faults = Vec::new();
    for filed in records {
        let name = filed.record.wire_name();
        let mut refuse = |pointer: &str, message: String, mend: &str| {
            faults.push(Fault::new(filed.file, pointer, message, mend));
        };
        if taken.contains(&name.as_str()) {
            let message = "another tool has this name for the model".to_owned();
            refuse("/name", message, "give it another name");
        } else if Family::of(&name) != Family::Upstream {
            let message = format!("calls of `{}` go to the product's own tools", printable(&name));
            let mend = "let it neither begin with `dsail_` or `law_` nor have `_spam_` in it";
            refuse("/name", message, mend);
        }
        let category = filed.record.category.as_str();
        if own.contains(category) {
            let message = format!("a stop of `{category}.*` is meant for the product's own tools");
            refuse("/category", message, "give it another category, in its id as well");
        }
    }
    faults
}
