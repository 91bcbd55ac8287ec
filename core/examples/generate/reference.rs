//! The reference: tables of types and error codes, and the JSON Schema.

use std::fmt::Write as _;

use ag_ui_native::bindings::schema::{ENUMS, FieldDef, Kind, Module, Role, TYPES, TypeDef, UNIONS};
use ag_ui_native::types::{JsonPatchOperation, JsonPointer};
use ag_ui_native::{Code, Limits, PROTOCOL_VERSION, ProtocolVersion, Rule};
use serde_json::{Map, Value, json};

use crate::File;
use crate::examples;

/// The documents.
pub fn files() -> Vec<File> {
    vec![
        ("docs/types.md".into(), types()),
        ("docs/errors.md".into(), errors()),
        ("docs/ag-ui.schema.json".into(), format!("{:#}\n", schema("ag-ui", ProtocolVersion::CURRENT))),
        ("docs/ag-ui-1.0.schema.json".into(), format!("{:#}\n", schema("ag-ui-1.0", FIRST))),
    ]
}

const FIRST: ProtocolVersion = ProtocolVersion::new(1, 0, 0);

const NOTICE: &str = "<!-- Generated from core/src by `make generate`. Do not edit. -->\n";

fn types() -> String {
    let mut page = format!("{NOTICE}# Types of AG-UI {PROTOCOL_VERSION}\n\n");
    page.push_str("This page lists every type of the protocol with its members. A member has its name on the wire, and its\n");
    page.push_str("name in Rust and Python where that differs. R is required. R∅ is required, and `null` is a value. O is\n");
    page.push_str("optional: it is left out if there is no value. The number is that of protobuf.\n");
    for module in [Module::Events, Module::Types, Module::Capabilities, Module::Deprecated] {
        let _ = write!(page, "\n## {module:?}\n");
        for set in ENUMS.iter().filter(|set| set.module == module) {
            let _ = write!(page, "\n### {}\n\n{}\n\n", set.name, prose(set.doc));
            let _ = writeln!(page, "`{}`", set.values.join("` `"));
        }
        for union in UNIONS.iter().filter(|union| union.module == module) {
            let _ = write!(
                page,
                "\n### {}\n\n{} The member `{}` names the variant.\n\n",
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
            let _ = write!(page, "\n```json\n{}\n```\n", examples::json(ty.name));
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
    let (kind, mut meaning) = (describe(&field.kind), prose(field.doc));
    if field.is_newer() {
        let _ = write!(meaning, " Since {}.{}.", field.since.major, field.since.minor);
    }
    let _ = writeln!(page, "| `{}`{name} | {kind} | {presence} | {meaning} | {number} |", field.wire);
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
    page.push_str("This page lists the codes of errors and warnings, the rules of event streams, and the limits. They are the same in every\n");
    page.push_str("language. The tolerant profile repairs or drops many faults that the strict profile refuses. It reports each as a\n");
    page.push_str("warning with the same code.\n\n");
    page.push_str("| code | class | what happened | what to do |\n| --- | --- | --- | --- |\n");
    for code in Code::ALL {
        let (name, class) = (code.as_str(), format!("AGUI{:?}Error", code.category()));
        let _ =
            writeln!(page, "| {}`{name}` | {class} | {} | {} |", place(name), code.summary(), code.advice());
    }
    page.push_str("\n# Rules of event streams\n\n");
    page.push_str("These are the values of `rule` in a `sequence_broken` error. V rules belong to verification, C rules to chunk expansion,\n");
    page.push_str("A rules to reduction, L rules to the answers of interrupts.\n\n| rule | what happened | what to do |\n| --- | --- | --- |\n");
    for rule in Rule::ALL {
        let _ = writeln!(page, "| {}{rule} | {} | {} |", place(rule.as_str()), rule.summary(), rule.advice());
    }
    page.push_str(
        "\n# Limits\n\nThese are the values of `limit` in a `limit_exceeded` error. Node spells the settings in camelCase.\n\n",
    );
    page.push_str("| limit | what it limits | default |\n| --- | --- | --- |\n");
    for (name, doc, default) in Limits::ALL {
        let _ = writeln!(page, "| {}`{name}` | {} | {default} |", place(name), prose(doc));
    }
    page.push_str(
        "\nA server with a [log](durable.md) has these, too, as [options](durable/options.md):\n\n",
    );
    page.push_str("| limit | option | what it limits | what happens |\n| --- | --- | --- | --- |\n");
    for [name, option, doc, end] in Limits::OF_LOGS {
        let _ = writeln!(page, "| {}`{name}` | `{option}` | {doc} | {end} |", place(name));
    }
    page
}

/// A place of the page that links can name: `Code::documentation` and others do.
fn place(name: &str) -> String {
    format!("<a id=\"{name}\"></a>")
}

/// The JSON Schema of a version, as the file of this name.
fn schema(name: &str, version: ProtocolVersion) -> Value {
    let mut definitions = Map::new();
    let mut define = |name: &str, mut schema: Value| {
        schema["$anchor"] = name.into();
        definitions.insert(name.into(), schema);
    };
    for set in ENUMS {
        define(set.name, json!({ "description": prose(set.doc), "enum": set.values }));
    }
    for union in UNIONS {
        let variants: Vec<_> = union.variants.iter().map(|variant| reference(variant.ty.name)).collect();
        define(union.name, json!({ "description": prose(union.doc), "oneOf": variants }));
    }
    for (name, schema) in named() {
        define(name, schema);
    }
    for ty in TYPES {
        define(ty.name, type_schema(ty, version));
    }
    let (major, minor) = (version.major, version.minor);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("https://github.com/ag-ui-native/ag-ui-native/blob/main/docs/{name}.schema.json"),
        "title": format!("AG-UI {major}.{minor}"),
        "description": format!(
            "Generated from core/src by `make generate`. An event of AG-UI {major}.{minor}; every other definition has an anchor. The strict \
             profile accepts what this accepts, but for what spans several members.",
        ),
        "$ref": "#/$defs/Event",
        "$defs": definitions,
    })
}

/// Named definitions without a declared type.
fn named() -> [(&'static str, Value); 5] {
    let object = json!({ "description": "Free key-value data.", "type": "object" });
    let id = json!({ "description": "Names one invocation of a subagent.", "type": "string" });
    let state = json!({ "description": "The shared state: any JSON value." });
    let pointer = json!({ "description": "A JSON Pointer (RFC 6901).", "type": "string", "pattern": JsonPointer::PATTERN });
    let operations = reference(JsonPatchOperation::UNION.name);
    let patch = json!({ "description": "A JSON Patch (RFC 6902).", "type": "array", "items": operations });
    [
        ("Metadata", object),
        ("SubagentRunId", id),
        ("State", state),
        ("JsonPointer", pointer),
        ("JsonPatch", patch),
    ]
}

fn type_schema(ty: &TypeDef, version: ProtocolVersion) -> Value {
    let fields = || ty.fields.iter().filter(|field| field.since <= version);
    let properties: Map<_, _> = fields().map(|field| (field.wire.to_owned(), field_schema(field))).collect();
    let required: Vec<_> = fields().filter(|field| !field.is_optional()).map(|field| field.wire).collect();
    let mut schema = json!({
        "description": prose(ty.doc),
        "type": "object",
        "properties": properties,
        "required": required,
    });
    // A definition whose members others share is open; those others are closed.
    if ty.role != Role::Shared {
        schema["additionalProperties"] = ty.open.into();
    }
    schema
}

fn field_schema(field: &FieldDef) -> Value {
    let mut schema = member_schema(field);
    if field.is_optional() && matches!(field.kind, Kind::Any) {
        schema["not"] = json!({ "type": "null" });
    }
    schema["description"] = prose(field.doc).into();
    if field.min_items > 0 {
        schema["minItems"] = field.min_items.into();
    }
    schema
}

/// The kind of a member's value, by its name.
fn member_schema(field: &FieldDef) -> Value {
    match (field.name, &field.kind) {
        ("metadata", Kind::Dict) => reference("Metadata"),
        ("state" | "snapshot", Kind::Any) => reference("State"),
        ("subagent_run_id" | "parent_subagent_run_id", Kind::Text) => reference("SubagentRunId"),
        (_, kind) => kind_schema(kind),
    }
}

fn kind_schema(kind: &Kind) -> Value {
    match kind {
        Kind::Text => json!({ "type": "string" }),
        Kind::Pointer => reference("JsonPointer"),
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
        Kind::List(Kind::Union(union)) if union.name == JsonPatchOperation::UNION.name => {
            reference("JsonPatch")
        }
        Kind::List(item) => json!({ "type": "array", "items": kind_schema(item) }),
        Kind::Content => {
            json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": reference("ContentPart") }] })
        }
    }
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}
