//! The pages: one for each code and tool, the language guide, and the list of all that are compiled
//! in.

use std::fmt::Write as _;

use super::{Files, MARK, code_pages, tool_pages};
use crate::tree::Tree;

const GUIDE: &str = "crates/dsail/src/grammar.md";
const LANGUAGE: &str = "docs/language.md";
const LIST: &str = "crates/core/src/docs/list.rs";

pub(super) fn files(tree: &Tree) -> Result<Files, String> {
    let mut files = code_pages::files(tree)?;
    files.extend(tool_pages::files(tree)?);
    if let Some(guide) = tree.text(GUIDE) {
        let text = format!("{}\n\n<!-- Generated from `{GUIDE}` {MARK} -->\n", guide.trim());
        files.insert(LANGUAGE.to_owned(), text);
    }
    let by_hand =
        tree.texts().filter(|(path, _)| path.starts_with("docs/") && path.ends_with(".md"));
    let mut pages: Files = by_hand.map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
    pages.extend(files.clone());
    files.insert(LIST.to_owned(), list(&pages)?);
    Ok(files)
}

fn list(pages: &Files) -> Result<String, String> {
    let mut out = format!(
        "//! Every page of `docs/`.\n//!\n//! Generated from `docs/` {MARK}\n\nuse super::Page;\n\n\
         /// Every page in the order of the paths.\npub const PAGES: &[Page] = &[\n"
    );
    for (path, text) in pages {
        let title = text.lines().find_map(|it| it.strip_prefix("# "));
        let title = title.ok_or_else(|| format!("{path}: the page has no heading"))?;
        let _ = write!(
            out,
            "    Page {{\n        path: \"/{path}\",\n        title: {title:?},\n        \
             text: include_str!(\"../../../../{path}\"),\n    }},\n"
        );
    }
    out.push_str("];\n");
    Ok(out)
}
