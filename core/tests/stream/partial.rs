//! Documents in pieces: the fixture cases, random documents against the slow way, broken and hostile ones.

use crate::support;

use std::collections::BTreeMap;

use ag_ui_native::bindings::json::{Input, ParseOptions, PartialJson, PartialParser, Tape};
use ag_ui_native::{Code, Error, Limits, Object, Value};
use proptest::collection::vec;
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    name: String,
    json: String,
    #[serde(default)]
    limits: BTreeMap<String, usize>,
    #[serde(default)]
    steps: Vec<(usize, String, Vec<String>)>,
    value: Option<String>,
    error: Option<Fault>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Fault {
    code: String,
    path: String,
    offset: Option<usize>,
    limit: Option<String>,
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self {
            code: error.code().to_string(),
            path: error.path().to_owned(),
            offset: error.offset,
            limit: error.limit.map(str::to_owned),
        }
    }
}

fn limits(settings: &BTreeMap<String, usize>) -> Limits {
    let mut limits = Limits::default();
    for (name, &value) in settings {
        *limits.get_mut(name).expect("a limit") = value;
    }
    limits
}

/// The ordinary parser.
fn parse(json: &str) -> Result<Value, Fault> {
    let mut tape = Tape::default();
    let options = ParseOptions { depth: Limits::default().depth, replace_invalid_text: false };
    tape.parse(json, options).map(Input::to_value).map_err(|syntax| Fault {
        code: syntax.code.to_string(),
        path: syntax.path,
        offset: Some(syntax.offset),
        limit: (syntax.code == Code::LimitExceeded).then(|| "depth".to_owned()),
    })
}

/// All pieces, and the end.
fn read<'a>(
    pieces: impl IntoIterator<Item = &'a str>,
    limits: Limits,
) -> Result<(Value, Vec<String>), Error> {
    let mut partial = PartialJson::new(limits);
    let mut completed = Vec::new();
    for piece in pieces {
        partial.feed(piece)?;
        completed.extend_from_slice(partial.completed());
    }
    Ok((partial.finish()?, completed))
}

fn characters(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(|_: char| true)
}

/// True if both are the same value, with the members in the same order.
fn same(left: &Value, right: &Value) -> bool {
    format!("{left:?}") == format!("{right:?}")
}

#[test]
fn fixture_cases_after_each_character() {
    let whole = |case: &Case| case.error.is_none() && case.limits.is_empty();
    for case in support::fixture::<Vec<Case>>("partial").into_iter().filter(whole) {
        let mut partial = PartialJson::new(Limits::default());
        let mut steps = case.steps.into_iter().peekable();
        let (mut value, mut complete) = (Value::Object(Object::default()), false);
        for (index, character) in characters(&case.json).enumerate() {
            partial.feed(character).unwrap();
            let step = steps.next_if(|step| step.0 == index + 1);
            let completed = step.map_or(Vec::new(), |(_, now, completed)| {
                value = parse(&now).unwrap();
                completed
            });
            complete |= completed.iter().any(String::is_empty);
            assert!(same(partial.value(), &value), "{} at {index}: {:?}", case.name, partial.value());
            assert_eq!(partial.completed(), completed, "{} at {index}", case.name);
            assert_eq!(partial.is_complete(), complete, "{} at {index}", case.name);
        }
        assert!(steps.next().is_none(), "{}", case.name);
    }
}

#[test]
fn fixture_cases_however_they_are_cut() {
    for case in support::fixture::<Vec<Case>>("partial") {
        let check = |pieces: Vec<&str>| {
            let outcome = read(pieces.iter().copied(), limits(&case.limits));
            match (outcome, &case.value) {
                (Ok((value, _)), Some(expected)) => {
                    assert!(same(&value, &parse(expected).unwrap()), "{}: {value:?}", case.name);
                }
                (Ok(_), None) => panic!("{} is accepted", case.name),
                (Err(error), _) => {
                    assert_eq!(Some(Fault::from(error)), case.error, "{}: {pieces:?}", case.name);
                }
            }
        };
        check(vec![&case.json]);
        check(characters(&case.json).collect());
        for (at, _) in case.json.char_indices() {
            check(vec![&case.json[..at], "", &case.json[at..]]);
        }
    }
}

