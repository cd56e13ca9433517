//! The rows, one file each.

mod audit;
mod bound_end_to_end;
mod bound_evaluation;
mod compile;
mod gate;
mod gateway;
mod limits;
mod mcp;
mod one_unknown;
mod rest;
mod solver;
mod store;

use crate::failure::Failure;
use crate::measure::Effort;
use crate::report::Report;

/// One row of the table of figures.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// What is measured, in one line.
    pub(crate) what: &'static str,
    pub(crate) measure: fn(&Effort) -> Result<Report, Failure>,
}

/// Every row, in the order in which all are run.
pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "bound-evaluation",
        what: "50 rules with every claim known, evaluation only",
        measure: bound_evaluation::measure,
    },
    Row {
        name: "bound-end-to-end",
        what: "4 rules with every claim known, claim bytes in, result bytes out",
        measure: bound_end_to_end::measure,
    },
    Row {
        name: "one-unknown",
        what: "50 rules with one claim unknown, against Z3 driven directly",
        measure: one_unknown::measure,
    },
    Row {
        name: "solver",
        what: "one assertion that needs the solver, against the same query to a warm context",
        measure: solver::measure,
    },
    Row {
        name: "compile",
        what: "compile with verification, 50 and 1,000 rules",
        measure: compile::measure,
    },
    Row {
        name: "rest",
        what: "POST /v1/check of 4 rules over kept connections, against a bare axum handler",
        measure: rest::measure,
    },
    Row {
        name: "mcp",
        what: "tools/call of dsail_check with 4 rules over HTTP, against a bare rmcp tool",
        measure: mcp::measure,
    },
    Row {
        name: "store",
        what: "saving, loading, approving and listing 4 rules by name, on the disk",
        measure: store::measure,
    },
    Row {
        name: "audit",
        what: "records of the audit log, durable and noted, with 1, 8 and 64 writers",
        measure: audit::measure,
    },
    Row {
        name: "gate",
        what: "calls of governed tools that one core decides, what is known of them lying ready",
        measure: gate::measure,
    },
    Row {
        name: "limits",
        what: "counting calls under 10,000 keys, and the memory of keys that idle out",
        measure: limits::measure,
    },
    Row {
        name: "gateway",
        what: "what a governed call takes beyond a direct call of the same server",
        measure: gateway::measure,
    },
];
