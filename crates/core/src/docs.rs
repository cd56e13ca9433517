//! The pages that are served, published as resources and printed.

mod list;

pub use list::PAGES;

/// One page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// The path, for example `/docs/errors/bad-request.md`.
    pub path: &'static str,
    /// The first heading.
    pub title: &'static str,
    /// The Markdown text.
    pub text: &'static str,
}

/// The page at a path.
#[must_use]
pub fn page(path: &str) -> Option<&'static Page> {
    PAGES.iter().find(|it| it.path == path)
}
