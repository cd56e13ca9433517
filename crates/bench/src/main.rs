//! Side-by-side measurements against the peers.
//!
//! Each figure stands beside the peer's from the same run, with their ratio.
//! `cargo xtask bench [--json] [--rounds N] [--slice-ms N] [--names N] [--revisions N] [NAME…]`, where
//! names and revisions say how much the store holds. A row that fails to reach its
//! bar is reported and is no failure of the run: figures on a shared machine are for people to
//! judge, and the ratios of one run are what can be compared.

#![expect(
    clippy::disallowed_methods,
    reason = "a benchmark reads the clock; no payload of the product is made here"
)]
#![expect(clippy::float_arithmetic, reason = "times and ratios are measured, not exact")]
#![expect(clippy::print_stdout, reason = "a command line tool speaks to its user on stdout")]

mod arguments;
mod failure;
mod folder;
mod http;
mod machine;
mod measure;
mod ours;
mod peers;
mod policy;
mod practice;
mod report;
mod rows;

use std::process::ExitCode;

use arguments::Arguments;
use failure::Failure;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match Arguments::read(&arguments) {
        Ok(arguments) => run(&arguments),
        Err(Failure(message)) => {
            eprintln!("error: {message}\n\n{}", arguments::help());
            ExitCode::from(1)
        }
    }
}

/// Runs the rows one by one. One that cannot be measured does not stop the others.
fn run(arguments: &Arguments) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    if !arguments.json {
        println!("{}\n", machine::describe());
    }
    for row in &arguments.rows {
        match (row.measure)(&arguments.effort) {
            Ok(report) => {
                if arguments.json {
                    println!("{}", report.to_json(row));
                } else {
                    println!("{}\n", report.to_text(row));
                }
                if arguments.hold && !report.holds() {
                    eprintln!("error: `{}` misses its first bar", row.name);
                    code = ExitCode::from(2);
                }
            }
            Err(Failure(message)) => {
                eprintln!("error: `{}` was not measured: {message}", row.name);
                code = ExitCode::from(2);
            }
        }
    }
    code
}
