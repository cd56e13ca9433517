//! `docs/effects.md` against what happens: every tool is run, and everything that it could have
//! touched is looked at before and after.
#![expect(clippy::unwrap_used, reason = "a test ends where its setting fails")]

#[path = "support/observed.rs"]
mod observed;
#[expect(dead_code, reason = "what the server says on standard error is no effect")]
#[path = "support/server.rs"]
mod server;
#[expect(dead_code, reason = "the server runs on until the test ends")]
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use rusqlite::{Connection, OpenFlags};
use serde_json::{Map, Value, json};
use server::Server;
use support::{EXPENSES, command, folder};

const PAGE: &str = include_str!("../../../docs/effects.md");
/// The calls, in their order. `$word` stands for what an earlier answer held.
const CALLS: &str = include_str!("support/effects.json");

/// Rules that only the solver can decide while nothing is known.
const NEEDS_SOLVER: &str = include_str!("../../../fixtures/calls/sources/solver.dsail");

/// What finding out who calls reads, whatever the tool.
const CALLER: [&str; 7] =
    ["converter", "membership", "person", "practice_role", "stop", "stop_change", "workspace"];

/// Where every call leaves its record.
const LOG: [&str; 2] = ["audit_checkpoint", "audit_entry"];

/// One call of every tool that would succeed after all of those, whatever the others did.
const PROBES: &str = include_str!("support/probes.json");

/// What the page says of one tool.
#[derive(Debug, Default, PartialEq, Eq)]
struct Effects {
    reads: BTreeSet<String>,
    writes: BTreeSet<String>,
    spends: bool,
    /// Whether the solver may translate, and whether it may solve.
    solver: [bool; 2],
    person: bool,
    /// Whether there is no call without its record.
    ahead: bool,
}

/// The rows of the page's tables with this many columns, headings left out.
fn rows(columns: usize) -> Vec<Vec<&'static str>> {
    let cells = PAGE.lines().filter_map(|it| it.strip_prefix('|')?.strip_suffix('|'));
    let cells = cells.map(|it| it.split('|').map(str::trim).collect::<Vec<_>>());
    cells.filter(|it| it.len() == columns && it.iter().any(|it| it.starts_with('`'))).collect()
}

fn code(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn matrix() -> BTreeMap<String, Effects> {
    let effects = |row: Vec<&str>| {
        let [tool, reads, writes, allowance, solver, sockets, person, record] =
            row.try_into().unwrap();
        assert_eq!(sockets, "none", "{tool}");
        let one_of = |cell: &str, words: &[&str]| {
            assert!(words.contains(&cell), "{tool}: `{cell}` is none of {words:?}");
            cell != "no"
        };
        one_of(solver, &["no", "translates", "solves"]);
        let effects = Effects {
            reads: code(reads),
            writes: code(writes),
            spends: one_of(allowance, &["no", "spends"]),
            solver: [solver != "no", solver == "solves"],
            person: one_of(person, &["no", "yes"]),
            ahead: record == "ahead",
        };
        (tool.trim_matches('`').to_owned(), effects)
    };
    rows(8).into_iter().map(effects).collect()
}

/// A folder with the data, and one that stands for everything else.
struct Place {
    data: PathBuf,
    elsewhere: PathBuf,
}

impl Place {
    fn new(name: &str) -> Self {
        let folder = folder(name);
        let place = Self { data: folder.join("data"), elsewhere: folder.join("elsewhere") };
        fs::create_dir(&place.elsewhere).unwrap();
        place
    }

    fn command(&self, name: &str) -> Command {
        let mut command = command();
        for variable in ["HOME", "TMPDIR", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
            command.env(variable, &self.elsewhere);
        }
        command.env("ASSAY_ALLOWANCE", "1000").env("ASSAY_SOLVER_THREADS", "1");
        command.current_dir(&self.elsewhere).stdout(Stdio::null());
        command.args([name, "--data"]).arg(&self.data);
        command
    }

    fn serve(&self) -> Server {
        Server::start(self.command("serve").args(["--http", "127.0.0.1:0"]))
    }

    fn open(&self, flags: OpenFlags) -> Connection {
        Connection::open_with_flags(self.data.join("assay.db"), flags).unwrap()
    }

    /// The rows of every table.
    fn tables(&self) -> BTreeMap<String, BTreeSet<String>> {
        let database = self.open(OpenFlags::SQLITE_OPEN_READ_ONLY);
        let list = "SELECT name FROM sqlite_schema
            WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'migration'";
        let mut list = database.prepare(list).unwrap();
        let names = list.query_map((), |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap);
        let table = |name: String| {
            let mut all = database.prepare(&format!("SELECT * FROM \"{name}\"")).unwrap();
            let columns = all.column_count();
            let row = |row: &rusqlite::Row<'_>| {
                let cells = (0..columns).map(|it| row.get_ref(it).map(|it| format!("{it:?}")));
                cells.collect::<rusqlite::Result<Vec<_>>>().map(|it| it.join(" "))
            };
            let rows = all.query_map((), row).unwrap().map(Result::unwrap).collect();
            (name, rows)
        };
        names.map(table).collect()
    }
}

