//! What people who signed in see and say beside the tools, and every tool by its name.

use assay_core::{Caller, Cancel, Code, Door, Reply};
use assay_http::{caller, read, reply};
use axum::extract::Request;
use axum::response::Response;
use serde_json::Value;

use crate::call::{CancelOnDrop, Named, blocking, unread};
use crate::openapi::desk as shape;
use crate::routes::Shared;

/// One route. It needs a credential, and what answers it may block.
pub(crate) struct Desk {
    /// `get` or `post`.
    pub(crate) method: &'static str,
    /// It has one parameter at most.
    pub(crate) path: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) sends: Sends,
    /// The schema of what is answered.
    pub(crate) shape: fn() -> Value,
    /// The problems that it may end with, besides those of every call.
    pub(crate) problems: &'static [Code],
    answer: fn(&Shared, &Caller, &Asked<'_>) -> Reply,
}

/// What a request brings.
pub(crate) enum Sends {
    Nothing,
    /// An object with these texts, each with what it is.
    Texts(&'static [(&'static str, &'static str)]),
    /// The arguments of a tool, or nothing.
    Arguments,
}

/// What a request holds.
struct Asked<'a> {
    /// The parameter of the path, empty where it has none.
    named: &'a str,
    body: &'a str,
    cancel: &'a Cancel,
}

const SAYS: &[Code] =
    &[Code::BadRequest, Code::NotFound, Code::BudgetExceeded, Code::AuditUnavailable];
const TARGET: (&str, &str) =
    ("target", "The id of a tool, `id@version`, `category.*`, `upstream:name` or `everything`.");

/// The routes.
pub(crate) const DESK: &[Desk] = &[
    Desk {
        method: "get",
        path: "/v1/approvals",
        summary: "The calls that wait for people, and the findings that the caller may decide on",
        sends: Sends::Nothing,
        shape: shape::waiting_calls,
        problems: &[],
        answer: |service, caller, _| service.waiting_calls(caller),
    },
    Desk {
        method: "post",
        path: "/v1/approvals/{request}",
        summary: "Approve, refuse, confirm or decline a call that waits",
        sends: Sends::Texts(&[
            ("shown", "The `hash` that stands beside what was shown."),
            ("word", "`approve`, `refuse`, `confirm` or `decline`."),
        ]),
        shape: shape::said,
        problems: SAYS,
        answer: |service, caller, it| service.say_to_call(caller, it.named, it.body),
    },
    Desk {
        method: "post",
        path: "/v1/findings/{event}",
        summary: "Decide on a finding",
        sends: Sends::Texts(&[("note", "Why the work may go on.")]),
        shape: shape::decided,
        problems: SAYS,
        answer: |service, caller, it| service.decide_on_finding(caller, it.named, it.body),
    },
    Desk {
        method: "get",
        path: "/v1/admin/switches",
        summary: "Everything that is stopped",
        sends: Sends::Nothing,
        shape: shape::switches,
        problems: &[],
        answer: |service, caller, _| service.switches(caller),
    },
    Desk {
        method: "post",
        path: "/v1/admin/switches",
        summary: "Stop a tool, or more",
        sends: Sends::Texts(&[("reason", "Why."), TARGET]),
        shape: shape::stopped,
        problems: SAYS,
        answer: |service, caller, it| service.stop_switch(caller, it.body),
    },
    Desk {
        method: "post",
        path: "/v1/admin/switches/lift",
        summary: "Ask for a stop to be lifted, or lift it after another administrator asked",
        sends: Sends::Texts(&[("fix", "Where the mend is found."), ("reason", "Why."), TARGET]),
        shape: shape::lifted,
        problems: SAYS,
        answer: |service, caller, it| service.lift_switch(caller, it.body),
    },
    Desk {
        method: "get",
        path: "/v1/tools",
        summary: "The tools that the caller may call",
        sends: Sends::Nothing,
        shape: shape::tools,
        problems: &[],
        answer: |service, caller, _| service.listed_tools(caller),
    },
    Desk {
        method: "post",
        path: "/v1/tools/{name}",
        summary: "Call a tool by its name, as over MCP",
        sends: Sends::Arguments,
        shape: shape::called,
        problems: Code::ALL,
        answer: |service, caller, it| {
            let arguments = if it.body.is_empty() { "{}" } else { it.body };
            service.call(caller, it.named, arguments, it.cancel)
        },
    },
];

pub(crate) async fn answer(
    service: Shared,
    route: &'static Desk,
    path: Named,
    request: Request,
    limit: usize,
) -> Response {
    // Who may not call is told so before anything else is looked at.
    let caller = match caller(&service, Door::Rest, request.headers(), request.extensions()) {
        Ok(caller) => caller,
        Err(refusal) => return reply(refusal),
    };
    let Ok(path) = path else {
        return reply(service.refusal(Code::BadRequest, "the path is not UTF-8"));
    };
    let body = match read(request.into_body(), limit).await {
        Ok(body) => body,
        Err(problem) => return reply(unread(&service, problem, limit)),
    };
    let cancel = Cancel::new();
    let _guard = CancelOnDrop(cancel.clone());
    let answering = Shared::clone(&service);
    let answered = blocking(&service, move || {
        let Ok(body) = std::str::from_utf8(&body) else {
            return answering.refusal(Code::BadRequest, "the body is not UTF-8");
        };
        let named = path.iter().next().map_or("", |(_, it)| it);
        (route.answer)(&answering, &caller, &Asked { named, body, cancel: &cancel })
    });
    reply(answered.await)
}
