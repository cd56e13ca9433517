//! Who may call one of the product's own tools: what the gate has to know is at hand.

use std::borrow::Cow;
use std::sync::Arc;

use assay_registry::gate::snapshot::Skill;
use assay_registry::{Admitted, Tool, admit, facts, list};

use crate::caller::{Caller, Session};
use crate::failure::Failure;
use crate::gateway::{Loaded, MAX_INPUT_BYTES, StageRefusal, object, stages};
use crate::service::Service;

/// What the lists of tools follow from, beside who asks for them: whoever finds another one has an
/// old list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Lists {
    /// The registry in force.
    snapshot: Option<String>,
    /// The number of the last change of what is stopped.
    stops: u64,
}

impl Service {
    /// What the lists of tools follow from now.
    #[must_use]
    pub fn lists(&self) -> Lists {
        let registry = self.gateway.as_ref().map(|it| it.registry(self));
        // Where it cannot be found out what is stopped, calls say so.
        let stops = self.stopped_now().map_or(0, |it| it.epoch);
        Lists { snapshot: registry.map(|it| it.snapshot.id().to_owned()), stops }
    }

    /// The tools that `caller` may call: the product's own in listing order, then the governed
    /// ones in the order of their names.
    #[must_use]
    pub fn tools(&self, caller: &Caller) -> Vec<Cow<'_, Tool>> {
        // One registry for the whole list, whatever comes into force meanwhile.
        let loaded = self.gateway.as_ref().map(|it| it.registry(self));
        let own = list(&self.catalog, self.registry_caller(&caller.session, loaded.as_deref()));
        let mut tools: Vec<_> = own.map(Cow::Borrowed).collect();
        let governed = loaded.iter().flat_map(|it| self.governed_tools(&caller.session, it));
        tools.extend(governed.map(Cow::Owned));
        tools
    }

    /// Asks the gate whether a call of one of the product's own tools goes through. Whoever was
    /// refused too often is not heard.
    pub(crate) fn admitted<'c>(
        &'c self,
        caller: &'c Caller,
        tool: &str,
    ) -> Result<Admitted<'c>, Failure> {
        let (session, now) = (&caller.session, (self.world.milliseconds)());
        self.limits.hears(&session.standing, now).map_err(|it| Failure::governed(it, None))?;
        let loaded = self.registry_of(session);
        let asking = self.registry_caller(session, loaded.as_deref());
        admit(&self.catalog, tool, asking).map_err(|refusal| {
            self.limits.refused(&session.standing, now);
            Failure::Refused(refusal, None)
        })
    }

    /// The registry in force, where a skill works with the credential, whose tools stand there.
    pub(crate) fn registry_of(&self, session: &Session) -> Option<Arc<Loaded>> {
        session.standing.binding_skill()?;
        self.gateway.as_ref().map(|it| it.registry(self))
    }

    /// What the gate knows of a caller. A skill that no registry has may call nothing.
    pub(crate) fn registry_caller<'c>(
        &'c self,
        session: &'c Session,
        loaded: Option<&'c Loaded>,
    ) -> assay_registry::Caller<'c> {
        let skill = session
            .standing
            .binding_skill()
            .map(|name| loaded.and_then(|it| it.snapshot.skill(name)).unwrap_or(Skill::NOTHING));
        let (scopes, stopped) = (session.scopes, &session.stops.stopped);
        assay_registry::Caller { profile: self.profile(), scopes, stopped, skill }
    }

    /// As [`Service::stages`], for one of the product's own tools.
    pub(crate) fn own_stages(
        &self,
        session: &Session,
        name: &str,
        arguments: &str,
    ) -> Vec<StageRefusal> {
        let arguments = match object(arguments, MAX_INPUT_BYTES) {
            Ok(arguments) => arguments,
            Err(refusal) => return vec![("session", Some(refusal))],
        };
        let tool = self.tool(name).filter(|it| self.profile().has(it));
        let loaded = self.registry_of(session);
        let caller = self.registry_caller(session, loaded.as_deref());
        facts(tool, caller, Some(&arguments), stages)
    }
}
