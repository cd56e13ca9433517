//! The review interface in a real browser, against a real server.
//!
//! The tests lie in `crates/ui/tests/browser` and run in node's own runner. They are copied beside
//! the packages that they import, because node looks for packages above the file that asks.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome, flags};
use crate::setup::browser;
use crate::step::{self, Step};
use crate::{demo, gate, npm, setup, tree};

const TESTS: &str = "crates/ui/tests/browser";
/// What drives the browser, and what looks for barriers to people who cannot see or point.
const PACKAGES: [(&str, &str); 2] = [("playwright-core", "1.65.1"), ("axe-core", "4.14.1")];

pub(crate) fn run(arguments: &[&str]) -> Outcome {
    flags(arguments, [])?;
    setup::ensure()?;
    if gate::in_ci()
        && browser::program().is_none()
        && let Err(Failure::Failed(message) | Failure::Usage(message)) = browser::install()
    {
        step::notice(&message);
    }
    let Some(browser) = browser::program() else {
        step::notice(
            "there is no Chromium: the review interface was NOT tested in a browser; \
             `cargo xtask setup --browser` provides one",
        );
        return Ok(());
    };
    let folder = setup::environment::need_cache()?.join("browser");
    npm::install(&folder, &PACKAGES)?;
    Step::cargo("build --package assay --bin assay --example practice").run()?;
    let tests = Tests::copied(&folder)?;
    Step::new(&npm::program(&folder, "node"), "--test --test-timeout=120000")
        .and(tests.files.iter().map(String::as_str))
        .with("ASSAY_BINARY", &demo::binary()?)
        .with("ASSAY_BROWSER", &browser)
        .with("ASSAY_FIXTURES", &tree::root().join("fixtures").display().to_string())
        .run()
}

/// A copy of the tests that goes when this is dropped.
struct Tests {
    folder: PathBuf,
    /// Those that node is to run.
    files: Vec<String>,
}

impl Tests {
    /// Each run has a copy of its own, because several clones share one cache.
    fn copied(cache: &Path) -> Result<Self, Failure> {
        let folder = cache.join(format!("tests-{}", std::process::id()));
        let from = tree::root().join(TESTS);
        fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, &error))?;
        let mut tests = Self { folder, files: Vec::new() };
        let entries = fs::read_dir(&from).map_err(|error| Failure::file(&from, &error))?;
        for entry in entries {
            let path = entry.map_err(|error| Failure::file(&from, &error))?.path();
            let Some(name) = path.file_name() else { continue };
            let copy = tests.folder.join(name);
            fs::copy(&path, &copy).map_err(|error| Failure::file(&path, &error))?;
            let copy = copy.display().to_string();
            if copy.ends_with(".test.mjs") {
                tests.files.push(copy);
            }
        }
        if tests.files.is_empty() {
            return Err(Failure::new(format!("`{TESTS}` holds no tests")));
        }
        tests.files.sort();
        Ok(tests)
    }
}

impl Drop for Tests {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
