//! What `assay init` makes of a folder, and what it leaves.
#![expect(clippy::unwrap_used, reason = "a test ends where its setting fails")]

#[expect(dead_code, reason = "rulesets are no business of this command")]
mod support;

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use support::{Run, command, folder, run_with};

/// A folder with these files.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = folder(name);
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Every file below `folder`, links as what they lead to by name, with its bytes.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let (path, kind) = entry.map(|it| (it.path(), it.file_type().unwrap())).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if kind.is_symlink() {
            let target = fs::read_link(&path).unwrap();
            found.insert(name, target.to_str().unwrap().as_bytes().to_vec());
        } else if kind.is_dir() {
            found.insert(format!("{name}/"), Vec::new());
            let below = tree(&path).into_iter();
            found.extend(below.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

fn init(folder: &Path, arguments: &[&str]) -> Run {
    run_with(command().current_dir(folder).arg("init").args(arguments), b"")
}

#[track_caller]
fn succeeded(run: &Run, stdout: &str) {
    assert_eq!((run.exit, run.stderr.as_str(), run.stdout.as_str()), (Some(0), "", stdout));
}

const CREATED: &str = "\
created  .mcp.json
created  .claude/skills/assay/SKILL.md
created  .agents/skills/assay/SKILL.md
created  CLAUDE.md
created  AGENTS.md
";

#[test]
fn an_empty_folder_is_prepared_once() {
    let folder = project("init_empty", &[]);
    succeeded(&init(&folder, &[]), CREATED);
    let first = tree(&folder);
    let entry = "{\n  \"mcpServers\": {\n    \"assay\": {\n      \"command\": \"assay\",\n      \
                 \"args\": [\"stdio\"]\n    }\n  }\n}\n";
    assert_eq!(String::from_utf8_lossy(&first[".mcp.json"]), entry);
    assert_eq!(first.len(), 11, "five files, six folders and nothing else: {:?}", first.keys());
    succeeded(&init(&folder, &[]), &CREATED.replace("created", "unchanged"));
    let json = "{\"files\":[{\"change\":\"unchanged\",\"path\":\".mcp.json\"},\
                {\"change\":\"unchanged\",\"path\":\"CLAUDE.md\"}],\"ok\":true}";
    succeeded(&init(&folder, &["--json", "--no-skill", "--no-agents-md"]), json);
    assert_eq!(tree(&folder), first);
}

#[test]
fn the_folder_and_the_parts_can_be_chosen() {
    let folder = project("init_chosen", &[("sub/a.txt", "a")]);
    let lone = ["--no-skill", "--no-claude-md", "--no-agents-md"];
    let run = init(&folder, &[&["sub", "--url", "http://127.0.0.1:8725/"], &lone[..]].concat());
    succeeded(&run, "created  sub/.mcp.json\n");
    let entry: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.join("sub/.mcp.json")).unwrap()).unwrap();
    let expected = serde_json::json!({"type": "http", "url": "http://127.0.0.1:8725/mcp"});
    assert_eq!(entry["mcpServers"]["assay"], expected);
    succeeded(
        &init(&folder, &["sub", "--no-mcp", "--no-skill", "--no-claude-md"]),
        "created  sub/AGENTS.md\n",
    );
    let names: Vec<_> = tree(&folder).into_keys().collect();
    assert_eq!(names, ["sub/", "sub/.mcp.json", "sub/AGENTS.md", "sub/a.txt"]);
    let run = init(&folder, &[&["--no-mcp"], &lone[..]].concat());
    assert_eq!(run.exit, Some(1));
    assert!(run.stderr.contains("nothing is left to write"), "{}", run.stderr);
}

/// What a person wrote, and where in it the command puts its own.
const KEPT: &[(&str, &str, &str, &str)] = &[
    (
        ".mcp.json",
        "{\"b\": 1e400,\r\n\t\"mcpServers\": { \"x\" :{\"n\":0.10,\"s\":\"\\u00fc\"}",
        ", \"assay\" :{\"command\" :\"assay\",\"args\" :[\"stdio\"]}",
        " },\r\n\r\n\"a\":12345678901234567890.5 }",
    ),
    ("CLAUDE.md", "\u{feff}# Mine\r\n\r\nText \u{fc} \r\n", "\r\n{stanza}\r\n", ""),
    ("AGENTS.md", "@CLAUDE.md\n<!-- assay:start -->", "\n{stanza}\n", "<!-- assay:end --> more"),
    (".claude/skills/assay/SKILL.md", "---\nname: mine\n---\nMine.", "\n\n{stanza}\n", ""),
];

