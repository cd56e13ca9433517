//! The conformance suites of the Model Context Protocol against a running server.
//!
//! What a suite asks for and the server does not have is listed with its reason under
//! `fixtures/conformance`. A suite fails when one of those passes as well as when anything else
//! fails.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::failure::{Failure, Outcome, flags};
use crate::step::{self, Step};
use crate::{demo, npm, setup, tree};

const SUITE: (&str, &str) = ("@modelcontextprotocol/conformance", "0.2.0-alpha.12");

/// One revision of each era.
const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

pub(crate) fn run(arguments: &[&str]) -> Outcome {
    flags(arguments, [])?;
    setup::ensure()?;
    let folder = setup::environment::need_cache()?.join("conformance");
    npm::install(&folder, &[SUITE])?;
    Step::cargo("build --package assay").run()?;
    let data = folder.join("data");
    let server = Server::start(&demo::binary()?, &data)?;
    let node = npm::program(&folder, "node");
    let suite = npm::program(&folder, "conformance");
    let results = folder.join("results").display().to_string();
    let steps = REVISIONS.map(|revision| {
        let expected = format!("fixtures/conformance/expected-failures-{revision}.yml");
        Step::new(&node, "").and([&suite, "server", "--url", &server.url, "--suite", "all"]).and([
            "--spec-version",
            revision,
            "--expected-failures",
            &expected,
            "--output-dir",
            &results,
        ])
    });
    step::run_all(&steps)
}

/// A server that runs until this is dropped.
struct Server {
    url: String,
    process: Child,
}

impl Server {
    /// Starts on a free port and waits until the server says which.
    fn start(program: &str, data: &Path) -> Result<Self, Failure> {
        let failed = |problem: &str| Failure::new(format!("`{program} serve` {problem}"));
        let process = Command::new(program)
            .args(["serve", "--http", "127.0.0.1:0", "--data"])
            .arg(data)
            .current_dir(tree::root())
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failed(&format!("cannot be run: {error}")))?;
        let mut server = Self { url: String::new(), process };
        let output = server.process.stderr.take().ok_or_else(|| failed("says nothing"))?;
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let address = lines.find_map(|line| address(&line).map(str::to_owned));
        server.url = format!("{}/mcp", address.ok_or_else(|| failed("ended at once"))?);
        // What the server says later is read and dropped, so that it never waits for us.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The address in the line with which a server begins.
fn address(line: &str) -> Option<&str> {
    let start = line.find("http://")?;
    line.get(start..)?.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::{REVISIONS, address};
    use crate::tree::Tree;

    #[test]
    fn the_launch_line_holds_the_address() {
        let line = "assay 0.1.0 serves http://127.0.0.1:41801 with the profile rules";
        assert_eq!(address(line), Some("http://127.0.0.1:41801"));
        assert_eq!(address("assay stops"), None);
    }

    #[test]
    fn each_expected_failure_stands_below_a_reason() {
        let tree = Tree::load().unwrap();
        for revision in REVISIONS {
            let path = format!("fixtures/conformance/expected-failures-{revision}.yml");
            let text = tree.need(&path).unwrap();
            let mut lines = text.lines().skip_while(|it| *it != "server:").skip(1);
            assert!(lines.next().unwrap().starts_with("  # "), "{path}");
            for line in lines {
                assert!(line.starts_with("  # ") || line.starts_with("  - "), "{path}: {line}");
            }
        }
    }
}
