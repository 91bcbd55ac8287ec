//! What the encoder needs: walkers that leave out optional nulls, and literal writers of the plain streamed events.

use std::fmt::Write as _;

use ag_ui_native::schema::{Kind, TYPES, TypeDef, UNIONS, UnionDef};

use super::{event_tag, is_required, is_string};

/// The file.
pub fn text() -> String {
    let mut out = String::from(IMPORTS);
    for ty in TYPES.iter().filter(|ty| has_nulls(ty)) {
        out.push_str(&walker(ty));
    }
    for union in UNIONS.iter().filter(|union| union_has_nulls(union)) {
        out.push_str(&walkers(union));
    }
    out.push_str(&plain_events());
    out.push_str(&literals());
    out
}

/// Events whose required members are strings, with what their members look like in JSON.
fn plain_events() -> String {
    let mut out = String::from(
        "/** For events whose required members are strings: each member's key as it stands in JSON behind another. */\n\
         export const plainEvents: Record<string, Record<string, string>> = {\n",
    );
    for (tag, ty) in TYPES.iter().filter_map(|ty| Some((event_tag(ty)?, ty))).filter(|(_, ty)| is_plain(ty)) {
        let keys: Vec<String> =
            ty.fields.iter().map(|field| format!("{0}: ',\"{0}\":'", field.wire)).collect();
        let _ = writeln!(out, "  {tag}: {{ {} }},", keys.join(", "));
    }
    out.push_str("};\n\n");
    out
}

/// Whether an event's required members are all strings.
fn is_plain(ty: &TypeDef) -> bool {
    ty.fields.iter().all(|field| field.is_optional() || is_string(&field.kind))
}

const IMPORTS: &str = "\
import { type Loose, isObject, own } from '../check.cjs';
import { omitEach, quote, without } from '../json.cjs';

";

/// Whether an optional member can stand anywhere inside.
fn has_nulls(ty: &TypeDef) -> bool {
    ty.fields.iter().any(|field| field.is_optional() || walk(&field.kind).is_some())
}

fn union_has_nulls(union: &UnionDef) -> bool {
    union.variants.iter().any(|variant| has_nulls(variant.ty))
}

/// The call that walks into a member `it`, if there is anything to leave out.
fn walk(kind: &Kind) -> Option<String> {
    match kind {
        Kind::Object(ty) => has_nulls(ty).then(|| format!("omit{}(it)", ty.name)),
        Kind::Union(union) => union_has_nulls(union).then(|| format!("omit{}(it)", union.name)),
        Kind::List(Kind::Object(ty)) => has_nulls(ty).then(|| format!("omitEach(it, omit{})", ty.name)),
        Kind::List(Kind::Union(union)) => {
            union_has_nulls(union).then(|| format!("omitEach(it, omit{})", union.name))
        }
        Kind::Content => Some("omitEach(it, omitContentPart)".into()),
        _ => None,
    }
}

fn walker(ty: &TypeDef) -> String {
    let mut out = format!("export function omit{}(value: unknown): unknown {{\n", ty.name);
    out.push_str("  if (!isObject(value)) return value;\n  let out = value;\n");
    for field in ty.fields.iter().filter(|field| field.is_optional()) {
        let _ = writeln!(out, "  if (value.{0} === null) out = without(value, out, '{0}');", field.wire);
    }
    for field in ty.fields {
        let Some(call) = walk(&field.kind) else { continue };
        let _ = writeln!(out, "  {{\n    const it = value.{};", field.wire);
        let _ = writeln!(out, "    const next = it === undefined ? it : {call};");
        let _ = writeln!(out, "    if (next !== it && own(value, '{}')) {{", field.wire);
        let _ = writeln!(
            out,
            "      if (out === value) out = {{ ...value }};\n      out.{} = next;\n    }}\n  }}",
            field.wire
        );
    }
    out.push_str("  return out;\n}\n\n");
    out
}

fn walkers(union: &UnionDef) -> String {
    let mut out = format!("export function omit{}(value: unknown): unknown {{\n", union.name);
    let _ = writeln!(out, "  if (!isObject(value)) return value;\n  switch (value.{}) {{", union.tag);
    for variant in union.variants.iter().filter(|variant| has_nulls(variant.ty)) {
        let _ = writeln!(out, "    case '{}': return omit{}(value);", variant.tag, variant.ty.name);
    }
    out.push_str("    default: return value;\n  }\n}\n\n");
    out
}

/// Events that say nothing but strings are written without the general serializer, when their members stand in
/// declaration order and there are no others.
fn literals() -> String {
    let mut out = String::from(
        "/** The event's JSON text if it has just the tag and the required strings, in order; nothing otherwise. */\n\
         export function writeLiteral(event: Loose): string | undefined {\n  let at = 0;\n  switch (event.type) {\n",
    );
    for ty in TYPES {
        let Some(tag) = event_tag(ty) else { continue };
        let required: Vec<_> = ty.fields.iter().filter(|field| is_required(field)).collect();
        if required.len() < 2 || !is_plain(ty) {
            continue;
        }
        let _ = writeln!(out, "    case '{tag}': {{\n      for (const key in event) switch (at++) {{");
        for (index, field) in required.iter().enumerate() {
            let _ =
                writeln!(out, "        case {index}: if (key !== '{}') return undefined; break;", field.wire);
        }
        out.push_str("        default: return undefined;\n      }\n");
        let names: Vec<String> = (1..required.len()).map(|index| format!("v{index}")).collect();
        for (name, field) in names.iter().zip(&required[1..]) {
            let _ = writeln!(out, "      const {name} = event.{};", field.wire);
        }
        let strings: Vec<String> = names.iter().map(|name| format!("typeof {name} !== 'string'")).collect();
        let _ = writeln!(
            out,
            "      if (at !== {} || {}) return undefined;",
            required.len(),
            strings.join(" || ")
        );
        let _ = write!(out, "      return '{{\"type\":\"{tag}\"");
        for (name, field) in names.iter().zip(&required[1..]) {
            let _ = write!(out, ",\"{}\":' + quote({name}) + '", field.wire);
        }
        out.push_str("}';\n    }\n");
    }
    out.push_str("    default: return undefined;\n  }\n}\n");
    out
}
