//! Free-form values: read exactly, written as each language writes them.

use crate::support;

use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::encode::to_json_with;
use ag_ui_native::bindings::json::{Node, ParseOptions, Tape, Writer};
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::bindings::{NumberStyle, Rules, UnsafeIntegers};
use ag_ui_native::types::CustomEvent;
use ag_ui_native::{Code, Profile, from_json};
use support::{Expected, fixture, report};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Case {
    name: String,
    json: String,
    python: Option<String>,
    javascript: Option<String>,
    own: Option<String>,
    own_javascript: Option<String>,
    why: Option<String>,
    error: Option<Expected>,
}

const HEAD: &str = r#"{"type":"CUSTOM","name":"","value":"#;

/// The value inside an event, written again in the style.
fn written(json: &str, style: NumberStyle) -> Result<String, String> {
    let event = format!("{HEAD}{json}}}");
    let (event, warnings) = from_json::<CustomEvent>(event, Profile::Strict)
        .map_err(|error| format!("{} {}", error.code(), error.path()))?;
    // tests/fixtures/wire/lost_numbers.json has those that no double reaches.
    assert!(warnings.iter().all(|issue| issue.code == Code::NumberOutOfRange), "{json}: {warnings:?}");
    let text = to_json_with(&event, style);
    Ok(text
        .strip_prefix(HEAD)
        .and_then(|text| text.strip_suffix('}'))
        .expect("an event around it")
        .to_owned())
}

#[test]
fn every_value_comes_out_as_recorded() {
    let cases: Vec<Case> = fixture("values");
    let mut failures = Vec::new();
    for case in &cases {
        let error = case.error.as_ref().map(|error| format!("{} /value{}", error.code, error.path));
        // A case has the text that the languages write, and our text if it differs.
        let python = case.own.as_ref().or(case.python.as_ref());
        let javascript = case.own_javascript.as_ref().or(case.javascript.as_ref());
        for (style, wanted) in [(NumberStyle::Python, python), (NumberStyle::JavaScript, javascript)] {
            let wanted = error.clone().map_or_else(|| Ok(wanted.expect(&case.name).clone()), Err);
            let got = written(&case.json, style);
            if got != wanted {
                failures.push(format!("{} ({style:?}): got {got:?}, wanted {wanted:?}", case.name));
            }
        }
        let differs = case.own.is_some() || case.own_javascript.is_some();
        assert_eq!(differs, case.why.is_some(), "{}: a difference has a reason", case.name);
    }
    report(&failures, cases.len() * 2);
}

#[test]
fn every_double_is_spelled_as_each_language_spells_it() {
    let rows: Vec<Vec<String>> = fixture("doubles");
    let mut failures = Vec::new();
    for row in &rows {
        let double = f64::from_bits(u64::from_str_radix(&row[0], 16).unwrap());
        let javascript = row.get(2).unwrap_or(&row[1]);
        let bare = row[1].replace("e+", "e");
        for (style, wanted) in [
            (NumberStyle::Python, &row[1]),
            (NumberStyle::PythonBarePlus, &bare),
            (NumberStyle::JavaScript, javascript),
        ] {
            let mut writer = Writer::new(style);
            writer.float(double);
            if writer.out != *wanted {
                failures.push(format!("{} ({style:?}): got {}, wanted {wanted}", row[0], writer.out));
            }
        }
        // Both spellings mean the same double.
        for text in &row[1..] {
            let mut tape = Tape::default();
            let node = parse(&mut tape, text);
            assert_eq!(
                ag_ui_native::bindings::json::Input::number(node).as_f64().to_bits(),
                double.to_bits() & sign_mask(text),
                "{text}"
            );
        }
    }
    report(&failures, rows.len() * 3);
}

/// JavaScript writes minus zero without its sign.
fn sign_mask(text: &str) -> u64 {
    if text == "0" { u64::MAX >> 1 } else { u64::MAX }
}

fn parse<'t>(tape: &'t mut Tape, text: &'t str) -> Node<'t> {
    tape.parse(text, ParseOptions { depth: 200, replace_invalid_text: false }).expect(text)
}

#[test]
fn numbers_that_no_double_holds_are_said_where_that_is_asked_for() {
    let read = |value: &str, unsafe_integers| {
        let mut reader = DocumentReader::default();
        reader.rules = Rules { unsafe_integers, ..reader.rules };
        let event = format!("{HEAD}{value}}}");
        let decoded = reader.event(event.as_str(), &mut TypedBuild);
        decoded.map(|decoded| decoded.warnings).map_err(|error| error.issues)
    };
    let held = ["9007199254740991", "-9007199254740991", "1.5", "1e3", "1e22", "[0,{\"a\":[-0]}]"];
    let unsafe_ones = ["9007199254740992", "-9007199254740992", "9007199254740993", "123456789012345678901"];
    let within = |number: &str| format!("[0,{{\"a/b\": [true,{number}]}}]");
    let place = (Code::NumberOutOfRange, "/value/1/a~1b/1");
    for choice in [UnsafeIntegers::Allow, UnsafeIntegers::Warn, UnsafeIntegers::Error] {
        for value in held {
            assert_eq!(read(value, choice), Ok(Vec::new()), "{value}");
        }
    }
    for value in unsafe_ones.map(within) {
        assert_eq!(read(&value, UnsafeIntegers::Allow), Ok(Vec::new()), "{value}");
        let warned = read(&value, UnsafeIntegers::Warn).expect("a warning");
        let refused = read(&value, UnsafeIntegers::Error).expect_err("an error");
        assert_eq!(warned, refused);
        let [issue] = warned.as_slice() else { panic!("{value}: {warned:?}") };
        assert_eq!((issue.code, issue.path.as_str()), place, "{value}");
    }
    // A number beyond every double is lost where numbers are doubles, so it is reported with every setting.
    let told = [UnsafeIntegers::Allow, UnsafeIntegers::Warn].map(|choice| read(&within("1e400"), choice));
    for told in told.into_iter().chain([read(&within("1e400"), UnsafeIntegers::Error)]) {
        let (Ok(issues) | Err(issues)) = told;
        let [issue] = issues.as_slice() else { panic!("{issues:?}") };
        assert_eq!((issue.code, issue.path.as_str()), place);
    }
}
