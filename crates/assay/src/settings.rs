//! Every setting: its flag, its variable, its default. Read once, here.

pub(crate) mod data_file;
pub(crate) mod governed;

use std::ffi::OsString;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anstyle::Style;
use assay_core::{Access, AuditSettings, EngineSettings, Profile, Settings};

use crate::failure::Failure;
use crate::head;
use crate::profile;
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

/// The profile.
const PROFILE: Setting = Setting {
    variable: "ASSAY_PROFILE",
    flag: "--profile NAME",
    default: "rules",
    meaning: "Which tools serve and stdio serve, whoever calls: a profile that ships, or the file \
              of one.",
};

/// The address of the HTTP doors.
const HTTP: Setting = Setting {
    variable: "ASSAY_HTTP",
    flag: "--http ADDR",
    default: DEFAULT_ADDRESS,
    meaning: "The address that serve listens on. Port 0 takes a free one.",
};

/// What callers may call this server.
const HOSTS: Setting = Setting {
    variable: "ASSAY_HOSTS",
    flag: "",
    default: "none",
    meaning: "The hosts that requests to serve may name, separated by commas, each with or without \
              a port, besides those of this machine, of ASSAY_HTTP and of ASSAY_PUBLIC_URL.",
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

/// The token of the installation.
const TOKEN: Setting = Setting {
    variable: "ASSAY_TOKEN",
    flag: "",
    default: "none",
    meaning: "The token that makes its bearer the owner, of 16 characters or more. With one, serve \
              asks every caller for a credential and may listen on any address.",
};

/// The file of that token.
const TOKEN_FILE: Setting = Setting {
    variable: "ASSAY_TOKEN_FILE",
    flag: "--token-file FILE",
    default: "none",
    meaning: "A file that holds that token on its first line, in place of ASSAY_TOKEN.",
};

/// Who calls a server that messages are forwarded to.
const FORWARD_CREDENTIAL: Setting = Setting {
    variable: "ASSAY_FORWARD_CREDENTIAL",
    flag: "",
    default: "none",
    meaning: "The token or key that stdio shows to the server that it forwards to.",
};

/// Whether callers from the network need a credential.
const CREDENTIALS: Setting = Setting {
    variable: "ASSAY_CREDENTIALS",
    flag: "",
    default: "required where there is a token, else none",
    meaning: "Whether serve asks callers for a credential: required or none.",
};

/// The allowance of a workspace.
const ALLOWANCE: Setting = Setting {
    variable: "ASSAY_ALLOWANCE",
    flag: "",
    default: "none, and nothing is counted",
    meaning: "How many units a workspace may spend on checks in a calendar month: one for each \
              rule and each started 1,000 characters of determined values.",
};

/// Who makes the calls of the review interface.
const DIRECT_CALLS: Setting = Setting {
    variable: "ASSAY_DIRECT_CALLS",
    flag: "",
    default: "what the client can do",
    meaning: "Whether the review interface in a chat calls tools itself (always) or hands each \
              call to the conversation (never).",
};

/// How people reach the installation.
const PUBLIC_URL: Setting = Setting {
    variable: "ASSAY_PUBLIC_URL",
    flag: "",
    default: "none, and links begin with their path",
    meaning: "The address that people reach serve at, which begins the links of invitations and \
              of calls that wait for people.",
};

/// The operator's head of the instructions.
const INSTRUCTIONS_HEAD: Setting = Setting {
    variable: "ASSAY_INSTRUCTIONS_HEAD",
    flag: "",
    default: "none, and the head that ships is sent",
    meaning: "A text file whose content begins the instructions that clients get, of 64 KiB at \
              most. It is looked at whenever instructions are sent, so a change holds without a \
              restart; a file that cannot be used leaves the last good head in place.",
};

/// The records of governed tools.
const REGISTRY: Setting = Setting {
    variable: "ASSAY_REGISTRY",
    flag: "--registry DIR",
    default: "none, and no governed tools are served",
    meaning: "The folder with the records of governed tools: registry.json, tools and skills. A \
              change of it that is sound holds without a restart; one that is not changes nothing.",
};

/// The skill that works here.
const SKILL: Setting = Setting {
    variable: "ASSAY_SKILL",
    flag: "--skill NAME@VERSION",
    default: "none, and governed tools are for keys that name a skill",
    meaning: "The skill that callers of serve and stdio work with whose credential names none.",
};

/// What stops tools without a store that can be written.
const STOP_FILE: Setting = Setting {
    variable: "ASSAY_STOP_FILE",
    flag: "--stop-file FILE",
    default: "none",
    meaning: "A file that stops tools, one target on each line, as tool kill takes it. A change of \
              it holds within a second, and a line that cannot be read stops everything.",
};

/// Who lifts a stop.
const SESSION: Setting = Setting {
    variable: "ASSAY_SESSION",
    flag: "--session-file FILE",
    default: "none",
    meaning: "The token of a person's session, by which tool restore knows who asks, and for whom \
              stdio calls. A file has it on its first line.",
};

/// The clients that show prompts to people.
const PROMPTING_CLIENTS: Setting = Setting {
    variable: "ASSAY_PROMPTING_CLIENTS",
    flag: "",
    default: "none",
    meaning: "The MCP clients, separated by commas and named as they name themselves, that show a \
              prompt to a person and do not answer it by a program. What is confirmed there counts \
              like a word on the page /approvals.",
};

/// Who is meant by a trial.
const TRY_CREDENTIAL: Setting = Setting {
    variable: "ASSAY_TRY_CREDENTIAL",
    flag: "",
    default: "none, and the owner calls",
    meaning: "The token or key of whoever tool try asks for.",
};

/// The key of the audit log.
const AUDIT_KEY: Setting = Setting {
    variable: "ASSAY_AUDIT_KEY",
    flag: "",
    default: "audit.key in the folder of the data file",
    meaning: "The file with the secret that signs the audit log. It is made where it is missing, \
              with the half that others verify with beside it, which ends in .pub.",
};

/// Where copies of checkpoints go.
const AUDIT_CHECKPOINTS: Setting = Setting {
    variable: "ASSAY_AUDIT_CHECKPOINTS",
    flag: "",
    default: "none, and checkpoints are in the data file alone",
    meaning: "A folder to which every signed checkpoint of the audit log is copied. It is worth \
              something where nobody who may write the data file may change it.",
};

/// What entries call the installation.
const ENVIRONMENT: Setting = Setting {
    variable: "ASSAY_ENVIRONMENT",
    flag: "",
    default: DEFAULT_ENVIRONMENT,
    meaning: "The name of the installation in the entries of the audit log.",
};

/// What entries call the installation unless told otherwise.
const DEFAULT_ENVIRONMENT: &str = "production";

/// Where the HTTP doors are served unless told otherwise.
const DEFAULT_ADDRESS: &str = "127.0.0.1:8725";

/// Every setting.
const ALL: [Setting; 25] = [
    data_file::DATA,
    PROFILE,
    HTTP,
    HOSTS,
    TOKEN,
    TOKEN_FILE,
    CREDENTIALS,
    FORWARD_CREDENTIAL,
    PUBLIC_URL,
    DIRECT_CALLS,
    ALLOWANCE,
    INSTRUCTIONS_HEAD,
    REGISTRY,
    SKILL,
    STOP_FILE,
    SESSION,
    PROMPTING_CLIENTS,
    TRY_CREDENTIAL,
    SOLVER_THREADS,
    SOLVER_QUEUE,
    SOLVER_STEPS,
    SOLVER_SECONDS,
    AUDIT_KEY,
    AUDIT_CHECKPOINTS,
    ENVIRONMENT,
];

/// The file of the audit log's key unless told otherwise, in the folder of the data file.
const KEY_FILE: &str = "audit.key";

/// Fewer characters of a token could be guessed.
const LEAST_TOKEN: usize = 16;

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

/// The address of the HTTP doors as it was written: the flag, else the variable, else the default.
pub(crate) fn http(flag: Option<&str>) -> String {
    let given = flag.map(str::to_owned).or_else(|| variable(&HTTP)?.into_string().ok());
    given.unwrap_or_else(|| DEFAULT_ADDRESS.to_owned())
}

/// The profile: the flag, else the variable, else the one that reads rulesets.
pub(crate) fn profile(flag: Option<&str>) -> Result<Profile, Failure> {
    profile_or(flag, PROFILE.default)
}

/// The profile: the flag, else the variable, else the one that is named here.
pub(crate) fn profile_or(flag: Option<&str>, otherwise: &str) -> Result<Profile, Failure> {
    let given =
        flag.map(str::to_owned).or_else(|| Some(variable(&PROFILE)?.to_string_lossy().into()));
    profile::sound(given.as_deref().unwrap_or(otherwise))
}

/// The credential for a server that messages are forwarded to.
pub(crate) fn forward_credential() -> Option<String> {
    variable(&FORWARD_CREDENTIAL).map(|it| it.to_string_lossy().trim().to_owned())
}

/// Who may call from the network.
pub(crate) fn access(token_file: Option<&PathBuf>) -> Result<Access, Failure> {
    let file = token_file.cloned().or_else(|| variable(&TOKEN_FILE).map(PathBuf::from));
    let token = match (&file, variable(&TOKEN)) {
        (Some(file), _) => Some(token_in(file, "token")?),
        (None, Some(token)) => Some(token.to_string_lossy().into_owned()),
        (None, None) => None,
    };
    if token.as_ref().is_some_and(|it| it.chars().count() < LEAST_TOKEN) {
        return Err(Failure::usage("the token of the installation is too short to keep a secret")
            .help(format!("give {LEAST_TOKEN} characters or more, for example 32 random ones")));
    }
    let access = token.map(|it| Access::with_token(&it)).unwrap_or_default();
    match choice(&CREDENTIALS, &["required", "none"])? {
        Some("required") => Ok(Access { required: true, ..access }),
        Some(_) => Ok(Access { required: false, ..access }),
        None => Ok(access),
    }
}

/// The token on the first line of a file, which problems call the file of a `what`.
fn token_in(file: &Path, what: &str) -> Result<String, Failure> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| {
        Failure::usage(format!("the {what} file `{shown}` cannot be read: {error}"))
            .help("name a text file whose first line is the token")
    })?;
    Ok(text.lines().next().unwrap_or_default().trim().to_owned())
}

