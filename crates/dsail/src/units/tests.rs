use assay_base::{Rational, numeral};

use super::standards::{DataError, FILES, Standards};
use super::{Bridge, Conversion, Converter, ConverterError, Library, MAX_CONVERTERS, MAX_STEPS};
use crate::ir::Unit;

fn rational(text: &str) -> Rational {
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    numeral::parse(top).unwrap().divide(&numeral::parse(bottom).unwrap()).unwrap()
}

fn converter(from: &str, to: &str, factor: &str, offset: &str) -> Converter {
    let conversion = Conversion { factor: rational(factor), offset: rational(offset) };
    Converter { from: Unit::new(from), to: Unit::new(to), conversion }
}

fn project(converters: &[(&str, &str, &str)]) -> Library {
    let converters = converters.iter().map(|(from, to, factor)| converter(from, to, factor, "0"));
    Library::with_converters(converters).unwrap()
}

fn bridge(library: &Library, from: &str, to: &str) -> Bridge {
    library.bridge(&Unit::new(from), &Unit::new(to))
}

/// `value` in `from`, expressed in `to`, or the name of the other answer.
fn convert(library: &Library, value: &str, from: &str, to: &str) -> String {
    match bridge(library, from, to) {
        Bridge::Convertible(conversion) => conversion.apply(&rational(value)).to_string(),
        other @ (Bridge::Same | Bridge::Ambiguous | Bridge::UnknownUnit | Bridge::NoPath) => {
            format!("{other:?}")
        }
    }
}

/// Every known symbol, those of the project included.
fn symbols(library: &Library) -> Vec<Unit> {
    let standard = library.standards.spellings();
    let added = library.project.added.iter().map(|it| it.unit.symbol());
    let mut units: Vec<Unit> = standard.chain(added).map(|it| library.unit(it).unwrap()).collect();
    units.sort();
    units.dedup();
    units
}

#[test]
fn every_standard_is_read() {
    let standards = Standards::read(&FILES).unwrap_or_else(|error| panic!("{error}"));
    let ids: Vec<&str> = standards.names().iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, ["length", "mass", "time", "temperature", "data-size", "currency"]);
    let library = Library::standard();
    for unit in symbols(library) {
        assert!(!library.source(&unit).unwrap().is_empty(), "{unit}");
        assert_eq!(library.unit(unit.symbol()), Some(unit.clone()), "canonical: {unit}");
    }
    assert!(library.standards.spellings().all(|it| {
        !it.is_empty() && it.trim() == it && !it.starts_with(|first: char| first.is_ascii_digit())
    }));
    assert_eq!(library.hash(), None);
    assert!(library.converters().is_empty());
}

#[test]
fn malformed_standards_are_refused() {
    const UNIT: &str = r#"{"id": "a", "name": "A", "units": [{"symbol": "x", "aliases": ["y"],
        "base": "x", "factor": "1", "source": "s"}]}"#;
    assert!(Standards::read(&[UNIT]).is_ok());
    assert_eq!(Standards::read(&[UNIT, UNIT]).unwrap_err(), DataError::Twice("x"));
    assert!(matches!(Standards::read(&["{}"]), Err(DataError::Json(_))));
    let table: [(&str, DataError); 5] = [
        (
            r#"{"id": "a", "name": "A", "units": [{"symbol": "x", "aliases": [], "base": "x",
            "factor": "0", "source": "s"}]}"#,
            DataError::Number("0"),
        ),
        (
            r#"{"id": "a", "name": "A", "units": [{"symbol": "x", "aliases": [], "base": "x",
            "factor": "-1", "source": "s"}]}"#,
            DataError::Number("-1"),
        ),
        (
            r#"{"id": "a", "name": "A", "units": [{"symbol": "x", "aliases": [], "base": "z",
            "factor": "1", "source": "s"}]}"#,
            DataError::Base("x"),
        ),
        (
            r#"{"id": "a", "name": "A", "units": [{"symbol": "x", "aliases": [], "base": "x",
            "factor": "2", "source": "s"}]}"#,
            DataError::Base("x"),
        ),
        (
            r#"{"id": "a", "name": "A", "units": [{"symbol": "x", "aliases": [], "base": "x",
            "factor": "1", "source": "s"}], "intervals": [{"from": "x", "to": "x", "low": "1",
            "high": "2", "source": "s"}]}"#,
            DataError::Interval("x"),
        ),
    ];
    for (text, error) in table {
        assert_eq!(Standards::read(&[text]).unwrap_err(), error, "{text}");
    }
}

