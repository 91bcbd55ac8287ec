//! Examples in the documentation of the crate: macros in `core/src/schema/examples.rs`.

use std::fmt::Write as _;

use ag_ui_native::bindings::schema::{ENUMS, EnumDef, Kind, Module, Role, TYPES, TypeDef, UNIONS, UnionDef};
use serde_json::Value;

use crate::File;
use crate::examples::{Code, document, given, json, type_of, variable};

const WIDTH: usize = 100;

/// The file.
pub fn files() -> Vec<File> {
    let types = TYPES.iter().filter(|ty| ty.role != Role::Shared && ty.module != Module::Deprecated);
    let owned = ENUMS.iter().map(|set| (set.name, of_set(set)));
    let owned = owned.chain(types.clone().map(|ty| (ty.name, of_type(ty))));
    let owned = owned.chain(UNIONS.iter().map(|union| (union.name, of_union(union))));
    let names = types.map(|ty| ty.name).chain(UNIONS.iter().map(|union| union.name));
    let mut out = "//! Examples of the declared types, for their documentation.\n\
                   //!\n\
                   //! Generated from the declaration in core/src/types/examples.json: `make generate`.\n"
        .to_owned();
    written(&mut out, "example", "Returns the example of a type.", owned);
    written(
        &mut out,
        "borrowed_example",
        "Returns the example of the form of a type that borrows.",
        names.map(|name| (name, of_borrowed(name))),
    );
    vec![("core/src/schema/examples.rs".into(), out)]
}

fn written(
    out: &mut String,
    name: &str,
    about: &str,
    examples: impl Iterator<Item = (&'static str, Vec<String>)>,
) {
    let _ = writeln!(out, "\n/// {about}\nmacro_rules! {name} {{");
    for (ty, lines) in examples {
        let text = format!("\n# Example\n\n```\n{}\n```", lines.join("\n"));
        let hashes = if text.contains("\"#") { "##" } else { "#" };
        let _ = writeln!(out, "    ({ty}) => {{\n        r{hashes}\"{text}\"{hashes}\n    }};");
    }
    out.push_str("    ($other:ident) => {\n        \"\"\n    };\n}\n");
}

fn of_type(ty: &TypeDef) -> Vec<String> {
    let (value, names) = expression(ty, document(ty.name));
    let variable = variable(ty.name);
    let mut lines = imports(names, &["to_json"]);
    lines.extend(value.after(&format!("let {variable} = ")).lines(WIDTH, ";"));
    lines.push(format!("assert_eq!(to_json(&{variable}), r#\"{}\"#);", json(ty.name)));
    lines
}

fn of_union(union: &'static UnionDef) -> Vec<String> {
    let document = document(union.name);
    let ty = type_of(&Kind::Union(union), document).expect("the example is of a variant");
    let (value, mut names) = expression(ty, document);
    names.push(union.name.into());
    let variable = variable(union.name);
    let mut lines = imports(names, &[]);
    let value = Code::list(format!("let {variable} = {}::from(", union.name), vec![value], ")");
    lines.extend(value.lines(WIDTH, ";"));
    let tag = document[union.tag].as_str().unwrap_or_default();
    lines.push(format!("assert_eq!({variable}.tag(), \"{tag}\");"));
    lines
}

fn of_set(set: &EnumDef) -> Vec<String> {
    let (name, text) = (set.name, set.values[0]);
    let mut lines = imports(vec![name.into()], &[]);
    lines.push(format!("assert_eq!({name}::parse(\"{text}\"), Some({name}::{}));", pascal(text)));
    lines.push(format!("assert_eq!({name}::{}.as_str(), \"{text}\");", pascal(text)));
    lines
}

fn of_borrowed(name: &str) -> Vec<String> {
    let variable = variable(name);
    let mut lines = imports(vec![name.into()], &["Profile", "borrow_json", "to_json"]);
    lines.push(format!("let json = r#\"{}\"#;", json(name)));
    lines.push(format!("let ({variable}, _) = borrow_json::<{name}>(json, Profile::Strict)?;"));
    lines.push(format!("let owned: {name} = {variable}.into_owned();"));
    lines.push("assert_eq!(to_json(&owned), json);".into());
    lines.push("# Ok::<(), ag_ui_native::Error>(())".into());
    lines
}

/// Returns the lines that import types and other items of the crate, and an empty one.
fn imports(types: Vec<String>, items: &[&str]) -> Vec<String> {
    let (mut items, mut types): (Vec<_>, Vec<_>) = types
        .into_iter()
        .chain(items.iter().map(|item| (*item).to_owned()))
        .partition(|name| matches!(&**name, "Object" | "Value") || items.contains(&&**name));
    let mut lines = Vec::new();
    for (path, names) in [("ag_ui_native::types", &mut types), ("ag_ui_native", &mut items)] {
        names.sort();
        names.dedup();
        match names.as_slice() {
            [] => {}
            [name] => lines.push(format!("use {path}::{name};")),
            names => lines.push(format!("use {path}::{{{}}};", names.join(", "))),
        }
    }
    lines.push(String::new());
    lines
}

/// Returns the expression that makes a value, and the names that it uses.
fn expression(ty: &TypeDef, document: &Value) -> (Code, Vec<String>) {
    let mut names = vec![ty.name.to_owned()];
    let (mut required, mut calls) = (Vec::new(), Vec::new());
    for (field, value) in given(ty, document) {
        let value = of_kind(&field.kind, value, &mut names);
        if field.is_optional() {
            calls.push(Code::list(format!(".with_{}(", field.name), vec![value], ")"));
        } else {
            required.push(value);
        }
    }
    (Code::list(format!("{}::new(", ty.name), required, ")").calling(calls), names)
}

fn of_kind(kind: &Kind, value: &Value, names: &mut Vec<String>) -> Code {
    match (kind, value) {
        (Kind::List(item), Value::Array(items)) => {
            let items = items.iter().map(|value| {
                let code = of_kind(item, value, names);
                let is_made = matches!(**item, Kind::Text | Kind::Union(_));
                if is_made { code.calling(vec![Code::text(".into()")]) } else { code }
            });
            Code::list("vec![", items.collect(), "]")
        }
        (Kind::Enum(set), Value::String(text)) => {
            names.push(set.name.into());
            Code::text(format!("{}::{}", set.name, pascal(text)))
        }
        (Kind::Pointer, Value::String(text)) => {
            names.push("JsonPointer".into());
            Code::text(format!("JsonPointer::parse(\"{text}\").unwrap()"))
        }
        _ => match type_of(kind, value) {
            Some(ty) => {
                let (code, used) = expression(ty, value);
                names.extend(used);
                code
            }
            None => free(value, names),
        },
    }
}

/// Returns an expression that is `Into` of a free value.
fn free(value: &Value, names: &mut Vec<String>) -> Code {
    match value {
        Value::Object(members) => {
            names.push("Object".into());
            let pairs = members
                .iter()
                .map(|(key, value)| Code::list(format!("(\"{key}\", "), vec![free(value, names)], ")"));
            Code::list("Object::from([", pairs.collect(), "])")
        }
        Value::Array(items) => {
            names.push("Value".into());
            Code::list("Value::Array(vec![", items.iter().map(|item| free(item, names)).collect(), "])")
        }
        plain => Code::text(plain.to_string()),
    }
}

/// `ToolCall` for `tool-call` and `TOOL_CALL`.
fn pascal(text: &str) -> String {
    let word = |word: &str| word[..1].to_ascii_uppercase() + &word[1..].to_ascii_lowercase();
    text.split(['-', '_']).map(word).collect()
}
