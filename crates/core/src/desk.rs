//! What people who signed in see and say beside the tools: calls that wait for them, findings to
//! decide on, and stops. No tool does any of it, so no model can. Whoever is not heard is told so
//! before anything else is looked at.

use std::collections::{BTreeMap, BTreeSet};

use assay_base::canonical::Slot;
use assay_base::json::printable;
use assay_registry::Tool;
use assay_registry::gate::switch::Target;
use assay_store::Word;

use crate::caller::Caller;
use crate::failure::Failure;
use crate::gateway::{Finding, Waiting, person};
use crate::governance::administrator;
use crate::input::{Input, missing};
use crate::reply::Reply;
use crate::service::Service;

impl Service {
    /// The tools that the caller may call, as they are listed over every protocol.
    #[must_use]
    pub fn listed_tools(&self, caller: &Caller) -> Reply {
        let tools = self.tools(caller);
        self.answered(Ok(self.payload(|object| {
            object.key("tools").array(|array| {
                tools.iter().for_each(|it| write_tool(array.item(), it));
            });
        })))
    }

    /// The calls of the caller's workspace that wait for people, and the findings that the caller
    /// may decide on. `names` holds what the people in it call themselves, which decides nothing.
    #[must_use]
    pub fn waiting_calls(&self, caller: &Caller) -> Reply {
        let list = || {
            let (waiting, findings) = self.waiting(caller)?;
            let names = self.names(caller, &waiting)?;
            Ok(self.payload(|object| {
                object.key("findings").array(|array| {
                    findings.iter().for_each(|it| write_finding(array.item(), it));
                });
                object.key("names").object(|object| {
                    names.iter().for_each(|(subject, name)| object.key(subject).string(name));
                });
                object.key("person").string(&caller.session.standing.subject);
                object.key("roles").strings(&caller.session.standing.roles);
                object.key("waiting").array(|array| {
                    waiting.iter().for_each(|it| write_waiting(array.item(), it));
                });
                object.key("workspace").string(&caller.session.workspace.address);
            }))
        };
        self.answered(list())
    }

    /// The names of the people who ask and speak, and of the caller, by their subjects.
    fn names(
        &self,
        caller: &Caller,
        waiting: &[Waiting],
    ) -> Result<BTreeMap<String, String>, Failure> {
        let asking = waiting.iter().filter_map(|it| it.shown.get("requester")?.as_str());
        let said = waiting.iter().flat_map(|it| &it.said).map(|it| it.person.as_str());
        let own = caller.session.standing.subject.as_str();
        let wanted: BTreeSet<&str> = asking.chain(said).chain([own]).collect();
        let people = self.store.people()?.into_iter();
        let people = people.filter(|it| wanted.contains(it.subject.as_str()));
        Ok(people.filter_map(|it| Some((it.subject, it.name?))).collect())
    }

    /// Keeps what a person says to a call that waits: `{"shown": HASH, "word": WORD}`, where the
    /// word is approve, refuse, confirm or decline.
    #[must_use]
    pub fn say_to_call(&self, caller: &Caller, address: &str, text: &str) -> Reply {
        let say = || {
            person(&caller.session)?;
            let input = Input::read(text, &["shown", "word"])?;
            let word = input.string("word")?.ok_or_else(|| missing("word"))?;
            let known = Word::parse(&word).ok_or_else(|| {
                let word = printable(&word);
                let message =
                    format!("`{word}` is no word: say approve, refuse, confirm or decline");
                Failure::bad_request(message)
            })?;
            let shown = input.string("shown")?.ok_or_else(|| missing("shown"))?;
            self.say(caller, address, (known, &shown))?;
            Ok(self.payload(|object| {
                object.key("request").string(address);
                object.key("word").string(known.word());
            }))
        };
        self.answered(say())
    }

    /// Keeps that a person decided on a finding: `{"note": WHY}`.
    #[must_use]
    pub fn decide_on_finding(&self, caller: &Caller, event: &str, text: &str) -> Reply {
        let decide = || {
            person(&caller.session)?;
            let input = Input::read(text, &["note"])?;
            let note = input.string("note")?.ok_or_else(|| missing("note"))?;
            self.decide_on(caller, event, &note)?;
            Ok(self.payload(|object| object.key("event").string(event)))
        };
        self.answered(decide())
    }