/// The answer to a call of a tool over MCP, as `credential`.
fn call(server: &Server, tool: &str, arguments: &Value, credential: Option<&str>) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let credential = credential.map(|it| format!("authorization: Bearer {it}\r\n"));
    let headers = format!(
        "mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: {tool}\r\n{}",
        credential.unwrap_or_default()
    );
    let answer = server.post("/mcp", &headers, &message);
    let payload = answer.pointer("/result/structuredContent").cloned();
    payload.unwrap_or_else(|| answer.get("error").cloned().unwrap_or(answer))
}

/// Names of rulesets that differ.
const NTH: [&str; 8] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

/// What answers held, by the words that later calls use for it.
struct Known(BTreeMap<String, Value>);

impl Known {
    fn new() -> Self {
        let source = |nth: &str| json!(EXPENSES.replace("within_cap", &format!("within_{nth}")));
        let claims = json!({"amount": "unknown", "has_receipt": true, "category": "unknown"});
        let sources = NTH.map(|it| (it.to_owned(), source(it)));
        let others = [("claims".to_owned(), claims), ("solver".to_owned(), json!(NEEDS_SOLVER))];
        Self(sources.into_iter().chain(others).collect())
    }

    /// `value` with every `$word` replaced.
    fn filled(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => match text.strip_prefix('$') {
                Some(word) => self.0.get(word).unwrap().clone(),
                None => value.clone(),
            },
            Value::Object(members) => {
                let filled = members.iter().map(|(key, it)| (key.clone(), self.filled(it)));
                Value::Object(filled.collect::<Map<_, _>>())
            }
            _ => value.clone(),
        }
    }

    fn keep(&mut self, step: &Value, answer: &Value) {
        for (word, place) in step.get("keep").and_then(Value::as_object).into_iter().flatten() {
            let found = answer.pointer(place.as_str().unwrap()).unwrap();
            self.0.insert(word.clone(), found.clone());
        }
    }
}

/// Runs one step and says which tool it called.
fn run(server: &Server, known: &mut Known, step: &Value) -> Option<String> {
    let answer = match step.get("accept") {
        Some(body) => server.post("/v1/invitations/accept", "", &known.filled(body)),
        None => {
            let tool = step.get("tool").unwrap().as_str().unwrap();
            let caller = step.get("as").map(|it| known.filled(it));
            let caller = caller.as_ref().map(|it| it.as_str().unwrap());
            call(server, tool, &known.filled(step.get("arguments").unwrap()), caller)
        }
    };
    assert_eq!(answer.get("ok"), Some(&json!(true)), "{step}\n{answer}");
    known.keep(step, &answer);
    step.get("tool").map(|it| it.as_str().unwrap().to_owned())
}