#[test]
fn what_stands_before_a_fault_counts() {
    let mut partial = PartialJson::new(Limits::default());
    let error = partial.feed(r#"{"a":"x","b":"yz\q"}"#).unwrap_err();
    assert_eq!((error.code(), error.offset, error.path()), (Code::InvalidJson, Some(17), "/b"));
    assert!(same(partial.value(), &parse(r#"{"a":"x","b":"yz"}"#).unwrap()));
    assert_eq!(partial.completed(), ["/a"]);
    assert!(!partial.is_complete());
    assert_eq!(partial.feed("}").unwrap_err().code(), Code::DecoderFailed);
    assert_eq!(partial.finish().unwrap_err().code(), Code::DecoderFailed);
}

#[test]
fn what_follows_a_whole_document_makes_it_none() {
    let mut partial = PartialJson::new(Limits::default());
    partial.feed("{} ").unwrap();
    assert!(partial.is_complete());
    assert_eq!(partial.feed("x").unwrap_err().offset, Some(3));
    assert!(!partial.is_complete());
}

#[test]
fn hosts_are_told_each_step_once_and_nothing_of_nothing() {
    let mut parser = PartialParser::new(Limits::default());
    let mut steps = |piece: &str| {
        let mut told = Vec::new();
        parser.feed(piece, &mut |growth| told.push(format!("{growth:?}"))).unwrap();
        told
    };
    assert_eq!(steps(r#"{"k":[""#), ["Object", r#"Key("k")"#, "List", r#"Text("")"#]);
    assert_eq!(steps(""), [""; 0]);
    assert_eq!(steps(r"\u00"), [""; 0]);
    assert_eq!(steps(r"e9\nx"), [r#"Append("é\nx")"#]);
    assert_eq!(steps("\","), [r#"Complete("/k/0")"#]);
    assert_eq!(steps("1"), [""; 0]);
    assert_eq!(
        steps(",true]"),
        [
            r#"Number("1")"#,
            r#"Complete("/k/1")"#,
            "Bool(true)",
            r#"Complete("/k/2")"#,
            "Close",
            r#"Complete("/k")"#
        ]
    );
    assert_eq!(steps("}"), ["Close", r#"Complete("")"#]);
}

#[test]
fn a_message_shows_no_text_of_the_payload() {
    let error = read([r#"{"key":"secret\q"}"#], Limits::default()).unwrap_err();
    assert!(!error.to_string().contains("secret"), "{error}");
    let error = read([&*format!(r#"{{"{}":x"#, "k".repeat(100_000))], Limits::default()).unwrap_err();
    assert!(error.to_string().len() < 1_000);
}

/// JSON texts with everything that may be cut: escapes of all kinds, surrogate pairs, numbers, white space, repeated keys.
fn document() -> impl Strategy<Value = String> {
    let segment = prop_oneof![
        4 => "[a-z{}\\[\\],: ]{0,4}",
        1 => any::<char>().prop_map(|character| serde_json::to_string(&character).unwrap().trim_matches('"').to_owned())
            .prop_filter("a quote that is trimmed", |text| text != "\\"),
        2 => prop::sample::select(vec![
            r"\n", r"\\", r#"\""#, r"\/", r"\b", r"\u0000", r"\u00e9", r"\u20AC", r"\ud83d\ude00", r"\uDBFF\uDFFF", "é", "語", "😀",
        ]).prop_map(str::to_owned),
    ];
    let string = vec(segment, 0..4).prop_map(|segments| format!("\"{}\"", segments.concat()));
    let key = prop_oneof![
        string.clone(),
        prop::sample::select(vec![r#""a""#, r#""b/~c""#, r#""""#]).prop_map(str::to_owned)
    ];
    let space = || prop::sample::select(vec!["", "", "", " ", "\n\t", "\r"]);
    let leaf = prop_oneof![
        3 => string,
        3 => "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,20})?([eE][-+]?[0-9]{1,3})?",
        1 => prop::sample::select(vec!["true", "false", "null"]).prop_map(str::to_owned),
    ];
    let tree = leaf.prop_recursive(5, 40, 5, move |inner| {
        let item = (space(), inner.clone(), space())
            .prop_map(|(before, item, behind)| format!("{before}{item}{behind}"));
        let member = (space(), key.clone(), space(), item.clone())
            .prop_map(|(before, key, behind, item)| format!("{before}{key}{behind}:{item}"));
        prop_oneof![
            (space(), vec(item, 0..5)).prop_map(|(space, items)| format!("[{space}{}]", items.join(","))),
            (space(), vec(member, 0..5))
                .prop_map(|(space, members)| format!("{{{space}{}}}", members.join(","))),
        ]
    });
    (space(), tree, space()).prop_map(|(before, tree, behind)| format!("{before}{tree}{behind}"))
}

/// A text, and places to cut it at.
fn pieces<'a>(text: &'a str, cuts: &[prop::sample::Index]) -> Vec<&'a str> {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| *cut.get(&places)).collect();
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect()
}

/// The slow way: cuts the text back until it is a document once its open parts are closed.
fn closed_off(prefix: &str) -> Value {
    let ends = prefix.char_indices().map(|(at, _)| at).chain([prefix.len()]);
    let mut documents =
        ends.collect::<Vec<_>>().into_iter().rev().filter_map(|end| close(&prefix[..end], &prefix[end..]));
    documents.find_map(|text| parse(&text).ok()).unwrap_or_else(|| Object::default().into())
}

/// Returns the text with all open parts closed; `None` if its last token may continue in the text that follows.
fn close(text: &str, following: &str) -> Option<String> {
    let (mut closers, mut quoted, mut escaped) = (String::new(), false, false);
    for character in text.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '[' => closers.insert(0, ']'),
            '{' => closers.insert(0, '}'),
            ']' | '}' => _ = closers.remove(0),
            _ => {}
        }
    }
    let goes_on =
        following.is_empty() || following.starts_with(|next: char| "+-.eE0123456789".contains(next));
    let in_number = !quoted && text.ends_with(|last: char| last.is_ascii_digit()) && goes_on;
    let quote = if quoted { "\"" } else { "" };
    (!escaped && !in_number).then(|| format!("{text}{quote}{closers}"))
}

/// Returns the pointers of a value and of all values in it, in the order in which they end.
fn pointers(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers(item, &format!("{pointer}/{index}"), found);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                pointers(member, &format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        _ => {}
    }
    found.push(pointer.to_owned());
}

fn at<'a>(value: &'a Value, pointer: &str) -> Option<&'a Value> {
    pointer.split('/').skip(1).try_fold(value, |value, token| match value {
        Value::Array(items) => items.get(token.parse::<usize>().ok()?),
        Value::Object(members) => members.get(&token.replace("~1", "/").replace("~0", "~")),
        _ => None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_value_is_that_of_the_text_closed_off(text in document(), cuts in vec(any::<prop::sample::Index>(), 0..20)) {
        let mut partial = PartialJson::new(Limits::default());
        let mut end = 0;
        for piece in pieces(&text, &cuts) {
            partial.feed(piece).unwrap();
            end += piece.len();
            let slow = closed_off(&text[..end]);
            prop_assert!(same(partial.value(), &slow), "{:?}: {:?}", &text[..end], partial.value());
            if partial.is_complete() {
                prop_assert!(same(&parse(&text[..end]).unwrap(), partial.value()));
            }
        }
        let whole = parse(&text).unwrap();
        prop_assert!(same(&partial.finish().unwrap(), &whole));
    }

    #[test]
    fn what_is_complete_is_told_once_and_changes_no_more(text in document(), cuts in vec(any::<prop::sample::Index>(), 0..20)) {
        let whole = parse(&text).unwrap();
        let mut expected = Vec::new();
        pointers(&whole, "", &mut expected);
        let mut partial = PartialJson::new(Limits::default());
        let mut told = Vec::new();
        for piece in pieces(&text, &cuts) {
            partial.feed(piece).unwrap();
            told.extend_from_slice(partial.completed());
            // Keys that come again are another test's.
            for pointer in partial.completed().iter().filter(|_| !has_twins(&text)) {
                prop_assert_eq!(at(partial.value(), pointer), at(&whole, pointer));
            }
        }
        let is_number = matches!(whole, Value::Number(_)) && !partial.is_complete();
        if is_number {
            prop_assert!(told.is_empty());
        } else if !has_twins(&text) {
            prop_assert_eq!(told, expected);
        } else {
            prop_assert!(expected.iter().all(|pointer| told.contains(pointer)));
        }
    }

    #[test]
    fn broken_text_fails_as_it_does_in_one_piece(
        text in document(),
        place in any::<prop::sample::Index>(),
        removed in 0usize..3,
        noise in prop_oneof!["[\\[\\]{}:,\"\\\\0-9eEut.+a-fA-F -]{0,3}", Just(r"\ud83d".to_owned()), Just(r"\ude00\u".to_owned())],
        cuts in vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let characters: Vec<char> = text.chars().collect();
        let place = place.index(characters.len());
        let behind = characters.iter().skip(place + removed);
        let text: String = characters[..place].iter().chain(&noise.chars().collect::<Vec<_>>()).chain(behind).collect();
        let whole = if text.trim_matches([' ', '\n', '\r', '\t']).is_empty() { Ok(Object::default().into()) } else { parse(&text) };
        let partial = read(pieces(&text, &cuts), Limits::default()).map(|(value, _)| value).map_err(Fault::from);
        prop_assert_eq!(format!("{partial:?}"), format!("{whole:?}"), "{}", text);
    }

    #[test]
    fn any_text_at_all(text in any::<String>(), cuts in vec(any::<prop::sample::Index>(), 0..8)) {
        let _ = read(pieces(&text, &cuts), Limits::default());
    }
}

/// Returns true if an object in the text has two members with one key.
fn has_twins(text: &str) -> bool {
    fn found<'a>(node: impl Input<'a>) -> bool {
        match node.view() {
            ag_ui_native::bindings::json::View::List(mut items) => items.any(found),
            ag_ui_native::bindings::json::View::Object(members) => {
                let mut seen = std::collections::HashSet::new();
                members.into_iter().any(|(key, member)| !seen.insert(key) || found(member))
            }
            _ => false,
        }
    }
    let mut tape = Tape::default();
    found(tape.parse(text, ParseOptions { depth: 200, replace_invalid_text: false }).unwrap())
}

/// Seconds that it takes to feed `text` byte by byte, looking at the value each time.
fn seconds(text: &str) -> f64 {
    let start = cpu_time::ThreadTime::now();
    let mut partial = PartialJson::new(Limits::default());
    let mut seen = 0;
    for piece in characters(text) {
        partial.feed(piece).unwrap();
        seen += usize::from(matches!(partial.value(), Value::Object(_)));
    }
    assert_eq!(seen, text.len());
    start.elapsed().as_secs_f64()
}

#[test]
fn a_hundred_thousand_small_pieces_cost_what_they_hold() {
    let long_text = |size| format!(r#"{{"t":"{}"#, "x".repeat(size));
    let many_items = |size| format!(r#"{{"l":[0{}"#, ",1".repeat(size / 2));
    let many_members =
        |size| (0..size / 9).fold("{".to_owned(), |text, index| format!("{text}\"{index:04}\":1,"));
    for make in [&long_text as &dyn Fn(usize) -> String, &many_items, &many_members] {
        let (short, long) = (make(10_000), make(100_000));
        // Ten times as much; quadratic would be a hundred.
        assert!(seconds(&long) < 40.0 * seconds(&short).max(1e-3));
    }
}

#[test]
fn nesting_is_limited_and_dropped_without_recursion() {
    for open in ["[", r#"{"a":"#] {
        let text = open.repeat(1_000_000);
        for pieces in [vec![&*text], characters(&text[..10_000]).collect()] {
            let error = read(pieces, Limits::default()).unwrap_err();
            assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("depth")));
        }
    }
    let deepest = Limits::default().with_depth(usize::MAX);
    assert!(read([&*("[".repeat(1_000) + &"]".repeat(1_000))], deepest).is_ok());
    assert!(read([&*"[".repeat(1_001)], deepest).is_err());
}

#[test]
fn pointers_are_limited_as_the_text_is() {
    let text = format!(r#"{{"{}":[{}0]}}"#, "k".repeat(100_000), "0,".repeat(100_000));
    let error = read([&*text], Limits::default()).unwrap_err();
    assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("event_bytes")));
    let limits = Limits::default().with_event_bytes(100);
    let error = read(["\"", &"x".repeat(99), "\""], limits).unwrap_err();
    assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("event_bytes")));
    assert!(read(["\"", &"x".repeat(98), "\""], limits).is_ok());
}
