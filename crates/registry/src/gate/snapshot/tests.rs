mod evolution;

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::{File, SkillName, Snapshot};
use crate::catalog::Catalog;
use crate::gate::permission::Cell;
use crate::gate::record::ToolId;
use crate::tool::Tool;

const ID: &str = "efirm.matter-db.create-matter";

static OWN: LazyLock<Vec<Tool>> = LazyLock::new(|| Catalog::load().unwrap().tools().to_vec());

fn record() -> Value {
    let example = include_str!("../record/create-matter.json");
    let mut value: Value = serde_json::from_str(example).unwrap();
    value["execution"] = json!({ "upstream": "practice" });
    value["prerequisites"] = json!([]);
    value
}

fn file(path: &str, value: &Value) -> File {
    (path.to_owned(), value.to_string())
}

fn config() -> Value {
    json!({ "upstreams": { "practice": {
        "kind": "mcp-stdio", "command": { "env": "PRACTICE" }, "arguments": ["stdio"] } } })
}

fn skill() -> Value {
    json!({ "skill": "flow", "skill_version": "1.0", "permitted_tools": [
        { "tool": ID, "version": ">=1.1, <2" }] })
}

/// A registry that loads, until something about it is broken.
fn files(change: impl FnOnce(&mut Vec<(&str, Value)>)) -> Vec<File> {
    let mut files = vec![
        ("registry.json", config()),
        ("skills/flow.json", skill()),
        ("tools/create.json", record()),
    ];
    change(&mut files);
    files.iter().map(|(path, value)| file(path, value)).collect()
}

fn faults(files: &[File], own: &[Tool], before: Option<&Snapshot>) -> Vec<String> {
    let faults = Snapshot::load(files, own, before).err().unwrap_or_default();
    faults.iter().map(ToString::to_string).collect()
}

/// What is told of parts that are held less strictly, or more.
fn told(snapshot: &Snapshot) -> Vec<String> {
    let told = snapshot.warnings().iter().filter(|it| it.message.contains("ened: "));
    told.map(ToString::to_string).collect()
}

#[test]
fn a_sound_folder_loads_under_an_id_of_its_text() {
    let first = Snapshot::load(&files(|_| {}), &OWN, None).unwrap();
    let again = Snapshot::load(&files(|_| {}), &[], Some(&first)).unwrap();
    assert_eq!((first.id(), first.id().len()), (again.id(), 20));
    let id = first.named("create_matter").unwrap();
    let skill = first.skill(&SkillName::parse("flow@1.0").unwrap()).unwrap();
    let governed = first.resolve(id, skill.permitted.get(id)).unwrap();
    assert_eq!(governed.place(), Some(("practice", "create_matter")));
    assert_eq!(governed.tool.title, "Create matter");
    assert!(first.skill(&SkillName::parse("flow@1.1").unwrap()).is_none());
    let other = files(|it| it[2].1["version"] = "1.3".into());
    assert_ne!(Snapshot::load(&other, &[], Some(&first)).unwrap().id(), first.id());
}

#[test]
fn the_highest_version_in_use_is_chosen_and_withdrawn_ones_are_passed_over() {
    let load = |withdrawn: Value| {
        let files = files(|it| {
            for (path, version) in [("tools/9.json", "1.9"), ("tools/10.json", "1.10")] {
                let mut record = record();
                record["version"] = version.into();
                it.push((path, record));
            }
            it[0].1["withdrawn"] = withdrawn;
        });
        let snapshot = Snapshot::load(&files, &[], None).unwrap();
        let id = ToolId::parse(ID).unwrap();
        snapshot.resolve(&id, None).unwrap().record.version.to_string()
    };
    assert_eq!(load(json!([])), "1.10");
    assert_eq!(load(json!([format!("{ID}@1.10")])), "1.9");
}

type Change = fn(&mut Vec<(&str, Value)>);

