//! The programs that a build needs, and how each is got.

use crate::step::Step;

struct Need {
    what: &'static str,
    program: &'static str,
    arguments: &'static str,
    mend: &'static str,
}

const ALWAYS: &[Need] = &[
    Need {
        what: "rustfmt",
        program: "cargo",
        arguments: "fmt --version",
        mend: "`rustup component add rustfmt`",
    },
    Need {
        what: "clippy",
        program: "cargo",
        arguments: "clippy --version",
        mend: "`rustup component add clippy`",
    },
    Need {
        what: "a C compiler and linker (`cc`)",
        program: "cc",
        arguments: "--version",
        mend: "Debian and Ubuntu: `apt-get install gcc libc6-dev`; Fedora: `dnf install gcc`; macOS: `xcode-select --install`",
    },
];

const FOR_THE_WHEEL: &[Need] = &[
    Need {
        what: "Python 3 (`python3`)",
        program: "python3",
        arguments: "--version",
        mend: "Debian and Ubuntu: `apt-get install python3`; or install Z3 4.13.3 or newer with its pkg-config file",
    },
    Need {
        what: "pip for Python 3",
        program: "python3",
        arguments: "-m pip --version",
        mend: "Debian and Ubuntu: `apt-get install python3-pip`; others: `python3 -m ensurepip --user`",
    },
];

/// One line for each thing that is missing, with its mend. pkg-config is not among them: without
/// it the build is told the library's folder and version by `local.toml`.
pub(super) fn missing(wheel_is_needed: bool) -> Vec<String> {
    let wheel = if wheel_is_needed { FOR_THE_WHEEL } else { &[] };
    let needs = ALWAYS.iter().chain(wheel);
    let mut missing: Vec<String> =
        needs.filter(|need| !is_there(need)).map(|need| line(need.what, need.mend)).collect();
    if cfg!(target_os = "linux") && lacks_cpp_library() {
        let mend = "Debian and Ubuntu: `apt-get install g++`; Fedora: `dnf install gcc-c++`";
        missing.push(line("the C++ standard library for linking (`libstdc++.so`)", mend));
    }
    missing
}

fn line(what: &str, mend: &str) -> String {
    format!("{what}. {mend}")
}

fn is_there(need: &Need) -> bool {
    let step = match need.program {
        "cargo" => Step::cargo(need.arguments),
        program => Step::new(program, need.arguments),
    };
    step.output().is_some()
}

/// The compiler answers with a path where it finds the library and with the bare name where not.
fn lacks_cpp_library() -> bool {
    let found = Step::new("cc", "-print-file-name=libstdc++.so").output();
    found.is_some_and(|it| !it.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::{Need, is_there};

    #[test]
    fn a_program_is_there_or_not() {
        let need = |program, arguments| Need { what: "", program, arguments, mend: "" };
        assert!(is_there(&need("cargo", "--version")));
        assert!(!is_there(&need("cargo", "no-such-command")));
        assert!(!is_there(&need("no-such-program", "--version")));
    }
}
