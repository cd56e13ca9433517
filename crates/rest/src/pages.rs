//! The pages of the documentation.

use assay_core::{Code, docs};
use assay_http::reply;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::{Uri, header};

use crate::routes::Shared;

const HEAD: &str = "# Assay\n\n> Answers questions about policy with rules: facts go in, and each \
                    assertion of a ruleset is answered with TRUE, FALSE, UNKNOWN or AMBIGUOUS.\n\n\
                    - [The HTTP interface](/openapi.json): every route in OpenAPI 3.1\n\n## Pages\n";

pub(crate) async fn page(State(service): State<Shared>, uri: Uri) -> Response {
    match docs::page(uri.path()) {
        Some(page) => text("text/markdown; charset=utf-8", page.text),
        None => {
            let message = format!("there is no page at `{}`", uri.path());
            reply(service.refusal(Code::NotFound, &message))
        }
    }
}

/// The list of all pages, for a model that looks for one.
pub(crate) async fn index() -> Response {
    let links = docs::PAGES.iter().map(|page| format!("- [{}]({})\n", page.title, page.path));
    text("text/plain; charset=utf-8", format!("{HEAD}\n{}", links.collect::<String>()))
}

/// The list of rulesets, and one of them.
pub(crate) async fn review() -> Response {
    interface(assay_ui::review_page())
}

/// Where an invitation is accepted.
pub(crate) async fn invitation() -> Response {
    interface(assay_ui::invitation_page())
}

/// What waits for people.
pub(crate) async fn approvals() -> Response {
    interface(assay_ui::approvals_page())
}

/// A page that may run its own script and nothing else.
fn interface(page: &'static assay_ui::Page) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, page.policy.as_str()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, page.html.as_str()).into_response()
}

fn text(media_type: &'static str, text: impl Into<axum::body::Body>) -> Response {
    ([(header::CONTENT_TYPE, media_type)], text.into()).into_response()
}
