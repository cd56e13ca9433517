//! Calls that wait for people: how they come to wait, what a person sees of them, and what a person
//! says. Only a person who signed in is heard, never a program and never whoever is at the machine.

use assay_audit::{Event, Outcome, Record, Resource, Scope};
use assay_base::{CallHash, Code, Timestamp, canonical};
use assay_registry::gate::record::Confirmation;
use assay_registry::gate::{Refusal, permission};
use assay_store::{Request, RequestState, Word};
use serde_json::{Value, json};

use crate::caller::{Caller, Session};
use crate::failure::Failure;
use crate::gateway::known::{CONFIRMATION_MS, Known};
use crate::gateway::live::Loaded;
use crate::gateway::prompt::Prompted;
use crate::gateway::received::Received;
use crate::names::note as check_note;
use crate::origin::Origin;
use crate::service::Service;

/// A call that waits, as a person sees it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Waiting {
    /// By which it is found.
    pub(crate) address: String,
    /// Everything that is shown, and whose address every word is bound to.
    pub(crate) shown: Value,
    /// The address of what is shown.
    pub(crate) hash: String,
    /// What others said so far.
    pub(crate) said: Vec<Said>,
    /// Whether the call is the person's own.
    pub(crate) is_own: bool,
    /// Whether the call is the person's own, and waits for their confirmation.
    pub(crate) confirms: bool,
    /// Whether the person may agree to it.
    pub(crate) approves: bool,
}

/// What somebody said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    /// The person.
    pub(crate) person: String,
    /// The word.
    pub(crate) word: &'static str,
    /// When, in milliseconds since 1970.
    pub(crate) at: i64,
}

/// A finding that somebody of a role has to decide on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// By which it is found.
    pub(crate) event: String,
    /// The tool that found it.
    pub(crate) tool: String,
    /// What it found.
    pub(crate) verdict: String,
    /// Who may decide.
    pub(crate) role: String,
    /// When it was found, in milliseconds since 1970.
    pub(crate) found_at: i64,
}

/// Has a call wait, or finds it waiting, and says where.
pub(super) fn open(
    received: &Received<'_>,
    known: &Known,
    refusal: Refusal,
) -> Result<Refusal, Failure> {
    let (Some(tool), Some(call)) = (received.tool, known.call) else { return Ok(refusal) };
    let service = received.service;
    service.let_go(received.session);
    let record = &tool.record;
    let lasts = record.approval.as_ref().map_or(0, |it| i64::from(it.ttl_s) * 1000);
    let granted = i64::from(permission::TTL_SECONDS) * 1000;
    let lasts = if lasts == 0 && record.confirmation == Confirmation::Human {
        CONFIRMATION_MS
    } else if lasts == 0 {
        granted
    } else {
        lasts
    };
    let arguments = canonical::to_bytes(|slot| slot.json(&received.arguments));
    let new = Request {
        address: format!("req_{}", service.chance(20)?),
        workspace: received.session.workspace.id,
        call,
        requester: received.session.person,
        tool: record.tool_id.to_string(),
        version: record.version.to_string(),
        matter: received.session.standing.matter.clone(),
        arguments: String::from_utf8_lossy(&arguments).into_owned(),
        made_at: received.at,
        expires_at: received.at.saturating_add(lasts),
        state: RequestState::Open,
    };
    let open = service.store.open_request(&new)?;
    if open.address == new.address {
        let event = Event::ApprovalRequested;
        let by = (received.session, &*received.progress.origin);
        service.tell_of_word(by, event, (&open.address, &new.tool))?;
    }
    let page = service.page.as_deref().map(|it| format!("{it}/approvals#{}", open.address));
    let mut refusal = refusal;
    refusal.details.insert("request".to_owned(), json!(open.address));
    refusal.details.insert("page".to_owned(), json!(page));
    let ends = Timestamp::from_seconds(open.expires_at.div_euclid(1000)).to_string();
    refusal.details.insert("expires_at".to_owned(), json!(ends));
    Ok(refusal)
}

impl Service {
    /// The calls that wait in the workspace of a person, with what the person may say to each, and
    /// the findings that the person may decide on.
    ///
    /// # Errors
    /// As [`Service::say`].
    pub(crate) fn waiting(&self, caller: &Caller) -> Result<(Vec<Waiting>, Vec<Finding>), Failure> {
        let session = &caller.session;
        person(session)?;
        self.let_go(session);
        let now = (self.world.milliseconds)();
        let open = self.store.open_requests(session.workspace.id, now)?;
        let loaded = self.gateway.as_ref().map(|it| it.registry(self));
        let waiting = open.into_iter().map(|(request, said)| {
            let said = said.iter().map(|it| Said {
                person: it.subject.clone(),
                word: it.word.word(),
                at: it.at,
            });
            self.shown(session, &request, (said.collect(), loaded.as_deref()))
        });
        let mut waiting: Vec<Waiting> = waiting.collect::<Result<_, Failure>>()?;
        // What others are about to do is for those to see who have a say in it.
        waiting.retain(|it| it.approves || it.is_own);
        Ok((waiting, self.findings(session)?))
    }

