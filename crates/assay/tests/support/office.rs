//! A law firm with its people, its back end and a registry in front of it, each in one folder.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test ends where its setting fails"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use assay_core::{
    AuditSettings, Caller, Cancel, Credentials, Data, Door, Profile, RegistrySource, Service,
    Settings, SkillName,
};
use serde_json::{Value, json};

/// The skill that opens matters.
pub(crate) const FLOW: &str = "efirm-matter-creation-flow@1.0";
/// The skill that lists every tool.
pub(crate) const DESK: &str = "practice-desk@1.0";

/// Everybody but the owner, with the role that each has.
const PEOPLE: [(&str, &str); 5] = [
    ("ana", "associate"),
    ("paula", "partner"),
    ("pia", "partner"),
    ("fin", "finance"),
    ("ada", "admin"),
];

/// The program of the back end.
pub(crate) fn practice() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_assay")).with_file_name("examples/practice");
    assert!(program.exists(), "run `cargo build -p assay --example practice` first");
    program
}

/// A law firm in a folder of its own.
pub(crate) struct Office {
    pub(crate) folder: PathBuf,
    /// The address of the firm's workspace.
    pub(crate) org: String,
    /// The ids of what the back end has of the firm, and of another one.
    pub(crate) ids: BTreeMap<String, String>,
    /// The tokens of the sessions of people, by name.
    pub(crate) tokens: BTreeMap<&'static str, String>,
}

impl Office {
    /// A firm whose owner is an associate, in a folder that bears the name of the test.
    pub(crate) fn new(test: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("office").join(test);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let mut office =
            Self { folder, org: String::new(), ids: BTreeMap::new(), tokens: BTreeMap::new() };
        office.hire();
        office.copy_registry();
        office.write_registry(&office.stdio());
        for (prefix, org) in [("", office.org.clone()), ("their ", "personal-owner".to_owned())] {
            let output = Command::new(practice())
                .args(["seed", "--org", &org, "--database"])
                .arg(office.database())
                .output()
                .unwrap();
            assert!(output.status.success(), "{output:?}");
            let ids: BTreeMap<String, String> = serde_json::from_slice(&output.stdout).unwrap();
            office.ids.extend(ids.into_iter().map(|(name, id)| (format!("{prefix}{name}"), id)));
        }
        office
    }

    fn database(&self) -> PathBuf {
        self.folder.join("practice.db")
    }

    pub(crate) fn registry(&self) -> PathBuf {
        self.folder.join("registry")
    }

    /// Makes the firm's team, and has everybody join it.
    fn hire(&mut self) {
        let service = Service::open(Settings {
            data: Data::File(self.folder.join("assay.db")),
            audit: self.audit(),
            ..Settings::default()
        })
        .unwrap();
        let owner = service.local(Door::CommandLine).unwrap();
        let ask = |tool: &str, arguments: Value| -> Value {
            let reply = service.call(&owner, tool, &arguments.to_string(), &Cancel::new());
            let answer: Value = serde_json::from_slice(&reply.body).unwrap();
            assert_eq!(answer["ok"], true, "{tool}: {answer}");
            answer
        };
        let made = ask("dsail_create_team", json!({ "name": "Firm" }));
        self.org = made["workspace"].as_str().unwrap().to_owned();
        for (name, role) in PEOPLE {
            let email = format!("{name}@firm.example");
            let invited =
                ask("dsail_invite_to_team", json!({ "team_id": self.org, "email": email }));
            let body = json!({
                "invitation": invited["invitation"], "email": email, "name": name,
            });
            let accepted =
                service.accept_invitation(Door::Rest, &Credentials::default(), &body.to_string());
            let accepted: Value = serde_json::from_slice(&accepted.body).unwrap();
            assert_eq!(accepted["ok"], true, "{accepted}");
            let token = accepted["session"].as_str().unwrap().to_owned();
            let caller = Credentials { bearer: Some(&token), key: None };
            let caller = service.caller(Door::CommandLine, &caller).unwrap();
            let used = json!({ "workspace": self.org }).to_string();
            let _ = service.call(&caller, "dsail_use_workspace", &used, &Cancel::new());
            let people = service.people().unwrap();
            let person = people.iter().find(|it| it.name.as_deref() == Some(name)).unwrap();
            service.grant_role(Some(&self.org), &person.subject, role).unwrap();
            self.tokens.insert(name, token);
        }
        let _ = ask("dsail_use_workspace", json!({ "workspace": self.org }));
        service.grant_role(Some(&self.org), "owner", "associate").unwrap();
    }

    fn copy_registry(&self) {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/practice/registry");
        for part in ["tools", "skills"] {
            fs::create_dir_all(self.registry().join(part)).unwrap();
            for entry in fs::read_dir(source.join(part)).unwrap() {
                let path = entry.unwrap().path();
                let to = self.registry().join(part).join(path.file_name().unwrap());
                fs::copy(&path, to).unwrap();
            }
        }
    }

    /// The back end as a child that is spoken to over its pipes.
    pub(crate) fn stdio(&self) -> Value {
        let arguments =
            json!(["stdio", "--database", self.database(), "--faults", self.folder.join("faults")]);
        json!({ "kind": "mcp-stdio", "command": practice(), "arguments": arguments })
    }

    /// Puts the back end behind the gate.
    pub(crate) fn write_registry(&self, upstream: &Value) {
        let registry = json!({
            "upstreams": { "practice": upstream },
            "owner_lookup": "practice/owner_of",
            "unscoped": [],
        });
        fs::write(self.registry().join("registry.json"), registry.to_string()).unwrap();
    }

    /// Changes the record of a tool.
    pub(crate) fn change(&self, id: &str, change: impl FnOnce(&mut Value)) {
        self.edit(&format!("tools/{id}.json"), change);
    }

