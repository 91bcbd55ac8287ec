//! Examples as doctests of Python.

use std::fmt::Write as _;

use ag_ui_native::bindings::schema::{EnumDef, Kind, TypeDef, UnionDef};
use ag_ui_native::types::EventType;
use serde_json::Value;

use super::quoted;
use crate::examples::{Code, document, given, json, type_of, variable};

/// The longest line within a docstring's example.
const WIDTH: usize = 96;

/// Returns the section of a class.
pub fn of_type(ty: &TypeDef) -> String {
    let (value, imports) = expression(ty, document(ty.name));
    let variable = variable(ty.name);
    let mut lines = vec![import(imports)];
    lines.extend(value.after(&format!("{variable} = ")).lines(WIDTH, ""));
    lines.push(format!("print({variable}.model_dump_json(by_alias=True))"));
    section(&lines, &json(ty.name))
}

/// Returns the section of a union.
pub fn of_union(union: &'static UnionDef) -> String {
    let document = document(union.name);
    let ty = type_of(&Kind::Union(union), document).expect("the example is of a variant");
    let (value, mut imports) = expression(ty, document);
    imports.push(union.name.into());
    let variable = variable(union.name);
    let mut lines = vec![import(imports)];
    lines.extend(value.after(&format!("{variable}: {} = ", union.name)).lines(WIDTH, ""));
    lines.push(format!("print({variable}.{}{})", union.tag, if ty.is_event() { ".value" } else { "" }));
    section(&lines, document[union.tag].as_str().unwrap_or_default())
}

/// Returns the section of a closed set of strings.
pub fn of_set(set: &EnumDef) -> String {
    let (name, first) = (set.name, set.values[0]);
    let lines = if name == EventType::ENUM.name {
        vec![import(vec![name.into()]), format!("print({name}({}).name)", quoted(first))]
    } else {
        let variable = variable(name);
        vec![
            import(vec![name.into()]),
            format!("{variable}: {name} = {}", quoted(first)),
            format!("print({variable})"),
        ]
    };
    section(&lines, first)
}

/// Returns the section of a constant or a type that is declared by no macro.
pub fn of_name(name: &str) -> String {
    let (used, line, output) = match name {
        "AGUI_METADATA_KEY" => ("AGUI_METADATA_KEY", "print(AGUI_METADATA_KEY)", "ag-ui"),
        "Metadata" => ("Metadata", "metadata: Metadata = {\"lang\": \"en\"}", ""),
        "SubagentRunId" => ("SubagentRunId", "subagent_run_id: SubagentRunId = \"researcher-1\"", ""),
        "State" => ("State", "state: State = {\"tasks\": [\"Buy milk\"]}", ""),
        "JsonPointer" => ("JsonPointer", "place: JsonPointer = \"/tasks/0\"", ""),
        "JsonPatch" => {
            ("JsonPatch, RemoveOperation", "patch: JsonPatch = [RemoveOperation(path=\"/tasks/0\")]", "")
        }
        other => panic!("{other} has no example"),
    };
    section(&[import(vec![used.into()]), line.into()], output).trim_end().to_owned()
}

/// Returns an example that prints `output`, as a section of a docstring.
pub fn section(lines: &[String], output: &str) -> String {
    let mut out = "Examples:\n".to_owned();
    for line in lines {
        let prompt = if line.starts_with([' ', ')', ']', '}']) { "..." } else { ">>>" };
        let _ = writeln!(out, "    {prompt} {line}");
    }
    out + "    " + output
}

fn import(mut names: Vec<String>) -> String {
    names.sort();
    names.dedup();
    format!("from ag_ui_native.core import {}", names.join(", "))
}

/// Returns the expression that makes a value, and the names that it uses.
fn expression(ty: &TypeDef, document: &Value) -> (Code, Vec<String>) {
    let mut names = vec![ty.name.to_owned()];
    let members = given(ty, document).into_iter().map(|(field, value)| {
        let name = if field.name == "from" { "from_" } else { field.name };
        of_kind(&field.kind, value, &mut names).after(&format!("{name}="))
    });
    let members = members.collect();
    (Code::list(format!("{}(", ty.name), members, ")"), names)
}

fn of_kind(kind: &Kind, value: &Value, names: &mut Vec<String>) -> Code {
    match (kind, value) {
        (Kind::List(item), Value::Array(items)) => {
            let items = items.iter().map(|value| of_kind(item, value, names)).collect();
            Code::list("[", items, "]")
        }
        (Kind::Enum(set), Value::String(text)) if set.name == EventType::ENUM.name => {
            names.push(set.name.into());
            Code::text(format!("{}.{text}", set.name))
        }
        _ => match type_of(kind, value) {
            Some(ty) => {
                let (code, used) = expression(ty, value);
                names.extend(used);
                code
            }
            None => free(value),
        },
    }
}

/// Returns the literal of a JSON value.
fn free(value: &Value) -> Code {
    Code::text(match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| free(item).lines(usize::MAX, "").concat()).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                format!("{}: {}", quoted(key), free(value).lines(usize::MAX, "").concat())
            };
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string(),
    })
}
