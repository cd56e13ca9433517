//! One member of a JSON object set or removed in the text, with every other byte left as it is.
//!
//! What is inserted takes the shape of what stands around it: line ends, indentation, and whether
//! members stand on lines of their own.

use std::borrow::Cow;
use std::ops::Range;

use assay_base::canonical;
use assay_base::json::{self, JsonError, Scalar};

/// The indentation where nothing shows another.
const UNIT: &str = "  ";

/// A value to be written.
#[derive(Debug, Clone)]
pub(super) enum Value {
    String(String),
    Strings(Vec<String>),
    Object(Vec<(&'static str, Value)>),
}

/// A member where it stands.
#[derive(Debug)]
pub(super) struct Member<'t> {
    pub(super) key: Cow<'t, str>,
    /// From the quote that opens its key.
    start: usize,
    pub(super) value: Range<usize>,
}

/// The members of the object that stands at `object` in `text`.
pub(super) fn members(text: &str, object: Range<usize>) -> Result<Vec<Member<'_>>, JsonError> {
    let slice = text.get(object.clone()).unwrap_or_default();
    let mut end = slice.find('{').unwrap_or_default() + 1;
    let members = json::object(slice)?.into_iter().map(|(key, raw)| {
        let raw = raw.get();
        let value = raw.as_ptr().addr() - slice.as_ptr().addr();
        // Between two members there is nothing but white space and a comma.
        let start = end + quote(slice, end);
        end = value + raw.len();
        Member { key, start: object.start + start, value: object.start + value..object.start + end }
    });
    Ok(members.collect())
}

fn quote(text: &str, from: usize) -> usize {
    text.get(from..).and_then(|it| it.find('"')).unwrap_or_default()
}

/// What the value at `range` is.
pub(super) fn scalar(text: &str, range: Range<usize>) -> Option<Scalar<'_>> {
    let raw = serde_json::from_str(text.get(range)?).ok()?;
    Some(json::scalar(raw))
}

/// `text` with the member `key` of the object at `object` set to `value`.
pub(super) fn set(
    text: &str,
    object: Range<usize>,
    key: &str,
    value: &Value,
) -> Result<String, JsonError> {
    let members = members(text, object.clone())?;
    let shape = Shape::of(text, &members, &object);
    let edit = match (members.iter().find(|it| it.key == key), members.last()) {
        (Some(member), _) => (member.value.clone(), shape.render(value, &shape.indentation)),
        (None, Some(last)) => {
            let member = shape.member(key, value);
            (last.value.end..last.value.end, format!(",{}{member}", shape.before))
        }
        (None, None) => {
            // White space may stand around the braces of a whole file.
            let slice = text.get(object.clone()).unwrap_or_default();
            let open = slice.find('{').unwrap_or_default() + 1;
            let close = slice.rfind('}').unwrap_or(open);
            let member = shape.member(key, value);
            let after = if shape.before.is_empty() { String::new() } else { shape.line(1) };
            let inner = object.start + open..object.start + close;
            (inner, format!("{}{member}{after}", shape.before))
        }
    };
    Ok(spliced(text, edit))
}

/// `text` without the member `key` of the object at `object`.
pub(super) fn removed(text: &str, object: Range<usize>, key: &str) -> Result<String, JsonError> {
    let members = members(text, object)?;
    let Some(index) = members.iter().position(|it| it.key == key) else {
        return Ok(text.to_owned());
    };
    // The comma goes with it: the one behind the member, or behind the last one the one before.
    let at = |index: usize| members.get(index);
    let range = match (at(index), at(index + 1), index.checked_sub(1).and_then(at)) {
        (Some(member), Some(next), _) => member.start..next.start,
        (Some(member), None, Some(before)) => before.value.end..member.value.end,
        (Some(member), None, None) => member.start..member.value.end,
        (None, ..) => 0..0,
    };
    Ok(spliced(text, (range, String::new())))
}

fn spliced(text: &str, (range, new): (Range<usize>, String)) -> String {
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    format!("{before}{new}{after}")
}

/// How the members of an object are laid out.
#[derive(Debug)]
struct Shape<'t> {
    /// What stands before a member: a line end with the indentation, some spaces, or nothing.
    before: String,
    /// The indentation of the members; empty where they share one line.
    indentation: String,
    /// One step of indentation.
    unit: &'t str,
    /// What stands between a key and its value.
    colon: &'t str,
    /// The line end, where members stand on lines of their own.
    line_end: Option<&'static str>,
}

