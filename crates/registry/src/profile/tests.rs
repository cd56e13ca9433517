//! The shipped profiles, and bad ones with what is said of them.

use std::path::Path;

use super::{Family, Profile};
use crate::facet::Facet;

#[test]
fn what_ships_is_sound() {
    for name in Profile::shipped_names() {
        assert_eq!(Profile::shipped(name).map(|it| it.name().to_owned()), Ok(name.to_owned()));
    }
    assert_eq!(Profile::shipped("rules").unwrap(), Profile::default());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../profiles");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), Profile::shipped_names().count());
    // Only the profile for evidence shows evidence.
    let exposing: Vec<&str> =
        Profile::shipped_names().filter(|it| Profile::shipped(it).unwrap().expose_spam()).collect();
    assert_eq!(exposing, ["evidence"]);
    let islam = Profile::shipped("islam").unwrap();
    let denied: Vec<_> = Facet::ALL.iter().filter(|it| islam.denies(**it).is_some()).collect();
    assert_eq!(denied, [&Facet::Drafting, &Facet::Editing, &Facet::Adversarial]);
    assert!(islam.reads("law_ask") && !islam.reads("dsail_check"));
}

#[test]
fn a_family_is_read_as_a_whole_or_not_at_all() {
    for (tool, family, readers) in [
        ("dsail_check", Family::Rulesets, "rules all public"),
        ("law_ask", Family::Law, "all islam evidence"),
        ("get_spam_dossier", Family::Evidence, "evidence"),
        ("efirm.matter-db.create-matter", Family::Upstream, "all practice"),
        ("efirmx.matter-db.create-matter", Family::Upstream, ""),
        ("elsewhere", Family::Upstream, ""),
    ] {
        assert_eq!(Family::of(tool), family);
        let found: Vec<&str> = Profile::shipped_names()
            .filter(|it| Profile::shipped(it).unwrap().reads(tool))
            .collect();
        assert_eq!(found.join(" "), readers, "{tool}");
    }
}

#[test]
fn an_unknown_name_lists_the_known_ones() {
    let faults = Profile::shipped("rulez").unwrap_err();
    let [fault] = faults.as_slice() else { panic!("{faults:?}") };
    assert_eq!(
        fault.to_string(),
        "rulez.json: corpus profile \"rulez\" not found; name one of `rules`, `all`, `public`, \
         `islam`, `practice`, `evidence`, or the path of a file that ends in `.json`"
    );
}

/// Each bad profile stands beside a text with every line that is said of it.
#[test]
fn bad_profiles_are_refused_with_every_fault() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/profiles/bad");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "json") {
            let file = path.file_name().unwrap().to_str().unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let faults = Profile::read(file, &text).unwrap_err();
            let lines: String = faults.iter().map(|it| format!("{it}\n")).collect();
            let expected = std::fs::read_to_string(path.with_extension("txt")).unwrap_or_default();
            assert_eq!(lines, expected, "{file}");
            seen += 1;
        }
    }
    assert!(seen >= 8, "{seen} bad profiles");
}