/// The hosts that requests may name, besides those that need no naming.
pub(crate) fn hosts() -> Result<Vec<String>, Failure> {
    let listed = variable(&HOSTS).map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let mut hosts: Vec<String> = Vec::new();
    for host in listed.split(',').map(str::trim).filter(|it| !it.is_empty()) {
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "-._:[]".contains(it);
        if !host.chars().all(is_plain) {
            return Err(Failure::usage(format!("`{}` names `{host}`", HOSTS.variable))
                .help("give hosts such as `assay.example.org` or `10.0.0.7:8725`"));
        }
        hosts.push(host.to_owned());
    }
    let public = public_url()?;
    let authority = public.as_deref().and_then(|it| it.split_once("://")).map(|it| it.1);
    hosts.extend(authority.and_then(|it| it.split('/').next()).map(str::to_owned));
    Ok(hosts)
}

/// The address that people reach the installation at.
fn public_url() -> Result<Option<String>, Failure> {
    let url = variable(&PUBLIC_URL).map(|it| it.to_string_lossy().into_owned());
    match url {
        Some(url) if !url.starts_with("http://") && !url.starts_with("https://") => {
            Err(Failure::usage(format!("`{}` is `{url}`", PUBLIC_URL.variable))
                .help("give an address such as `https://assay.example.org`"))
        }
        url => Ok(url),
    }
}

