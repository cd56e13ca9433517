//! What every tool that shows a whole ruleset says about it.

use assay_base::RulesetHash;
use assay_base::canonical::{Array, Object};
use assay_dsail::claim_schema::write_claim_schema;
use assay_dsail::compile::UnbridgedPair;
use assay_dsail::contract::write_contract;
use assay_dsail::manifest::write_manifest;
use assay_dsail::review::{review, summary};
use assay_store::{Approval, Label, Lineage};

use crate::failure::write_hash;
use crate::label::write_label;
use crate::problem::write_problems;
use crate::rulesets::Prepared;

/// Writes the contract of a stored ruleset, all of it derived from its source.
pub(crate) fn write_compiled(
    object: &mut Object<'_>,
    prepared: &Prepared,
    lineage: Lineage,
    label: Option<&Label>,
) {
    let ruleset = &prepared.ruleset;
    write_claim_schema(object.key("claim_schema"), ruleset);
    write_problems(object.key("diagnostics"), &ruleset.source, &prepared.warnings);
    write_label(object.key("label"), label);
    write_manifest(object.key("manifest"), ruleset);
    object.key("review").string(&review(ruleset, &prepared.unbridged));
    object.key("ruleset_hash").display(ruleset.hash);
    object.key("source").string(ruleset.source.text());
    object.key("stored").object(|stored| {
        write_hash(stored.key("parent_hash"), lineage.parent);
        stored.key("revision_depth").integer(lineage.depth);
    });
    object.key("summary").string(&summary(ruleset));
    write_unbridged(object, &prepared.unbridged);
    write_hash(object.key("unit_library_hash"), prepared.library);
    write_contract(object.key("validation_contract"), ruleset);
}

fn write_unbridged(object: &mut Object<'_>, pairs: &[UnbridgedPair]) {
    object.key("unbridged_units").array(|array| {
        for pair in pairs {
            array.item().object(|object| {
                object.key("cause").string(if pair.ambiguous { "ambiguous" } else { "missing" });
                object.key("from").string(pair.from.symbol());
                object.key("rule").string(&pair.assertion);
                object.key("to").string(pair.to.symbol());
            });
        }
    });
}

/// Writes the approvals of one revision, oldest first.
pub(crate) fn write_approvals(object: &mut Object<'_>, hash: RulesetHash, approvals: &[Approval]) {
    object.key("approvals").array(|array: &mut Array<'_>| {
        for approval in approvals {
            array.item().object(|object| write_approval(object, hash, approval));
        }
    });
}

/// Writes one approval.
pub(crate) fn write_approval(object: &mut Object<'_>, hash: RulesetHash, approval: &Approval) {
    object.key("approved_at").display(approval.approved_at);
    object.key("approver").string(&approval.approver);
    object.key("hash").display(hash);
    object.key("note").optional_string(approval.note.as_deref());
    write_hash(object.key("unit_library_hash"), approval.library);
}