    /// Everything that is stopped, for an administrator.
    #[must_use]
    pub fn switches(&self, caller: &Caller) -> Reply {
        let list = || {
            administrator(&caller.session)?;
            let stops = self.store.stops()?;
            Ok(self.payload(|object| {
                object.key("file").array(|array| {
                    self.switches.of_file().iter().for_each(|it| array.item().display(it));
                });
                object.key("stops").array(|array| {
                    for stop in &stops {
                        array.item().object(|object| {
                            object.key("lift_asked").boolean(stop.lift.is_some());
                            object.key("reason").string(&stop.reason);
                            object.key("set_at").integer(stop.set_at);
                            object.key("set_by").string(&stop.set_by);
                            object.key("target").string(&stop.target);
                        });
                    }
                });
            }))
        };
        self.answered(list())
    }

    /// Stops a target: `{"reason": WHY, "target": TARGET}`.
    #[must_use]
    pub fn stop_switch(&self, caller: &Caller, text: &str) -> Reply {
        let stop = || {
            administrator(&caller.session)?;
            let input = Input::read(text, &["reason", "target"])?;
            let target = target(&input)?;
            let reason = input.string("reason")?.ok_or_else(|| missing("reason"))?;
            self.stop_as(caller, &target, &reason)?;
            Ok(self.payload(|object| object.key("stopped").display(&target)))
        };
        self.answered(stop())
    }

    /// Asks for a stop to be lifted, or lifts it: `{"fix": WHERE, "reason": WHY, "target": TARGET}`.
    #[must_use]
    pub fn lift_switch(&self, caller: &Caller, text: &str) -> Reply {
        let lift = || {
            administrator(&caller.session)?;
            let input = Input::read(text, &["fix", "reason", "target"])?;
            let target = target(&input)?;
            let fix = input.string("fix")?.ok_or_else(|| missing("fix"))?;
            let reason = input.string("reason")?.ok_or_else(|| missing("reason"))?;
            let lifted = self.lift_as(caller, &target, (&fix, &reason))?;
            Ok(self.payload(|object| {
                object.key("lifted").boolean(lifted);
                object.key("target").display(&target);
            }))
        };
        self.answered(lift())
    }
}

fn target(input: &Input<'_>) -> Result<Target, Failure> {
    let text = input.string("target")?.ok_or_else(|| missing("target"))?;
    Target::parse(&text).ok_or_else(|| {
        let text = printable(&text);
        Failure::bad_request(format!(
            "`{text}` cannot be stopped: write the id of a tool, `id@version`, `category.*`, \
             `upstream:name` or `everything`"
        ))
    })
}

fn write_tool(slot: Slot<'_>, tool: &Tool) {
    slot.object(|object| {
        object.key("annotations").object(|object| {
            for (name, hint) in tool.annotations.named() {
                object.key(name).boolean(hint.value);
            }
        });
        object.key("description").string(&tool.description);
        object.key("input_schema").fragment(&tool.input_bytes);
        object.key("name").string(&tool.name);
        object.key("output_schema").fragment(&tool.output_bytes);
        object.key("title").string(&tool.title);
    });
}

fn write_waiting(slot: Slot<'_>, it: &Waiting) {
    slot.object(|object| {
        object.key("approves").boolean(it.approves);
        object.key("confirms").boolean(it.confirms);
        object.key("hash").string(&it.hash);
        object.key("request").string(&it.address);
        object.key("said").array(|array| {
            for said in &it.said {
                array.item().object(|object| {
                    object.key("at").integer(said.at);
                    object.key("person").string(&said.person);
                    object.key("word").string(said.word);
                });
            }
        });
        object.key("shown").json(&it.shown);
    });
}

fn write_finding(slot: Slot<'_>, it: &Finding) {
    slot.object(|object| {
        object.key("event").string(&it.event);
        object.key("found_at").integer(it.found_at);
        object.key("role").string(&it.role);
        object.key("tool").string(&it.tool);
        object.key("verdict").string(&it.verdict);
    });
}