#[test]
fn standard_conversions() {
    for (value, from, to, expected) in [
        ("1", "mi", "m", "1609.344"),
        ("1", "mi", "km", "1.609344"),
        ("5", "km", "m", "5000"),
        ("1", "ft", "in", "12"),
        ("1", "yd", "ft", "3"),
        ("1", "mi", "ft", "5280"),
        ("1", "nmi", "m", "1852"),
        ("254", "cm", "in", "100"),
        ("1", "µm", "nm", "1000"),
        ("1", "lb", "oz", "16"),
        ("1", "lb", "gr", "7000"),
        ("1", "lb", "g", "453.59237"),
        ("1", "st", "lb", "14"),
        ("1", "short_ton", "lb", "2000"),
        ("1", "long_ton", "lb", "2240"),
        ("1", "oz_t", "gr", "480"),
        ("1", "tonne", "mg", "1000000000"),
        ("1", "ct", "mg", "200"),
        ("0", "degC", "degF", "32"),
        ("100", "degC", "degF", "212"),
        ("-40", "degC", "degF", "-40"),
        ("98.6", "degF", "degC", "37"),
        ("0", "K", "degC", "-273.15"),
        ("0", "degC", "K", "273.15"),
        ("0", "degF", "degR", "459.67"),
        ("1", "degF", "degC", "-155/9"),
        ("2", "weeks", "d", "14"),
        ("1", "day", "s", "86400"),
        ("1.5", "hours", "min", "90"),
        ("1", "yr", "mo", "12"),
        ("2", "quarters", "months", "6"),
        ("1", "month", "yr", "1/12"),
        ("1", "B", "bit", "8"),
        ("1", "MB", "kB", "1000"),
        ("1", "MiB", "KiB", "1024"),
        ("1", "GiB", "MB", "1073.741824"),
        ("1", "PiB", "B", "1125899906842624"),
        ("1", "PB", "TB", "1000"),
        ("8", "Mbit", "MB", "1"),
    ] {
        assert_eq!(convert(Library::standard(), value, from, to), expected, "{value} {from} {to}");
    }
}

#[test]
fn bridges_without_a_conversion() {
    let library = Library::standard();
    for (from, to, expected) in [
        ("m", "m", Bridge::Same),
        ("US$", "USD", Bridge::Same),
        ("day", "days", Bridge::Same),
        ("parsnip", "parsnip", Bridge::Same),
        ("mo", "d", Bridge::Ambiguous),
        ("d", "mo", Bridge::Ambiguous),
        ("yr", "s", Bridge::Ambiguous),
        ("wk", "qtr", Bridge::Ambiguous),
        ("USD", "EUR", Bridge::NoPath),
        ("EUR", "CAD", Bridge::NoPath),
        ("kg", "m", Bridge::NoPath),
        ("mo", "USD", Bridge::NoPath),
        ("kg", "parsnip", Bridge::UnknownUnit),
        ("usd", "USD", Bridge::UnknownUnit),
        ("", "USD", Bridge::UnknownUnit),
        ("mb", "MB", Bridge::UnknownUnit),
        ("mdegC", "degC", Bridge::UnknownUnit),
    ] {
        assert_eq!(bridge(library, from, to), expected, "{from} {to}");
    }
    let bounds: Vec<String> = library
        .intervals()
        .iter()
        .map(|it| format!("{} {} {} {}", it.from, it.to, it.low, it.high))
        .collect();
    assert_eq!(bounds, ["mo d 28 31", "yr d 365 366"]);
}

#[test]
fn there_and_back_is_identity() {
    let contradictory = project(&[
        ("EUR", "USD", "1.1"),
        ("USD", "GBP", "0.8"),
        ("EUR", "GBP", "0.9"),
        ("GBP", "credit", "7"),
        ("kg", "EUR", "3"),
        ("token", "EUR", "0.01"),
    ]);
    let mut convertible = 0;
    for library in [Library::standard(), &contradictory] {
        let units = symbols(library);
        for from in &units {
            for to in &units {
                match (library.bridge(from, to), library.bridge(to, from)) {
                    (Bridge::Convertible(there), Bridge::Convertible(back)) => {
                        assert_eq!(there.then(&back), Conversion::IDENTITY, "{from} {to}");
                        convertible += 1;
                    }
                    (there, back) => assert_eq!(there, back, "{from} {to}"),
                }
            }
        }
    }
    assert!(convertible > 1_000, "{convertible}");
}