fn port(server: &Server) -> Option<u16> {
    server.address.rsplit_once(':').and_then(|it| it.1.parse().ok())
}

/// What a tool was seen to do over all of its calls. Returns what the answers held.
fn observe(place: &Place, seen: &mut BTreeMap<String, Effects>) -> Known {
    let steps: Vec<Value> = serde_json::from_str(CALLS).unwrap();
    let mut known = Known::new();
    let mut server = place.serve();
    for step in &steps {
        if step.get("restart").is_some() {
            drop(server);
            server = place.serve();
            continue;
        }
        let process = server.child.id();
        observed::idle(process);
        let (tables, solver) = (place.tables(), observed::solver(process));
        let Some(tool) = run(&server, &mut known, step) else { continue };
        let effects = seen.entry(tool.clone()).or_default();
        let changed = place.tables().into_iter().filter(|it| tables.get(&it.0) != Some(&it.1));
        let changed = changed.map(|it| it.0).filter(|it| !LOG.contains(&&**it));
        effects.writes.extend(changed);
        effects.spends |= effects.writes.contains("usage");
        let woken = observed::solver(process).into_iter().zip(solver);
        for (flag, (now, then)) in effects.solver.iter_mut().zip(woken) {
            *flag |= now > then;
        }
        assert_eq!(observed::sockets(process, port(&server)), [""; 0], "{tool}");
        assert_eq!(observed::written(process, &place.data), Vec::<PathBuf>::new(), "{tool}");
    }
    let key = known.filled(&json!("$key"));
    for (tool, effects) in seen.iter_mut() {
        let refused = call(&server, tool, &json!({}), key.as_str());
        effects.person = refused.to_string().contains("CREDENTIAL_SCOPE");
    }
    known
}

/// The tools whose probe fails where `table` is hidden, with what the failure said; without a name
/// nothing is hidden.
fn without(place: &Place, known: &Known, table: &str) -> BTreeMap<String, Value> {
    let hidden = Place::new(&format!("effects_without_{table}"));
    fs::create_dir(&hidden.data).unwrap();
    for file in observed::files(&place.data) {
        fs::copy(place.data.join(&file), hidden.data.join(&file)).unwrap();
    }
    // What refers to the table goes on referring to its name.
    const KEEP: &str = "PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON;";
    let hide = match table {
        "" => String::new(),
        _ => format!("{KEEP} ALTER TABLE \"{table}\" RENAME TO hidden;"),
    };
    hidden.open(OpenFlags::SQLITE_OPEN_READ_WRITE).execute_batch(&hide).unwrap();
    let server = hidden.serve();
    let probes: Vec<Value> = serde_json::from_str(PROBES).unwrap();
    let failed = probes.iter().filter_map(|probe| {
        let tool = probe.get("tool").unwrap().as_str().unwrap();
        let answer = call(&server, tool, &known.filled(probe.get("arguments").unwrap()), None);
        (answer.get("ok") != Some(&json!(true))).then(|| (tool.to_owned(), answer))
    });
    failed.collect()
}

/// A tool that reads or writes a table fails without it, and one that does neither does not.
fn compare_reads(place: &Place, known: &Known, said: &BTreeMap<String, Effects>) {
    let mut faults = Vec::new();
    // Signing waits for its table; nothing else does.
    let tables = place.tables().into_keys().filter(|it| it != "audit_checkpoint");
    let tables = [String::new()].into_iter().chain(tables);
    let failed: Vec<_> = thread::scope(|scope| {
        let hide = |it: String| (it.clone(), scope.spawn(move || without(place, known, &it)));
        let running: Vec<_> = tables.map(hide).collect();
        running.into_iter().map(|(table, it)| (table, it.join().unwrap())).collect()
    });
    for (table, failed) in failed {
        for (tool, answer) in &failed {
            let code =
                if table == "audit_entry" { "AUDIT_UNAVAILABLE" } else { "STORE_UNAVAILABLE" };
            assert!(answer.to_string().contains(code), "{table} {tool} {answer}");
        }
        let needs = |(tool, it): (&String, &Effects)| {
            let named = it.reads.contains(&table) || it.writes.contains(&table);
            let recorded = it.ahead && table == "audit_entry";
            (named || recorded || CALLER.contains(&&*table)).then(|| tool.clone())
        };
        let said: BTreeSet<String> = said.iter().filter_map(needs).collect();
        let seen: BTreeSet<String> = failed.into_keys().collect();
        if seen != said {
            faults.push(format!("`{table}`: without it fail {seen:?}, by the page {said:?}"));
        }
    }
    assert_eq!(faults, [""; 0]);
}

