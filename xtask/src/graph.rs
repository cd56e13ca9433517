//! Which crate may depend on which, and which may name a dependency that belongs to one concern.
//!
//! Development and build dependencies are free: they never reach the product.

use serde_json::Value;

use crate::failure::{Failure, Outcome, flags, none_of};
use crate::step::Step;

/// Every crate with the crates that it may depend on. `*` stands for any.
const ALLOWED: &[(&str, &[&str])] = &[
    ("assay-base", &[]),
    ("assay-dsail", &["assay-base"]),
    ("assay-engine", &["assay-base", "assay-dsail"]),
    ("assay-registry", &["assay-base"]),
    ("assay-audit", &["assay-base"]),
    ("assay-store", &["assay-base"]),
    ("assay-upstream", &["assay-base"]),
    (
        "assay-core",
        &[
            "assay-base",
            "assay-dsail",
            "assay-engine",
            "assay-registry",
            "assay-store",
            "assay-upstream",
        ],
    ),
    ("assay-ui", &["assay-base"]),
    ("assay-http", &["assay-core"]),
    ("assay-mcp", &["assay-base", "assay-core", "assay-ui"]),
    ("assay-mcp-http", &["assay-core", "assay-http", "assay-mcp"]),
    ("assay-mcp-stdio", &["assay-core", "assay-mcp"]),
    ("assay-rest", &["assay-base", "assay-core", "assay-http", "assay-ui"]),
    (
        "assay",
        &[
            "assay-base",
            "assay-core",
            "assay-dsail",
            "assay-http",
            "assay-mcp-http",
            "assay-mcp-stdio",
            "assay-rest",
        ],
    ),
    ("assay-bench", &["*"]),
    ("xtask", &[]),
];

/// Dependencies that belong to some crates. The benchmarks measure against them and may name all.
const PRIVILEGED: &[(&str, &[&str])] = &[
    ("axum", &["assay-http", "assay-mcp-http", "assay-rest", "assay"]),
    // One crate calls servers that an operator names; the others answer.
    ("reqwest", &["assay-upstream"]),
    ("rmcp", &["assay-mcp", "assay-mcp-http", "assay-mcp-stdio", "assay-upstream"]),
    ("rusqlite", &["assay-store"]),
    (
        "tokio",
        &[
            "assay-http",
            "assay-mcp",
            "assay-mcp-http",
            "assay-mcp-stdio",
            "assay-rest",
            "assay-upstream",
            "assay",
        ],
    ),
    ("z3", &["assay-engine"]),
    ("z3-sys", &["assay-engine"]),
];

pub(crate) fn run(arguments: &[&str]) -> Outcome {
    flags(arguments, [])?;
    none_of("graph", &faults(&metadata()?))
}

fn metadata() -> Result<Value, Failure> {
    let output = Step::cargo("metadata --no-deps --offline --format-version 1").output();
    let output = output.ok_or_else(|| Failure::new("`cargo metadata` failed"))?;
    serde_json::from_str(&output).map_err(|error| Failure::new(format!("cargo metadata: {error}")))
}

/// Every arrow that is not in the tables, and every crate that is not.
fn faults(metadata: &Value) -> Vec<String> {
    let packages = items(metadata, "packages");
    let members: Vec<&str> = packages.iter().map(|it| text(it, "name")).collect();
    let mut faults: Vec<String> = ALLOWED
        .iter()
        .filter(|(name, _)| !members.contains(name))
        .map(|(name, _)| format!("{name}: in the table of arrows, but not in the workspace"))
        .collect();
    for package in packages {
        let name = text(package, "name");
        match ALLOWED.iter().find(|(it, _)| *it == name) {
            None => faults.push(format!("{name}: not in the table of arrows; add its row")),
            Some((_, allowed)) if allowed.contains(&"*") => {}
            Some((_, allowed)) => faults.extend(arrow_faults(package, allowed, &members)),
        }
    }
    faults
}

fn arrow_faults(package: &Value, allowed: &[&str], members: &[&str]) -> Vec<String> {
    let name = text(package, "name");
    let mut faults = Vec::new();
    for dependency in items(package, "dependencies") {
        if dependency.get("kind").is_some_and(|it| !it.is_null()) {
            continue;
        }
        // The name is that of the package, also where a crate renames what it depends on.
        let dependency = text(dependency, "name");
        if members.contains(&dependency) && !allowed.contains(&dependency) {
            faults.push(format!("{name} -> {dependency}: this arrow is not allowed"));
        }
        let owners = PRIVILEGED.iter().find(|(it, _)| *it == dependency).map(|it| it.1);
        if let Some(owners) = owners.filter(|owners| !owners.contains(&name)) {
            let owners = owners.join(", ");
            faults.push(format!("{name} -> {dependency}: it belongs to {owners}"));
        }
    }
    faults
}

fn items<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{ALLOWED, faults, metadata};

    /// A workspace with every crate, where `name` has one dependency.
    fn workspace(name: &str, dependency: &Value) -> Value {
        let packages: Vec<Value> = ALLOWED
            .iter()
            .map(|(it, _)| {
                let dependencies = if *it == name { vec![dependency] } else { Vec::new() };
                json!({"name": it, "dependencies": dependencies})
            })
            .collect();
        json!({"packages": packages})
    }

    #[test]
    fn the_workspace_keeps_to_the_tables() {
        let faults = faults(&metadata().unwrap());
        assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    }

    #[test]
    fn arrows() {
        let normal = |name: &str| json!({"name": name, "kind": null});
        let development = |name: &str| json!({"name": name, "kind": "dev"});
        for (from, to, expected) in [
            ("assay-dsail", normal("assay-base"), ""),
            (
                "assay-base",
                normal("assay-dsail"),
                "assay-base -> assay-dsail: this arrow is not allowed",
            ),
            (
                "assay-rest",
                normal("assay-engine"),
                "assay-rest -> assay-engine: this arrow is not allowed",
            ),
            ("assay-base", development("assay-dsail"), ""),
            ("assay-engine", normal("z3"), ""),
            ("assay-core", normal("z3"), "assay-core -> z3: it belongs to assay-engine"),
            ("assay-core", normal("blake3"), ""),
            ("assay-core", normal("assay-upstream"), ""),
            ("assay-upstream", normal("reqwest"), ""),
            (
                "assay-core",
                normal("reqwest"),
                "assay-core -> reqwest: it belongs to assay-upstream",
            ),
            ("assay", normal("reqwest"), "assay -> reqwest: it belongs to assay-upstream"),
            ("assay-bench", normal("z3"), ""),
            ("assay-bench", normal("assay"), ""),
        ] {
            let found = faults(&workspace(from, &to));
            let expected: Vec<&str> =
                Some(expected).into_iter().filter(|it| !it.is_empty()).collect();
            assert_eq!(found, expected, "{from} {to}");
        }
    }

    #[test]
    fn the_table_and_the_workspace_name_the_same_crates() {
        let mut metadata = workspace("", &Value::Null);
        let packages = metadata["packages"].as_array_mut().unwrap();
        packages.retain(|it| it["name"] != "assay-store");
        packages.push(json!({"name": "assay-new", "dependencies": []}));
        assert_eq!(
            faults(&metadata),
            [
                "assay-store: in the table of arrows, but not in the workspace",
                "assay-new: not in the table of arrows; add its row",
            ]
        );
    }
}