    fn findings(&self, session: &Session) -> Result<Vec<Finding>, Failure> {
        let Some(gateway) = &self.gateway else { return Ok(Vec::new()) };
        let loaded = gateway.registry(self);
        let every = loaded.snapshot.tools().flat_map(|(_, versions)| versions);
        let mut asked: Vec<(String, String, String)> = every
            .flat_map(|it| &it.record.prerequisites)
            .filter_map(|it| {
                let decision = it.or_decision.as_ref()?;
                Some((it.tool.clone(), decision.verdict.clone(), decision.role.clone()))
            })
            .filter(|(.., role)| session.standing.roles.contains(role))
            .collect();
        asked.sort();
        asked.dedup();
        let mut findings = Vec::new();
        for (tool, verdict, role) in asked {
            let organisation = &session.workspace.address;
            let workspace = session.workspace.id;
            let open = self.store.open_findings(workspace, organisation, (&tool, &verdict))?;
            let open = open.into_iter().filter(|it| !it.decided_by.contains(&role));
            findings.extend(open.map(|it| Finding {
                event: it.evidence.event,
                tool: tool.clone(),
                verdict: verdict.clone(),
                role: role.clone(),
                found_at: it.evidence.finished_at,
            }));
        }
        Ok(findings)
    }

    /// What a person sees of a call, as the registry in force has it.
    pub(crate) fn shown_now(
        &self,
        session: &Session,
        request: &Request,
    ) -> Result<Waiting, Failure> {
        let loaded = self.gateway.as_ref().map(|it| it.registry(self));
        self.shown(session, request, (Vec::new(), loaded.as_deref()))
    }

    /// What a person sees of a call, as this registry has it.
    pub(crate) fn shown(
        &self,
        session: &Session,
        request: &Request,
        (said, loaded): (Vec<Said>, Option<&Loaded>),
    ) -> Result<Waiting, Failure> {
        let requester = self.store.subject(request.requester)?;
        let arguments: Value = serde_json::from_str(&request.arguments).unwrap_or(Value::Null);
        let record = loaded.and_then(|it| {
            let mut every = it.snapshot.tools().flat_map(|(_, versions)| versions);
            let same = |it: &str, version: &str| it == request.tool && version == request.version;
            every.find(|it| same(&it.record.tool_id.to_string(), &it.record.version.to_string()))
        });
        let own = request.requester == session.person;
        let human = record.is_some_and(|it| it.record.confirmation == Confirmation::Human);
        let grants = loaded.map_or(&permission::PRACTICE, |it| it.snapshot.grants());
        let rules = record.map(|it| {
            let roles = self.store.practice_roles(request.workspace, request.requester)?;
            let roles: Vec<&str> = roles.iter().map(String::as_str).collect();
            Ok::<_, Failure>(permission::approvals(&it.record, grants, &roles))
        });
        let rules = rules.transpose()?.unwrap_or_default();
        let approves = rules.iter().any(|rule| {
            let holds = rule.roles_any.iter().any(|it| session.standing.roles.contains(it));
            holds && !(rule.exclude_requester && own)
        });
        let shown = json!({
            "arguments": arguments,
            "expires_at": request.expires_at,
            "made_at": request.made_at,
            "matter": request.matter,
            "notes": record.map(|it| it.record.legal_safety_notes.as_str()),
            "record": record.map(|it| it.tool.definition_hash.as_str()),
            "requester": requester,
            "side_effects": record.map(|it| &it.record.side_effects),
            "title": record.map(|it| it.tool.title.as_str()),
            "tool": request.tool,
            "undoable": record.map(|it| it.record.rollback_support),
            "version": request.version,
            "needs": rules.iter().map(|it| json!({ "count": it.count, "roles": it.roles_any }))
                .collect::<Vec<_>>(),
        });
        let hash = CallHash::of(&canonical::to_bytes(|slot| slot.json(&shown))).to_string();
        let confirms = own && human;
        Ok(Waiting {
            address: request.address.clone(),
            shown,
            hash,
            said,
            is_own: own,
            confirms,
            approves,
        })
    }

    /// Keeps what a person says to a call that waits. `shown` is the address of what the person
    /// saw.
    ///
    /// # Errors
    /// `CREDENTIAL_REQUIRED` for everybody but a person who signed in, `CREDENTIAL_SCOPE` for a
    /// word that is not this person's to say, `NOT_FOUND` where nothing waits under the address,
    /// and `BAD_REQUEST` where the person saw something else.
    pub(crate) fn say(
        &self,
        caller: &Caller,
        address: &str,
        (word, shown): (Word, &str),
    ) -> Result<(), Failure> {
        person(&caller.session)?;
        self.keep_word(caller, address, (word, shown))
    }

    /// Keeps what a person made of a prompt of their client, which the operator trusts to show it.
    pub(crate) fn confirm(
        &self,
        caller: &Caller,
        address: &str,
        (word, shown): (Prompted, &str),
    ) -> Result<(), Failure> {
        // A program that calls itself by the name of a listed client is still a program.
        person(&caller.session)?;
        let word = match word {
            Prompted::Confirmed => Word::Confirm,
            Prompted::Declined => Word::Decline,
        };
        self.keep_word(caller, address, (word, shown))
    }

