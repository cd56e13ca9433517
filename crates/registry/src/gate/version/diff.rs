//! What changed between two input schemas, and whether callers of the old one may go on.
//!
//! A keyword that is not known here counts as breaking once it changes.

use std::collections::BTreeSet;

use assay_base::{Rational, numeral};
use serde_json::{Map, Value};

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// JSON pointer to the changed place.
    pub pointer: String,
    /// What changed there.
    pub kind: Kind,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident $compatible:literal,)*) => {
        /// What may change in a schema.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Kind { $($(#[$doc])* $name,)* }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Whether calls that were right before stay right and mean the same.
            #[must_use]
            pub const fn is_compatible(self) -> bool {
                match self { $(Self::$name => $compatible,)* }
            }
        }
    };
}

kinds! {
    /// A field must now be given.
    Required false,
    /// A field need no longer be given.
    Optional true,
    /// A field is new.
    PropertyAdded true,
    /// A field is gone.
    PropertyRemoved false,
    /// More kinds of value are taken.
    TypeWidened true,
    /// Fewer kinds of value are taken.
    TypeNarrowed false,
    /// A word is new.
    WordAdded true,
    /// A word is gone, or words are listed for the first time.
    WordRemoved false,
    /// Every word is taken now.
    WordsFreed true,
    /// More values lie inside the bounds.
    BoundWidened true,
    /// Fewer values lie inside the bounds.
    BoundNarrowed false,
    /// The form of a text is free now.
    FormFreed true,
    /// The form of a text is another one, or is asked for the first time.
    FormChanged false,
    /// Fields that are not named are taken now, or more of them.
    OthersFreed true,
    /// Fields that are not named are refused now, or more of them.
    OthersRefused false,
    /// What an omitted field means is another thing.
    DefaultChanged false,
    /// The words about a place are other ones.
    Annotation true,
    /// Something changed whose effect is not known here.
    Undecided false,
}

/// Every change from `before` to `after`, in the order of the keywords.
#[must_use]
pub fn diff(before: &Value, after: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    schema("", before, after, &mut changes);
    changes
}

fn schema(pointer: &str, before: &Value, after: &Value, changes: &mut Vec<Change>) {
    if before == after {
        return;
    }
    let (Value::Object(before), Value::Object(after)) = (before, after) else {
        changes.push(Change { pointer: pointer.to_owned(), kind: Kind::Undecided });
        return;
    };
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for key in keys {
        let (old, new) = (before.get(key), after.get(key));
        if old != new {
            keyword(&format!("{pointer}/{}", step(key)), key, (old, new), changes);
        }
    }
}

fn step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

type Pair<'v> = (Option<&'v Value>, Option<&'v Value>);

fn keyword(pointer: &str, key: &str, pair: Pair<'_>, changes: &mut Vec<Change>) {
    let mut push = |kind| changes.push(Change { pointer: pointer.to_owned(), kind });
    match key {
        "properties" => properties(pointer, pair, changes),
        "items" => match pair {
            (Some(old), Some(new)) => schema(pointer, old, new, changes),
            (None, _) => push(Kind::TypeNarrowed),
            (_, None) => push(Kind::TypeWidened),
        },
        "additionalProperties" => others(pointer, pair, changes),
        "required" => members(pair, (Kind::Required, Kind::Optional), &mut push),
        "type" => types(pair, &mut push),
        "enum" => words(pair, &mut push),
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
            push(bound(pair, |old, new| new < old));
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            push(bound(pair, |old, new| new > old));
        }
        "uniqueItems" => {
            let narrowed = pair.1.and_then(Value::as_bool) == Some(true);
            push(if narrowed { Kind::BoundNarrowed } else { Kind::BoundWidened });
        }
        "pattern" | "format" => {
            push(if pair.1.is_none() { Kind::FormFreed } else { Kind::FormChanged });
        }
        "default" => push(Kind::DefaultChanged),
        "title" | "description" | "examples" | "$comment" | "deprecated" => push(Kind::Annotation),
        _ => push(Kind::Undecided),
    }
}

