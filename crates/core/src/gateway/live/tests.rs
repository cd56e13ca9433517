use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::{Value, json};

use super::{RegistrySource, read_registry};
use crate::{Cancel, Credentials, Door, Profile, Service, Settings, SkillName};
use assay_registry::gate::snapshot::{File, Snapshot};

/// How often a registry is replaced, and by how many it is asked meanwhile.
const RELOADS: usize = 1_000;
const CALLERS: usize = 2;

/// The tool that nobody may call, for a reason that tells the registries apart.
const CLOSED: &str = "efirm.matter-db.create-matter";
/// The tools of both registries, the ones that a caller sees first.
const TOOLS: [&str; 5] = [
    "efirm.client-db.lookup-client",
    "efirm.matter-db.lookup-matter",
    "efirm.conflict-check.run",
    "efirm.engagement-letter.draft",
    CLOSED,
];

/// One of two registries that differ in every record and in the skill.
struct Edition {
    version: &'static str,
    /// The versions that the skill takes, among which the other edition has none.
    range: &'static str,
    /// What [`CLOSED`] needs.
    permission: &'static str,
}

const EDITIONS: [Edition; 2] = [
    Edition { version: "1.4", range: ">=1.4, <1.5", permission: "matter:delete" },
    Edition { version: "1.5", range: ">=1.5, <2", permission: "billing:write" },
];

impl Edition {
    fn files(&self) -> Vec<File> {
        let shipped =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/practice/registry");
        let permitted = TOOLS.map(|tool| json!({ "tool": tool, "version": self.range }));
        let skill = json!({ "skill": "s", "skill_version": "1", "permitted_tools": permitted });
        let server = json!({ "kind": "mcp-stdio", "command": "nobody" });
        let config = json!({ "upstreams": { "practice": server }, "owner_lookup": "practice/o" });
        let mut files = vec![
            ("registry.json".to_owned(), config.to_string()),
            ("skills/s.json".to_owned(), skill.to_string()),
        ];
        for tool in TOOLS {
            let path = format!("tools/{tool}.json");
            let mut record: Value =
                serde_json::from_str(&fs::read_to_string(shipped.join(&path)).unwrap()).unwrap();
            record["version"] = self.version.into();
            record["description"] = format!("Edition {} of {tool}.", self.version).into();
            if tool == CLOSED {
                record["permissions_required"] = json!([self.permission]);
            }
            files.push((path, record.to_string()));
        }
        files
    }

    fn is_of(&self, description: &str) -> bool {
        description.starts_with(&format!("Edition {} of", self.version))
    }
}

/// Writes the files to a folder of this process, and reads them back in the order of folders.
fn kept(folder: &Path, files: &[File]) -> Vec<File> {
    for (path, text) in files {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    read_registry(folder).unwrap()
}

fn service(folder: &Path) -> Arc<Service> {
    let service = Service::open(Settings {
        profile: Profile::shipped("practice").unwrap(),
        registry: Some(RegistrySource { folder: folder.to_owned(), environment: |_| None }),
        skill: SkillName::parse("s@1"),
        ..Settings::default()
    })
    .unwrap();
    service.grant_role(None, "owner", "associate").unwrap();
    service
}

/// Which edition refuses a call, and which one is listed; as far as it is one of them alone.
fn asked(service: &Arc<Service>) -> [Option<usize>; 2] {
    let caller = service.caller(Door::Rest, &Credentials::default()).unwrap();
    let stages = service.stages(&caller.session, "create_matter", "{}").unwrap();
    let (stage, refusal) = stages.into_iter().next_back().unwrap();
    let missing = refusal.map(|it| it.details["missing"].clone());
    let refused = EDITIONS
        .iter()
        .position(|it| stage == "permission" && missing == Some(json!([it.permission])));
    let listed = service.tools(&caller);
    let listed = EDITIONS.iter().position(|edition| {
        listed.len() == TOOLS.len() - 1 && listed.iter().all(|it| edition.is_of(&it.description))
    });
    [refused, listed]
}

/// What the log says of calls: the registry, the version of the tool and what became of the call.
fn recorded(service: &Service) -> BTreeSet<(String, String)> {
    service.ledger.flush();
    let mut found = BTreeSet::new();
    let mut from = 0;
    loop {
        let rows = service.store.audit_entries("personal-owner", from, 1_000).unwrap();
        let Some(last) = rows.last() else { return found };
        from = last.sequence + 1;
        for row in &rows {
            let record: Value = serde_json::from_str(&row.record).unwrap();
            let text = |pointer: &str| record.pointer(pointer).and_then(Value::as_str);
            if let Some(version) = text("/tool/tool_version") {
                let snapshot = text("/decision/snapshot").unwrap();
                found.insert((snapshot.to_owned(), version.to_owned()));
            }
        }
    }
}

#[test]
fn no_call_meets_half_a_registry() {
    let folder = env::temp_dir().join(format!("assay-live-{}", std::process::id()));
    let editions = EDITIONS.map(|it| kept(&folder, &it.files()));
    let service = service(&folder);
    let live = &service.gateway.as_ref().unwrap().live;
    let is_over = AtomicBool::new(false);
    let seen: Vec<[Option<usize>; 2]> = thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLERS)
            .map(|_| {
                scope.spawn(|| {
                    let mut seen = Vec::new();
                    while !is_over.load(Ordering::Relaxed) {
                        let caller = service.caller(Door::Rest, &Credentials::default()).unwrap();
                        let _ = service.call(&caller, "create_matter", "{}", &Cancel::new());
                        seen.push(asked(&service));
                    }
                    seen
                })
            })
            .collect();
        let reloads = (0..RELOADS).map(|turn| live.replace(&editions[turn % editions.len()]));
        let reloaded: Vec<_> = reloads.collect();
        is_over.store(true, Ordering::Relaxed);
        let seen = callers.into_iter().flat_map(|it| it.join().unwrap()).collect();
        assert!(reloaded.iter().all(Result::is_ok), "{:?}", reloaded.iter().find(|it| it.is_err()));
        seen
    });
    fs::remove_dir_all(&folder).unwrap();
    for answers in &seen {
        assert!(answers.iter().all(Option::is_some), "a mixed registry: {answers:?}");
    }
    for place in 0..EDITIONS.len() {
        assert!(seen.iter().any(|it| it.contains(&Some(place))), "edition {place} is never met");
    }
    let whole = editions.iter().zip(EDITIONS).map(|(files, edition)| {
        let snapshot = Snapshot::load(files, &[], None).unwrap();
        (snapshot.id().to_owned(), edition.version.to_owned())
    });
    assert_eq!(recorded(&service), whole.collect::<BTreeSet<_>>());
}
