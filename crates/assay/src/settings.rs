//! Every setting: its flag, its variable, its default. Read once, here.

use std::ffi::OsString;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anstyle::Style;
use assay_core::EngineSettings;
use directories::ProjectDirs;

use crate::failure::Failure;
use crate::show::table::{Cell, Table};

/// One setting that can be given as a variable of the environment. A flag wins over it.
struct Setting {
    /// The variable.
    variable: &'static str,
    /// The flag that says the same; empty where there is none.
    flag: &'static str,
    /// What holds where neither is given.
    default: &'static str,
    /// What it decides.
    meaning: &'static str,
}

/// The folder of the data file.
const DATA: Setting = Setting {
    variable: "ASSAY_DATA",
    flag: "--data DIR",
    default: "the data folder of the platform",
    meaning: "The folder of the data file, assay.db. It is created where it is missing.",
};

/// The address of the HTTP doors.
const HTTP: Setting = Setting {
    variable: "ASSAY_HTTP",
    flag: "--http ADDR",
    default: DEFAULT_ADDRESS,
    meaning: "The address that serve listens on. Port 0 takes a free one.",
};

/// Solver threads.
const SOLVER_THREADS: Setting = Setting {
    variable: "ASSAY_SOLVER_THREADS",
    flag: "",
    default: "the processor's cores, at most 4",
    meaning: "How many solver threads serve and stdio start, from 1 to 64.",
};

/// Checks that wait for a solver thread.
const SOLVER_QUEUE: Setting = Setting {
    variable: "ASSAY_SOLVER_QUEUE",
    flag: "",
    default: "64",
    meaning: "How many checks may wait for a solver thread, from 1 to 65536; one more is \
              answered ENGINE_BUSY.",
};

/// Solver steps.
const SOLVER_STEPS: Setting = Setting {
    variable: "ASSAY_SOLVER_STEPS",
    flag: "",
    default: "3000000",
    meaning: "How many steps the solver may take for each of the two questions of a rule. A rule \
              that needs more is UNKNOWN and says so, alike on every machine.",
};

/// The wall clock.
const SOLVER_SECONDS: Setting = Setting {
    variable: "ASSAY_SOLVER_SECONDS",
    flag: "",
    default: "10",
    meaning: "How many seconds one check may keep a solver thread, from 1 to 3600. A check that \
              takes longer is answered ENGINE_INCONCLUSIVE.",
};

/// Where the HTTP doors are served unless told otherwise.
const DEFAULT_ADDRESS: &str = "127.0.0.1:8725";

/// Every setting.
const ALL: [Setting; 6] = [DATA, HTTP, SOLVER_THREADS, SOLVER_QUEUE, SOLVER_STEPS, SOLVER_SECONDS];

/// Every setting as the help lists it.
pub(crate) fn help(columns: usize) -> String {
    let mut table = Table::new();
    for setting in &ALL {
        let flag = match setting.flag {
            "" => String::new(),
            flag => format!("flag: {flag}; "),
        };
        let default = format!("{flag}default: {}", setting.default);
        let meaning = Cell::from(setting.meaning).and(&default, Style::new());
        table.row([Cell::from(""), Cell::from(setting.variable), meaning]);
    }
    table.render(columns)
}

/// The folder that holds the data file: the flag, else the variable, else the platform's.
pub(crate) fn data(flag: Option<&PathBuf>) -> Result<PathBuf, Failure> {
    let given = flag.cloned().or_else(|| variable(&DATA).map(PathBuf::from));
    let folder = given.or_else(|| {
        ProjectDirs::from("", "", "assay").map(|folders| folders.data_dir().to_owned())
    });
    folder.filter(|it| !it.as_os_str().is_empty()).ok_or_else(|| {
        Failure::usage("there is no folder for the data")
            .help(format!("name one with `--data DIR` or `{}`", DATA.variable))
    })
}

/// The address of the HTTP doors as it was written: the flag, else the variable, else the default.
pub(crate) fn http(flag: Option<&str>) -> String {
    let given = flag.map(str::to_owned).or_else(|| variable(&HTTP)?.into_string().ok());
    given.unwrap_or_else(|| DEFAULT_ADDRESS.to_owned())
}

/// What the solver may use.
pub(crate) fn engine() -> Result<EngineSettings, Failure> {
    let unset = EngineSettings::default();
    Ok(EngineSettings {
        workers: number(&SOLVER_THREADS, 1..=64)?.unwrap_or(unset.workers),
        queue: number(&SOLVER_QUEUE, 1..=65536)?.unwrap_or(unset.queue),
        resource_limit: number(&SOLVER_STEPS, 1..=u32::MAX)?.unwrap_or(unset.resource_limit),
        wall_clock: number(&SOLVER_SECONDS, 1..=3600)?
            .map_or(unset.wall_clock, Duration::from_secs),
    })
}

/// The number that a variable holds.
fn number<T>(setting: &Setting, range: RangeInclusive<T>) -> Result<Option<T>, Failure>
where
    T: FromStr + PartialOrd + Display,
{
    let Some(written) = variable(setting) else { return Ok(None) };
    let written = written.to_string_lossy();
    match written.parse() {
        Ok(number) if range.contains(&number) => Ok(Some(number)),
        _ => Err(Failure::usage(format!("`{}` is `{written}`", setting.variable)).help(format!(
            "give a whole number from {} to {}",
            range.start(),
            range.end()
        ))),
    }
}

/// The value of a variable; one that is empty counts as not given.
fn variable(setting: &Setting) -> Option<OsString> {
    std::env::var_os(setting.variable).filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use assay_core::EngineSettings;

    use super::{ALL, SOLVER_QUEUE, SOLVER_SECONDS, SOLVER_STEPS, SOLVER_THREADS, Setting};

    /// The page that documents the settings, written from the table above.
    fn page() -> String {
        let code = |text: &str| if text.is_empty() { String::new() } else { format!("`{text}`") };
        let row = |it: &Setting| {
            let (variable, flag) = (code(it.variable), code(it.flag));
            format!("| {variable} | {flag} | {} | {} |\n", it.default, it.meaning)
        };
        let rows: String = ALL.iter().map(row).collect();
        format!(
            "# Settings\n\n\
             A setting is given as a variable of the environment or, where there is one, as a \
             flag; the flag wins. A variable that is empty counts as not given. Settings are read \
             once, when the command starts.\n\n\
             | variable | flag | default | what it decides |\n|---|---|---|---|\n{rows}\n\
             Colour follows the customs of terminals: there is none where the stream is no \
             terminal or where `NO_COLOR` is set, and `CLICOLOR_FORCE` asks for it all the same.\n"
        )
    }

    #[test]
    fn the_page_holds_every_setting() {
        let written = include_str!("../../../docs/settings.md");
        assert_eq!(written, page(), "docs/settings.md differs from the table of settings");
    }

    #[test]
    fn the_table_states_the_defaults_that_hold() {
        let engine = EngineSettings::default();
        for (setting, default) in [
            (SOLVER_QUEUE, engine.queue.to_string()),
            (SOLVER_STEPS, engine.resource_limit.to_string()),
            (SOLVER_SECONDS, engine.wall_clock.as_secs().to_string()),
        ] {
            assert_eq!(setting.default, default, "{}", setting.variable);
        }
        assert!(engine.workers <= 4 && SOLVER_THREADS.default.ends_with("at most 4"));
    }
}