    /// Changes a file of the registry.
    pub(crate) fn edit(&self, file: &str, change: impl FnOnce(&mut Value)) {
        let file = self.registry().join(file);
        let mut record: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        change(&mut record);
        fs::write(file, record.to_string()).unwrap();
    }

    /// Has the back end go wrong, by tool.
    pub(crate) fn faults(&self, faults: &Value) {
        fs::write(self.folder.join("faults"), faults.to_string()).unwrap();
    }

    /// How often the back end carried a tool out.
    pub(crate) fn carried(&self, tool: &str) -> i64 {
        let database = rusqlite::Connection::open(self.database()).unwrap();
        let query = "SELECT count(*) FROM call WHERE tool = ?1";
        database.query_row(query, (tool,), |row| row.get(0)).unwrap()
    }

    fn audit(&self) -> AuditSettings {
        let key_file = Some(self.folder.join("audit.key"));
        AuditSettings { key_file, ..AuditSettings::default() }
    }

    /// The settings of a service before the back end, for the skill.
    pub(crate) fn settings(&self, skill: &str) -> Settings {
        Settings {
            data: Data::File(self.folder.join("assay.db")),
            profile: Profile::shipped("practice").unwrap(),
            registry: Some(RegistrySource { folder: self.registry(), environment: |_| None }),
            skill: SkillName::parse(skill),
            page: Some("http://assay.example".to_owned()),
            audit: self.audit(),
            ..Settings::default()
        }
    }

    /// A service before the back end, called in this process.
    pub(crate) fn open(&self, skill: &str) -> Desk<'_> {
        self.open_with(self.settings(skill))
    }

    pub(crate) fn open_with(&self, settings: Settings) -> Desk<'_> {
        Desk { office: self, service: Service::open(settings).unwrap() }
    }

    /// Runs a statement on the data file.
    pub(crate) fn sql(&self, statement: &str) {
        let data = rusqlite::Connection::open(self.folder.join("assay.db")).unwrap();
        data.execute_batch(statement).unwrap();
    }

    /// The entries of the firm's log that tell of an event, the oldest first.
    pub(crate) fn entries(&self, event: &str) -> Vec<Value> {
        self.entries_of(&self.org, event)
    }

    /// The entries of a chain that tell of an event, the oldest first.
    pub(crate) fn entries_of(&self, chain: &str, event: &str) -> Vec<Value> {
        let data = rusqlite::Connection::open(self.folder.join("assay.db")).unwrap();
        let query = "SELECT record FROM audit_entry WHERE chain = ?1 ORDER BY sequence";
        let mut entries = data.prepare(query).unwrap();
        let texts = entries.query_map((chain,), |row| row.get::<_, String>(0)).unwrap();
        let entries = texts.map(|it| serde_json::from_str::<Value>(&it.unwrap()).unwrap());
        entries.filter(|it| it["event_type"] == event).collect()
    }

    /// What a person is called in commands.
    pub(crate) fn subject(&self, desk: &Desk<'_>, name: &str) -> String {
        let people = desk.service.people().unwrap();
        people.into_iter().find(|it| it.name.as_deref() == Some(name)).unwrap().subject
    }

    /// Replaces `$name` in every text by the id of that name.
    pub(crate) fn fill(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => match text.strip_prefix('$') {
                Some(name) => self.ids.get(name).map_or(value.clone(), |it| json!(it)),
                None => value.clone(),
            },
            Value::Array(items) => items.iter().map(|it| self.fill(it)).collect(),
            Value::Object(members) => {
                members.iter().map(|(key, it)| (key.clone(), self.fill(it))).collect()
            }
            _ => value.clone(),
        }
    }
}

/// A service before the back end.
pub(crate) struct Desk<'o> {
    pub(crate) office: &'o Office,
    pub(crate) service: Arc<Service>,
}

impl Desk<'_> {
    /// Somebody by name, or whoever is at the machine.
    pub(crate) fn caller(&self, name: &str) -> Caller {
        match self.office.tokens.get(name) {
            Some(token) => {
                let credentials = Credentials { bearer: Some(token), key: None };
                self.service.caller(Door::Rest, &credentials).unwrap()
            }
            None => self.service.local(Door::CommandLine).unwrap(),
        }
    }

    pub(crate) fn call(&self, name: &str, tool: &str, arguments: &Value) -> Value {
        let arguments = self.office.fill(arguments).to_string();
        let reply = self.service.call(&self.caller(name), tool, &arguments, &Cancel::new());
        serde_json::from_slice(&reply.body).unwrap()
    }

    /// The word of the answer: `ok`, `replayed` or the code.
    pub(crate) fn word(&self, name: &str, tool: &str, arguments: &Value) -> String {
        word(&self.call(name, tool, arguments))
    }

    /// What waits for somebody.
    pub(crate) fn waiting(&self, name: &str) -> Value {
        let reply = self.service.waiting_calls(&self.caller(name));
        serde_json::from_slice(&reply.body).unwrap()
    }

    /// Has somebody say a word to the first call that waits.
    pub(crate) fn say(&self, name: &str, said: &str) -> String {
        let waiting = &self.waiting("paula")["waiting"][0];
        let address = waiting["request"].as_str().unwrap_or_default();
        let body = json!({ "word": said, "shown": waiting["hash"] }).to_string();
        let reply = self.service.say_to_call(&self.caller(name), address, &body);
        word(&serde_json::from_slice(&reply.body).unwrap())
    }
}

/// The word of an answer: `ok`, `replayed` or the code.
pub(crate) fn word(answer: &Value) -> String {
    match &answer["error"]["code"] {
        Value::String(code) => code.clone(),
        _ if answer["replayed"] == true => "replayed".to_owned(),
        _ => "ok".to_owned(),
    }
}
