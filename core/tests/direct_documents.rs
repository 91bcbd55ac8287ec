//! The short way and the general way through every document of the fixtures: nested types, lists, free values, faults.

mod support;

use ag_ui_native::decode::DocumentReader;
use ag_ui_native::json::{Input, Tree, Writer};
use ag_ui_native::read::{Build, FreeText};
use ag_ui_native::schema::{EnumDef, Kind, TypeDef, type_named, union_named};
use ag_ui_native::{Limits, NumberStyle, Profile};

#[derive(serde::Deserialize)]
struct Case {
    name: String,
    r#type: String,
    json: String,
}

/// Writes down what is built, and in which order.
struct Log;

fn text<'a, I: Input<'a>>(input: I) -> String {
    let mut writer = Writer::new(NumberStyle::Python);
    writer.value(&input.to_value());
    writer.out
}

impl Build for Log {
    type Value = String;
    type Object = String;

    fn text(&mut self, text: &str) -> String {
        format!("{text:?}")
    }
    fn bool(&mut self, value: bool) -> String {
        value.to_string()
    }
    fn int(&mut self, value: i64) -> String {
        value.to_string()
    }
    fn choice(&mut self, set: &'static EnumDef, index: usize) -> String {
        format!("{}#{index}", set.name)
    }
    fn json<'a, I: Input<'a>>(&mut self, input: I) -> String {
        text(input)
    }
    fn json_text(&mut self, free: FreeText<'_, '_>) -> Option<String> {
        free.assemble(&mut Tree).map(|value| text(&value))
    }
    fn unknown<'a, I: Input<'a>>(&mut self, input: I) -> String {
        format!("unknown {}", text(input))
    }
    fn list(&mut self, items: Vec<String>) -> String {
        format!("[{}]", items.join(", "))
    }
    fn object(&mut self, ty: &'static TypeDef) -> String {
        ty.name.to_owned()
    }
    fn member(&mut self, object: &mut String, index: usize, value: String) {
        object.push_str(&[" ", &index.to_string(), "=", &value].concat());
    }
    fn extra<'a, I: Input<'a>>(&mut self, object: &mut String, key: &str, input: I) {
        object.push_str(&[" ", key, "=", &text(input)].concat());
    }
    fn end(&mut self, object: String) -> String {
        format!("({object})")
    }
}

fn kind_named(name: &str) -> &'static Kind {
    let kind = match type_named(name) {
        Some(ty) => Kind::Object(ty),
        None => Kind::Union(union_named(name).unwrap_or_else(|| panic!("no type is called {name}"))),
    };
    Box::leak(Box::new(kind))
}

#[test]
fn both_ways_come_to_the_same() {
    let cases: Vec<Case> = support::fixture("documents");
    for case in &cases {
        let kind = kind_named(&case.r#type);
        for profile in [Profile::Strict, Profile::Tolerant, Profile::Relay] {
            let [short, general] = [true, false].map(|direct| {
                let mut reader = DocumentReader::new(profile, Limits::default());
                reader.direct = direct;
                let decoded = reader.value(case.json.as_bytes(), kind, &mut Log);
                decoded.map(|decoded| (decoded.value, decoded.warnings, decoded.ends_run))
            });
            assert_eq!(short, general, "{} ({profile})", case.name);
        }
    }
    assert!(cases.len() > 2000);
}
