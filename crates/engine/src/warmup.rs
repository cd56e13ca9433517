//! What must be true before the engine answers anything.
//!
//! An old solver library links by accident and fails later, and a broken one may answer anything.
//! So the version is asserted, and two statements whose words are known go all the way through a
//! worker: a tautology and a contradiction about an unknown number.

use assay_dsail::arena::Comparison;
use assay_dsail::ir::{Arena, Sort, VariableId};

use crate::policy::Possible;
use crate::question::{Domain, Question, Unknown};

/// The oldest solver that the bindings are made for.
const OLDEST: [u32; 3] = [4, 13, 3];

/// The name and version of the linked solver, such as `z3 5.3.2`.
///
/// # Errors
/// What the library says of itself, where that is too old or no version.
pub(crate) fn version() -> Result<String, String> {
    let full = z3::full_version();
    let numbers = parse(full).ok_or_else(|| full.to_owned())?;
    if numbers < OLDEST {
        return Err(full.to_owned());
    }
    let [major, minor, build] = numbers;
    Ok(format!("z3 {major}.{minor}.{build}"))
}

/// The oldest version in words.
pub(crate) fn oldest() -> String {
    OLDEST.map(|it| it.to_string()).join(".")
}

/// The first three numbers of `5.3.2.0` or `Z3 5.3.2.0`.
fn parse(full: &str) -> Option<[u32; 3]> {
    let numeric = |it: &&str| it.starts_with(|first: char| first.is_ascii_digit());
    let mut numbers = full.split_whitespace().find(numeric)?.split('.');
    let mut next = || numbers.next()?.parse().ok();
    Some([next()?, next()?, next()?])
}

/// The statements and what they must answer.
pub(crate) fn statements() -> Vec<(Question, Possible)> {
    vec![(statement(true), Possible::Only(true)), (statement(false), Possible::Only(false))]
}

/// `x < 5` or `5 <= x` for the tautology, `x < 5` and `5 <= x` for the contradiction.
fn statement(tautology: bool) -> Question {
    let mut arena = Arena::default();
    let variable = VariableId::new(0);
    let x = arena.variable(variable, Sort::Number);
    let five = arena.number(5.into());
    let below = arena.compare(Comparison::Less, x, five);
    let above = arena.compare(Comparison::LessOrEqual, five, x);
    let both = vec![below, above];
    let root = if tautology { arena.or(both) } else { arena.and(both) };
    let unknowns = vec![Unknown { variable, domain: Domain::Number }];
    Question {
        arena,
        root,
        given: Vec::new(),
        unknowns,
        real: true,
        linear: true,
        undefined: false,
        limbs: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn versions() {
        for (full, numbers) in [
            ("5.3.2.0", Some([5, 3, 2])),
            ("Z3 4.13.3.0 commit", Some([4, 13, 3])),
            ("Z3 4.8.12.0", Some([4, 8, 12])),
            ("Z3 version x", None),
            ("4.13", None),
            ("", None),
        ] {
            assert_eq!(parse(full), numbers, "{full}");
        }
    }
}