#[test]
fn what_units_are() {
    let library = Library::with_converters([
        converter("furlong", "m", "201.168", "0"),
        converter("league", "furlong", "24", "0"),
        converter("degRe", "degC", "1.25", "0"),
        converter("widget", "kg", "2", "0"),
        converter("widget", "USD", "5", "0"),
        converter("point", "badge", "3", "0"),
        converter("gauge", "point", "1", "4"),
    ])
    .unwrap();
    for (symbol, canonical, dimension, affine) in [
        ("€", "EUR", "currency", false),
        ("US$", "USD", "currency", false),
        ("CA$", "CAD", "currency", false),
        ("miles", "mi", "length", false),
        ("nautical miles", "nmi", "length", false),
        ("°C", "degC", "temperature", true),
        ("degF", "degF", "temperature", true),
        ("K", "K", "temperature", false),
        ("degR", "degR", "temperature", false),
        ("byte", "B", "data-size", false),
        ("month", "mo", "time", false),
        ("days", "d", "time", false),
        ("lbs", "lb", "mass", false),
        ("league", "league", "length", false),
        ("degRe", "degRe", "temperature", true),
        ("widget", "widget", "widget", false),
        ("badge", "badge", "badge", true),
        ("gauge", "gauge", "badge", true),
    ] {
        let unit = library.unit(symbol).unwrap();
        assert_eq!(unit.symbol(), canonical);
        assert_eq!(library.dimension(&unit), Some(dimension), "{symbol}");
        assert_eq!(library.is_affine(&unit), affine, "{symbol}");
    }
    for symbol in ["$", "dollar", "£", "¥", "MIN", "Kg", "mdegC", "kdegF", "", "furlong "] {
        assert_eq!(library.unit(symbol), None, "{symbol}");
        assert_eq!(library.dimension(&Unit::new(symbol)), None);
        assert!(!library.is_affine(&Unit::new(symbol)));
    }
}

#[test]
fn nearest_spellings() {
    let library = project(&[("smoot", "in", "67")]);
    let long = "m".repeat(100_000);
    for (symbol, expected) in [
        ("usd", Some("USD")),
        ("Usd", Some("USD")),
        ("mb", Some("MB")),
        ("kilometrs", Some("kilometers")),
        ("dgeC", Some("degC")),
        ("EURO", Some("euro")),
        ("smoots", Some("smoot")),
        ("mnoth", Some("month")),
        ("parsnip", None),
        ("", None),
        ("🦀", None),
        (long.as_str(), None),
    ] {
        assert_eq!(library.nearest(symbol), expected, "{symbol:.20}");
    }
}

#[test]
fn converters_chain() {
    let library = Library::with_converters([
        converter("€", "USD", "1.1", "0"),
        converter("CAD", "USD", "0.75", "0"),
        converter("L", "kg", "0.8", "0"),
        converter("kg", "USD", "3", "0"),
        converter("sprint", "weeks", "2", "0"),
        converter("score", "points", "2", "-10"),
        converter("points", "grade", "0.5", "1"),
    ])
    .unwrap();
    for (value, from, to, expected) in [
        ("10", "EUR", "US$", "11"),
        ("11", "USD", "EUR", "10"),
        ("1", "EUR", "CAD", "22/15"),
        ("1", "L", "g", "800"),
        ("5", "L", "EUR", "120/11"),
        ("1000", "g", "CAD", "4"),
        ("3", "sprint", "d", "42"),
        ("20", "score", "grade", "16"),
        ("16", "grade", "score", "20"),
        ("1", "sprint", "mo", "Ambiguous"),
        ("1", "score", "kg", "NoPath"),
        ("1", "GBP", "EUR", "NoPath"),
        ("1", "tusk", "EUR", "UnknownUnit"),
    ] {
        assert_eq!(convert(&library, value, from, to), expected, "{value} {from} {to}");
    }
    let thirty = project(&[("mo", "d", "30")]);
    assert_eq!(convert(&thirty, "1", "yr", "wk"), "360/7");
}

#[test]
fn the_shortest_chain_wins_and_symbols_break_ties() {
    let direct = [("a", "d", "2"), ("a", "b", "1"), ("b", "c", "1"), ("c", "d", "1")];
    assert_eq!(convert(&project(&direct), "1", "a", "d"), "2");
    // From `a` the way over `b` sorts first, from `z` the way over `x` would.
    let tie = [
        ("a", "b", "5"),
        ("b", "y", "1"),
        ("y", "z", "1"),
        ("a", "c", "3"),
        ("c", "x", "1"),
        ("x", "z", "1"),
    ];
    for (from, to, expected) in [("a", "z", "5"), ("z", "a", "0.2")] {
        assert_eq!(convert(&project(&tie), "1", from, to), expected);
    }
    let mut reversed = tie;
    reversed.reverse();
    assert_eq!(project(&reversed).hash(), project(&tie).hash());
    // Through the group of mass it is three steps, directly it is one.
    let density = project(&[("kg", "L", "1"), ("g", "mL", "2"), ("L", "mL", "1000")]);
    assert_eq!(convert(&density, "1", "L", "mL"), "1000");
    assert_eq!(convert(&density, "1", "kg", "L"), "1");
}

