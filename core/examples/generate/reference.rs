//! The reference: tables of types and error codes, and the JSON Schema.

use std::fmt::Write as _;

use ag_ui_native::host::schema::{ENUMS, EnumDef, FieldDef, Kind, Module, TYPES, TypeDef, UNIONS, UnionDef};
use ag_ui_native::types::JsonPointer;
use ag_ui_native::{Code, Limits, Rule};
use serde_json::{Map, Value, json};

use crate::File;

/// The documents.
pub fn files() -> Vec<File> {
    vec![
        ("docs/types.md".into(), types()),
        ("docs/errors.md".into(), errors()),
        ("docs/ag-ui.schema.json".into(), format!("{:#}\n", schema())),
    ]
}

const NOTICE: &str = "<!-- Generated from core/src by `make generate`. Do not edit. -->\n";

fn types() -> String {
    let mut page = format!("{NOTICE}# Types of AG-UI 1.0\n\n");
    page.push_str("Wire names, with the attribute name of Rust and Python where it differs. R: required; R∅: required, and\n");
    page.push_str(
        "`null` is a value; O: optional, left out when there is no value. The number is that of protobuf.\n",
    );
    for module in [Module::Events, Module::Types, Module::Capabilities, Module::Deprecated] {
        let _ = write!(page, "\n## {module:?}\n");
        for set in ENUMS.iter().filter(|set| set.module == module) {
            let _ = write!(page, "\n### {}\n\n{}\n\n", set.name, prose(set.doc));
            let _ = writeln!(page, "`{}`", set.values.join("` `"));
        }
        for union in UNIONS.iter().filter(|union| union.module == module) {
            let _ = write!(
                page,
                "\n### {}\n\n{} Told apart by `{}`.\n\n",
                union.name,
                prose(union.doc),
                union.tag
            );
            for variant in union.variants {
                let _ = writeln!(page, "- `{}`: {}", variant.tag, variant.ty.name);
            }
        }
        for ty in TYPES.iter().filter(|ty| ty.module == module) {
            let _ = write!(page, "\n### {}\n\n{}\n\n", ty.name, prose(ty.doc));
            page.push_str("| member | kind | | meaning | number |\n| --- | --- | --- | --- | --- |\n");
            for field in ty.fields {
                row(&mut page, field);
            }
        }
    }
    page
}

fn row(page: &mut String, field: &FieldDef) {
    let name = if field.name == field.wire { String::new() } else { format!(" (`{}`)", field.name) };
    let presence = match (field.is_optional(), field.kind) {
        (true, _) => "O",
        (false, Kind::Any) => "R∅",
        (false, _) => "R",
    };
    let number = match (field.number, field.parts_number) {
        (0, _) => String::new(),
        (number, 0) => number.to_string(),
        (number, parts) => format!("{number}, parts {parts}"),
    };
    let kind = describe(&field.kind);
    let _ =
        writeln!(page, "| `{}`{name} | {kind} | {presence} | {} | {number} |", field.wire, prose(field.doc));
}

fn describe(kind: &Kind) -> String {
    match kind {
        Kind::Text => "string".into(),
        Kind::Pointer => "JSON Pointer".into(),
        Kind::Bool => "boolean".into(),
        Kind::Int53 => "integer within ±(2^53-1)".into(),
        Kind::UInt53 => "integer from 0 to 2^53-1".into(),
        Kind::Any => "any JSON".into(),
        Kind::Dict => "object".into(),
        Kind::Literal(literal) => format!("`{literal}`"),
        Kind::Enum(set) => set.name.into(),
        Kind::Object(ty) => ty.name.into(),
        Kind::Union(union) => union.name.into(),
        Kind::List(item) => format!("list of {}", describe(item)),
        Kind::Content => "string or list of ContentPart".into(),
    }
}

