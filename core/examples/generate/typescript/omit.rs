//! Walkers that leave out optional nulls.

use std::fmt::Write as _;

use ag_ui_native::bindings::schema::{Kind, TYPES, TypeDef, UNIONS, UnionDef};

/// The file.
pub fn text() -> String {
    let mut out = String::from(IMPORTS);
    for ty in TYPES.iter().filter(|ty| has_nulls(ty)) {
        out.push_str(&walker(ty));
    }
    for union in UNIONS.iter().filter(|union| union_has_nulls(union)) {
        out.push_str(&walkers(union));
    }
    out
}

const IMPORTS: &str = "\
import { isObject, own } from '../json/check.cjs';
import { omitEach, without } from '../json/text.cjs';

";

/// True if an optional member can stand anywhere inside.
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