#[test]
fn chains_end_after_the_last_allowed_step() {
    let chain: Vec<Converter> = (0..500)
        .map(|it| converter(&format!("u{it:03}"), &format!("u{:03}", it + 1), "2", "0"))
        .collect();
    let library = Library::with_converters(chain).unwrap();
    assert_eq!(convert(&library, "1", "u000", &format!("u{MAX_STEPS:03}")), "65536");
    assert_eq!(convert(&library, "1", "u000", &format!("u{:03}", MAX_STEPS + 1)), "NoPath");
}

#[test]
fn refused_converters() {
    let ten = "1".repeat(101);
    let long = "x".repeat(65);
    for (from, to, factor, message) in [
        ("a", "b", "0", "the factor from `a` to `b` is zero"),
        ("km", "m", "1001", "by the standards `m` is `km` times 1000"),
        ("degC", "degF", "2", "by the standards `degF` is `degC` times 1.8 plus 32"),
        ("km", "kilometers", "1", "`km` and `km` name one unit"),
        ("a", "a", "1", "`a` and `a` name one unit"),
        ("", "m", "1", "`` cannot be a unit symbol"),
        ("1a", "m", "1", "`1a` cannot be a unit symbol"),
        ("a b", "m", "1", "`a b` cannot be a unit symbol"),
        ("m", "a\"", "1", "`a\"` cannot be a unit symbol"),
        ("m", "a\u{202e}b", "1", "`a\\u{202e}b` cannot be a unit symbol"),
        (&long, "m", "1", &format!("`{long}` cannot be a unit symbol")),
        ("a", "b", &ten, "the factor or offset from `a` to `b` has more than 100 digits"),
    ] {
        let error = Library::with_converters([converter(from, to, factor, "0")]).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(!error.help().is_empty());
    }
    let twice = [converter("EUR", "USD", "2", "0"), converter("USD", "EUR", "0.5", "0")];
    let error = Library::with_converters(twice).unwrap_err();
    assert_eq!(error.to_string(), "two converters join `USD` and `EUR`");
    let many = (0..=MAX_CONVERTERS).map(|it| converter("m", &format!("u{it}"), "2", "0"));
    assert_eq!(Library::with_converters(many).unwrap_err(), ConverterError::TooMany);
    // What the standards say already may be said again.
    assert!(Library::with_converters([converter("degC", "degF", "9/5", "32")]).is_ok());
}

#[test]
fn the_address_covers_the_arithmetic_alone() {
    let one = project(&[("€", "US$", "1.10"), ("b", "a", "1/3")]);
    let same = project(&[("b", "a", "1/3"), ("EUR", "USD", "1.1"), ("EUR", "USD", "1.1")]);
    assert_eq!(one.converters(), same.converters());
    assert_eq!(one.hash(), same.hash());
    let bytes = r#"[{"factor":1.1,"from":"EUR","offset":0,"to":"USD"},{"factor":"1/3","from":"b","offset":0,"to":"a"}]"#;
    assert_eq!(one.hash(), Some(assay_base::LibraryHash::of(bytes.as_bytes())));
    assert_ne!(one.hash(), project(&[("EUR", "USD", "1.2"), ("b", "a", "1/3")]).hash());
    assert_eq!(Library::with_converters([]).unwrap().hash(), None);
}

#[test]
fn a_new_converter_replaces_its_pair() {
    let first = Library::standard().with_converter(converter("EUR", "USD", "1.1", "0")).unwrap();
    let again = first.with_converter(converter("€", "US$", "1.1", "0")).unwrap();
    assert_eq!(again.hash(), first.hash());
    let turned = first.with_converter(converter("USD", "EUR", "0.8", "0")).unwrap();
    assert_eq!(turned.converters(), [converter("USD", "EUR", "0.8", "0")]);
    assert_eq!(convert(&turned, "1", "EUR", "USD"), "1.25");
    assert!(first.with_converter(converter("USD", "EUR", "0", "0")).is_err());
}