/// What is changed, and how the first fault begins.
const BROKEN: &[(Change, &str)] = &[
    (|it| drop(it.remove(0)), "registry.json#: this file is missing"),
    (|it| it[0].1 = json!({}), "registry.json#/upstreams: `upstreams` is missing"),
    (
        |it| it[0].1["upstreams"]["practice"] = json!({ "kind": "rest", "url": "http://x" }),
        "registry.json#/upstreams/practice/tools: an upstream of kind `rest` needs `tools`",
    ),
    (
        |it| it[0].1["upstreams"]["practice"]["url"] = "http://x".into(),
        "registry.json#/upstreams/practice/url: an upstream of kind `mcp-stdio` has no `url`",
    ),
    (
        |it| it[0].1["withdrawn"] = json!(["a.b@1.0"]),
        "registry.json#/withdrawn/0: `a.b@1.0` is no stored version",
    ),
    (
        |it| it[0].1["grants"] = json!({ "matter:archive": { "partner": "held" } }),
        "registry.json#/grants/matter:archive: the permissions of `matter` are the product's own",
    ),
    (
        |it| it[0].1["grants"] = json!({ "admin:use": { "partner": "held" } }),
        "registry.json#/grants/admin:use: the permissions of `admin` are the product's own",
    ),
    (
        |it| it[0].1["grants"] = json!({ "wiki:*": { "partner": "held" } }),
        "registry.json#/grants: one of the names has another form",
    ),
    (
        |it| it[0].1["grants"] = json!({ "wiki:read": { "judge": "held" } }),
        "registry.json#/grants/wiki:read/judge: `judge` is no role",
    ),
    (
        |it| it[0].1["grants"] = json!({ "wiki:read": { "partner": { "approved_by": "judge" } } }),
        "registry.json#/grants/wiki:read/partner/approved_by: `judge` is no role",
    ),
    (
        |it| it[0].1["grants"] = json!({ "wiki:read": { "partner": "some" } }),
        "registry.json#/grants/wiki:read/partner: this text has another form",
    ),
    (
        |it| it[2].1["permissions_required"] = json!(["scope:write"]),
        "tools/create.json#/permissions_required: a credential alone lets its bearer change",
    ),
    (
        |it| it[2].1["permissions_required"] = json!(["wiki:write"]),
        "tools/create.json#/permissions_required/0: nobody can hold `wiki:write`",
    ),
    (
        |it| it[1].1["permitted_tools"] = json!(["efirm.matter-db.creat-matter"]),
        "skills/flow.json#/permitted_tools/0: `efirm.matter-db.creat-matter` is no tool",
    ),
    (
        |it| it[1].1["permitted_tools"][0]["version"] = ">=2".into(),
        "skills/flow.json#/permitted_tools/0: no version of `efirm.matter-db.create-matter`",
    ),
    (
        |it| it[1].1["permitted_tools"][0]["version"] = "newest".into(),
        "skills/flow.json#/permitted_tools/0/version: these are no bounds of versions",
    ),
    (
        |it| it[1].1["permissions"] = json!(["matter:create", "matter:fly"]),
        "skills/flow.json#/permissions/1: nobody can hold `matter:fly`",
    ),
    (
        |it| it[2].1["execution"]["upstream"] = "other".into(),
        "tools/create.json#/execution/upstream: registry.json has no upstream `other`",
    ),
    (
        |it| drop(it[2].1.as_object_mut().unwrap().remove("execution")),
        "tools/create.json#/execution/upstream: nothing carries this out",
    ),
    (|it| it[2].1["facet"] = "drawing".into(), "tools/create.json#/facet: `drawing` is no facet"),
    (
        |it| it.push(("skills/again.json", skill())),
        "skills/again.json#/skill_version: another file binds the same version",
    ),
    (
        |it| {
            let mut narrower = record();
            narrower["version"] = "1.9".into();
            narrower["input_schema"]["properties"]["matter_type"] = json!({ "type": "integer" });
            it.push(("tools/next.json", narrower));
        },
        "tools/next.json#/input_schema/properties/matter_type/type: callers of version 1.",
    ),
];

