//! The language in one page, for whoever writes rulesets.

/// The grammar guide.
pub const GUIDE: &str = include_str!("grammar.md");

/// What keeps a claim dictionary honest, in a few sentences.
pub const INTEGRITY_RULE: &str = "Unknown is an answer. A claim whose value the evidence does not \
    settle is sent as undetermined, and each rule that needs it says so through its own policy. A \
    guessed value is decided like a known one and leaves no trace of having been a guess, so a \
    result is only as sound as the claims that were sent for it.";

/// The ruleset that the guide shows as its example.
#[must_use]
pub fn example() -> &'static str {
    let inside = GUIDE.split_once("```dsail\n").map_or("", |(_, rest)| rest);
    inside.split_once("```").map_or("", |(example, _)| example)
}

#[cfg(test)]
mod tests {
    use super::{GUIDE, example};
    use crate::budget::{
        MAX_ASSERTIONS, MAX_CLAIMS, MAX_EXPRESSION_NODES, MAX_IDENTIFIER_BYTES, MAX_NESTING,
        MAX_SOURCE_BYTES, MAX_STRING_BYTES, MAX_UNROLLED_ELEMENTS,
    };
    use crate::compile::{Options, compile};
    use crate::units::Library;

    #[test]
    fn the_example_compiles_without_a_warning() {
        let options = Options { require_descriptions: true };
        let compilation = compile(example(), Library::standard(), options).unwrap();
        assert_eq!(compilation.diagnostics, []);
        assert_eq!(compilation.unbridged, []);
        let ruleset = compilation.ruleset.unwrap();
        assert_eq!((ruleset.claims.len(), ruleset.assertions.len()), (5, 5));
    }

    #[test]
    fn the_guide_states_the_limits_in_force() {
        let words = GUIDE.replace(',', "").split_whitespace().collect::<Vec<_>>().join(" ");
        for limit in [
            format!("{} KiB of source", MAX_SOURCE_BYTES / 1024),
            format!("{MAX_CLAIMS} claims"),
            format!("{MAX_ASSERTIONS} assertions"),
            format!("{MAX_EXPRESSION_NODES} expression nodes"),
            format!("{MAX_UNROLLED_ELEMENTS} elements under quantifiers"),
            format!("{MAX_NESTING} levels of nesting"),
            format!("{MAX_IDENTIFIER_BYTES} bytes in a name or {MAX_STRING_BYTES} in a string"),
        ] {
            assert!(words.contains(&limit), "{limit}");
        }
    }

    #[test]
    fn the_guide_names_every_function() {
        for name in crate::ast::function_names() {
            assert!(GUIDE.contains(&format!("{name}(")), "{name}");
        }
    }
}
