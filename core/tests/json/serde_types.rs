//! A program's own types and free-form values: as `serde_json` has them, but for numbers that JSON does not have.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use ag_ui_native::{Code, Profile, Value, from_json, to_json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Unit;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Newtype(u8);

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Pair(i64, String);

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Named {
    x: f64,
    #[serde(default)]
    label: Option<String>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Closed {
    x: u8,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Flat {
    x: i64,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

#[derive(Serialize, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Kind {
    Plain,
    One(i64),
    Two(i64, String),
    Named { x: i64 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "type")]
enum Tagged {
    A { x: i64 },
    B,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(untagged)]
enum Untagged {
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<u8>),
}

/// Documents that some type takes and another does not.
const TEXTS: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "127",
    "128",
    "255",
    "256",
    "-129",
    "65536",
    "2147483648",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "100000000000000000000",
    "-100000000000000000000",
    "1e20",
    "1.5",
    "-0.0",
    "5.0",
    "1e-7",
    "1e308",
    r#""""#,
    r#""a""#,
    r#""ab""#,
    r#""Plain""#,
    r#""One""#,
    r#""Nobody""#,
    r#""1""#,
    r#""B""#,
    "[]",
    "[1]",
    "[1,2]",
    "[1,2,3]",
    r#"[1,"a"]"#,
    r#"[1,"a",2]"#,
    "[null]",
    "[[1],[2]]",
    "[[1,2]]",
    "[300]",
    "[1.5]",
    "{}",
    r#"{"x":1}"#,
    r#"{"x":1.5}"#,
    r#"{"x":100000000000000000000}"#,
    r#"{"x":1,"y":2}"#,
    r#"{"x":"1"}"#,
    r#"{"x":1,"label":null}"#,
    r#"{"x":1,"label":"b"}"#,
    r#"{"1":1,"2":2}"#,
    r#"{"-1":1}"#,
    r#"{"1.5":1}"#,
    r#"{"01":1}"#,
    r#"{" 1":1}"#,
    r#"{"1 ":1}"#,
    r#"{"+1":1}"#,
    r#"{"300":1}"#,
    r#"{"18446744073709551616":1}"#,
    r#"{"true":1,"false":2}"#,
    r#"{"a":1}"#,
    r#"{"Plain":null}"#,
    r#"{"Plain":1}"#,
    r#"{"One":1}"#,
    r#"{"One":[1]}"#,
    r#"{"Two":[1,"a"]}"#,
    r#"{"Two":[1]}"#,
    r#"{"Two":[1,"a",3]}"#,
    r#"{"Named":{"x":1}}"#,
    r#"{"Named":[1]}"#,
    r#"{"Named":[1,2]}"#,
    r#"{"One":1,"Two":2}"#,
    r#"{"Nobody":1}"#,
    r#"{"type":"A","x":1}"#,
    r#"{"type":"B"}"#,
    r#"{"type":"C"}"#,
    r#"{"x":1,"z":{"deep":[1,{"a":null}]}}"#,
    r#"["x",1]"#,
    r#"[{"x":1},{"x":2}]"#,
    r#"{"secs":1,"nanos":2}"#,
    "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]",
];

/// Compares the value that a type gets from each text, with our code and with `serde_json`.
fn compare<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    failures: &mut Vec<String>,
) -> (usize, usize) {
    let name = std::any::type_name::<T>();
    let (mut taken, mut refused) = (0, 0);
    for text in TEXTS {
        let value: Value = from_json(*text, Profile::Strict).unwrap().0;
        let ours = value.to_serde::<T>();
        // By way of its tree, as ours is one; numbers beyond 64 bits only its parser hands over.
        let tree = serde_json::from_str::<serde_json::Value>(text).unwrap();
        let theirs = serde_json::from_value::<T>(tree).or_else(|_| serde_json::from_str::<T>(text));
        match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) if ours == theirs => {
                taken += 1;
                // `serde_json` cannot make a tree of numbers beyond 64 bits, and makes null of a double that is not
                // finite.
                let Ok(theirs) = serde_json::to_value(theirs) else { continue };
                match Value::from_serde(ours) {
                    Ok(made) if made == Value::from(theirs.clone()) => {}
                    Err(error) if error.code() == Code::WrongType && theirs.is_null() => {}
                    made => failures.push(format!("{name} of {text} is made {made:?}")),
                }
            }
            (Err(error), Err(_)) => {
                refused += 1;
                assert!(
                    text.starts_with('{') || !error.to_string().contains("Nobody"),
                    "no contents: {error}"
                );
            }
            _ => failures.push(format!("{name} of {text}: {ours:?}, by serde_json {theirs:?}")),
        }
    }
    (taken, refused)
}

macro_rules! compare_all {
    ($failures:ident: $($type:ty,)+) => {
        $({
            let (taken, refused) = compare::<$type>(&mut $failures);
            assert!(taken > 0 && (refused > 0 || taken == TEXTS.len()), "{}: {taken}, {refused}", stringify!($type));
        })+
    };
}

