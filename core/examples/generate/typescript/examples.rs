//! Examples as lines of TypeScript.

use ag_ui_native::bindings::schema::{EnumDef, Kind, TypeDef, UnionDef};
use ag_ui_native::types::EventType;
use serde_json::Value;

use super::{event_tag, quoted};
use crate::examples::{Code, document, given, type_of, variable};

const WIDTH: usize = 110;

/// Returns the example of a type.
pub fn of_type(ty: &TypeDef) -> Vec<String> {
    typed(ty.name, object(ty, document(ty.name), true), event_tag(ty).is_some())
}

/// Returns the example of the members of an event without its tag.
pub fn of_props(ty: &TypeDef) -> Vec<String> {
    typed(&format!("{}Props", ty.name), members(ty, document(ty.name), true, false), false)
}

/// Returns the example of a union.
pub fn of_union(union: &UnionDef) -> Vec<String> {
    let document = document(union.name);
    let ty = variant(union, document);
    typed(union.name, object(ty, document, true), event_tag(ty).is_some())
}

/// Returns the example of a closed set of strings.
pub fn of_set(set: &EnumDef) -> Vec<String> {
    if set.name == EventType::ENUM.name {
        return vec![
            "import { EventType } from 'ag-ui-native';".into(),
            String::new(),
            format!("EventType.{0}; // => {1}", set.values[0], quoted(set.values[0])),
        ];
    }
    typed(set.name, Code::text(quoted(set.values[0])), false)
}

/// Returns the example of the schema of a type or a union.
pub fn of_schema(name: &str, ty: &TypeDef) -> Vec<String> {
    parsed(name, object(ty, document(name), false))
}

/// Returns the example of the schema of a union.
pub fn of_union_schema(union: &UnionDef) -> Vec<String> {
    of_schema(union.name, variant(union, document(union.name)))
}

/// Returns the example of the schema of a closed set of strings.
pub fn of_set_schema(set: &EnumDef) -> Vec<String> {
    parsed(set.name, Code::text(quoted(set.values[0])))
}

/// Returns the example of a type: a constant.
pub fn typed(name: &str, value: Code, has_tag: bool) -> Vec<String> {
    let base = name.strip_suffix("Props").unwrap_or(name);
    let constant = if base == name { variable(name) } else { "props".into() };
    let tag = if has_tag || base == "BaseEvent" { "EventType, " } else { "" };
    let mut lines = vec![
        if tag.is_empty() {
            format!("import type {{ {name} }} from 'ag-ui-native';")
        } else {
            format!("import {{ {tag}type {name} }} from 'ag-ui-native';")
        },
        String::new(),
    ];
    lines.extend(value.after(&format!("const {constant}: {name} = ")).lines(WIDTH, ";"));
    lines
}

/// A value that the schema accepts.
fn parsed(name: &str, value: Code) -> Vec<String> {
    let mut lines = vec![format!("import {{ {name}Schema }} from 'ag-ui-native/schemas';"), String::new()];
    let call = Code::list(format!("{name}Schema.safeParse("), vec![value], ")");
    lines.extend(call.lines(WIDTH - 20, ".success; // => true"));
    lines
}

fn variant(union: &UnionDef, document: &Value) -> &'static TypeDef {
    union.variant(document[union.tag].as_str().unwrap_or_default()).expect("the example is of a variant").1
}

fn object(ty: &TypeDef, document: &Value, names_tags: bool) -> Code {
    members(ty, document, names_tags, true)
}

/// The literal of a value; `names_tags` spells tags of events as members of the enum.
fn members(ty: &TypeDef, document: &Value, names_tags: bool, has_tag: bool) -> Code {
    let mut parts = Vec::new();
    if let (Some((place, tag)), true) = (ty.tag(), has_tag) {
        let is_named = names_tags && event_tag(ty).is_some();
        let value = if is_named { format!("EventType.{tag}") } else { quoted(tag) };
        parts.push((place, Code::text(format!("{}: {value}", ty.fields[place].wire))));
    }
    for (field, value) in given(ty, document) {
        let place = ty.fields.iter().position(|other| other.wire == field.wire).unwrap_or_default();
        let value = match (field.kind, value) {
            (Kind::Enum(set), Value::String(text)) if names_tags && set.name == EventType::ENUM.name => {
                Code::text(format!("EventType.{text}"))
            }
            (kind, value) => of_kind(&kind, value, names_tags),
        };
        parts.push((place, value.after(&format!("{}: ", field.wire))));
    }
    parts.sort_by_key(|(place, _)| *place);
    Code::list("{", parts.into_iter().map(|(_, code)| code).collect(), "}")
}

fn of_kind(kind: &Kind, value: &Value, names_tags: bool) -> Code {
    match (kind, value) {
        (Kind::List(item), Value::Array(items)) => {
            Code::list("[", items.iter().map(|value| of_kind(item, value, names_tags)).collect(), "]")
        }
        _ => type_of(kind, value).map_or_else(|| free(value), |ty| object(ty, value, names_tags)),
    }
}

/// Returns the literal of a JSON value.
fn free(value: &Value) -> Code {
    match value {
        Value::String(text) if text.contains('\'') => Code::text(format!("\"{text}\"")),
        Value::String(text) => Code::text(quoted(text)),
        Value::Array(items) => Code::list("[", items.iter().map(free).collect(), "]"),
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| free(value).after(&format!("{key}: ")));
            Code::list("{", members.collect(), "}")
        }
        plain => Code::text(plain.to_string()),
    }
}
