//! What operators and administrators do about governed tools: roles, stops, calls whose end is not
//! known, and what the gate would say to a call.

use std::collections::BTreeMap;
use std::time::Duration;

use assay_audit::{Actor, Event, Outcome, Own, Record, Resource, Sanitised};
use assay_base::Code;
use assay_base::json::printable;
use assay_registry::gate::Refusal;
use assay_registry::gate::permission::ROLES;
use assay_registry::gate::switch::Target;
use assay_store::{AuditHead, AuditRow, Lift, PersonId, PracticeRole, Stop, Workspace};
use serde_json::Value;

use crate::caller::{Caller, Session};
use crate::failure::Failure;
use crate::ledger::INSTALLATION;
use crate::names::one_line;
use crate::operator::OperatorError;
use crate::service::Service;
use crate::switches::Turned;

/// How long a stop stands at least, in milliseconds.
const YOUNGEST_MS: i64 = 60_000;
/// Most characters of a reason and of a reference.
const MAX_REASON: usize = 500;
/// How long a server may take to start and to say what it offers.
const ASKED_FOR: Duration = Duration::from_secs(10);
/// The role that may stop tools and lift stops.
const ADMINISTRATOR: &str = "admin";

/// What one stage of the gate says to a call.
#[derive(Debug, Clone, PartialEq)]
pub struct StageWord {
    /// The stage.
    pub stage: &'static str,
    /// Why it refuses, with what helps; `None` where it lets the call pass.
    pub refusal: Option<(&'static str, Value)>,
}

/// What a server offers now of one version of a tool, and what its record pins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveDefinition {
    /// The id of the tool.
    pub tool_id: String,
    /// The version of the record.
    pub version: String,
    /// Where it is carried out, as `upstream/tool`.
    pub place: String,
    /// The hash that the record pins.
    pub pinned: Option<String>,
    /// The hash of the definition that the server offers, `None` where it names no such tool; or
    /// why the server says nothing.
    pub live: Result<Option<String>, String>,
}

impl Service {
    /// Gives a person a role of the practice in a workspace, the owner's where none is named.
    ///
    /// # Errors
    /// [`OperatorError`] says what is wrong and what mends it.
    pub fn grant_role(
        &self,
        workspace: Option<&str>,
        person: &str,
        role: &str,
    ) -> Result<String, OperatorError> {
        let grant = || {
            known_role(role)?;
            let (person, workspace) = self.member(workspace, person)?;
            self.store.grant_practice_role(workspace.id, person, role)?;
            Ok(workspace.address)
        };
        grant().map_err(|it: Failure| it.into())
    }

    /// Takes a role from a person; returns whether the person had it.
    ///
    /// # Errors
    /// As [`Service::grant_role`].
    pub fn revoke_role(
        &self,
        workspace: Option<&str>,
        person: &str,
        role: &str,
    ) -> Result<bool, OperatorError> {
        let revoke = || {
            let (person, workspace) = self.member(workspace, person)?;
            Ok(self.store.revoke_practice_role(workspace.id, person, role)?)
        };
        revoke().map_err(|it: Failure| it.into())
    }

    /// Every role of everyone.
    ///
    /// # Errors
    /// As [`Service::grant_role`].
    pub fn roles(&self) -> Result<Vec<PracticeRole>, OperatorError> {
        self.store.all_practice_roles().map_err(|it| Failure::from(it).into())
    }

    /// A person, and one of the workspaces that the person is in.
    fn member(
        &self,
        workspace: Option<&str>,
        subject: &str,
    ) -> Result<(PersonId, Workspace), Failure> {
        let unknown =
            || Failure::rule(assay_store::Refusal::UnknownPerson { person: subject.to_owned() });
        let person = self.store.person(subject)?.ok_or_else(unknown)?;
        let workspace = match workspace {
            Some(named) => self.store.workspace(person.id, named)?,
            None => self.store.current_workspace(person.id)?,
        };
        Ok((person.id, workspace))
    }

