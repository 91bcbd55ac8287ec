//! Types with the names of the official package.

use std::fmt::Write as _;

use ag_ui_native::bindings::schema::{ENUMS, EnumDef, FieldDef, Kind, OnRead, TYPES, TypeDef, UNIONS};

use crate::examples::Code;

use super::{doc, documented, event_tag, examples, quoted};

/// The file.
pub fn text() -> String {
    let mut out = String::new();
    out.extend(SCALARS.iter().copied().map(named));
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
            documented(union.doc, &examples::of_union(union)),
            union.name,
            names.join("\n  | ")
        );
    }
    let patch = "[{ op: 'remove', path: '/tasks/0' }]";
    out.push_str(&named(("JsonPatch", "JsonPatchOperation[]", "A JSON Patch (RFC 6902).", patch)));
    let props = [
        "import type { EventProps, TextMessageEndEvent } from 'ag-ui-native';".to_owned(),
        String::new(),
        "const props: EventProps<TextMessageEndEvent> = { messageId: 'm1' };".to_owned(),
    ];
    out.push_str(&documented("The arguments for making an event: its members without the tag.", &props));
    out.push_str("export type EventProps<E extends { type: EventType }> = Omit<E, 'type'> & { [key: string]: unknown };\n\n");
    for ty in TYPES.iter().filter(|ty| ty.is_event()) {
        let about = format!("The members of a `{}` without its tag.", ty.name);
        let about = documented(&about, &examples::of_props(ty));
        let _ = writeln!(out, "{about}export type {0}Props = EventProps<{0}>;\n", ty.name);
    }
    out
}

/// The declared types of text, objects and any value, under the official names: their types, and an example of a value.
const SCALARS: &[(&str, &str, &str, &str)] = &[
    (
        "Metadata",
        "Record<string, any>",
        "Free key-value data; the key `ag-ui` is reserved for the protocol.",
        "{ lang: 'en' }",
    ),
    ("SubagentRunId", "string", "Names one invocation of a subagent.", "'researcher-1'"),
    ("State", "any", "The shared state: any JSON value.", "{ tasks: ['Buy milk'] }"),
    ("JsonPointer", "string", "A JSON Pointer (RFC 6901).", "'/tasks/0'"),
];

/// Writes a type that is declared by no macro.
fn named((name, ty, about, value): (&str, &str, &str, &str)) -> String {
    let about = documented(about, &examples::typed(name, Code::text(value), false));
    format!("{about}export type {name} = {ty};\n\n")
}

fn string_set(set: &EnumDef) -> String {
    let about = documented(set.doc, &examples::of_set(set));
    if set.name == "EventType" {
        let values: Vec<String> = set.values.iter().map(|value| format!("  {value} = '{value}',")).collect();
        return format!("{about}export enum EventType {{\n{}\n}}\n\n", values.join("\n"));
    }
    let values: Vec<String> = set.values.iter().map(|value| quoted(value)).collect();
    format!("{about}export type {} = {};\n\n", set.name, values.join(" | "))
}

/// Writes a type alias instead of an interface: only an alias is accepted where an index signature is required.
fn object(ty: &TypeDef) -> String {
    let mut out = format!("{}export type {} = {{\n", documented(ty.doc, &examples::of_type(ty)), ty.name);
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
