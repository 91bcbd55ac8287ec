//! Writes the declaration as data, for code that need not be fast, and for reading the output of the native decoder.

use std::fmt::Write as _;

use ag_ui_native::bindings::schema::{ENUMS, Kind, TYPES, UNIONS, Variant};
use ag_ui_native::types::Event;

use super::{is_required, is_string, quoted};

/// The file.
pub fn text() -> String {
    let mut out = String::from(HEAD);
    for ty in TYPES {
        let members: Vec<String> =
            ty.fields.iter().map(|field| format!("{}: '{}'", field.wire, code(&field.kind))).collect();
        let _ = writeln!(out, "  {}: {{ {} }},", ty.name, members.join(", "));
    }
    out.push_str("};\n\n/** Every union: the key of its tag, and the type that each tag names. */\n");
    out.push_str(
        "export const unions: Record<string, { tag: string; variants: Record<string, string> }> = {\n",
    );
    for union in UNIONS {
        let variants: Vec<String> = union
            .variants
            .iter()
            .map(|variant| format!("'{}': '{}'", variant.tag, variant.ty.name))
            .collect();
        let _ = writeln!(
            out,
            "  {}: {{ tag: '{}', variants: {{ {} }} }},",
            union.name,
            union.tag,
            variants.join(", ")
        );
    }
    out.push_str("};\n\n/** Every closed set of strings. */\nexport const enums: Record<string, readonly string[]> = {\n");
    for set in ENUMS {
        let values: Vec<String> = set.values.iter().map(|value| quoted(value)).collect();
        let _ = writeln!(out, "  {}: [{}],", set.name, values.join(", "));
    }
    out.push_str("};\n\n/** The optional members of each type. */\nexport const optionals: Record<string, readonly string[]> = {\n");
    for ty in TYPES {
        let keys: Vec<String> =
            ty.fields.iter().filter(|field| field.is_optional()).map(|field| quoted(field.wire)).collect();
        let _ = writeln!(out, "  {}: [{}],", ty.name, keys.join(", "));
    }
    out.push_str("};\n\n/** The members that the declaration fixes. */\nexport const literals: Record<string, Record<string, string>> = {\n");
    for ty in TYPES {
        let fixed = |kind: &Kind| match kind {
            Kind::Literal(value) => Some(quoted(value)),
            _ => None,
        };
        let members =
            ty.fields.iter().filter_map(|field| Some(format!("{}: {}", field.wire, fixed(&field.kind)?)));
        let members: Vec<String> = members.collect();
        if !members.is_empty() {
            let _ = writeln!(out, "  {}: {{ {} }},", ty.name, members.join(", "));
        }
    }
    let open: Vec<String> = TYPES.iter().filter(|ty| ty.open).map(|ty| quoted(ty.name)).collect();
    let _ = writeln!(
        out,
        "}};\n\n/** The types whose undeclared members belong to them. */\nexport const open: readonly string[] = [{}];\n",
        open.join(", ")
    );
    let mut newer: Vec<String> = Vec::new();
    for field in TYPES.iter().flat_map(|ty| ty.fields).filter(|field| field.is_newer()) {
        let key = quoted(field.wire);
        if !newer.contains(&key) {
            newer.push(key);
        }
    }
    let _ = writeln!(
        out,
        "/** The members that the protocol has had since 1.1. Under the names of the official package they are undeclared, and kept. */\n\
         export const newer: readonly string[] = [{}];\n",
        newer.join(", ")
    );
    out.push_str(&literal_events());
    out
}

const HEAD: &str = "\
/**
 * Every object type: what each member holds, in declaration order. `s` string, `p` pointer, `b` boolean, `i` and `u`
 * integer, `a` any, `d` object, `l` literal, `e` one of a set, `c` content, `T...` type, `U...` union, `[...` list.
 */
export const types: Record<string, Record<string, string>> = {
";

/// The kind of a member's value, in the notation of `HEAD`.
pub fn code(kind: &Kind) -> String {
    match kind {
        Kind::Text => "s".into(),
        Kind::Pointer => "p".into(),
        Kind::Bool => "b".into(),
        Kind::Int53 => "i".into(),
        Kind::UInt53 => "u".into(),
        Kind::Any => "a".into(),
        Kind::Dict => "d".into(),
        Kind::Literal(_) => "l".into(),
        Kind::Enum(_) => "e".into(),
        Kind::Content => "c".into(),
        Kind::Object(ty) => format!("T{}", ty.name),
        Kind::Union(union) => format!("U{}", union.name),
        Kind::List(item) => format!("[{}", code(item)),
    }
}

/// Writes a literal for each event whose required members are strings.
fn literal_events() -> String {
    let mut out = String::from(
        "/** The event of a shape that has just its required members: strings, which end at `marks[at]` and so on. */\n\
         export function literalEvent(shape: number, text: string, start: number, marks: Uint32Array, at: number): unknown {\n  \
         switch (shape) {\n",
    );
    for (index, Variant { tag, ty }) in Event::UNION.variants.iter().enumerate() {
        let required: Vec<_> = ty.fields.iter().filter(|field| is_required(field)).collect();
        if !required.iter().all(|field| is_string(&field.kind)) {
            continue;
        }
        let mut members = vec![format!("type: '{tag}'")];
        for (place, field) in required[1..].iter().enumerate() {
            let from = if place == 0 { "start".to_owned() } else { format!("marks[at + {}]!", place - 1) };
            let from = from.replace(" + 0", "");
            let to = format!("marks[at + {place}]!").replace(" + 0", "");
            members.push(format!("{}: text.slice({from}, {to})", field.wire));
        }
        let _ = writeln!(out, "    case {index}: return {{ {} }};", members.join(", "));
    }
    out.push_str("    default: return undefined;\n  }\n}\n");
    out
}