    /// Everything that is stopped by the store, and by the file of stops.
    ///
    /// # Errors
    /// As [`Service::grant_role`].
    pub fn stops(&self) -> Result<(Vec<Stop>, Vec<Target>), OperatorError> {
        let stored = self.store.stops().map_err(|it| OperatorError::from(Failure::from(it)))?;
        Ok((stored, self.switches.of_file()))
    }

    /// Stops a target at once, for everybody. `by` is who says so.
    ///
    /// # Errors
    /// As [`Service::grant_role`].
    pub fn stop(&self, by: &str, target: &Target, reason: &str) -> Result<(), OperatorError> {
        let stop = || {
            one_line("reason", reason, MAX_REASON)?;
            one_line("by", by, MAX_REASON)?;
            let set_at = (self.world.milliseconds)();
            let before = self.is_kept(target)? || self.switches.of_file().contains(target);
            self.store.set_stop(&Stop {
                target: target.to_string(),
                set_by: by.to_owned(),
                reason: reason.to_owned(),
                set_at,
                lift: None,
            })?;
            // It holds from now on, whether or not it can be written down.
            let turned = (Event::KillSet, before, true);
            if let Ok(record) = self.record_of_stop(turned, by, target, reason) {
                let _ = self.ledger.write(INSTALLATION, record);
            }
            Ok(())
        };
        stop().map_err(|it: Failure| it.into())
    }

    /// As [`Service::stop`], for an administrator who signed in.
    pub(crate) fn stop_as(
        &self,
        caller: &Caller,
        target: &Target,
        reason: &str,
    ) -> Result<(), Failure> {
        administrator(&caller.session)?;
        let by = &caller.session.standing.subject;
        self.stop(by, target, reason).map_err(|it| Failure::bad_request(it.to_string()))
    }

    /// Asks for a stop to be lifted, or lifts it where another administrator asked before. Returns
    /// whether it is lifted.
    ///
    /// # Errors
    /// As [`Service::grant_role`]; only administrators who signed in are heard, a stop stands for a
    /// minute at least, and one person alone lifts none.
    pub fn lift(
        &self,
        caller: &Caller,
        target: &Target,
        (fix, reason): (&str, &str),
    ) -> Result<bool, OperatorError> {
        self.lift_as(caller, target, (fix, reason)).map_err(OperatorError::from)
    }

    /// As [`Service::lift`].
    pub(crate) fn lift_as(
        &self,
        caller: &Caller,
        target: &Target,
        (fix, reason): (&str, &str),
    ) -> Result<bool, Failure> {
        let session = &caller.session;
        administrator(session)?;
        one_line("fix", fix, MAX_REASON)?;
        one_line("reason", reason, MAX_REASON)?;
        let at = (self.world.milliseconds)();
        let by = session.person;
        let lift = Lift { by, fix: fix.to_owned(), reason: reason.to_owned(), at };
        let decide = |stop: &Stop| {
            let left = YOUNGEST_MS.saturating_sub(at.saturating_sub(stop.set_at));
            if left > 0 {
                let seconds = u32::try_from((left + 999) / 1000).unwrap_or(u32::MAX);
                return Err(assay_store::Refusal::StopTooYoung { seconds });
            }
            match &stop.lift {
                None => Ok(false),
                Some(first) if first.by == by => Err(assay_store::Refusal::SamePerson),
                Some(_) => Ok(true),
            }
        };
        let (by, why) = (&session.standing.subject, format!("{fix}: {reason}"));
        let asked = self.record_of_stop((Event::KillLiftAsked, true, true), by, target, &why)?;
        let after = self.switches.of_file().contains(target);
        let cleared = self.record_of_stop((Event::KillCleared, true, after), by, target, &why)?;
        let sealer = self.ledger.sealer();
        // What cannot be put on record is neither asked for nor let go.
        let recorded = (INSTALLATION, move |head, lifted| {
            let record = if lifted { cleared } else { asked };
            sealer.rows(INSTALLATION, head, [record]).unwrap_or_default()
        });
        let (_, lifted) = self.store.lift_stop(&target.to_string(), &lift, decide, recorded)?;
        Ok(lifted)
    }