#[test]
fn types_read_and_write_as_serde_json_has_them() {
    let mut failures = Vec::new();
    compare_all! { failures:
        bool, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64, char, String, (),
        Option<i64>, Option<Option<bool>>, Option<()>, Vec<i64>, Vec<Vec<u8>>, Vec<Option<u8>>, (i64,), (u8, u8),
        (i64, String), [i64; 2], [u8; 0], Box<[u16]>, Unit, Newtype, Pair, Named, Closed, Flat, Kind, Tagged, Untagged,
        Vec<Named>, BTreeMap<String, f64>, BTreeMap<i64, i64>, BTreeMap<u8, i64>, BTreeMap<i128, i64>,
        BTreeMap<u128, i64>, BTreeMap<bool, i64>, BTreeMap<char, i64>, BTreeMap<Option<i64>, i64>, BTreeMap<Kind, Option<i64>>,
        HashMap<String, serde_json::Value>, serde_json::Value, std::time::Duration,
    }
    assert!(failures.is_empty(), "{}\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn our_own_trees_are_read_as_they_are() {
    for text in ["123456789012345678901234567890", "1e400", "-1", "1.0", r#"{"a":[18446744073709551616]}"#] {
        let value: Value = from_json(text, Profile::Strict).unwrap().0;
        assert_eq!(value.to_serde::<Value>().unwrap(), value);
        assert!(value.to_serde::<Vec<Value>>().is_err() || text.starts_with('['));
        let listed: Value = vec![value.clone()].into();
        assert_eq!(listed.to_serde::<Vec<Value>>().unwrap(), [value]);
    }
    // No type has such a number.
    let huge: Value = from_json("[1e400]", Profile::Strict).unwrap().0;
    let error = huge.to_serde::<Vec<f64>>().unwrap_err();
    assert_eq!((error.code(), error.path()), (Code::NumberOutOfRange, "/0"));
}

#[derive(Serialize)]
enum Shape {
    Circle(f64),
    Oval(f64, f64),
    Square { side: f64 },
}

#[test]
fn numbers_that_json_does_not_have_are_refused_with_their_path() {
    let of = |value: &dyn Fn() -> Result<Value, ag_ui_native::Error>| {
        let error = value().unwrap_err();
        assert_eq!(error.code(), Code::WrongType);
        error.path().to_owned()
    };
    assert_eq!(of(&|| Value::from_serde(&f64::NAN)), "");
    assert_eq!(of(&|| Value::from_serde(&f32::INFINITY)), "");
    assert_eq!(of(&|| Value::from_serde(&(1, [f64::NEG_INFINITY]))), "/1/0");
    assert_eq!(of(&|| Value::from_serde(&Some(Named { x: f64::NAN, label: None }))), "/x");
    assert_eq!(of(&|| Value::from_serde(&BTreeMap::from([("a/b", vec![f64::NAN])]))), "/a~1b/0");
    assert_eq!(of(&|| Value::from_serde(&Value::from(vec![1.5, f64::NAN]))), "/1");
    assert_eq!(of(&|| Value::from_serde(&Shape::Circle(f64::NAN))), "/Circle");
    assert_eq!(of(&|| Value::from_serde(&Shape::Oval(1.0, f64::NAN))), "/Oval/1");
    assert_eq!(of(&|| Value::from_serde(&Shape::Square { side: f64::NAN })), "/Square/side");
    // A key must have a text.
    assert_eq!(of(&|| Value::from_serde(&BTreeMap::from([(Some(()), 1)]))), "");
    assert_eq!(of(&|| Value::from_serde(&BTreeMap::from([(vec![1], 1)]))), "");
    // And serde_json says so, too.
    assert!(serde_json::to_string(&Value::from(f64::NAN)).unwrap_err().to_string().starts_with("wrong_type"));
}

#[test]
fn nesting_is_limited() {
    #[derive(Serialize)]
    struct Deep(Vec<Deep>);
    let deep = |levels| (1..levels).fold(Deep(vec![]), |inner, _| Deep(vec![inner]));
    assert!(Value::from_serde(&deep(200)).is_ok());
    let error = Value::from_serde(&deep(201)).unwrap_err();
    assert_eq!((error.code(), error.limit), (Code::LimitExceeded, Some("depth")));
}

#[test]
fn values_are_looked_at_by_the_names_that_serde_json_has() {
    let text = r#"{"yes":true,"none":null,"int":-7,"big":18446744073709551615,"half":0.5,"huge":1e400,"list":[1],"in":{}}"#;
    let mut value: Value = from_json(text, Profile::Strict).unwrap().0;
    let of = |key: &str| value.get(key).unwrap();
    assert!(of("none").is_null() && of("yes").as_bool() == Some(true) && of("int").as_bool().is_none());
    assert_eq!((of("int").as_i64(), of("int").as_u64(), of("int").as_f64()), (Some(-7), None, Some(-7.0)));
    assert_eq!((of("big").as_i64(), of("big").as_u64()), (None, Some(u64::MAX)));
    assert_eq!((of("half").as_i64(), of("half").as_f64()), (None, Some(0.5)));
    assert_eq!((of("huge").as_u64(), of("huge").as_f64()), (None, None));
    assert!(value.get("nobody").is_none() && value.as_array_mut().is_none());
    value.get_mut("list").and_then(Value::as_array_mut).unwrap().push(2.into());
    value.get_mut("in").and_then(Value::as_object_mut).unwrap().insert("a", Some(1));
    assert_eq!(to_json(&value.get_mut("list").unwrap().take()), "[1,2]");
    assert!(value.get("list").unwrap().is_null());
    assert_eq!(to_json(value.get("in").unwrap()), r#"{"a":1}"#);
    let made = [
        Value::from(7_u8),
        7_i128.into(),
        7_usize.into(),
        Some(7_i64).into(),
        u128::MAX.into(),
        0.5_f32.into(),
        ().into(),
        None::<bool>.into(),
        [1, 2].into(),
        (&[true][..]).into(),
        ["a"].into_iter().collect(),
    ];
    let expected = "[7,7,7,7,340282366920938463463374607431768211455,0.5,null,null,[1,2],[true],[\"a\"]]";
    assert_eq!(to_json(&Value::from(made)), expected);
}