#[test]
fn every_tool_does_what_the_page_says() {
    let place = Place::new("effects");
    let mut seen = BTreeMap::new();
    let known = observe(&place, &mut seen);
    let mut said = matrix();
    compare_reads(&place, &known, &said);
    for it in said.values_mut() {
        it.reads.clear();
        it.ahead = false;
    }
    assert_eq!(seen.keys().collect::<Vec<_>>(), said.keys().collect::<Vec<_>>());
    for (tool, effects) in &seen {
        assert_eq!(Some(effects), said.get(tool), "{tool}: seen, and said by docs/effects.md");
    }
    let tables: Vec<String> = place.tables().into_keys().collect();
    let listed: Vec<String> = rows(2).iter().flat_map(|it| code(it.first().unwrap())).collect();
    assert_eq!(listed, tables, "the tables of the page and those of the file");
    let files: Vec<_> = observed::files(&place.data).into_iter().collect();
    let keys = ["audit.key", "audit.key.pub"];
    assert_eq!(files, [&["assay.db", "assay.db-shm", "assay.db-wal"][..], &keys].concat());
    assert_eq!(observed::files(&place.elsewhere), BTreeSet::new());
}

#[test]
fn over_standard_input_there_is_no_socket_at_all() {
    let place = Place::new("effects_stdio");
    // Where this test's own errors go is no file of the command's.
    let mut child = place
        .command("stdio")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let claims = json!({"loan": null, "value": null, "income": null, "insured": false});
    let arguments = json!({"source": NEEDS_SOLVER, "claims": claims});
    let params = json!({"name": "dsail_check", "arguments": arguments});
    let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    writeln!(stdin, "{call}").unwrap();
    let mut lines = BufReader::new(stdout).lines().map(Result::unwrap);
    let answer = lines.find(|it| it.contains("\"id\":7")).unwrap();
    assert!(answer.contains("four_fifths"), "{answer}");
    assert_eq!(observed::sockets(child.id(), None), [""; 0]);
    assert_eq!(observed::written(child.id(), &place.data), Vec::<PathBuf>::new());
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(observed::files(&place.elsewhere), BTreeSet::new());
    assert_eq!(
        observed::files(&place.data),
        BTreeSet::from(["assay.db", "audit.key", "audit.key.pub"].map(str::to_owned))
    );
}

/// What is looked for is found where it is.
#[test]
fn sockets_and_files_of_this_process_are_seen() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let _stream = std::net::TcpStream::connect(address).unwrap();
    let process = std::process::id();
    let shown = format!(":{:04X} ", address.port());
    let all = observed::sockets(process, None);
    assert!(all.iter().filter(|it| it.contains(&shown)).count() >= 2, "{all:?}");
    let strange = observed::sockets(process, Some(address.port()));
    assert!(strange.iter().any(|it| it.contains(&shown)), "the far end is an outbound socket");
    let folder = folder("effects_seen");
    let _file = fs::File::create(folder.join("open")).unwrap();
    assert!(observed::written(process, &folder.join("data")).contains(&folder.join("open")));
    assert!(!observed::written(process, &folder).contains(&folder.join("open")));
}