#[test]
fn what_a_person_wrote_stays() {
    let before: Vec<_> = KEPT.iter().map(|(path, a, _, b)| (*path, format!("{a}{b}"))).collect();
    let files: Vec<_> = before.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let folder = project("init_kept", &files);
    fs::set_permissions(folder.join("CLAUDE.md"), Permissions::from_mode(0o640)).unwrap();
    let run = init(&folder, &[]);
    let expected = "updated  .mcp.json\nupdated  .claude/skills/assay/SKILL.md\n\
                    created  .agents/skills/assay/SKILL.md\nupdated  CLAUDE.md\nupdated  AGENTS.md\n";
    succeeded(&run, expected);
    let after = tree(&folder);
    for (path, start, inserted, end) in KEPT {
        let text = String::from_utf8(after[*path].clone()).unwrap();
        let middle = text.strip_prefix(start).and_then(|it| it.strip_suffix(end));
        let middle = middle.unwrap_or_else(|| panic!("{path}: {text}"));
        match inserted.split_once("{stanza}") {
            None => assert_eq!(middle, *inserted),
            Some((before, behind)) => {
                assert!(middle.starts_with(before) && middle.ends_with(behind), "{middle:?}");
                let crlf = before.contains('\r');
                assert_eq!(middle.matches('\n').count() == middle.matches("\r\n").count(), crlf);
                assert!(middle.contains("UNKNOWN"), "{middle}");
            }
        }
    }
    let mode = fs::metadata(folder.join("CLAUDE.md")).unwrap().mode();
    assert_eq!(mode & 0o777, 0o640, "the permissions stay");
    assert_eq!(init(&folder, &[]).stdout.matches("unchanged").count(), 5);
    assert_eq!(tree(&folder), after);
}

#[test]
fn an_older_stanza_is_replaced() {
    let old = "a\n<!-- assay:start -->\nold words\n<!-- assay:end -->\nb\n";
    let folder = project("init_older", &[("AGENTS.md", old)]);
    let run = init(&folder, &["--no-mcp", "--no-skill", "--no-claude-md"]);
    succeeded(&run, "updated  AGENTS.md\n");
    let text = fs::read_to_string(folder.join("AGENTS.md")).unwrap();
    assert!(text.starts_with("a\n<!-- assay:start -->\n## "), "{text}");
    assert!(text.ends_with("\n<!-- assay:end -->\nb\n") && !text.contains("old words"), "{text}");
}

/// Files that cannot be used, and what is said about them.
const UNUSABLE: &[(&str, &str, &[&str])] = &[
    (
        ".mcp.json",
        "{\n  \"a\": 1,\n  oops\n}",
        &["`.mcp.json` is not JSON: key must be a string at line 3 column 3", "`--no-mcp`"],
    ),
    (".mcp.json", "", &["`.mcp.json` is not JSON", "line 1 column 0"]),
    (".mcp.json", "// c\n{}", &["`.mcp.json` is not JSON", "line 1 column 1"]),
    (
        ".mcp.json",
        "[{}]",
        &["`.mcp.json` holds no JSON object", "found an array at line 1 column 1"],
    ),
    (".mcp.json", "{\"mcpServers\": []}", &["holds an array at `mcpServers`"]),
    (".mcp.json", "{\"a\": 1, \"a\": 2}", &["the key `a` stands twice at line 1 column 16"]),
    (".mcp.json/x", "", &["`.mcp.json` is a folder, not a file"]),
    (
        "CLAUDE.md",
        "a\n<!-- assay:start -->\n",
        &["`CLAUDE.md` has `<!-- assay:start -->` on line 2 and no", "`--no-claude-md`"],
    ),
    ("AGENTS.md", "<!-- assay:end -->", &["`AGENTS.md` has `<!-- assay:end -->` on line 1 and no"]),
    (
        "AGENTS.md",
        "<!-- assay:start -->\n<!-- assay:start -->\n<!-- assay:end -->",
        &[
            "`AGENTS.md` has `<!-- assay:start -->` twice, on line 1 and on line 2",
            "`--no-agents-md`",
        ],
    ),
    (
        "AGENTS.md",
        "<!-- assay:end -->\n<!-- assay:start -->",
        &["`<!-- assay:end -->` before `<!-- assay:start -->`, which is on line 2"],
    ),
    ("CLAUDE.md/x", "", &["`CLAUDE.md` is a folder, not a file", "rename the folder"]),
    (".claude", "", &["`.claude` is a file, not a folder"]),
    (".agents/skills/assay/SKILL.md/x", "", &["`.agents/skills/assay/SKILL.md` is a folder"]),
];