fn properties(pointer: &str, pair: Pair<'_>, changes: &mut Vec<Change>) {
    let empty = Map::new();
    let [old, new] = [pair.0, pair.1].map(|it| it.and_then(Value::as_object).unwrap_or(&empty));
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        let place = format!("{pointer}/{}", step(name));
        match (old.get(name), new.get(name)) {
            (Some(old), Some(new)) => schema(&place, old, new, changes),
            (None, _) => changes.push(Change { pointer: place, kind: Kind::PropertyAdded }),
            (_, None) => changes.push(Change { pointer: place, kind: Kind::PropertyRemoved }),
        }
    }
}

fn others(pointer: &str, (old, new): Pair<'_>, changes: &mut Vec<Change>) {
    let open = Value::Bool(true);
    let (old, new) = (old.unwrap_or(&open), new.unwrap_or(&open));
    if let (Value::Object(_), Value::Object(_)) = (old, new) {
        return schema(pointer, old, new, changes);
    }
    let freedom = |value: &Value| match value {
        Value::Bool(true) => 2,
        Value::Bool(false) => 0,
        _ => 1,
    };
    let kind = match freedom(new).cmp(&freedom(old)) {
        std::cmp::Ordering::Less => Kind::OthersRefused,
        std::cmp::Ordering::Equal => Kind::Annotation,
        std::cmp::Ordering::Greater => Kind::OthersFreed,
    };
    changes.push(Change { pointer: pointer.to_owned(), kind });
}

/// The items of an array of strings, or the one string.
fn strings(value: Option<&Value>) -> BTreeSet<&str> {
    match value {
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(one)) => BTreeSet::from([one.as_str()]),
        _ => BTreeSet::new(),
    }
}

fn members(pair: Pair<'_>, (added, removed): (Kind, Kind), push: &mut impl FnMut(Kind)) {
    let (old, new) = (strings(pair.0), strings(pair.1));
    new.difference(&old).for_each(|_| push(added));
    old.difference(&new).for_each(|_| push(removed));
    if old == new {
        push(Kind::Annotation);
    }
}

/// A number takes every integer, and no type at all takes everything.
fn types(pair: Pair<'_>, push: &mut impl FnMut(Kind)) {
    const EVERY: [&str; 6] = ["array", "boolean", "null", "number", "object", "string"];
    let [old, new] = [pair.0, pair.1].map(|value| {
        let mut types = if value.is_none() { BTreeSet::from(EVERY) } else { strings(value) };
        if types.contains("number") {
            types.insert("integer");
        }
        types
    });
    if !old.is_subset(&new) {
        push(Kind::TypeNarrowed);
    } else if old == new {
        push(Kind::Annotation);
    } else {
        push(Kind::TypeWidened);
    }
}

/// Words may be of any kind, so they are compared as they are.
fn words(pair: Pair<'_>, push: &mut impl FnMut(Kind)) {
    let (Some(Value::Array(old)), Some(Value::Array(new))) = pair else {
        return push(if pair.1.is_none() { Kind::WordsFreed } else { Kind::WordRemoved });
    };
    let added = new.iter().filter(|it| !old.contains(it)).count();
    let removed = old.iter().filter(|it| !new.contains(it)).count();
    (0..added).for_each(|_| push(Kind::WordAdded));
    (0..removed).for_each(|_| push(Kind::WordRemoved));
    if added + removed == 0 {
        push(Kind::Annotation);
    }
}

fn bound(pair: Pair<'_>, wider: impl Fn(&Rational, &Rational) -> bool) -> Kind {
    let number = |value: &Value| match value {
        Value::Number(number) => numeral::parse(&number.to_string()).ok(),
        _ => None,
    };
    match pair {
        (_, None) => Kind::BoundWidened,
        (None, _) => Kind::BoundNarrowed,
        (Some(old), Some(new)) => match (number(old), number(new)) {
            (Some(old), Some(new)) if old == new => Kind::Annotation,
            (Some(old), Some(new)) if wider(&old, &new) => Kind::BoundWidened,
            (Some(_), Some(_)) => Kind::BoundNarrowed,
            _ => Kind::Undecided,
        },
    }
}
