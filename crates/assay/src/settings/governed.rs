//! Which governed tools there are, for which skill, and what stops them.

use std::path::{Path, PathBuf};

use assay_core::{Profile, RegistrySource, SecretDigest, Settings, SkillName};

use super::{
    PROMPTING_CLIENTS, REGISTRY, SESSION, SKILL, STOP_FILE, Setting, TRY_CREDENTIAL, token_in,
    variable,
};
use crate::failure::Failure;
use crate::output;

/// The flags of the commands that serve governed tools, or look at what is served.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Flags {
    /// The folder with the records of governed tools [default: none]
    #[arg(long, value_name = "DIR")]
    registry: Option<PathBuf>,
    /// The skill of callers whose credential names none [default: none]
    #[arg(long, value_name = "NAME@VERSION")]
    skill: Option<String>,
    /// A file that stops tools, one on each line [default: none]
    #[arg(long, value_name = "FILE")]
    stop_file: Option<PathBuf>,
}

impl Flags {
    /// The folder of the registry.
    pub(crate) fn registry(&self) -> Option<PathBuf> {
        registry(self.registry.as_ref())
    }

    /// The skill.
    pub(crate) fn skill(&self) -> Result<Option<SkillName>, Failure> {
        let written = self.skill.clone().or_else(|| text(&SKILL));
        written.as_deref().map(skill).transpose()
    }

    /// What a service is opened with whose callers may use governed tools.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        let registry = self.registry().map(source);
        let stop_file = stop_file(self.stop_file.as_ref());
        let prompting = prompting();
        let skill = self.skill()?;
        Ok(Settings { registry, skill, stop_file, prompting, ..super::service()? })
    }

    /// As [`Flags::settings`], for a server with this profile. What it serves must be there.
    pub(crate) fn serving(&self, profile: Profile) -> Result<Settings, Failure> {
        let settings = self.settings()?;
        match (&settings.registry, profile.upstream().is_empty()) {
            (None, false) if reads_nothing_else(&profile) => Err(without_registry(&profile)),
            (Some(it), true) => {
                output::notice(&format!(
                    "the profile {} reads no tools of other servers, so those of {} are not served",
                    profile.name(),
                    it.folder.display()
                ));
                Ok(Settings { profile, ..settings })
            }
            _ => Ok(Settings { profile, ..settings }),
        }
    }
}

/// Whether a profile without governed tools is one without tools.
fn reads_nothing_else(profile: &Profile) -> bool {
    !profile.rulesets() && profile.packages().is_empty() && !profile.expose_spam()
}

fn without_registry(profile: &Profile) -> Failure {
    let name = profile.name();
    Failure::usage(format!("the profile `{name}` reads tools of other servers, and none are known"))
        .help(format!(
            "name the folder with their records by `{}` or `{}`",
            REGISTRY.flag, REGISTRY.variable
        ))
}

/// There is no registry, and the command looks at one.
pub(crate) fn no_registry() -> Failure {
    Failure::usage("no registry is named").help(format!(
        "name the folder with the records by `{}` or `{}`",
        REGISTRY.flag, REGISTRY.variable
    ))
}

/// The folder of the registry: the flag, else the variable.
pub(crate) fn registry(flag: Option<&PathBuf>) -> Option<PathBuf> {
    path(flag, &REGISTRY)
}

/// The registry of a folder, with what its texts may name.
pub(crate) fn source(folder: PathBuf) -> RegistrySource {
    RegistrySource { folder, environment: surroundings }
}

/// The file that stops tools: the flag, else the variable.
pub(crate) fn stop_file(flag: Option<&PathBuf>) -> Option<PathBuf> {
    path(flag, &STOP_FILE)
}

/// The clients that show prompts to people.
fn prompting() -> Vec<String> {
    let names = text(&PROMPTING_CLIENTS).unwrap_or_default();
    let names = names.split(',').map(str::trim).filter(|it| !it.is_empty());
    names.map(str::to_owned).collect()
}

/// What stands for the session of whoever is at this machine, where one is set.
pub(crate) fn at_machine() -> Option<SecretDigest> {
    let token = text(&SESSION).map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
    token.map(|it| SecretDigest::of(it.as_bytes()))
}

/// The token of the person who asks: that of the file, else the variable.
pub(crate) fn session(file: Option<&Path>) -> Result<String, Failure> {
    let token = match file {
        Some(file) => Some(token_in(file, "session")?),
        None => text(&SESSION).map(|it| it.trim().to_owned()),
    };
    token.filter(|it| !it.is_empty()).ok_or_else(|| {
        Failure::usage("it has to be known who asks").help(format!(
            "put the token of your session into `{}`, or name a file with it by `{}`; `assay \
             person session` opens one",
            SESSION.variable, SESSION.flag
        ))
    })
}

/// The credential of whoever is meant by a trial.
pub(crate) fn try_credential() -> Option<String> {
    text(&TRY_CREDENTIAL).map(|it| it.trim().to_owned())
}

/// A skill as it is written.
pub(crate) fn skill(written: &str) -> Result<SkillName, Failure> {
    SkillName::parse(written).ok_or_else(|| {
        Failure::usage(format!("`{written}` is no skill"))
            .help("write it as `name@version`, such as `practice-desk@1.0`")
    })
}

fn path(flag: Option<&PathBuf>, setting: &Setting) -> Option<PathBuf> {
    flag.cloned().or_else(|| variable(setting).map(PathBuf::from))
}

fn text(setting: &Setting) -> Option<String> {
    variable(setting).map(|it| it.to_string_lossy().into_owned())
}

/// A variable that a registry names; one that is empty counts as not given.
fn surroundings(name: &str) -> Option<String> {
    std::env::var_os(name)?.into_string().ok().filter(|it| !it.is_empty())
}
