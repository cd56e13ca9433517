//! Descriptions state facts about a tool; how a model works with it stands in the instructions.
//!
//! A description is refused when one of its clauses opens with a command, when it addresses or
//! obliges the reader, when it names another tool, and when it points to a text elsewhere. The
//! check knows words and no grammar. It is strict on purpose: a fact can always be worded so that
//! it passes.

/// Words that open a command.
const COMMANDS: &[&str] = &[
    "always", "ask", "avoid", "be", "call", "check", "choose", "confirm", "consider", "do",
    "don't", "ensure", "feel", "follow", "give", "ignore", "include", "invoke", "keep", "let",
    "make", "never", "only", "pass", "please", "prefer", "provide", "remember", "repeat", "report",
    "run", "send", "show", "stop", "submit", "supply", "tell", "treat", "try", "use", "wait",
    "write",
];

/// Words that address or oblige the reader, wherever they stand.
const OBLIGING: &[&str] = &["must", "ought", "shall", "should", "you", "your", "yours"];

/// What tool names of the product begin with.
const PREFIXES: &[&str] = &["dsail_", "law_"];

/// Every directive in `text`, in words that complete "the text …".
pub(crate) fn directives(text: &str, tools: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    for clause in text.split(['.', '!', '?', ':', ';', ',', '\n', '(', '—']) {
        if let Some(first) = words(clause).find(|it| !it.is_empty()) {
            let first = first.to_lowercase();
            if COMMANDS.contains(&first.as_str()) {
                faults.push(format!("opens a clause with the command `{first}`"));
            }
        }
    }
    for word in words(text) {
        let lower = word.to_lowercase();
        if OBLIGING.contains(&lower.as_str()) {
            faults.push(format!("addresses or obliges the reader with `{lower}`"));
        }
        if tools.contains(&word) || PREFIXES.iter().any(|it| lower.starts_with(it)) {
            faults.push(format!("names the tool `{word}`"));
        }
    }
    if text.contains("://") {
        faults.push("links to a text elsewhere".to_owned());
    }
    faults
}

/// Runs of letters, digits, underscores, hyphens and apostrophes. The at sign belongs to the word,
/// so that an annotation such as `@ask` is no command.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let inside = |it: char| it.is_alphanumeric() || matches!(it, '@' | '_' | '-' | '\'' | '’');
    text.split(move |it| !inside(it)).map(|it| it.trim_matches('-')).filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::directives;

    #[test]
    fn facts_pass() {
        for text in [
            "Compiles a source; what it calls a claim is never stored twice.",
            "The checks run in exact arithmetic, and a call changes nothing.",
            "A value that was left out is refused.\n\nassert x { a <= 1 };",
            "Read-only in effect: a caller's value may be `unknown`.",
            "// @ask amount What is the total?",
        ] {
            assert_eq!(directives(text, &["law_ask"]), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn directives_are_found() {
        for (text, fault) in [
            ("Call this first.", "opens a clause with the command `call`"),
            ("Compiles. Use it before a check", "opens a clause with the command `use`"),
            ("Compiles; always repeat it", "opens a clause with the command `always`"),
            ("- never guess", "opens a clause with the command `never`"),
            ("When it fails, please wait", "opens a clause with the command `please`"),
            ("Note:\n  Do not retry", "opens a clause with the command `do`"),
            ("**Ensure** a hash", "opens a clause with the command `ensure`"),
            ("Don't guess", "opens a clause with the command `don't`"),
            ("The source must compile", "addresses or obliges the reader with `must`"),
            ("A model SHOULD wait", "addresses or obliges the reader with `should`"),
            ("Compiles your policy", "addresses or obliges the reader with `your`"),
            ("What you get is a hash", "addresses or obliges the reader with `you`"),
            ("Its hash goes to `dsail_check`", "names the tool `dsail_check`"),
            ("See law_nothing", "names the tool `law_nothing`"),
            ("Works like get_dossier", "names the tool `get_dossier`"),
            ("As https://example.org/rules says", "links to a text elsewhere"),
        ] {
            assert_eq!(directives(text, &["get_dossier"]), [fault], "{text}");
        }
    }
}