/// Messages are broken into lines for the screen.
fn flowing(run: &Run) -> String {
    run.stderr.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn where_a_file_cannot_be_used_nothing_is_written() {
    for (index, (path, text, messages)) in UNUSABLE.iter().enumerate() {
        let folder = project(&format!("init_unusable_{index}"), &[(path, text)]);
        let before = tree(&folder);
        let run = init(&folder, &["--json"]);
        assert_eq!((run.exit, run.stdout.as_str()), (Some(1), ""), "{path} {text}");
        for message in *messages {
            assert!(flowing(&run).contains(message), "{path}: {message}\n{}", run.stderr);
        }
        assert_eq!(tree(&folder), before, "{path} {text}");
    }
    let folder = project("init_latin", &[]);
    fs::write(folder.join("CLAUDE.md"), b"caf\xe9\n").unwrap();
    let run = init(&folder, &[]);
    assert!(flowing(&run).contains("`CLAUDE.md` is not UTF-8: byte 0xe9 on line 1"));
    assert_eq!((run.exit, tree(&folder).len()), (Some(1), 1));
}

#[test]
fn every_problem_is_told_at_once() {
    let files = [(".mcp.json", "1"), ("CLAUDE.md/x", ""), ("AGENTS.md", "<!-- assay:start -->")];
    let folder = project("init_all", &files);
    symlink("/dev/null", folder.join(".agents")).unwrap();
    let before = tree(&folder);
    let run = init(&folder, &[]);
    assert_eq!(run.exit, Some(1));
    for message in [
        "`.mcp.json` holds no JSON object",
        "`CLAUDE.md` is a folder",
        "`AGENTS.md` has",
        "`.agents` leaves the project for `/dev/null`",
    ] {
        assert!(flowing(&run).contains(message), "{message}\n{}", run.stderr);
    }
    assert_eq!(run.stderr.matches("error").count(), 4, "{}", run.stderr);
    assert_eq!(tree(&folder), before);
}

#[test]
fn links_within_the_project_are_followed() {
    let folder = project("init_links", &[("AGENTS.md", "# Shared\n"), (".claude/skills/x", "")]);
    symlink("AGENTS.md", folder.join("CLAUDE.md")).unwrap();
    fs::create_dir(folder.join(".agents")).unwrap();
    symlink("../.claude/skills", folder.join(".agents/skills")).unwrap();
    let run = init(&folder, &[]);
    let expected = "created    .mcp.json\ncreated    .claude/skills/assay/SKILL.md\n\
                    unchanged  .agents/skills/assay/SKILL.md\nupdated    CLAUDE.md\n\
                    unchanged  AGENTS.md\n";
    succeeded(&run, expected);
    let after = tree(&folder);
    assert_eq!(after["CLAUDE.md"], b"AGENTS.md", "the link stays");
    let shared = String::from_utf8_lossy(&after["AGENTS.md"]).into_owned();
    assert_eq!(shared.matches("<!-- assay:start -->").count(), 1, "{shared}");
}

#[test]
fn links_that_lead_elsewhere_are_refused() {
    let outside = project("init_outside", &[("CLAUDE.md", "theirs"), ("skills/x", "")]);
    let outside = outside.to_str().unwrap();
    for (index, (link, target, message)) in [
        ("CLAUDE.md", format!("{outside}/CLAUDE.md"), "`CLAUDE.md` leaves the project for"),
        ("CLAUDE.md", "../init_outside/CLAUDE.md".to_owned(), "`CLAUDE.md` leaves the project for"),
        (".claude", outside.to_owned(), "`.claude` leaves the project for"),
        (".mcp.json", "nothing.json".to_owned(), "`.mcp.json` leads nowhere"),
        ("AGENTS.md", "AGENTS.md".to_owned(), "`AGENTS.md` leads nowhere"),
    ]
    .iter()
    .enumerate()
    {
        let folder = project(&format!("init_leaving_{index}"), &[]);
        symlink(target, folder.join(link)).unwrap();
        let run = init(&folder, &[]);
        assert_eq!(run.exit, Some(1), "{link}");
        assert!(flowing(&run).contains(message), "{message}\n{}", run.stderr);
        assert_eq!(tree(&folder).len(), 1, "{link}");
    }
    let theirs = fs::read_to_string(Path::new(outside).join("CLAUDE.md")).unwrap();
    assert_eq!((theirs.as_str(), tree(Path::new(outside)).len()), ("theirs", 3));
}

/// The command for a user whom permissions bind; the superuser gives that privilege up.
fn bound(folder: &Path) -> Command {
    let superuser = fs::metadata(folder).unwrap().uid() == 0;
    let mut bound = Command::new(if superuser { "setpriv" } else { "env" });
    if superuser {
        bound.args(["--bounding-set=-dac_override", "--inh-caps=-dac_override"]);
    }
    bound.arg(env!("CARGO_BIN_EXE_assay")).arg("init").current_dir(folder);
    bound
}

#[test]
fn what_may_not_be_written_is_told() {
    for (index, (closed, mode, message)) in [
        (".", 0o555, "`.mcp.json` cannot be written: Permission denied"),
        ("CLAUDE.md", 0o444, "`CLAUDE.md` cannot be written: Permission denied"),
        (".claude", 0o555, "`.claude/skills/assay/SKILL.md` cannot be written"),
    ]
    .iter()
    .enumerate()
    {
        let files = [("CLAUDE.md", "mine\n"), (".claude/settings.json", "{}")];
        let folder = project(&format!("init_closed_{index}"), &files);
        let before = tree(&folder);
        let path = folder.join(closed);
        let open = fs::metadata(&path).unwrap().permissions();
        fs::set_permissions(&path, Permissions::from_mode(*mode)).unwrap();
        let run = run_with(&mut bound(&folder), b"");
        fs::set_permissions(&path, open).unwrap();
        assert_eq!((run.exit, run.stdout.as_str()), (Some(1), ""), "{closed} {}", run.stderr);
        assert!(flowing(&run).contains(message), "{message}\n{}", run.stderr);
        assert!(run.stderr.contains("this user may write"), "{}", run.stderr);
        assert_eq!(tree(&folder), before, "{closed}");
    }
}

#[test]
fn the_folder_has_to_be_one() {
    let folder = project("init_folder", &[("file", "")]);
    for (name, message) in
        [("missing", "the folder `missing` cannot be used"), ("file", "`file` is a file, not a")]
    {
        let run = init(&folder, &[name]);
        assert_eq!(run.exit, Some(1), "{name}");
        assert!(flowing(&run).contains(message), "{}", run.stderr);
    }
    let run = init(&folder, &["--url", "https://u:secret@a.example"]);
    assert!(run.exit == Some(1) && run.stderr.contains("holds a credential"), "{}", run.stderr);
    assert_eq!(tree(&folder).len(), 1);
}

#[test]
fn the_texts_quote_what_was_agreed_and_name_tools_that_exist() {
    let registry = Path::new(env!("CARGO_MANIFEST_DIR")).join("../registry/data");
    let phrasing = fs::read(registry.join("phrasing.json")).unwrap();
    let phrasing: serde_json::Value = serde_json::from_slice(&phrasing).unwrap();
    let folder = project("init_texts", &[]);
    assert_eq!(init(&folder, &[]).exit, Some(0));
    let gate = phrasing["confirmation_gate"].as_str().unwrap();
    for path in [".claude/skills/assay/SKILL.md", ".agents/skills/assay/SKILL.md", "CLAUDE.md"] {
        let text = fs::read_to_string(folder.join(path)).unwrap();
        assert!(text.contains(gate), "{path} lacks the gate");
        let calls = ["compile", "get_prompt_pack", "check", "save_ruleset", "record_approval"];
        let places: Vec<_> =
            calls.iter().map(|it| text.find(&format!("`dsail_{it}`")).unwrap()).collect();
        assert!(places.is_sorted(), "{path}: the five calls stand in their order");
        let words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        for tool in words.filter(|it| it.starts_with("dsail_")) {
            assert!(registry.join(format!("tools/{tool}.json")).exists(), "{path}: {tool}");
        }
        for word in ["TRUE", "FALSE", "UNKNOWN", "AMBIGUOUS"] {
            assert!(text.contains(word), "{path} lacks {word}");
        }
    }
    let skill = fs::read_to_string(folder.join(".claude/skills/assay/SKILL.md")).unwrap();
    assert!(skill.starts_with("---\nname: assay\ndescription: "), "{skill}");
    for phrase in phrasing["trigger_phrases"].as_array().unwrap() {
        assert!(skill.contains(phrase.as_str().unwrap()), "{phrase}");
    }
}
