//! How a service is doing, for whoever looks after it.

use assay_audit::{Event, Outcome, Record, Resource};
use assay_base::canonical::to_bytes;

use crate::gateway::Gateway;
use crate::ledger::{AuditStatus, INSTALLATION};
use crate::reply::Reply;
use crate::service::Service;
use crate::switches::Turned;

impl Service {
    /// Whether the service answers: it does once it is open. Where it has governed tools, also
    /// whether the registry is the one in its folder, and how the audit log is doing.
    #[must_use]
    pub fn health(&self) -> Reply {
        let body = to_bytes(|value| {
            value.object(|object| {
                let audit = self.ledger.status();
                if let Some(gateway) = &self.gateway {
                    let registry = gateway.registry(self);
                    let faults = gateway.faults();
                    object.key("audit").object(|object| {
                        object.key("is_sound").boolean(audit.faults.is_empty());
                        object.key("is_written").boolean(audit.failing.is_none());
                    });
                    object.key("ok").boolean(true);
                    object.key("registry").object(|object| {
                        object.key("fault_count").integer(faults.len() as u64);
                        object.key("is_current").boolean(faults.is_empty());
                        object.key("snapshot").string(registry.snapshot.id());
                        let warnings = registry.snapshot.warnings().len();
                        object.key("warning_count").integer(warnings as u64);
                        object.key("withheld_answer_count").integer(gateway.withheld());
                    });
                } else {
                    object.key("ok").boolean(true);
                }
                object.key("versions").fragment(self.versions());
            });
        });
        Reply { body, failure: None, retry_after_ms: None }
    }

    /// Why the folder of the registry is not in force as it is now; empty where it is.
    #[must_use]
    pub fn registry_faults(&self) -> Vec<String> {
        self.gateway.as_ref().map(Gateway::faults).unwrap_or_default()
    }

    /// What the authors of the registry in force should look at, such as parts of a record that are
    /// held less strictly than in the one before.
    #[must_use]
    pub fn registry_warnings(&self) -> Vec<String> {
        let registry = self.gateway.as_ref().map(|it| it.registry(self));
        let warnings = registry.iter().flat_map(|it| it.snapshot.warnings());
        warnings.map(ToString::to_string).collect()
    }

    /// Puts on record with which registry a process with governed tools begins, and what the file
    /// of stops says then.
    pub(crate) fn tell_of_beginning(&self) {
        let Some(gateway) = &self.gateway else { return };
        self.tell_of_registry(Event::SnapshotLoaded, gateway.registry(self).snapshot.id());
        let set = self.switches.of_file();
        self.tell_of_stop_file(&Turned { set, ..Turned::default() });
    }

    /// Writes down that another registry came into force, or that one was refused.
    pub(crate) fn tell_of_registry(&self, event: Event, snapshot: &str) {
        let Ok(chance) = self.chance(20) else { return };
        let is_loaded = event == Event::SnapshotLoaded;
        let result = if is_loaded { Outcome::Success } else { Outcome::Failure };
        let record = Record {
            resource: Resource {
                id: Some(snapshot.to_owned()),
                kind: Some("registry".to_owned()),
                name: None,
            },
            ..Record::plain(format!("evt_{chance}"), event, self.moment(), result)
        };
        // Whether a registry is in force does not hang on whether that is written down.
        let _ = self.ledger.note(INSTALLATION, record);
    }

    /// How the audit log is doing.
    #[must_use]
    pub fn audit_status(&self) -> AuditStatus {
        self.ledger.status()
    }

    /// Waits until everything that was recorded before is on the disk, however long that takes.
    pub fn flush_audit(&self) {
        self.ledger.flush();
    }
}