#[test]
fn every_fault_names_its_file_its_place_and_the_mend() {
    for (change, begin) in BROKEN {
        let found = faults(&files(change), &[], None);
        assert!(found.iter().any(|it| it.starts_with(begin)), "{begin}\n{found:#?}");
        assert!(found.iter().all(|it| it.contains("; ")), "{found:?}");
    }
    let found = faults(&files(|it| it[2].1["name"] = "dsail_check".into()), &OWN, None);
    assert!(found[0].starts_with("tools/create.json#/name: another tool has this name"));
}

/// A skill lists the product's own tools like any other, in versions that there are.
#[test]
fn skills_list_own_tools_too() {
    let listing =
        |tool: Value| files(|it| it[1].1["permitted_tools"].as_array_mut().unwrap().push(tool));
    for tool in [json!("dsail.check"), json!({ "tool": "dsail.check", "version": ">=1, <2" })] {
        let loaded = Snapshot::load(&listing(tool), &OWN, None).unwrap();
        let skill = loaded.skill(&SkillName::parse("flow@1.0").unwrap()).unwrap();
        assert!(skill.permitted.contains_key(&ToolId::parse("dsail.check").unwrap()));
    }
    for (tool, fault) in [
        (json!("dsail.no-such"), "`dsail.no-such` is no tool of this registry"),
        (
            json!({ "tool": "dsail.check", "version": ">=1.1" }),
            "`dsail.check` has version 1.0, which lies outside the bounds",
        ),
    ] {
        let found = faults(&listing(tool), &OWN, None);
        assert_eq!(
            found,
            [format!("skills/flow.json#/permitted_tools/1: {fault}; correct it, or remove it")]
        );
    }
}

/// A tool of this id and name, and where it takes what the product keeps for its own tools.
const KEPT: &[(&str, &str, &[&str])] = &[
    ("dsail.rulesets.count", "count_rulesets", &["/category"]),
    ("law.corpus.find", "law_find", &["/name", "/category"]),
    ("assay.desk.open", "open_desk", &["/category"]),
    ("archive.box.open", "dsail_open", &["/name"]),
    ("archive.box.open", "law_open", &["/name"]),
    ("archive.box.open", "open_spam_box", &["/name"]),
    ("archive.box.open", "list_spam_senders", &["/name"]),
    // The name that a model reads ends in `_spam_v2`.
    ("archive.box.open:v2", "open_spam", &["/name"]),
    // Near misses.
    ("archive.box.open", "open_spam", &[]),
    ("archive.box.open", "spam_open", &[]),
    ("archive.box.open", "lawful_open", &[]),
    ("dsail-archive.box.open", "open_dsail_box", &[]),
];

#[test]
fn what_the_product_keeps_for_its_own_tools_is_refused() {
    for (id, name, places) in KEPT {
        let files = files(|it| {
            let (id, mut other) = (ToolId::parse(id).unwrap(), record());
            other["tool_id"] = id.to_string().into();
            other["category"] = id.category().into();
            other["name"] = (*name).into();
            other["version"] = format!("{}.0", id.major()).into();
            it.push(("tools/other.json", other));
        });
        let found = Snapshot::load(&files, &OWN, None).err().unwrap_or_default();
        let found: Vec<(&str, &str)> =
            found.iter().map(|it| (it.file.as_str(), it.pointer.as_str())).collect();
        let expected: Vec<(&str, &str)> =
            places.iter().map(|it| ("tools/other.json", *it)).collect();
        assert_eq!(found, expected, "{id} {name}");
    }
}

