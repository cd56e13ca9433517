//! The interfaces for people: what they read before they sign or agree, in a conversation and a browser.
//!
//! The files under `web/` are joined here and nowhere else. A conversation gets a small shell at a
//! fixed address, which fetches the fragment at an address that holds its hash; a browser gets whole
//! pages. Nothing is loaded from elsewhere, and each page allows the very scripts that it holds.

mod embed;

use std::sync::LazyLock;

use assay_base::RulesetHash;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// The address of the shell, which tools name.
pub const SHELL: &str = "ui://dsail/review-widget.html";
/// The media type of an interface within a conversation.
pub const MEDIA_TYPE: &str = "text/html;profile=mcp-app";

const STYLE: &str = include_str!("../web/style.css");
/// What both the fragment and the pages run, in the order in which one needs the other.
const PARTS: [&str; 6] = [
    include_str!("../web/dom.js"),
    include_str!("../web/diff.js"),
    include_str!("../web/review.js"),
    include_str!("../web/exercise.js"),
    include_str!("../web/approve.js"),
    include_str!("../web/main.js"),
];
const SHELL_SCRIPT: &str = include_str!("../web/shell.js");
const PAGE_SCRIPT: &str = include_str!("../web/page.js");
const INVITATION_SCRIPT: &str = include_str!("../web/invitation.js");
/// What the page of waiting calls runs.
const APPROVALS_PARTS: [&str; 4] = [
    include_str!("../web/dom.js"),
    include_str!("../web/exact.js"),
    include_str!("../web/waiting.js"),
    include_str!("../web/approvals.js"),
];
const APPROVALS_STYLE: &str =
    concat!(include_str!("../web/style.css"), include_str!("../web/approvals.css"));

/// A piece of HTML with the address that conversations know it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// The address.
    pub uri: String,
    /// The text.
    pub html: String,
}

/// A page for a browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The text.
    pub html: String,
    /// The value of the header `Content-Security-Policy` that it is served with.
    pub policy: String,
}

/// The interface itself, at an address that changes with every byte of it.
#[must_use]
pub fn fragment() -> &'static Resource {
    static FRAGMENT: LazyLock<Resource> = LazyLock::new(|| {
        let script = format!("(() => {{\n{}\nwindow.assayReview = mount;\n}})();", PARTS.concat());
        let html = format!("<style>\n{STYLE}</style>\n<script>\n{script}\n</script>\n");
        let hash = RulesetHash::of(html.as_bytes());
        Resource { uri: format!("ui://dsail/review-{hash}.html"), html }
    });
    &FRAGMENT
}

/// What a conversation opens: a bridge to its host and a loader for the fragment, with a copy of it
/// for hosts that do not hand over what they fetch.
#[must_use]
pub fn shell() -> &'static Resource {
    static SHELL_RESOURCE: LazyLock<Resource> = LazyLock::new(|| {
        let Resource { uri, html } = fragment();
        let constants = format!(
            "const FRAGMENT = {};\nconst ENCLOSED = {};\n",
            embed::literal(uri),
            embed::literal(html)
        );
        let script = format!("(() => {{\n{constants}{SHELL_SCRIPT}}})();");
        Resource { uri: SHELL.to_owned(), html: document("Review", "", &script) }
    });
    &SHELL_RESOURCE
}

/// The page that lists rulesets and shows one.
#[must_use]
pub fn review_page() -> &'static Page {
    static REVIEW: LazyLock<Page> =
        LazyLock::new(|| page("Rulesets · Assay", STYLE, &[&PARTS.concat(), PAGE_SCRIPT]));
    &REVIEW
}

/// The page on which an invitation is accepted.
#[must_use]
pub fn invitation_page() -> &'static Page {
    static INVITATION: LazyLock<Page> =
        LazyLock::new(|| page("Invitation · Assay", STYLE, &[&PARTS.concat(), INVITATION_SCRIPT]));
    &INVITATION
}

/// The page on which people agree to calls, confirm their own, and decide on findings.
#[must_use]
pub fn approvals_page() -> &'static Page {
    static APPROVALS: LazyLock<Page> =
        LazyLock::new(|| page("Waiting for you · Assay", APPROVALS_STYLE, &APPROVALS_PARTS));
    &APPROVALS
}

fn page(title: &str, style: &str, parts: &[&str]) -> Page {
    let script = format!("(() => {{\n{}}})();", parts.concat());
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; connect-src 'self'; img-src 'none'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        source_of(&script),
        source_of(style)
    );
    Page { html: document(title, style, &script), policy }
}

fn document(title: &str, style: &str, script: &str) -> String {
    let style = if style.is_empty() { String::new() } else { format!("<style>{style}</style>\n") };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n{style}</head>\n\
         <body>\n<div id=\"assay\"></div>\n<script>{script}</script>\n</body>\n\
         </html>\n"
    )
}

/// A script or style as a policy names it.
fn source_of(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::{SHELL, approvals_page, fragment, invitation_page, review_page, shell};

    #[test]
    fn the_address_of_the_fragment_is_that_of_its_bytes() {
        let fragment = fragment();
        let hash = assay_base::RulesetHash::of(fragment.html.as_bytes());
        assert_eq!(fragment.uri, format!("ui://dsail/review-{hash}.html"));
        assert_eq!(shell().uri, SHELL);
        assert!(shell().html.contains(&fragment.uri));
    }

    #[test]
    fn nothing_comes_from_elsewhere() {
        let pages = [review_page(), invitation_page(), approvals_page()].map(|it| &it.html);
        for html in [&fragment().html, &shell().html].into_iter().chain(pages) {
            for sign in ["http://", "https://", "//cdn", "innerHTML", "eval(", "@import", "url("] {
                assert!(!html.contains(sign), "{sign}");
            }
        }
    }

    #[test]
    fn a_script_ends_where_it_is_meant_to() {
        let pages = [review_page(), invitation_page(), approvals_page()].map(|it| &it.html);
        for html in [&shell().html].into_iter().chain(pages) {
            assert_eq!(html.matches("</script").count(), 1);
            assert_eq!(html.matches("<script").count(), 1);
        }
        let fragment = &fragment().html;
        assert_eq!(
            (fragment.matches("<script").count(), fragment.matches("</style").count()),
            (1, 1)
        );
    }
}
