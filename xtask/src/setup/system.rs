//! The Z3 of the system, if pkg-config knows one.

use super::OLDEST;
use crate::step::Step;

/// The version that pkg-config finds without our help.
pub(super) fn version() -> Option<String> {
    Step::new("pkg-config", "--modversion z3").output()
}

/// Whether the bindings work with this version; not where it cannot be read.
pub(super) fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.split(['.', '-']).map(str::parse::<u32>);
    let mut next = || numbers.next().and_then(Result::ok);
    let Some(major) = next() else { return false };
    [major, next().unwrap_or(0), next().unwrap_or(0)] >= OLDEST
}

#[cfg(test)]
mod tests {
    use super::is_new_enough;

    #[test]
    fn versions() {
        for (version, expected) in [
            ("4.8.12.0", false),
            ("4.13.2", false),
            ("4.13.3", true),
            ("4.13.3.0", true),
            ("4.14", true),
            ("5", true),
            ("5.3.2-rc1", true),
            ("", false),
            ("z3", false),
        ] {
            assert_eq!(is_new_enough(version), expected, "{version}");
        }
    }
}
