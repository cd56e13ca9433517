//! What makes a folder a project whose agents know the service.
//!
//! Everything is planned and written aside first. Where one file cannot be had as it should be,
//! no file changes, and every reason is told.

mod entry;
mod member;
mod place;
mod stage;
mod stanza;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(crate) use entry::Server;

use crate::failure::Failure;
use stage::Staged;

const SKILL_HEAD: &str = include_str!("../data/skill/head.md");
const SKILL: &str = include_str!("../data/skill/skill.md");
const STANZA: &str = include_str!("../data/skill/stanza.md");

/// One file of a project and what it is to hold.
#[derive(Debug)]
pub(crate) struct Part {
    path: &'static str,
    /// The flag that leaves the file alone.
    flag: &'static str,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Entry(Server),
    Skill,
    Stanza,
}

impl Part {
    /// The entry in the list of servers.
    pub(crate) const fn entry(server: Server) -> Self {
        Self { path: ".mcp.json", flag: "--no-mcp", content: Content::Entry(server) }
    }

    /// The skill, once for each place in which agents look for skills.
    pub(crate) fn skills() -> [Self; 2] {
        [".claude/skills/assay/SKILL.md", ".agents/skills/assay/SKILL.md"].map(|path| Self {
            path,
            flag: "--no-skill",
            content: Content::Skill,
        })
    }

    /// The stanza in what agents read at the start.
    pub(crate) const fn stanza(path: &'static str, flag: &'static str) -> Self {
        Self { path, flag, content: Content::Stanza }
    }

    fn edited(&self, before: Option<&str>) -> Result<String, String> {
        match &self.content {
            Content::Entry(server) => entry::edited(before, server),
            Content::Skill => stanza::edited(before, SKILL_HEAD, SKILL),
            Content::Stanza => stanza::edited(before, "", STANZA),
        }
    }

    /// What mends a text that [`Part::edited`] refused.
    fn mend(&self) -> String {
        let mend = match self.content {
            Content::Entry(_) => "mend the file",
            Content::Skill | Content::Stanza => {
                "leave each of the two marks once and in order, or remove both"
            }
        };
        format!("{mend}; `{}` leaves the file alone", self.flag)
    }
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// It was not there.
    Created,
    /// It held something else.
    Updated,
    /// It holds what it held.
    Unchanged,
}

impl Change {
    /// The word for it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
        }
    }
}

/// What a file held and is to hold.
#[derive(Debug)]
struct Planned {
    shown: PathBuf,
    before: Option<String>,
    after: String,
}

/// Sees that `folder` holds every part, and tells what became of each file.
///
/// # Errors
/// Every problem at once, and then nothing was changed.
pub(crate) fn prepare(
    folder: &Path,
    parts: &[Part],
) -> Result<Vec<(PathBuf, Change)>, Vec<Failure>> {
    let root = root(folder).map_err(|failure| vec![failure])?;
    let mut plan = BTreeMap::new();
    let (mut changes, mut problems) = (Vec::new(), Vec::new());
    for part in parts {
        match planned(&mut plan, &root, folder, part) {
            Ok(change) => changes.push(change),
            Err(problem) => problems.push(problem),
        }
    }
    let mut staged = Vec::new();
    for (real, Planned { shown, before, after }) in &plan {
        if before.as_ref() != Some(after) {
            match Staged::write(real, shown, after) {
                Ok(it) => staged.push(it),
                Err(problem) => problems.push(problem),
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    for it in staged {
        let rest = "what could be written is in place; once this is mended, run the command again";
        it.place().map_err(|failure| vec![failure.help(rest)])?;
    }
    Ok(changes)
}

fn root(folder: &Path) -> Result<PathBuf, Failure> {
    let shown = folder.display();
    let real = folder.canonicalize().map_err(|error| {
        Failure::usage(format!("the folder `{shown}` cannot be used: {error}"))
            .help("name a folder that exists")
    })?;
    if real.is_dir() {
        return Ok(real);
    }
    Err(Failure::usage(format!("`{shown}` is a file, not a folder"))
        .help("name the folder of the project"))
}

/// Adds what `part` asks for to the plan. Two parts may share a file that one of them links to.
fn planned(
    plan: &mut BTreeMap<PathBuf, Planned>,
    root: &Path,
    folder: &Path,
    part: &Part,
) -> Result<(PathBuf, Change), Failure> {
    let path = Path::new(part.path);
    let shown = if folder == Path::new(".") { path.to_owned() } else { folder.join(path) };
    let real = place::resolve(root, path, &shown)?;
    let earlier = plan.get(&real);
    let before = match earlier {
        Some(it) => Some(it.after.clone()),
        None => place::text(&real, &shown)?,
    };
    let edited = edited(part, before.as_deref()).map_err(|problem| {
        Failure::usage(format!("`{}` {problem}", shown.display())).help(part.mend())
    })?;
    let change = match &before {
        None => Change::Created,
        Some(it) if *it == edited => Change::Unchanged,
        Some(_) => Change::Updated,
    };
    let original = match plan.remove(&real) {
        Some(earlier) => earlier.before,
        None => before,
    };
    plan.insert(real, Planned { shown: shown.clone(), before: original, after: edited });
    Ok((shown, change))
}

/// A byte order mark is no part of the text and stays before it.
fn edited(part: &Part, before: Option<&str>) -> Result<String, String> {
    const MARK: char = '\u{feff}';
    match before.and_then(|it| it.strip_prefix(MARK)) {
        Some(text) => part.edited(Some(text)).map(|it| format!("{MARK}{it}")),
        None => part.edited(before),
    }
}

/// The line end of a text: that of its first line.
fn line_end(text: &str) -> &'static str {
    let first = text.split_inclusive('\n').next().unwrap_or_default();
    if first.ends_with("\r\n") { "\r\n" } else { "\n" }
}