impl<'t> Shape<'t> {
    fn of(text: &'t str, members: &[Member<'_>], object: &Range<usize>) -> Self {
        let line_end = super::line_end(text);
        let unit = unit(text);
        let (Some(last), Some(first)) = (members.last(), members.first()) else {
            return Self::of_empty(text, object, unit);
        };
        let before = text.get(..last.start).unwrap_or_default();
        let space = before.trim_end_matches([' ', '\t', '\n', '\r']).len();
        let space = before.get(space..).unwrap_or_default();
        let written = text.get(first.start..first.value.start).unwrap_or_default();
        let colon = written.rsplit_once('"').map_or(": ", |it| it.1);
        match space.rsplit_once('\n') {
            Some((_, indentation)) => Self {
                before: format!("{line_end}{indentation}"),
                indentation: indentation.to_owned(),
                unit,
                colon,
                line_end: Some(line_end),
            },
            None => Self {
                // A single member shows no space after a comma.
                before: if members.len() == 1 && colon.ends_with(' ') { " " } else { space }
                    .to_owned(),
                indentation: String::new(),
                unit,
                colon,
                line_end: None,
            },
        }
    }

    /// An object without members takes the shape of the file; a file without any gets lines.
    fn of_empty(text: &'t str, object: &Range<usize>, unit: &'t str) -> Self {
        let is_whole = text.get(..object.start).is_none_or(|it| it.trim().is_empty());
        if !is_whole && !text.trim().contains('\n') {
            let colon = if text.contains("\": ") { ": " } else { ":" };
            let (before, indentation) = (String::new(), String::new());
            return Self { before, indentation, unit, colon, line_end: None };
        }
        let line_end = super::line_end(text);
        let line = text.get(..object.start).unwrap_or_default().rsplit('\n').next();
        let line = line.unwrap_or_default();
        let outer = line.len() - line.trim_start_matches([' ', '\t']).len();
        let indentation = format!("{}{unit}", line.get(..outer).unwrap_or_default());
        Self {
            before: format!("{line_end}{indentation}"),
            indentation,
            unit,
            colon: ": ",
            line_end: Some(line_end),
        }
    }

    fn member(&self, key: &str, value: &Value) -> String {
        format!("{}{}{}", quoted(key), self.colon, self.render(value, &self.indentation))
    }

    /// The break before a line that stands `steps` further out than the members.
    fn line(&self, steps: usize) -> String {
        let kept = self.indentation.len().saturating_sub(self.unit.len() * steps);
        let indentation = self.indentation.get(..kept).unwrap_or_default();
        format!("{}{indentation}", self.line_end.unwrap_or_default())
    }

    fn render(&self, value: &Value, indentation: &str) -> String {
        match value {
            Value::String(text) => quoted(text),
            Value::Strings(texts) => {
                let texts: Vec<_> = texts.iter().map(|it| quoted(it)).collect();
                format!("[{}]", texts.join(if self.colon.ends_with(':') { "," } else { ", " }))
            }
            Value::Object(members) => {
                let inner = format!("{indentation}{}", self.unit);
                let (start, between, end) = match self.line_end {
                    Some(it) => {
                        let start = format!("{it}{inner}");
                        (start.clone(), start, format!("{it}{indentation}"))
                    }
                    None => {
                        let between = if self.colon.ends_with(':') { "" } else { " " };
                        (String::new(), between.to_owned(), String::new())
                    }
                };
                let member = |(key, value): &(&'static str, Value)| {
                    format!("{}{}{}", quoted(key), self.colon, self.render(value, &inner))
                };
                let members: Vec<_> = members.iter().map(member).collect();
                format!("{{{start}{}{end}}}", members.join(&format!(",{between}")))
            }
        }
    }
}

/// One step of indentation: what stands before the first key of the file.
fn unit(text: &str) -> &str {
    let before = text.get(..quote(text, 0)).unwrap_or_default();
    match before.rsplit_once('\n') {
        Some((_, unit)) if !unit.is_empty() && unit.trim().is_empty() => unit,
        _ => UNIT,
    }
}

fn quoted(text: &str) -> String {
    String::from_utf8_lossy(&canonical::to_bytes(|slot| slot.string(text))).into_owned()
}
