//! What a model reads when it connects: a head that an operator may swap, and a tail that is
//! always there.

/// How many characters from the start some clients weigh most.
pub const WINDOW: usize = 512;

/// The tools of the authoring order, which a head names within the window.
const AUTHORING_ORDER: [&str; 3] = ["dsail_compile", "dsail_review", "dsail_check"];

const AUTHORING: &str = include_str!("../data/instructions/authoring.md");

/// The instructions of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instructions {
    text: String,
}

impl Instructions {
    /// The head that ships.
    pub const HEAD: &'static str = include_str!("../data/instructions/head.md");

    /// What a model reads about the tools of other servers.
    pub const GOVERNED: &'static str = include_str!("../data/instructions/governed.md");

    /// Joins a head with the tail, which no head can displace: the authoring order, the grammar
    /// guide and the integrity rule. The latter two belong to the language and come from there.
    #[must_use]
    pub fn compose(head: &str, grammar_guide: &str, integrity_rule: &str) -> Self {
        let parts = [head, AUTHORING, grammar_guide, integrity_rule];
        let parts = parts.map(str::trim).into_iter().filter(|it| !it.is_empty());
        Self { text: parts.collect::<Vec<_>>().join("\n\n") }
    }

    /// The text that is sent.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// What `head` lacks within the window, each as one line.
pub(crate) fn head_faults(head: &str, gate: &str) -> Vec<String> {
    let window: String = head.trim_start().chars().take(WINDOW).collect();
    let gate = (!window.contains(gate))
        .then(|| format!("the first {WINDOW} characters lack the sentence `{gate}`"));
    let names = AUTHORING_ORDER.iter().filter(|it| !window.contains(**it));
    let names = names.map(|it| format!("the first {WINDOW} characters lack the tool name `{it}`"));
    gate.into_iter().chain(names).collect()
}

#[cfg(test)]
mod tests {
    use super::{AUTHORING_ORDER, Instructions, WINDOW};
    use crate::catalog::Catalog;

    #[test]
    fn gate_and_authoring_order_stand_in_the_window() {
        let catalog = Catalog::load().unwrap();
        let instructions = Instructions::compose(Instructions::HEAD, "GUIDE", "RULE");
        let window: String = instructions.text().chars().take(WINDOW).collect();
        let phrasing = catalog.phrasing();
        assert!(window.starts_with(&phrasing.lead));
        assert!(window.contains(&phrasing.confirmation_gate), "{window}");
        let places: Vec<_> = AUTHORING_ORDER.iter().map(|it| window.find(it).unwrap()).collect();
        assert!(places.is_sorted() && window.find(&phrasing.confirmation_gate) < Some(places[0]));
        for name in AUTHORING_ORDER {
            assert!(catalog.tool(name).is_some(), "{name}");
        }
        for phrase in &phrasing.trigger_phrases {
            assert!(instructions.text().contains(phrase), "{phrase}");
        }
    }

    /// The sequence of calls stands in the tail, which no head can displace.
    #[test]
    fn the_tail_names_the_five_calls_in_their_order() {
        let tail = Instructions::compose("", "", "").text;
        let calls = [
            "dsail_compile(",
            "dsail_get_prompt_pack(",
            "dsail_check(",
            "dsail_save_ruleset(",
            "dsail_record_approval(",
        ];
        let places: Vec<_> = calls.iter().map(|it| tail.find(it).unwrap()).collect();
        assert!(places.is_sorted(), "{tail}");
    }

    #[test]
    fn every_tool_that_the_instructions_name_exists() {
        let catalog = Catalog::load().unwrap();
        let text = Instructions::compose(Instructions::HEAD, "", "").text;
        let words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        let named: Vec<_> = words.filter(|it| it.starts_with("dsail_")).collect();
        assert!(named.len() > 8, "{named:?}");
        for name in named {
            assert!(catalog.tool(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_head_without_them_is_told_what_it_lacks() {
        let catalog = Catalog::load().unwrap();
        let gate = &catalog.phrasing().confirmation_gate;
        let late = format!("{}{}", "x".repeat(WINDOW - 10), Instructions::HEAD);
        assert_eq!(catalog.head_faults(&late).len(), 4);
        assert_eq!(
            catalog.head_faults(&format!("{gate} dsail_compile, dsail_check")),
            ["the first 512 characters lack the tool name `dsail_review`"]
        );
    }

    #[test]
    fn the_tail_follows_every_head() {
        for head in ["", "\n\n", "my own head\n"] {
            let text = Instructions::compose(head, "# Guide\n", "Unknown is an answer.\n").text;
            assert!(text.starts_with(if head.len() > 2 { "my own head\n\n#" } else { "## Auth" }));
            assert!(text.ends_with("\n\n# Guide\n\nUnknown is an answer."), "{text}");
        }
    }
}