/// Tools that break a built-in constraint: the id, what its record says beside the example, what
/// registry.json says of it, and the fault.
const BUILT_IN: &[(&str, &str, &str, &str)] = &[
    ("efirm-finance.ledger.transfer", "{}", "{}", "/tool_id: this says that the tool moves money"),
    (
        "efirm-finance.ledger.transfer:v2",
        r#"{"org_scoped": false, "enabled": false}"#,
        r#"{"unscoped": ["efirm-finance.ledger.transfer:v2"],
            "withdrawn": ["efirm-finance.ledger.transfer:v2@2.0"]}"#,
        "/tool_id: this says that the tool moves money",
    ),
    ("dms.document.delete", "{}", "{}", "/approval/count: removing a document takes two persons"),
    (
        "dms.document.delete:v3",
        r#"{"approval": {"count": 1, "roles_any": ["partner"], "ttl_s": 600}}"#,
        r#"{"withdrawn": ["dms.document.delete:v3@3.0"]}"#,
        "/approval/count: removing a document takes two persons",
    ),
    ("email.send", "{}", "{}", "/confirmation: what leaves the firm is confirmed by a person"),
    (
        "esign.initiate:v2",
        r#"{"org_scoped": false, "confirmation": "none"}"#,
        r#"{"unscoped": ["esign.initiate:v2"]}"#,
        "/confirmation: what leaves the firm is confirmed by a person",
    ),
    (
        "efirm-finance.trust-account.post",
        r#"{"permissions_required": ["trust-account:write"]}"#,
        "{}",
        "/session_requirements/roles_any: a trust account is changed by finance staff alone",
    ),
    (
        "efirm-finance.trust-account.post",
        r#"{"permissions_required": ["trust-account:write"], "kill_switch": true,
            "session_requirements": {"roles_any": ["finance"]},
            "approval": {"count": 2, "roles_any": ["finance"], "ttl_s": 600}}"#,
        r#"{"withdrawn": ["efirm-finance.trust-account.post@1.0"]}"#,
        "/session_requirements/principal: a trust account is changed by a person",
    ),
    (
        "efirm-finance.trust-account.post:v2",
        r#"{"permissions_required": ["trust-account:write"], "org_scoped": false,
            "session_requirements": {"principal": "user", "roles_any": ["finance"]},
            "approval": {"count": 1, "roles_any": ["finance"], "ttl_s": 600}}"#,
        r#"{"unscoped": ["efirm-finance.trust-account.post:v2"]}"#,
        "/approval/count: changing a trust account takes two signatures",
    ),
    (
        "efirm.client-db.create-client",
        "{}",
        "{}",
        "/prerequisites: a client is taken on only after",
    ),
    (
        "efirm.client-db.create-client:v2",
        r#"{"org_scoped": false}"#,
        r#"{"unscoped": ["efirm.client-db.create-client:v2"],
            "withdrawn": ["efirm.client-db.create-client:v2@2.0"]}"#,
        "/prerequisites: a client is taken on only after",
    ),
];

#[test]
fn no_configuration_loads_what_breaks_a_built_in_constraint() {
    let merge = |into: &mut Value, text: &str| {
        let more: Value = serde_json::from_str(text).unwrap();
        for (key, value) in more.as_object().unwrap() {
            into[key] = value.clone();
        }
    };
    for (id, changes, settings, fault) in BUILT_IN {
        let files = files(|it| {
            let (id, mut broken) = (ToolId::parse(id).unwrap(), record());
            broken["tool_id"] = id.to_string().into();
            broken["category"] = id.category().into();
            broken["name"] = id.path().replace(['.', '-'], "_").into();
            broken["version"] = format!("{}.0", id.major()).into();
            broken["description"] = "Does what its name says.".into();
            merge(&mut broken, changes);
            it.push(("tools/broken.json", broken));
            merge(&mut it[0].1, settings);
        });
        let found = faults(&files, &[], None);
        let expected = format!("tools/broken.json#{fault}");
        assert!(found.iter().any(|it| it.starts_with(&expected)), "{expected}\n{found:#?}");
        // What registry.json says holds, and mends nothing else.
        let other = |it: &&String| it.contains("/org_scoped") || it.contains("/withdrawn");
        assert_eq!(found.iter().find(other), None, "{id}");
    }
}

#[test]
fn a_reload_keeps_the_promises_of_what_it_replaces() {
    let before = Snapshot::load(&files(|_| {}), &[], None).unwrap();
    let narrower =
        files(|it| it[2].1["input_schema"]["properties"]["matter_type"] = json!({"type": "null"}));
    assert!(faults(&narrower, &[], None).is_empty());
    let found = faults(&narrower, &[], Some(&before));
    assert!(found[0].contains("callers of version"), "{found:?}");
}

