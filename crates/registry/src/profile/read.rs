//! The reader of profiles, which finds every fault before it gives up.

use std::collections::{BTreeMap, BTreeSet};

use assay_base::json::{Raw, Scalar, each_member, is_invisible, printable, scalar};

use super::{Fault, Profile};
use crate::facet::Facet;

/// The rule of facets, in the words that operators look for.
const ONCE: &str = "each known facet must be named exactly once";
/// The rule of reasons, likewise.
const REASON: &str = "facets.deny reason must be non-empty";
/// Reasons are quoted in one line to whoever calls.
const LONGEST_REASON: usize = 512;
/// A name stands in addresses.
const LONGEST_NAME: usize = 64;

type Members<'t> = BTreeMap<String, Raw<'t>>;

/// The profile that `text` holds, or every fault in it.
pub(super) fn profile(file: &str, text: &str) -> Result<Profile, Vec<Fault>> {
    let mut reader = Reader { file, faults: Vec::new() };
    let name = reader.name();
    let known = ["facets", "rulesets", "packages", "upstream", "mcp"];
    let members = reader.members("", text, &known);
    let profile = members.map(|members| Profile {
        name,
        denied: reader.facets(members.get("facets").copied()),
        rulesets: reader.boolean("/rulesets", members.get("rulesets").copied(), None),
        packages: reader.names("/packages", members.get("packages").copied()),
        upstream: reader.names("/upstream", members.get("upstream").copied()),
        expose_spam: reader.mcp(members.get("mcp").copied()),
    });
    match profile {
        Some(profile) if reader.faults.is_empty() => {
            reader.purpose(&profile);
            if reader.faults.is_empty() { Ok(profile) } else { Err(reader.faults) }
        }
        _ => Err(reader.faults),
    }
}

struct Reader<'f> {
    file: &'f str,
    faults: Vec<Fault>,
}

