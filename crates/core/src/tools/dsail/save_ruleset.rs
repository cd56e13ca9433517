//! `dsail_save_ruleset`: a source as a named revision that nothing changes any more.

use assay_dsail::Options;
use assay_store::Save;

use crate::failure::{Failure, write_hash};
use crate::input::{Input, missing};
use crate::label::{self, write_label};
use crate::names::ruleset_name;
use crate::rulesets::prepare;
use crate::table::{Call, Step};

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, &["name", "source", "parent_hash", "label"])?;
    let name = input.string("name")?.ok_or_else(|| missing("name"))?.into_owned();
    ruleset_name("name", &name)?;
    let source = input.string("source")?.ok_or_else(|| missing("source"))?.into_owned();
    let parent = input.ruleset_hash("parent_hash")?;
    let label = label::read(call, &input)?;
    Ok(call.work(move |context, _| {
        let (service, session) = (&context.service, &context.session);
        let options = Options { require_descriptions: false };
        let prepared = prepare(&service.engine, &session.library, &source, options)?;
        let hash = prepared.ruleset.hash;
        let source = prepared.ruleset.source.text();
        let (label, now) = (context.labelled(label), service.now());
        let save = Save { name: &name, hash, source, parent, label: label.as_ref(), now };
        let saved = service.store.save(session.workspace.id, save)?;
        service.keep(session, prepared);
        Ok(service.payload(|object| {
            object.key("bound_at").display(saved.bound_at);
            object.key("created").boolean(saved.created);
            write_label(object.key("label"), saved.label.as_ref());
            object.key("name").string(&name);
            object.key("namespace").string(&session.workspace.address);
            write_hash(object.key("parent_hash"), saved.lineage.parent);
            object.key("revision_depth").integer(saved.lineage.depth);
            object.key("ruleset_hash").display(hash);
            write_hash(object.key("unit_library_hash"), session.library.hash());
        }))
    }))
}