/// A doc comment as one line.
fn prose(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn errors() -> String {
    let mut page = format!("{NOTICE}# Error and warning codes\n\n");
    page.push_str("One table for every language. What the strict profile refuses as an error, the tolerant profile repairs or\n");
    page.push_str("leaves out and reports as a warning with the same code.\n\n");
    page.push_str("| code | class | what happened | what to do |\n| --- | --- | --- | --- |\n");
    for code in Code::ALL {
        let (name, class) = (code.as_str(), format!("AGUI{:?}Error", code.category()));
        let _ = writeln!(page, "| `{name}` | {class} | {} | {} |", code.summary(), code.advice());
    }
    page.push_str("\n# Rules of event streams\n\n");
    page.push_str("What `sequence_broken` names as `rule`: V rules belong to verification, C rules to chunk expansion, A rules to\n");
    page.push_str("reduction.\n\n| rule | what happened | what to do |\n| --- | --- | --- |\n");
    for rule in Rule::ALL {
        let _ = writeln!(page, "| {rule} | {} | {} |", rule.summary(), rule.advice());
    }
    page.push_str(
        "\n# Limits\n\nWhat `limit_exceeded` names as `limit`; Node spells the settings in camelCase.\n\n",
    );
    page.push_str("| limit | what it limits | default |\n| --- | --- | --- |\n");
    for (name, doc, default) in Limits::ALL {
        let _ = writeln!(page, "| `{name}` | {} | {default} |", prose(doc));
    }
    page
}

fn schema() -> Value {
    let mut definitions = Map::new();
    for set in ENUMS {
        definitions.insert(set.name.into(), enum_schema(set));
    }
    for union in UNIONS {
        definitions.insert(union.name.into(), union_schema(union));
    }
    for ty in TYPES {
        definitions.insert(ty.name.into(), type_schema(ty));
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "AG-UI 1.0",
        "description": "Generated from core/src by `make generate`. The strict profile accepts what this accepts.",
        "$ref": "#/$defs/Event",
        "$defs": definitions,
    })
}

fn enum_schema(set: &EnumDef) -> Value {
    json!({ "description": prose(set.doc), "enum": set.values })
}

fn union_schema(union: &UnionDef) -> Value {
    let variants: Vec<_> = union.variants.iter().map(|variant| reference(variant.ty.name)).collect();
    json!({ "description": prose(union.doc), "oneOf": variants })
}

fn type_schema(ty: &TypeDef) -> Value {
    let properties: Map<_, _> =
        ty.fields.iter().map(|field| (field.wire.to_owned(), field_schema(field))).collect();
    let required: Vec<_> =
        ty.fields.iter().filter(|field| !field.is_optional()).map(|field| field.wire).collect();
    json!({
        "description": prose(ty.doc),
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": ty.open,
    })
}

fn field_schema(field: &FieldDef) -> Value {
    let mut schema = match (&field.kind, field.is_optional()) {
        (Kind::Any, true) => json!({ "not": { "type": "null" } }),
        (kind, _) => kind_schema(kind),
    };
    if let Value::Object(schema) = &mut schema {
        schema.insert("description".into(), prose(field.doc).into());
        if field.min_items > 0 {
            schema.insert("minItems".into(), field.min_items.into());
        }
    }
    schema
}

fn kind_schema(kind: &Kind) -> Value {
    match kind {
        Kind::Text => json!({ "type": "string" }),
        Kind::Pointer => json!({ "type": "string", "pattern": JsonPointer::PATTERN }),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Int53 | Kind::UInt53 => {
            let (min, max) = kind.integer_range().into_inner();
            json!({ "type": "integer", "minimum": min, "maximum": max })
        }
        Kind::Any => json!({}),
        Kind::Dict => json!({ "type": "object" }),
        Kind::Literal(literal) => json!({ "const": literal }),
        Kind::Enum(set) => reference(set.name),
        Kind::Object(ty) => reference(ty.name),
        Kind::Union(union) => reference(union.name),
        Kind::List(item) => json!({ "type": "array", "items": kind_schema(item) }),
        Kind::Content => {
            json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": reference("ContentPart") }] })
        }
    }
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}