impl Reader<'_> {
    fn fault(&mut self, pointer: &str, message: impl Into<String>, mend: impl Into<String>) {
        self.faults.push(Fault {
            file: printable(self.file),
            pointer: printable(pointer),
            message: message.into(),
            mend: mend.into(),
        });
    }

    fn name(&mut self) -> String {
        let base = self.file.rsplit('/').next().unwrap_or_default();
        let name = base.strip_suffix(".json").unwrap_or(base).to_owned();
        let mut plain =
            name.bytes().all(|it| it.is_ascii_lowercase() || b"0123456789-".contains(&it));
        plain &= name.starts_with(|it: char| it.is_ascii_lowercase());
        if !plain || name.len() > LONGEST_NAME {
            let message = format!("`{}` cannot be the name of a profile", printable(&name));
            self.fault(
                "",
                message,
                "name the file with lower-case letters, digits and `-`, and a letter first",
            );
        }
        name
    }

    /// The members of an object, of which only the `known` may be there. A member that stands
    /// twice is a fault, and its first value is read on.
    fn members<'t>(&mut self, at: &str, text: &'t str, known: &[&str]) -> Option<Members<'t>> {
        let mut members = Members::new();
        let read = each_member(text, |key, value| {
            let pointer = below(at, &key);
            if !known.is_empty() && !known.contains(&&*key) {
                let mend = format!("the members here are `{}`", known.join("`, `"));
                self.fault(&pointer, "no profile has this member", mend);
            } else if members.contains_key(&*key) {
                self.fault(&pointer, "the key stands twice", "keep one of the two");
            } else {
                members.insert(key.into_owned(), value);
            }
            Ok(())
        });
        match read {
            Ok(()) => Some(members),
            Err(error) => {
                self.fault(at, format!("cannot be read: {error}"), "write it as a JSON object");
                None
            }
        }
    }

    /// The members of the object at `at`, which has to be there.
    fn object<'t>(&mut self, at: &str, raw: Option<Raw<'t>>, known: &[&str]) -> Members<'t> {
        match raw.map(|it| (it, scalar(it))) {
            Some((raw, Scalar::Object)) => self.members(at, raw.get(), known).unwrap_or_default(),
            Some((_, other)) => {
                self.kind(at, "an object", &other);
                Members::new()
            }
            None => {
                self.fault(at, "is missing", "give an object");
                Members::new()
            }
        }
    }

    fn kind(&mut self, at: &str, expected: &str, found: &Scalar<'_>) {
        let message = format!("expected {expected}, found {}", found.kind());
        self.fault(at, message, format!("give {expected}"));
    }

    fn boolean(&mut self, at: &str, raw: Option<Raw<'_>>, default: Option<bool>) -> bool {
        match (raw.map(scalar), default) {
            (Some(Scalar::Boolean(value)), _) => return value,
            (Some(other), _) => self.kind(at, "a boolean", &other),
            (None, Some(default)) => return default,
            (None, None) => self.fault(at, "is missing", "give `true` or `false`"),
        }
        false
    }

    /// The texts of the list at `at`, each with its pointer.
    fn list(&mut self, at: &str, raw: Option<Raw<'_>>) -> Vec<(String, String)> {
        let elements: Vec<Raw<'_>> = match raw.map(|it| (it, scalar(it))) {
            Some((raw, Scalar::Array)) => serde_json::from_str(raw.get()).unwrap_or_default(),
            Some((_, other)) => {
                self.kind(at, "an array", &other);
                return Vec::new();
            }
            None => {
                self.fault(at, "is missing", "give a list, which may be empty");
                return Vec::new();
            }
        };
        let mut texts = Vec::new();
        for (index, element) in elements.into_iter().enumerate() {
            let pointer = below(at, &index.to_string());
            match scalar(element) {
                Scalar::String(text) => texts.push((pointer, text.into_owned())),
                other => self.kind(&pointer, "a string", &other),
            }
        }
        texts
    }

    /// Names with dots between their parts, each once.
    fn names(&mut self, at: &str, raw: Option<Raw<'_>>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (pointer, name) in self.list(at, raw) {
            let is_part = |part: &str| {
                part.starts_with(|it: char| it.is_ascii_lowercase())
                    && part.bytes().all(|it| {
                        it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-' || it == b'_'
                    })
            };
            if !name.split('.').all(is_part) {
                let message = format!("`{}` is no name", printable(&name));
                self.fault(&pointer, message, "give lower-case words with dots between them");
            } else if names.contains(&name) {
                self.fault(&pointer, format!("`{name}` stands twice"), "keep one of the two");
            } else {
                names.push(name);
            }
        }
        names
    }

    fn mcp(&mut self, raw: Option<Raw<'_>>) -> bool {
        if raw.is_none() {
            return false;
        }
        let members = self.object("/mcp", raw, &["expose_spam"]);
        self.boolean("/mcp/expose_spam", members.get("expose_spam").copied(), Some(false))
    }

    /// The facets that are denied, each with its reason.
    fn facets(&mut self, raw: Option<Raw<'_>>) -> BTreeMap<Facet, String> {
        let before = self.faults.len();
        let members = self.object("/facets", raw, &["allow", "deny"]);
        if raw.is_none() || (members.is_empty() && self.faults.len() > before) {
            return BTreeMap::new();
        }
        let mut allowed = BTreeSet::new();
        for (pointer, word) in self.list("/facets/allow", members.get("allow").copied()) {
            let Some(facet) = self.facet(&pointer, &word) else { continue };
            if !allowed.insert(facet) {
                let message = format!("{ONCE}: `{word}` is allowed twice");
                self.fault(&pointer, message, "keep it once");
            }
        }
        let mut denied = BTreeMap::new();
        let reasons = self.object("/facets/deny", members.get("deny").copied(), &[]);
        for (word, reason) in reasons {
            let pointer = below("/facets/deny", &word);
            let reason = self.reason(&pointer, &scalar(reason));
            let Some(facet) = self.facet(&pointer, &word) else { continue };
            if allowed.contains(&facet) {
                let message = format!("{ONCE}: `{word}` is allowed and denied");
                self.fault(&pointer, message, "keep it in one of `allow` and `deny`");
            }
            denied.insert(facet, reason);
        }
        for facet in Facet::ALL {
            if !allowed.contains(facet) && !denied.contains_key(facet) {
                let message = format!("{ONCE}: `{}` is named nowhere", facet.word());
                self.fault("/facets", message, "put it into `allow`, or into `deny` with a reason");
            }
        }
        denied
    }

    fn facet(&mut self, pointer: &str, word: &str) -> Option<Facet> {
        let facet = Facet::parse(word);
        if facet.is_none() {
            let known: Vec<&str> = Facet::ALL.iter().map(|it| it.word()).collect();
            let message = format!("`{}` is no facet", printable(word));
            self.fault(pointer, message, format!("the facets are `{}`", known.join("`, `")));
        }
        facet
    }

    fn reason(&mut self, pointer: &str, value: &Scalar<'_>) -> String {
        let Scalar::String(reason) = value else {
            self.kind(pointer, "a string", value);
            return String::new();
        };
        let is_hidden = |it: char| it.is_control() || is_invisible(it);
        if reason.trim().is_empty() {
            self.fault(pointer, REASON, "say why; callers are told these words, so no secrets");
        } else if reason.chars().count() > LONGEST_REASON || reason.contains(is_hidden) {
            let message = "the reason is longer than 512 characters or has hidden ones";
            self.fault(pointer, message, "say it in one line of visible text");
        }
        reason.trim().to_owned()
    }

    fn purpose(&mut self, profile: &Profile) {
        let reads = profile.rulesets
            || profile.expose_spam
            || !profile.packages.is_empty()
            || !profile.upstream.is_empty();
        if !reads {
            let mend = "set `rulesets`, or name `packages` or `upstream` tools";
            self.fault("", "the profile reads nothing, so no tool is served", mend);
        }
    }
}

/// The pointer to the member `key` of what `at` points to.
fn below(at: &str, key: &str) -> String {
    format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))
}
