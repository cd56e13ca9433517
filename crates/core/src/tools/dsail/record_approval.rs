//! `dsail_record_approval`: a person's word for one exact revision, kept for good.

use assay_store::{Approval, Sign};

use super::compiled::{write_approval, write_approvals};
use crate::failure::Failure;
use crate::input::{Input, missing};
use crate::label::{self, write_label};
use crate::names::{approver as check_approver, note as check_note, ruleset_name};
use crate::table::{Call, Step};

const PARAMETERS: &[&str] = &["ruleset_hash", "approver", "note", "name", "label"];

/// Answers one call.
pub(crate) fn run(call: &Call<'_>) -> Result<Step, Failure> {
    let input = Input::read(call.arguments, PARAMETERS)?;
    let hash = input.ruleset_hash("ruleset_hash")?.ok_or_else(|| missing("ruleset_hash"))?;
    let approver = input.string("approver")?.ok_or_else(|| missing("approver"))?.into_owned();
    check_approver(&approver)?;
    let note = input.string("note")?.map(std::borrow::Cow::into_owned);
    note.as_deref().map_or(Ok(()), check_note)?;
    let name = input.string("name")?.map(std::borrow::Cow::into_owned);
    name.as_deref().map_or(Ok(()), |it| ruleset_name("name", it))?;
    let label = label::read(call, &input)?;
    Ok(call.work(move |context, _| {
        let (service, session) = (&context.service, &context.session);
        let approved_at = service.now();
        let library = session.library.hash();
        let approval = Approval { approver, note, approved_at, library };
        let workspace = session.workspace.id;
        let (name, label) = (name.as_deref(), context.labelled(label));
        let sign = Sign { hash, name, approval: &approval, label: label.as_ref() };
        let recorded = service.store.approve(workspace, sign)?;
        Ok(service.payload(|object| {
            object.key("approval").object(|object| write_approval(object, hash, &approval));
            write_approvals(object, hash, &recorded.approvals);
            write_label(object.key("label"), recorded.label.as_ref());
            object.key("name").optional_string(recorded.name.as_deref());
            object.key("namespace").string(&session.workspace.address);
            object.key("ruleset_hash").display(hash);
            object.key("saved").boolean(recorded.name.is_some());
        }))
    }))
}
