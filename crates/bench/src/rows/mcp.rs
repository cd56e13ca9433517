//! Checks over MCP, by clients of both eras of the protocol.

use std::net::SocketAddr;
use std::sync::Arc;

use assay_core::Service;
use assay_http::HttpSettings;
use serde_json::Value;

use crate::failure::{Failure, same};
use crate::http::{Loopback, post};
use crate::measure::Effort;
use crate::ours::{check_arguments, service, store, words};
use crate::peers::BareTool;
use crate::policy::Policy;
use crate::report::{Bar, Group, Report, Unit};

/// One era: its version, what the head of a call says besides, and what the parameters do.
struct Era {
    version: &'static str,
    head: &'static str,
    meta: &'static str,
}

const ERAS: [Era; 2] = [
    Era { version: "2025-11-25", head: "", meta: "" },
    Era {
        version: "2026-07-28",
        head: "Mcp-Method: tools/call\r\nMcp-Name: dsail_check\r\n",
        meta: ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\
               \"io.modelcontextprotocol/clientInfo\":{\"name\":\"bench\",\"version\":\"1\"},\
               \"io.modelcontextprotocol/clientCapabilities\":{}}",
    },
];

impl Era {
    fn call(&self, address: SocketAddr, arguments: &str) -> Vec<u8> {
        let Self { version, head, meta } = self;
        let head = format!(
            "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {version}\r\n{head}"
        );
        let body = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":\
             {{\"name\":\"dsail_check\",\"arguments\":{arguments}{meta}}}}}"
        );
        post(address, "/mcp", &head, &body)
    }
}

pub(crate) fn measure(effort: &Effort) -> Result<Report, Failure> {
    let policy = Policy::new(4);
    let service = service()?;
    let hash = store(&service, &policy.dsail())?;
    let mut report = Report::default();
    for era in &ERAS {
        let arguments = check_arguments(hash, &policy.facts().to_json());
        let group = group(effort, era, &service, (&policy, &arguments))?;
        let echo = group.figure("rmcp, the arguments");
        report.bars.push(Bar::lead("first bar", &group, echo, 0.6));
        report.bars.push(Bar::lead("goal", &group, echo, 0.9));
        report.groups.push(group);
    }
    report.notes.push("our answer holds the payload as text and as structured content; the load generator runs on the same cores".to_owned());
    Ok(report)
}

fn group(
    effort: &Effort,
    era: &Era,
    service: &Arc<Service>,
    (policy, arguments): (&Policy, &str),
) -> Result<Group, Failure> {
    let loopback = Loopback::new()?;
    let request = |address| era.call(address, arguments);
    let door = assay_mcp_http::router(Arc::clone(service), &HttpSettings::default());
    let ours = loopback.serve("assay", door, request)?;
    // The first answer to a client of the session era brings news before it; the others are measured.
    loopback.ask(&ours)?;
    let answer: Value = serde_json::from_slice(&loopback.ask(&ours)?.body)?;
    let payload = answer.pointer("/result/content/0/text").and_then(Value::as_str);
    let payload = payload.ok_or_else(|| format!("no text in {answer}"))?;
    same("assay", &words(payload.as_bytes())?, &policy.right(policy.facts()))?;

    let echo =
        loopback.serve("rmcp, the arguments echoed as text", BareTool::Echo.router(), request)?;
    let constant = BareTool::Constant(payload.into()).router();
    let constant = loopback.serve("rmcp, our payload as a constant text", constant, request)?;
    for bare in [&echo, &constant] {
        let answer: Value = serde_json::from_slice(&loopback.ask(bare)?.body)?;
        if answer.pointer("/result/content/0/text").is_none() {
            return Err(Failure(format!("a bare tool answers {answer}")));
        }
    }
    let figures = loopback.race(effort, &[ours, echo, constant])?;
    let title = format!("{}, 32 connections", era.version);
    Ok(Group::new(&title, Unit::Rate, figures))
}
