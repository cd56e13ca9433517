//! `assay check`: claims against a ruleset, one of four words for every rule.

use std::collections::BTreeMap;

use anstyle::Style;
use assay_base::canonical::to_bytes;
use assay_base::json::{self, Scalar};

use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::input::STANDARD_INPUT;
use crate::payload::{Answer, Assertion, Checked, Compiled, Quantity, UnbridgedUnits, Word, read};
use crate::show::table::{Cell, Table};
use crate::show::text::{dedent, flow, visible, wrap};
use crate::show::{refusal, word};
use crate::{input, output, service};

const AFTER_HELP: &str = "\
Every declared claim is given: a value, or \"unknown\" or null where the evidence does
not say. Nothing is stored and no file is written.

Examples:
  assay check expenses.dsail --claims '{\"amount\": \"120 USD\", \"has_receipt\": true}'
  assay check expenses.dsail --claims @claims.json --summary
  assay check expenses.dsail --claims - --fail-on FALSE,UNKNOWN < claims.json";

/// The arguments of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The source, or `-` for standard input.
    file: String,
    /// The claims: a JSON object, `@file`, or `-` for standard input.
    #[arg(long, value_name = "JSON")]
    claims: String,
    /// Print how often each word was answered, and nothing else.
    #[arg(long, conflicts_with = "json")]
    summary: bool,
    /// Exit with 4 when a rule answers with one of these words.
    #[arg(long, value_name = "WORDS", value_delimiter = ',', ignore_case = true)]
    fail_on: Vec<Word>,
    /// Print the payload of `dsail_check`, byte for byte.
    #[arg(long)]
    json: bool,
}

/// Checks in this process.
pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if arguments.file == STANDARD_INPUT && arguments.claims == STANDARD_INPUT {
        return Err(Failure::usage("the source and the claims cannot both be standard input")
            .help("name a file for one of them"));
    }
    let text = input::text(&arguments.file)?;
    let claims = input::claims(&arguments.claims)?;
    let service = service::in_memory()?;
    let source = to_bytes(|value| value.string(&text.text));
    let source = String::from_utf8_lossy(&source);
    // The claims go in as they were written: the service alone decides what they are.
    let call = format!("{{\"claims\":{},\"source\":{source}}}", claims.get());
    let reply = service::call_raw(&service, "dsail_check", &call);
    if arguments.json {
        let exit = service::payload(&reply)?;
        return if exit == Exit::Ran { listed(arguments, &read(&reply.body)?) } else { Ok(exit) };
    }
    if reply.failure.is_some() {
        return refusal::report(&reply.body, &text);
    }
    let checked: Checked = read(&reply.body)?;
    if arguments.summary {
        output::page(&summary(&checked))?;
        return listed(arguments, &checked);
    }
    let compiled = service::call(&service, "dsail_compile", |object| {
        object.key("source").string(&text.text);
    });
    let compiled: Compiled = read(&compiled.body)?;
    let read = Reading::new(&compiled, &checked, claims.get());
    output::page(&page(&checked, &read, output::columns()))?;
    listed(arguments, &checked)
}

/// Whether a word was answered that the caller wants to fail on.
fn listed(arguments: &Arguments, checked: &Checked) -> Outcome {
    let mut words = checked.rules.iter().flat_map(|it| &it.assertions).map(|it| it.check);
    let listed = words.any(|it| arguments.fail_on.contains(&it));
    Ok(if listed { Exit::WordListed } else { Exit::Ran })
}

fn summary(checked: &Checked) -> String {
    let mut table = Table::new();
    for (word, count) in word::counts(checked) {
        table.row([word::cell(word), Cell::from(format!("{count:>4}"))]);
    }
    table.render(output::columns())
}

/// What each assertion read: its claims, and the value of each as a person writes it.
struct Reading<'a> {
    assertions: BTreeMap<&'a str, &'a Assertion>,
    values: BTreeMap<String, String>,
    unbound: &'a [String],
}

