//! How a call of one of the product's own tools ends: it is answered, and put on record.

use std::sync::Arc;

use assay_audit::Event;
use assay_base::Code;
use assay_engine::Cancel;

use crate::caller::{Caller, Session};
use crate::failure::Failure;
use crate::service::{Service, guard};
use crate::table::Step;
use crate::tally::{Called, record};

/// A call that has yet to end.
pub(crate) struct Ending {
    pub(crate) service: Arc<Service>,
    pub(crate) session: Arc<Session>,
    /// The place of the tool in the catalogue.
    pub(crate) place: Option<usize>,
}

impl Ending {
    /// Counts the call, whichever way it ended.
    pub(crate) fn counted(&self, result: Result<Vec<u8>, Failure>) -> Result<Vec<u8>, Failure> {
        if let Some(place) = self.place {
            match &result {
                Ok(_) => self.session.counts.done(place),
                Err(failure) => {
                    let tool = self.service.tool_at(place).map_or("", |it| it.name.as_str());
                    self.session.counts.failed(tool, failure.code());
                }
            }
        }
        result
    }

    /// Runs a call that changes what people keep: first its record, then the call, then how it
    /// ended. Without the first there is no call.
    pub(crate) fn put_on_record(
        &self,
        caller: &Caller,
        (tool, arguments): (&str, &str),
        cancel: &Cancel,
    ) -> Result<Vec<u8>, Failure> {
        let service = &self.service;
        let organisation = &self.session.workspace.address;
        let told = |event, code| {
            let by = self.session.by(caller.origin());
            record(by, (event, Called::of(&service.catalog, tool), code), 1, service.world)
        };
        let ahead = told(Event::ToolDispatching, None);
        let written = ahead.map(|it| service.ledger.write(organisation, it));
        if !matches!(written, Some(Ok(_))) {
            let why = written.and_then(Result::err).map(|it| format!(": {it}"));
            let message = format!(
                "this call changes something and was not made, because it could not be put on \
                 record{}",
                why.unwrap_or_default()
            );
            return Err(Failure::other(Code::AuditUnavailable, message));
        }
        let result =
            guard(|| match service.step(caller, service.admitted(caller, tool)?, arguments)? {
                Step::Done(result) => result,
                Step::Work(work) => work(cancel),
            });
        let code = result.as_ref().err().map(Failure::code);
        if let Some(record) = told(Event::ToolInvoked, code) {
            // The call has happened; its end waits for the log where that must be.
            let _ = service.ledger.note(organisation, record);
        }
        result
    }
}
