//! Profiles as an operator meets them: checked, shown, and bound to a server.

mod support;

use serde_json::{Value, json};
use support::{EXPENSES, command, file, folder, run, run_with};

#[test]
fn a_profile_is_shown_by_facet() {
    let shown = run(&["profile", "show", "public"]);
    assert_eq!(shown.exit, Some(0), "{}", shown.stderr);
    for text in ["execution", "allowed", "dsail_check", "denied", "nothing that is kept is changed"]
    {
        assert!(shown.stdout.contains(text), "{text}\n{}", shown.stdout);
    }
    let printed = run(&["profile", "show", "public", "--json"]).stdout;
    let answer: Value = serde_json::from_str(&printed).unwrap();
    let facets = answer["facets"].as_array().unwrap();
    assert_eq!(facets.len(), 9);
    assert_eq!(facets[1]["tools"], json!(["dsail_check"]));
    assert_eq!(facets[2]["allowed"], false);
    assert!(facets[2]["reason"].as_str().unwrap().starts_with("rules are written"));
}

/// The tools of other servers stand where their records are named, for a skill or for all.
#[test]
fn a_profile_is_shown_with_the_tools_of_a_registry() {
    let registry = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/practice/registry");
    let count = |arguments: &[&str]| {
        let shown = [&["profile", "show", "practice", "--json"], arguments].concat();
        let answer: Value = serde_json::from_str(&run(&shown).stdout).unwrap();
        let facets = answer["facets"].as_array().unwrap();
        let of = |word: &str| {
            let facet = facets.iter().find(|it| it["facet"] == word).unwrap();
            facet["tools"].as_array().unwrap().len()
        };
        [of("reference"), of("execution"), of("editing")]
    };
    let every = count(&["--registry", registry]);
    assert_eq!(every.iter().sum::<usize>(), 17);
    let skill = "efirm-matter-creation-flow@1.0";
    let bound = count(&["--registry", registry, "--skill", skill]);
    assert_eq!(bound.iter().sum::<usize>(), 7);
    assert!(every.iter().zip(bound).all(|(every, bound)| *every >= bound), "{every:?} {bound:?}");
    assert_eq!(count(&[]), [0; 3]);
    let without = run(&["profile", "show", "practice"]);
    assert!(without.stderr.contains("--registry"), "{}", without.stderr);
    let unknown = ["profile", "show", "practice", "--registry", registry, "--skill", "none@1.0"];
    assert_eq!(run(&unknown).exit, Some(1));
}

#[test]
fn a_bad_profile_is_refused_with_every_fault() {
    let folder = folder("bad-profile");
    let path = file(&folder, "slice.json", "{\"rulesets\": 1}");
    let checked = run(&["profile", "check", &path]);
    assert_eq!(checked.exit, Some(2));
    for pointer in
        ["/facets: is missing", "/rulesets: expected a boolean", "/packages", "/upstream"]
    {
        assert!(checked.stderr.contains(pointer), "{pointer}\n{}", checked.stderr);
    }
    let printed = run(&["profile", "check", &path, "--json"]);
    let answer: Value = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!((printed.exit, answer["faults"].as_array().unwrap().len()), (Some(2), 4));
    let unknown = run(&["serve", "--profile", "rulez"]);
    assert_eq!(unknown.exit, Some(1));
    assert!(unknown.stderr.contains("corpus profile \"rulez\" not found"), "{}", unknown.stderr);
    let missing = folder.join("none.json");
    assert_eq!(run(&["profile", "check", missing.to_str().unwrap()]).exit, Some(1));
    let sound = run(&["profile", "check", "islam"]);
    assert_eq!((sound.exit, sound.stdout.as_str()), (Some(0), "the profile `islam` is sound\n"));
}

#[test]
fn stdio_is_bound_to_the_profile_of_its_flag_or_variable() {
    let folder = folder("bound-profile");
    let text = include_str!("../../../profiles/public.json");
    let path = file(&folder, "slice.json", text);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "dsail_compile", "arguments": {"source": EXPENSES},
    }});
    let data = folder.join("data");
    for (flag, variable) in [(Some(path.as_str()), ""), (None, "public"), (Some("public"), "rules")]
    {
        let mut stdio = command();
        stdio.args(["stdio", "--data"]).arg(&data).env("ASSAY_PROFILE", variable);
        if let Some(flag) = flag {
            stdio.args(["--profile", flag]);
        }
        let answered = run_with(&mut stdio, format!("{call}\n").as_bytes());
        let denied = r#""code":-32002"#;
        assert!(answered.stdout.contains(denied), "{}{}", answered.stdout, answered.stderr);
    }
}