    fn keep_word(
        &self,
        caller: &Caller,
        address: &str,
        (word, shown): (Word, &str),
    ) -> Result<(), Failure> {
        let session = &*caller.session;
        let unknown = || Failure::rule(assay_store::Refusal::UnknownRequest);
        let kept = self.store.request(session.workspace.id, address)?;
        let (request, _) = kept.ok_or_else(unknown)?;
        let now = (self.world.milliseconds)();
        if request.state != RequestState::Open || request.expires_at <= now {
            return Err(unknown());
        }
        let waiting = self.shown_now(session, &request)?;
        let may = match word {
            Word::Confirm | Word::Decline => waiting.confirms,
            Word::Approve | Word::Refuse => waiting.approves,
        };
        if !may {
            let message = "this word is not yours to say: it is for others, or your roles do not \
                           carry it";
            return Err(Failure::other(Code::CredentialScope, message));
        }
        let hash = CallHash::parse(shown).filter(|_| waiting.hash == shown);
        let hash = hash.ok_or_else(|| {
            Failure::bad_request("what you saw is not what waits now: look at it again")
        })?;
        let event = match word {
            Word::Approve => Event::ApprovalGranted,
            Word::Refuse => Event::ApprovalDenied,
            Word::Confirm => Event::ActionConfirmed,
            Word::Decline => Event::ActionDeclined,
        };
        // Written down first: a word that is not on record is not said.
        let by = (session, &*caller.origin);
        let event = self.tell_of_word(by, event, (address, &request.tool))?;
        let place = (session.workspace.id, address);
        self.store.say(place, session.person, (word, hash, &event), now)?;
        Ok(())
    }

    /// Keeps that a person decided on a finding.
    ///
    /// # Errors
    /// As [`Service::say`].
    pub(crate) fn decide_on(
        &self,
        caller: &Caller,
        event: &str,
        note: &str,
    ) -> Result<(), Failure> {
        let session = &caller.session;
        person(session)?;
        check_note(note)?;
        if note.trim().is_empty() {
            return Err(Failure::bad_request("`note` is empty: say why"));
        }
        let findings = self.findings(session)?;
        let Some(finding) = findings.iter().find(|it| it.event == event) else {
            return Err(Failure::rule(assay_store::Refusal::UnknownEvidence));
        };
        let by = (&**session, &*caller.origin);
        self.tell_of_word(by, Event::ApprovalGranted, (event, &finding.tool))?;
        let organisation = &session.workspace.address;
        Ok(self.store.decide((organisation, event), session.person, note, self.now())?)
    }

    /// Forgets the calls that waited too long, and puts on record that they did.
    fn let_go(&self, session: &Session) {
        let chain = &session.workspace.address;
        let (sealer, now) = (self.ledger.sealer(), self.moment());
        let record = |request: &Request| Record {
            resource: Resource {
                id: Some(request.address.clone()),
                kind: Some("request".to_owned()),
                name: Some(request.tool.clone()),
            },
            scope: Scope { org_id: Some(chain.clone()), ..Scope::default() },
            ..Record::plain(
                format!("evt_{}", request.address.trim_start_matches("req_")),
                Event::ApprovalExpired,
                now,
                Outcome::Success,
            )
        };
        let milliseconds = (self.world.milliseconds)();
        // What is over counts no more, whether or not it can be forgotten now.
        let _ =
            self.store.expire_requests(session.workspace.id, milliseconds, chain, |head, over| {
                sealer.rows(chain, head, over.iter().map(record)).unwrap_or_default()
            });
    }

    /// Writes down what a person said, so that it lasts before it counts; returns the id of the
    /// entry.
    pub(crate) fn tell_of_word(
        &self,
        (session, origin): (&Session, &Origin),
        event: Event,
        (address, tool): (&str, &str),
    ) -> Result<String, Failure> {
        let organisation = &session.workspace.address;
        let event_id = format!("evt_{}", self.chance(20)?);
        let by = session.by(origin);
        let record = Record {
            actor: by.actor,
            context: by.context,
            resource: Resource {
                id: Some(address.to_owned()),
                kind: Some("request".to_owned()),
                name: Some(tool.to_owned()),
            },
            scope: by.scope,
            ..Record::plain(event_id.clone(), event, self.moment(), Outcome::Success)
        };
        let written = self.ledger.write(organisation, record);
        written.map(|_| event_id).map_err(|_| {
            let message = "this cannot be put on record at the moment, so it does not count yet";
            Failure::other(Code::AuditUnavailable, message)
        })
    }
}

/// Only a person who signed in is heard.
pub(crate) fn person(session: &Session) -> Result<(), Failure> {
    match session.standing.signed_in_at {
        Some(_) => Ok(()),
        None => {
            let message = "only a person who signed in is heard here: use the token of a person's \
                           session, which `assay person session` opens";
            Err(Failure::other(Code::CredentialRequired, message))
        }
    }
}
