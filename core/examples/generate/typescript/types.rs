//! Types with the names of the official package.

use std::fmt::Write as _;

use ag_ui_native::bindings::schema::{ENUMS, EnumDef, FieldDef, Kind, OnRead, TYPES, TypeDef, UNIONS};

use super::{doc, event_tag, quoted};

/// The file.
pub fn text() -> String {
    let mut out = String::new();
    out.push_str(SCALARS);
    for set in ENUMS {
        out.push_str(&string_set(set));
    }
    for ty in TYPES {
        out.push_str(&object(ty));
    }
    for union in UNIONS {
        let names: Vec<&str> = union.variants.iter().map(|variant| variant.ty.name).collect();
        let _ = write!(
            out,
            "{}export type {} =\n  | {};\n\n",
            doc(union.doc, ""),
            union.name,
            names.join("\n  | ")
        );
    }
    out.push_str("/** A JSON Patch (RFC 6902). */\nexport type JsonPatch = JsonPatchOperation[];\n\n");
    out.push_str("/** The arguments for making an event: its members without the tag. */\n");
    out.push_str("export type EventProps<E extends { type: EventType }> = Omit<E, 'type'> & { [key: string]: unknown };\n\n");
    for ty in TYPES.iter().filter(|ty| ty.is_event()) {
        let _ = writeln!(out, "export type {0}Props = EventProps<{0}>;", ty.name);
    }
    out
}

/// The declared types of text, objects and any value, under the official names.
const SCALARS: &str = "\
/** Free key-value data; the key `ag-ui` is reserved for the protocol. */
export type Metadata = Record<string, any>;

/** Names one invocation of a subagent. */
export type SubagentRunId = string;

/** The shared state: any JSON value. */
export type State = any;

/** A JSON Pointer (RFC 6901). */
export type JsonPointer = string;

";

fn string_set(set: &EnumDef) -> String {
    if set.name == "EventType" {
        let values: Vec<String> = set.values.iter().map(|value| format!("  {value} = '{value}',")).collect();
        return format!("{}export enum EventType {{\n{}\n}}\n\n", doc(set.doc, ""), values.join("\n"));
    }
    let values: Vec<String> = set.values.iter().map(|value| quoted(value)).collect();
    format!("{}export type {} = {};\n\n", doc(set.doc, ""), set.name, values.join(" | "))
}

/// Writes a type alias instead of an interface: only an alias is accepted where an index signature is required.
fn object(ty: &TypeDef) -> String {
    let mut out = format!("{}export type {} = {{\n", doc(ty.doc, ""), ty.name);
    for field in ty.fields {
        // A list that is filled in if it is absent is present in every value from a schema.
        let filled = field.on_read == OnRead::AbsentIsEmpty;
        let mark = if field.is_optional() && !filled { "?" } else { "" };
        let _ = writeln!(out, "{}  {}{mark}: {};", doc(field.doc, "  "), field.wire, of_member(ty, field));
    }
    out.push_str("};\n\n");
    out
}

fn of_member(ty: &TypeDef, field: &FieldDef) -> String {
    match (field.wire, field.kind) {
        ("type", Kind::Literal(tag)) if event_tag(ty).is_some() => format!("EventType.{tag}"),
        ("metadata", Kind::Dict) => "Metadata".into(),
        ("subagentRunId", _) => "SubagentRunId".into(),
        ("snapshot" | "state", Kind::Any) => "State".into(),
        (_, kind) => of_kind(&kind),
    }
}

fn of_kind(kind: &Kind) -> String {
    match kind {
        Kind::Text => "string".into(),
        Kind::Pointer => "JsonPointer".into(),
        Kind::Bool => "boolean".into(),
        Kind::Int53 | Kind::UInt53 => "number".into(),
        Kind::Any => "any".into(),
        Kind::Dict => "Record<string, any>".into(),
        Kind::Literal(literal) => quoted(literal),
        Kind::Enum(set) => set.name.into(),
        Kind::Object(ty) => ty.name.into(),
        Kind::Union(union) => union.name.into(),
        Kind::List(item) => format!("{}[]", of_kind(item)),
        Kind::Content => "string | ContentPart[]".into(),
    }
}