    /// Whether the store keeps a stop of exactly this target.
    fn is_kept(&self, target: &Target) -> Result<bool, Failure> {
        let target = target.to_string();
        Ok(self.store.stops()?.iter().any(|it| it.target == target))
    }

    /// Puts on record what the file of stops says now and did not say before. What it says holds,
    /// whether or not that can be written down.
    pub(crate) fn tell_of_stop_file(&self, turned: &Turned) {
        let tell = |event, target: &Target| {
            let kept = self.is_kept(target).unwrap_or_default();
            let states = match event {
                Event::KillSet => (event, kept, true),
                _ => (event, true, kept),
            };
            if let Ok(record) = self.record_of_stop(states, "file", target, "the file of stops") {
                let _ = self.ledger.note(INSTALLATION, record);
            }
        };
        turned.set.iter().for_each(|it| tell(Event::KillSet, it));
        turned.cleared.iter().for_each(|it| tell(Event::KillCleared, it));
    }

    /// The record of what somebody did about a stop, with whether the target was stopped before and
    /// is after.
    fn record_of_stop(
        &self,
        (event, before, after): (Event, bool, bool),
        by: &str,
        target: &Target,
        reason: &str,
    ) -> Result<Record, Failure> {
        let event_id = format!("evt_{}", self.chance(20)?);
        let word = |is_stopped| Own::Word(if is_stopped { "stopped" } else { "running" });
        Ok(Record {
            actor: Actor { user_id: Some(by.to_owned()), ..Actor::default() },
            output: Sanitised::own(&[("after", word(after)), ("before", word(before))]),
            resource: Resource {
                id: Some(target.to_string()),
                kind: Some("switch".to_owned()),
                name: Some(reason.to_owned()),
            },
            ..Record::plain(event_id, event, self.moment(), Outcome::Success)
        })
    }

    /// What puts a record behind the end of the chain of the installation, within a transaction.
    fn sealed(&self, record: Record) -> impl FnOnce(Option<AuditHead>) -> Vec<AuditRow> {
        let sealer = self.ledger.sealer();
        move |head| sealer.rows(INSTALLATION, head, [record]).unwrap_or_default()
    }

    /// Settles a call whose end was not known, as `by` found out: with the JSON text of its answer it ended so, without
    /// one it never took place and may be repeated.
    ///
    /// # Errors
    /// As [`Service::grant_role`].
    pub fn reconcile(
        &self,
        by: &str,
        reference: &str,
        result: Option<&str>,
    ) -> Result<(), OperatorError> {
        let settle = || {
            one_line("by", by, MAX_REASON)?;
            let result = result.map(|text| {
                serde_json::from_str::<Value>(text)
                    .map_err(|it| Failure::bad_request(format!("the result cannot be read: {it}")))
            });
            let payload = result.transpose()?.map(|result| {
                let kept = serde_json::json!({ "event": reference, "result": result });
                String::from_utf8_lossy(&assay_base::canonical::to_bytes(|it| it.json(&kept)))
                    .into_owned()
            });
            let now = (self.world.milliseconds)();
            let ended = payload.as_deref().map(|it| (it, now.saturating_add(86_400_000)));
            let event_id = format!("evt_{}", self.chance(20)?);
            let name = if payload.is_some() { "it took place" } else { "it did not take place" };
            let record = Record {
                actor: Actor { user_id: Some(by.to_owned()), ..Actor::default() },
                resource: Resource {
                    id: Some(reference.to_owned()),
                    kind: Some("call".to_owned()),
                    name: Some(name.to_owned()),
                },
                ..Record::plain(event_id, Event::ToolReconciled, self.moment(), Outcome::Success)
            };
            let recorded = (INSTALLATION, self.sealed(record));
            if self.store.reconcile_outcome(reference, ended, now, recorded)? {
                return Ok(());
            }
            let reference = printable(reference);
            let message = format!("no call waits to be settled under `{reference}`");
            Err(Failure::other(Code::NotFound, message))
        };
        settle().map_err(|it: Failure| it.into())
    }

