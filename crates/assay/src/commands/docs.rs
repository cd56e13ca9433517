//! `assay docs`: the pages that errors refer to.

use assay_base::{Code, canonical};
use assay_core::docs::{PAGES, Page, page};

use crate::exit::Exit;
use crate::failure::Outcome;
use crate::input::Text;
use crate::show::refusal;
use crate::show::table::{Cell, Table};
use crate::{output, service};

const AFTER_HELP: &str = "\
Examples:
  assay docs
  assay docs errors/bad-request
  assay docs BAD_REQUEST";

/// The arguments of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The path of a page, its last part, or the code of a problem. Without it, all are listed.
    page: Option<String>,
    /// Print the list or the page as JSON.
    #[arg(long)]
    json: bool,
}

/// Prints from what is compiled in; no file is read.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let Some(name) = &arguments.page else { return list(arguments.json) };
    let Some(found) = find(name) else {
        let message = format!("there is no page `{}`", assay_base::json::printable(name));
        let reply = service::in_memory()?.refusal(Code::NotFound, &message);
        if arguments.json {
            return service::payload(&reply);
        }
        return refusal::report(&reply.body, &Text::default());
    };
    if arguments.json {
        output::payload(&canonical::to_bytes(|value| {
            value.object(|object| {
                object.key("ok").boolean(true);
                object.key("path").string(found.path);
                object.key("text").string(found.text);
                object.key("title").string(found.title);
            });
        }))?;
    } else {
        output::page(found.text)?;
    }
    Ok(Exit::Ran)
}

/// The page that a person means: its path, the path without what all have in common, its last
/// part, or a code.
fn find(name: &str) -> Option<&'static Page> {
    let code = Code::ALL.iter().find(|it| it.word().eq_ignore_ascii_case(name));
    let by_code = code.and_then(|it| page(it.page()));
    let bare = name.trim_start_matches('/').trim_start_matches("docs/").trim_end_matches(".md");
    let by_path = || {
        let folder = || page(&format!("/docs/{}/README.md", bare.trim_end_matches('/')));
        page(&format!("/docs/{bare}.md")).or_else(folder)
    };
    let last = format!("/{bare}.md");
    let by_last_part = || PAGES.iter().find(|it| it.path.ends_with(&last));
    page(name).or(by_code).or_else(by_path).or_else(by_last_part)
}

fn list(json: bool) -> Outcome {
    if json {
        output::payload(&canonical::to_bytes(|value| {
            value.object(|object| {
                object.key("ok").boolean(true);
                object.key("pages").array(|pages| {
                    for page in PAGES {
                        pages.item().object(|object| {
                            object.key("path").string(page.path);
                            object.key("title").string(page.title);
                        });
                    }
                });
            });
        }))?;
    } else {
        let mut table = Table::new();
        for page in PAGES {
            table.row([Cell::from(page.path), Cell::from(page.title)]);
        }
        output::page(&table.render(output::columns()))?;
    }
    Ok(Exit::Ran)
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_page_has_several_names() {
        for name in [
            "/docs/errors/bad-request.md",
            "errors/bad-request",
            "bad-request",
            "bad-request.md",
            "BAD_REQUEST",
        ] {
            let path = find(name).map(|it| it.path);
            assert_eq!(path, Some("/docs/errors/bad-request.md"), "{name}");
        }
        assert_eq!(find("errors/").map(|it| it.path), Some("/docs/errors/README.md"));
        let path = find("dsail/undefined").map(|it| it.path);
        assert_eq!(path, Some("/docs/errors/dsail-undefined.md"));
        for name in ["", "request", "../errors/bad-request", "nothing"] {
            assert_eq!(find(name).map(|it| it.path), None, "{name}");
        }
    }
}
