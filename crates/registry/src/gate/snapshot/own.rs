//! What the product keeps for its own tools: names, categories and the scopes of credentials.
//!
//! A call is led to its family by the name alone, and a stop of a category holds back whatever has
//! it. So a governed tool with such a name would be listed and never called, and one with such a
//! category would be stopped together with tools that have nothing to do with it. The scopes of
//! credentials, which no role gives, are permissions of own tools: a governed tool that changes
//! something needs one that roles hold as well.

use std::collections::BTreeSet;

use assay_base::json::printable;

use crate::gate::Fault;
use crate::gate::invariants::Filed;
use crate::gate::permission::SCOPE;
use crate::gate::record::Effect;
use crate::gate::switch::OWN_CATEGORIES;
use crate::profile::Family;
use crate::tool::Tool;

/// The faults of records that take what the product keeps for itself. `own` are its tools.
pub(super) fn check(records: &[Filed<'_>], own: &[Tool]) -> Vec<Fault> {
    let categories = own.iter().map(|it| it.record.category.as_str());
    let categories: BTreeSet<&str> = categories.chain(OWN_CATEGORIES).collect();
    let mut faults = Vec::new();
    for filed in records {
        let name = filed.record.wire_name();
        let mut refuse = |pointer: &str, message: String, mend: &str| {
            faults.push(Fault::new(filed.file, pointer, message, mend));
        };
        if own.iter().any(|it| it.name == name) {
            let message = "another tool has this name for the model".to_owned();
            refuse("/name", message, "give it another name");
        } else if Family::of(&name) != Family::Upstream {
            let message = format!("calls of `{}` go to the product's own tools", printable(&name));
            let mend = "let it neither begin with `dsail_` or `law_` nor have `_spam_` in it";
            refuse("/name", message, mend);
        }
        let category = filed.record.category.as_str();
        if categories.contains(category) {
            let message = format!("a stop of `{category}.*` is meant for the product's own tools");
            refuse("/category", message, "give it another category, in its id as well");
        }
        let needed = &filed.record.permissions_required;
        let is_read = filed.record.effect() == Effect::Read;
        if !is_read && !needed.is_empty() && needed.iter().all(|it| it.starts_with(SCOPE)) {
            let message = "a credential alone lets its bearer change something".to_owned();
            refuse("/permissions_required", message, "name a permission that roles hold as well");
        }
    }
    faults
}