#[test]
fn an_operator_adds_permissions_of_the_own() {
    let granted = |grants: &Value| {
        files(|it| {
            it[0].1["grants"] = json!({ "wiki:write": grants });
            it[1].1["permissions"] = json!(["wiki:write"]);
            it[2].1["permissions_required"] = json!(["wiki:write"]);
        })
    };
    let first = json!({ "associate": { "approved_by": "partner" }, "partner": "held" });
    let before = Snapshot::load(&granted(&first), &[], None).unwrap();
    for (role, cell) in
        [("associate", Cell::Approved("partner")), ("partner", Cell::Held), ("finance", Cell::No)]
    {
        assert_eq!(before.grants().held("wiki:write", &[role]), cell, "{role}");
    }
    let second = json!({ "associate": "held", "partner": "two_signatures",
        "finance": { "approved_by": "admin" } });
    let after = Snapshot::load(&granted(&second), &[], Some(&before)).unwrap();
    assert_eq!(after.grants().held("wiki:write", &["partner"]), Cell::Signed("partner"));
    let lines = ["associate: loosened: the", "partner: tightened: the", "finance: loosened: the"];
    let lines = lines.map(|it| format!("registry.json#/grants/wiki:write/{it} role has"));
    let told = told(&after);
    assert_eq!(told.len(), lines.len(), "{told:#?}");
    assert!(told.iter().zip(&lines).all(|(it, line)| it.starts_with(line)), "{told:#?}");
    // Where registry.json cannot be read, nothing that hangs on it is held against the others.
    let mut unread = granted(&first);
    unread[0].1 = "{".to_owned();
    let found = faults(&unread, &[], None);
    assert!(found.len() == 1 && found[0].starts_with("registry.json#: "), "{found:#?}");
}

/// An empty list denies everything on purpose; a list that was forgotten is a mistake.
#[test]
fn a_skill_says_what_it_permits_even_where_that_is_nothing() {
    let nothing = files(|it| it[1].1["permitted_tools"] = json!([]));
    let snapshot = Snapshot::load(&nothing, &[], None).unwrap();
    let skill = snapshot.skill(&SkillName::parse("flow@1.0").unwrap()).unwrap();
    assert!(skill.permitted.is_empty());
    let forgotten = files(|it| drop(it[1].1.as_object_mut().unwrap().remove("permitted_tools")));
    let expected = "skills/flow.json#/permitted_tools: `permitted_tools` is missing; state it";
    assert_eq!(faults(&forgotten, &[], None), [expected]);
}

/// A second upstream, and a tool of this name that runs there.
fn with_second_upstream(name: &str) -> Vec<File> {
    files(|it| {
        let mut archive = record();
        archive["tool_id"] = "archive.box.open".into();
        archive["category"] = "archive".into();
        archive["name"] = name.into();
        archive["execution"]["upstream"] = "archive/open".into();
        it.push(("tools/archive.json", archive));
        it[0].1["upstreams"]["archive"] =
            json!({ "kind": "mcp-http", "url": "https://archive.example/mcp" });
    })
}

#[test]
fn a_second_upstream_leaves_the_tools_of_the_first_alone() {
    let before = Snapshot::load(&files(|_| {}), &[], None).unwrap();
    let after = Snapshot::load(&with_second_upstream("open_box"), &[], Some(&before)).unwrap();
    for (id, versions) in before.tools() {
        let name = versions[0].record.wire_name();
        assert_eq!((before.named(&name), after.named(&name)), (Some(id), Some(id)));
        let [old, new] = [&before, &after].map(|it| it.resolve(id, None).unwrap());
        assert_eq!(
            (&old.tool.definition_hash, old.place()),
            (&new.tool.definition_hash, new.place())
        );
        assert_eq!(before.stored(id), after.stored(id));
    }
    let id = after.named("open_box").unwrap();
    assert_eq!(after.resolve(id, None).unwrap().place(), Some(("archive", "open")));
    assert_eq!((before.tools().count(), after.tools().count()), (1, 2));
    // The name of a tool that runs elsewhere is taken all the same.
    let found = faults(&with_second_upstream("create_matter"), &[], Some(&before));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("#/name: `archive.box.open` has the same name"), "{found:?}");
}
