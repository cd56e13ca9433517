//! `dsail_compile`: source text to a stored ruleset and everything that its user needs.

use std::sync::Arc;

use assay_base::RulesetHash;
use assay_base::canonical::{Object, to_bytes};
use assay_base::json::{Raw, Scalar, object, scalar};
use assay_dsail::Options;
use assay_dsail::claim_schema::write_claim_schema;
use assay_dsail::compile::UnbridgedPair;
use assay_dsail::contract::write_contract;
use assay_dsail::manifest::write_manifest;
use assay_dsail::review::{review, summary};
use assay_store::Lineage;

use crate::caller::Door;
use crate::failure::{Failure, write_hash};
use crate::input::{Input, missing};
use crate::problem::write_problems;
use crate::rulesets::Prepared;
use crate::service::Service;
use crate::table::{Call, Step};

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    // Over MCP a description is always required, so the parameter exists for the other doors only.
    let over_mcp = call.caller.door == Door::Mcp;
    let known: &[&str] = if over_mcp {
        &["source", "parent_hash", "label"]
    } else {
        &["source", "parent_hash", "label", "require_descriptions"]
    };
    let input = Input::read(call.arguments, known)?;
    let source = input.string("source")?.ok_or_else(|| missing("source"))?.into_owned();
    let parent = input.ruleset_hash("parent_hash")?;
    input.raw("label").map_or(Ok(()), |label| check_label(label, &domains(call)))?;
    let require_descriptions = over_mcp || input.boolean("require_descriptions", false)?;
    let options = Options { require_descriptions };
    let service = Arc::clone(call.service);
    Ok(Step::Work(Box::new(move |_| compile(&service, &source, parent, options))))
}

fn compile(
    service: &Service,
    source: &str,
    parent: Option<RulesetHash>,
    options: Options,
) -> Result<Vec<u8>, Failure> {
    let (prepared, lineage) = service.store(source, parent, options)?;
    Ok(payload(service, &prepared, lineage))
}

fn payload(service: &Service, prepared: &Prepared, lineage: Lineage) -> Vec<u8> {
    let ruleset = &prepared.ruleset;
    to_bytes(|value| {
        value.object(|object| {
            write_claim_schema(object.key("claim_schema"), ruleset);
            write_problems(object.key("diagnostics"), &ruleset.source, &prepared.warnings);
            object.key("label").null();
            write_manifest(object.key("manifest"), ruleset);
            object.key("ok").boolean(true);
            object.key("review").string(&review(ruleset, &prepared.unbridged));
            object.key("ruleset_hash").display(ruleset.hash);
            object.key("source").string(ruleset.source.text());
            object.key("stored").object(|stored| {
                write_hash(stored.key("parent_hash"), lineage.parent);
                stored.key("revision_depth").integer(lineage.depth);
            });
            object.key("summary").string(&summary(ruleset));
            write_unbridged(object, &prepared.unbridged);
            write_hash(object.key("unit_library_hash"), service.library.hash());
            write_contract(object.key("validation_contract"), ruleset);
            object.key("versions").fragment(service.versions());
        });
    })
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

/// The fields of a policy that a label may name: those that the tool publishes.
fn domains<'a>(call: &Call<'a>) -> Vec<&'a str> {
    let schema = &call.admitted.tool().input_schema;
    let published = schema.pointer("/properties/label/properties/domain/enum");
    let published = published.and_then(|it| it.as_array()).into_iter().flatten();
    published.filter_map(|it| it.as_str()).collect()
}

/// Whether a label is one: it is inert, so this is all that happens to it.
fn check_label(raw: Raw<'_>, domains: &[&str]) -> Result<(), Failure> {
    let refuse = |why: String| Err(Failure::bad_request(format!("the label {why}")));
    let members = object(raw.get()).map_err(|it| Failure::not_an_object("the label", &it))?;
    let mut declined = false;
    for (key, raw) in &members {
        match (key.as_ref(), scalar(raw)) {
            ("domain", Scalar::String(domain)) if domains.contains(&domain.as_ref()) => {}
            ("domain", _) => {
                return refuse(format!("has a domain other than {}", domains.join(", ")));
            }
            ("topic", Scalar::String(_)) => {}
            ("topic", other) => return refuse(format!("has a topic that is {}", other.kind())),
            ("confidence", Scalar::String(it)) if matches!(&*it, "high" | "medium" | "low") => {}
            ("confidence", _) => {
                return refuse("has a confidence other than high, medium, low".to_owned());
            }
            ("declined", Scalar::Boolean(true)) => declined = true,
            ("declined", _) => {
                return refuse("has `declined` with a value other than true".to_owned());
            }
            (key, _) => {
                return refuse(format!("has no member `{}`", assay_base::json::printable(key)));
            }
        }
    }
    if declined && members.len() > 1 {
        return refuse("is declined and says something all the same".to_owned());
    }
    Ok(())
}