/// What a service is opened with, apart from where it keeps its data and who may call.
pub(crate) fn service() -> Result<Settings, Failure> {
    let direct_calls = choice(&DIRECT_CALLS, &["always", "never"])?.map(|it| it == "always");
    let public_url = public_url()?;
    let allowance = number(&ALLOWANCE, 0..=u64::MAX)?;
    let head = variable(&INSTRUCTIONS_HEAD).map(|it| head::source(PathBuf::from(it)));
    let engine = engine()?;
    let page = public_url.as_deref().map(|it| it.trim_end_matches('/').to_owned());
    Ok(Settings { engine, allowance, direct_calls, public_url, page, head, ..Settings::default() })
}

/// Where the audit log of the data in `folder` has its key and the copies of its checkpoints.
pub(crate) fn audit(folder: &Path) -> AuditSettings {
    let key_file = variable(&AUDIT_KEY).map(PathBuf::from).unwrap_or_else(|| folder.join(KEY_FILE));
    let environment = variable(&ENVIRONMENT).map(|it| it.to_string_lossy().into_owned());
    AuditSettings {
        key_file: Some(key_file),
        checkpoints: variable(&AUDIT_CHECKPOINTS).map(PathBuf::from),
        environment: environment.unwrap_or_else(|| DEFAULT_ENVIRONMENT.to_owned()),
    }
}

/// One of a few words that a variable may hold.
fn choice(setting: &Setting, words: &[&'static str]) -> Result<Option<&'static str>, Failure> {
    let Some(written) = variable(setting) else { return Ok(None) };
    match words.iter().find(|it| written == **it) {
        Some(word) => Ok(Some(word)),
        None => {
            let written = written.to_string_lossy();
            Err(Failure::usage(format!("`{}` is `{written}`", setting.variable))
                .help(format!("give `{}`", words.join("` or `"))))
        }
    }
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
             A head of the instructions holds, within its first 512 characters and word for word, \
             the sentence by which the shipped head asks for the person's confirmation, and the \
             names `dsail_compile`, `dsail_review` and `dsail_check`. The authoring order, the \
             grammar guide and the integrity rule follow every head. Where a file lacks \
             something, or cannot be read any more, one line on standard error says so for each \
             change, and clients go on getting the last good head.\n\n\
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
