//! `assay audit list`.

use anstyle::{AnsiColor, Style};
use assay_core::{AuditFound, AuditSought, Event, World};
use serde_json::Value;

use super::{Opened, place, told, unserved};
use crate::commands::key::json;
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::show::table::{Cell, Table};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Entries of this organisation alone.
    #[arg(long, value_name = "ORG")]
    org: Option<String>,
    /// Entries about this tool, by its id.
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,
    /// Entries of this kind, such as tool.invoked.
    #[arg(long, value_name = "EVENT", value_parser = event_word)]
    event: Option<&'static str>,
    /// Entries of refused calls, which is `--event tool.denied`.
    #[arg(long, conflicts_with = "event")]
    denied: bool,
    /// Entries from then on: 2026-12-01, 2026-12-01T03:05:32Z, or 30m, 24h, 7d before now
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<String>,
    /// How many entries, at most 1000
    #[arg(long, value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
}

fn event_word(written: &str) -> Result<&'static str, String> {
    let words = || Event::ALL.iter().map(|it| it.word());
    words().find(|it| *it == written).ok_or_else(|| {
        let words: Vec<&str> = words().collect();
        format!("the kinds are {}", words.join(", "))
    })
}

/// A point in time as entries write it, or the beginning of one, which stands before all of them.
fn since(written: &str) -> Result<String, String> {
    const DAY: &str = "0000-00-00";
    const SECOND: &str = "0000-00-00T00:00:00Z";
    let shaped = |shape: &str| {
        let same = |(it, like): (char, char)| match like {
            '0' => it.is_ascii_digit(),
            like => it == like,
        };
        written.len() == shape.len() && written.chars().zip(shape.chars()).all(same)
    };
    if shaped(DAY) || shaped(SECOND) {
        return Ok(written.to_owned());
    }
    let seconds = |(unit, seconds): (char, i64)| {
        let count: i64 = written.strip_suffix(unit)?.parse().ok().filter(|it| *it >= 0)?;
        (World::default().now)().seconds().checked_sub(count.checked_mul(seconds)?)
    };
    let then = [('m', 60), ('h', 3_600), ('d', 86_400)].into_iter().find_map(seconds);
    then.map(|it| assay_base::Timestamp::from_seconds(it).to_string())
        .ok_or_else(|| "give a day, a second in UTC, or an age such as 30m, 24h or 7d".to_owned())
}

pub(super) fn run(opened: &Opened, arguments: &Arguments, as_json: bool) -> Outcome {
    let denied = arguments.denied.then_some(Event::ToolDenied.word());
    let sought = AuditSought {
        chain: arguments.org.as_deref(),
        event_id: None,
        event_type: arguments.event.or(denied),
        tool: arguments.tool.as_deref(),
        since: arguments.since.as_deref(),
    };
    let found = opened.log.find(sought, arguments.limit.into()).map_err(unserved)?;
    if as_json {
        return json(|object| {
            object.key("entries").array(|array| {
                for entry in &found {
                    array.item().object(|object| {
                        object.key("chain").string(&entry.chain);
                        object.key("hash").display(entry.row.hash);
                        match told(entry) {
                            Some(told) => object.key("record").json(&told),
                            None => object.key("record").string(&entry.row.record),
                        }
                        object.key("sequence").integer(entry.row.sequence);
                    });
                }
            });
        });
    }
    page(&found)?;
    Ok(Exit::Ran)
}

fn page(found: &[AuditFound]) -> Result<(), Failure> {
    if found.is_empty() {
        return output::page("there is no such entry\n");
    }
    let mut table =
        Table::with_heading(["time and place", "event and id", "tool and who", "result"]);
    for entry in found {
        let told = told(entry).unwrap_or_default();
        let text = |path: &str| told.pointer(path).and_then(Value::as_str).unwrap_or_default();
        let time = match text("/timestamp") {
            "" => "unreadable",
            time => time,
        };
        let plain = Style::new();
        table.row([
            Cell::from(time).and(&place(entry), plain),
            Cell::from(text("/event_type")).and(text("/event_id"), plain),
            Cell::from(text("/tool/tool_id")).and(text("/actor/user_id"), plain),
            result(text("/action/result"), text("/action/error_code")),
        ]);
    }
    output::page(&table.render(output::columns()))
}

fn result(result: &str, code: &str) -> Cell {
    let color = match result {
        "success" => AnsiColor::Green,
        "failure" => AnsiColor::Red,
        _ => AnsiColor::Yellow,
    };
    Cell::styled(result, color.on_default()).and(code, Style::new())
}

#[cfg(test)]
mod tests {
    use super::since;

    #[test]
    fn times_are_days_seconds_or_ages() {
        for written in ["2026-12-01", "2026-12-01T03:05:32Z"] {
            assert_eq!(since(written).as_deref(), Ok(written));
        }
        for written in ["30m", "24h", "7d", "0d"] {
            assert!(since(written).unwrap().ends_with('Z'), "{written}");
        }
        assert!(since("7d") < since("24h") && since("24h") < since("30m"));
        for written in ["", "yesterday", "2026-12-1", "-1d", "99999999999999999999d", "7 d"] {
            assert!(since(written).is_err(), "{written}");
        }
    }
}