    /// What each stage of the gate says to a call, up to the first that refuses. Nothing is
    /// recorded, used up or sent to the server behind the tool, but that it is asked whose the
    /// things are that the arguments name.
    ///
    /// # Errors
    /// As [`Service::grant_role`].
    pub fn try_call(
        &self,
        caller: &Caller,
        name: &str,
        arguments: &str,
    ) -> Result<Vec<StageWord>, OperatorError> {
        let stages = self.stages(&caller.session, name, arguments).map_err(OperatorError::from)?;
        let word = |(stage, refusal): (&'static str, Option<Refusal>)| {
            let refusal = refusal.map(|it| (it.code.word(), Value::Object(it.details)));
            StageWord { stage, refusal }
        };
        Ok(stages.into_iter().map(word).collect())
    }

    /// The id of the registry in force, with how many of its tools the profile reads; `None` where
    /// this process has no registry.
    #[must_use]
    pub fn registry_in_force(&self) -> Option<(String, usize)> {
        let loaded = self.gateway.as_ref()?.registry(self);
        let snapshot = &loaded.snapshot;
        let read = snapshot.tools().filter(|(id, _)| self.profile().reads(id.path())).count();
        Some((snapshot.id().to_owned(), read))
    }

    /// What the servers offer now, for every version of every tool of the registry. Each server is
    /// started or asked once.
    ///
    /// # Errors
    /// [`OperatorError`] where this process has no registry.
    pub fn live_definitions(&self) -> Result<Vec<LiveDefinition>, OperatorError> {
        let none = || OperatorError("there is no registry whose servers could be asked".to_owned());
        let loaded = self.gateway.as_ref().ok_or_else(none)?.registry(self);
        let mut said = BTreeMap::new();
        for upstream in loaded.snapshot.config().upstreams.keys() {
            let definitions = loaded.upstreams.definitions(upstream, ASKED_FOR);
            said.insert(upstream.as_str(), definitions.map_err(|it| it.to_string()));
        }
        let versions = loaded.snapshot.tools().flat_map(|(_, versions)| versions);
        let live = versions.filter_map(|it| {
            let (upstream, tool) = it.place()?;
            let said = said.get(upstream)?.as_ref();
            Some(LiveDefinition {
                tool_id: it.record.tool_id.to_string(),
                version: it.record.version.to_string(),
                place: format!("{upstream}/{tool}"),
                pinned: it.record.definition_hash.clone(),
                live: said.map(|it| it.get(tool).map(|it| it.digest.clone())).map_err(Clone::clone),
            })
        });
        Ok(live.collect())
    }
}

fn known_role(role: &str) -> Result<(), Failure> {
    if ROLES.contains(&role) {
        return Ok(());
    }
    let roles = ROLES.join("`, `");
    let role = printable(role);
    Err(Failure::bad_request(format!("`{role}` is no role; the roles are `{roles}`")))
}

/// Only an administrator of the practice who signed in is heard.
pub(crate) fn administrator(session: &Session) -> Result<(), Failure> {
    let standing = &session.standing;
    if standing.signed_in_at.is_none() {
        let message = "only a person who signed in is heard here: use the token of a person's \
                       session, which `assay person session` opens";
        return Err(Failure::other(Code::CredentialRequired, message));
    }
    if !standing.roles.iter().any(|it| it == ADMINISTRATOR) {
        let message = "only an administrator of the practice is heard here: `assay role grant` \
                       gives the role `admin`";
        return Err(Failure::other(Code::CredentialScope, message));
    }
    Ok(())
}
