//! Every call of an own tool is on record: counted where it changes nothing, one by one where it
//! does.

#![expect(clippy::unwrap_used, reason = "what a test cannot do without fails the test")]
#![expect(clippy::indexing_slicing, reason = "what a test cannot do without fails the test")]

use assay_core::{Cancel, Credentials, Data, Door, Service, Settings};
use serde_json::{Value, json};

const SOURCE: &str = "declare count as numeric; assert few { count <= 3 };";

/// The entries of a chain: event, tool, result, code and number of calls.
fn entries(file: &std::path::Path, chain: &str) -> Vec<(String, String, String, Value, Value)> {
    let data = rusqlite::Connection::open(file).unwrap();
    let query = "SELECT record FROM audit_entry WHERE chain = ?1 ORDER BY sequence";
    let mut rows = data.prepare(query).unwrap();
    let texts = rows.query_map((chain,), |row| row.get::<_, String>(0)).unwrap();
    let entry = |text: String| {
        let it: Value = serde_json::from_str(&text).unwrap();
        let word = |place: &str| it.pointer(place).unwrap().as_str().unwrap().to_owned();
        let (code, calls) = (it["action"]["error_code"].clone(), it["output"]["calls"].clone());
        (word("/event_type"), word("/resource/id"), word("/action/result"), code, calls)
    };
    texts.map(|it| entry(it.unwrap())).collect()
}

/// The name of a tool, the version and effect of its record, and the length of its address.
type Named = (String, Option<String>, Option<String>, Option<u32>);

/// Every tool that entries name.
fn named(file: &std::path::Path) -> Vec<Named> {
    let data = rusqlite::Connection::open(file).unwrap();
    let query = "SELECT DISTINCT json_extract(record, '$.resource.name') AS name,
        json_extract(record, '$.tool.tool_version'), json_extract(record, '$.tool.effect'),
        length(json_extract(record, '$.tool.definition_hash'))
        FROM audit_entry WHERE chain = 'personal-owner' ORDER BY name";
    let mut rows = data.prepare(query).unwrap();
    let named = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
    rows.query_map((), named).unwrap().map(Result::unwrap).collect()
}

#[test]
fn every_call_is_on_record() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("assay.db");
    let service =
        Service::open(Settings { data: Data::File(file.clone()), ..Settings::default() }).unwrap();
    let caller = service.local(Door::CommandLine).unwrap();
    let call = |tool: &str, arguments: Value| {
        let reply = service.call(&caller, tool, &arguments.to_string(), &Cancel::new());
        reply.failure.map(|it| it.word())
    };
    let check = json!({ "source": SOURCE, "claims": { "count": 2 } });
    for _ in 0..5 {
        assert_eq!(call("dsail_check", check.clone()), None);
    }
    assert_eq!(call("dsail_check", json!({})), Some("BAD_REQUEST"));
    assert_eq!(call("dsail_chekc", json!({})), Some("UNKNOWN_TOOL"));
    let save = json!({ "name": "few", "source": SOURCE });
    assert_eq!(call("dsail_save_ruleset", save), None);
    assert_eq!(call("dsail_save_ruleset", json!({ "name": "" })), Some("BAD_REQUEST"));
    let stranger = Credentials { bearer: Some("assay_key_unknown"), key: None };
    assert!(service.caller(Door::Rest, &stranger).is_err());
    drop((caller, service));
    let found = entries(&file, "personal-owner");
    let entry = |event: &str, tool: &str, code: Option<&str>, calls: u64| {
        let result = if code.is_some() { "failure" } else { "success" };
        let (event, tool) = (event.to_owned(), tool.to_owned());
        (event, tool, result.to_owned(), json!(code), json!(calls))
    };
    let one_by_one = [
        entry("tool.dispatching", "dsail.save-ruleset", None, 1),
        entry("tool.invoked", "dsail.save-ruleset", None, 1),
        entry("tool.dispatching", "dsail.save-ruleset", None, 1),
        entry("tool.invoked", "dsail.save-ruleset", Some("BAD_REQUEST"), 1),
    ];
    let saved: Vec<_> = found.iter().filter(|it| it.1 == "dsail.save-ruleset").cloned().collect();
    assert_eq!(saved, one_by_one);
    // Each names the tool as its record does; a name that is no tool's has none.
    let own =
        |name: &str| (name.to_owned(), Some("1.0".to_owned()), Some("write".to_owned()), Some(64));
    let strange = ("dsail_chekc".to_owned(), None, None, None);
    assert_eq!(named(&file), [own("dsail_check"), strange, own("dsail_save_ruleset")]);
    // However the seconds fell, the numbers add up.
    let sum = |event: &str, tool: &str, code: Option<&str>| -> u64 {
        let same = |it: &&(String, String, String, Value, Value)| {
            it.0 == event && it.1 == tool && it.3 == json!(code)
        };
        found.iter().filter(same).map(|it| it.4.as_u64().unwrap()).sum()
    };
    assert_eq!(sum("tool.invoked", "dsail.check", None), 5);
    assert_eq!(sum("tool.invoked", "dsail.check", Some("BAD_REQUEST")), 1);
    assert_eq!(sum("tool.denied", "dsail.chekc", Some("UNKNOWN_TOOL")), 1);
    let strangers = entries(&file, "installation");
    let stranger = entry("tool.denied", "assay.credential", Some("CREDENTIAL_INVALID"), 1);
    assert!(strangers.contains(&stranger), "{strangers:?}");
}