impl<'a> Reading<'a> {
    fn new(compiled: &'a Compiled, checked: &'a Checked, claims: &str) -> Self {
        let assertions = compiled.manifest.rules.iter().flat_map(|it| &it.assertions);
        let submitted = json::object(claims).unwrap_or_default();
        let mut values: BTreeMap<String, String> = submitted
            .into_iter()
            .map(|(name, raw)| match json::scalar(raw) {
                Scalar::String(text) => (name.into_owned(), format!("\"{text}\"")),
                _ => (name.into_owned(), raw.get().to_owned()),
            })
            .collect();
        for quantity in &checked.claims.quantities {
            values.insert(quantity.claim.clone(), quantity.bound.clone());
        }
        let unbound = &checked.claims.unbound;
        values.extend(unbound.iter().map(|it| (it.clone(), "unknown".to_owned())));
        Self { assertions: assertions.map(|it| (it.name.as_str(), it)).collect(), values, unbound }
    }

    fn reads(&self, name: &str) -> &[String] {
        self.assertions.get(name).map_or(&[], |it| &it.reads)
    }

    fn pairs(&self, name: &str) -> String {
        let value = |claim: &String| self.values.get(claim).map_or("unknown", String::as_str);
        let pairs = self.reads(name).iter().map(|it| format!("{it} = {}", value(it)));
        pairs.collect::<Vec<_>>().join(", ")
    }

    fn missing(&self, name: &str) -> String {
        let missing = self.reads(name).iter().filter(|it| self.unbound.contains(it));
        missing.map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

fn page(checked: &Checked, reading: &Reading<'_>, columns: usize) -> String {
    let mut table = Table::new();
    for answer in checked.rules.iter().flat_map(|it| &it.assertions) {
        table.row([word::cell(answer.check), explanation(answer, reading)]);
        table.row([Cell::from(""), Cell::from("")]);
    }
    let mut page = table.render(columns);
    let conversions: String = checked.claims.quantities.iter().filter_map(conversion).collect();
    if !conversions.is_empty() {
        page.push_str(&wrap(&visible(&conversions), columns).join("\n"));
        page.push('\n');
    }
    let counts = word::counts(checked).map(|(word, count)| format!("{count} {}", word.word()));
    page + &counts.join(", ") + "\n"
}

/// The rule, what it states, what it read, and why it is open where it is.
fn explanation(answer: &Answer, reading: &Reading<'_>) -> Cell {
    let (plain, dim) = (Style::new(), Style::new().dimmed());
    let mut cell = Cell::styled(&answer.name, Style::new().bold());
    let assertion = reading.assertions.get(answer.name.as_str());
    if let Some(description) = assertion.and_then(|it| it.description.as_deref()) {
        cell = cell.and(&flow(description), plain);
    }
    if let Some(source) = &answer.source {
        cell = cell.and(&dedent(source), dim);
    }
    cell = cell.and(&format!("read: {}", reading.pairs(&answer.name)), plain);
    let missing = reading.missing(&answer.name);
    if answer.check == Word::Unknown && !missing.is_empty() {
        cell = cell.and(&format!("missing: {missing}"), plain);
    }
    if let Some(reason) = &answer.reason_unknown {
        cell = cell.and(&format!("why: {reason}"), plain);
    }
    if !answer.unbridged_units.is_empty() {
        cell = cell.and(&format!("no conversion: {}", pairs(&answer.unbridged_units)), plain);
    }
    match answer.unknown_policy.as_deref() {
        None | Some("neutral") => cell,
        Some(policy) => cell.and(&format!("policy where it is open: {policy}"), dim),
    }
}

fn pairs(units: &[UnbridgedUnits]) -> String {
    let pairs = units.iter().map(|it| format!("{} to {}", it.from, it.to));
    pairs.collect::<Vec<_>>().join(", ")
}

/// One line for a value that was given in another unit than its claim's.
fn conversion(quantity: &Quantity) -> Option<String> {
    let conversion = quantity.conversion.as_ref()?;
    let (from, to) = (&conversion.from, &conversion.to);
    let how = match (conversion.status.as_str(), &conversion.factor) {
        ("convertible", Some(factor)) => {
            format!("converted from {from} to {to}, factor {}", factor.get().trim_matches('"'))
        }
        ("convertible", None) => format!("converted from {from} to {to}"),
        (status, _) => format!("not converted from {from} to {to}: {status}"),
    };
    Some(format!("{} was given as {} and {how}\n", quantity.claim, quantity.submitted))
}
