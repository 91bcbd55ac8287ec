//! The encoder's writers of the plain streamed events, one for each type.

use std::fmt::Write as _;

use ag_ui_native::bindings::schema::{FieldDef, Kind, TYPES, TypeDef, UNIONS, UnionDef};
use ag_ui_native::types::Event;

use super::{event_tag, is_required, is_string};

/// The file.
pub fn text() -> String {
    let mut out = String::from(IMPORTS);
    out.push_str(&plain_events());
    out.push_str(&literals());
    out
}

/// The events whose required members are strings, with the JSON of their members.
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

/// True if an event's required members are all strings.
fn is_plain(ty: &TypeDef) -> bool {
    ty.fields.iter().all(|field| field.is_optional() || is_string(&field.kind))
}

const IMPORTS: &str = "\
import type { Loose } from '../json/check.cjs';
import { isPlain, listText, quote, scalarText } from '../json/text.cjs';

";

/// Writes the writers of events that consist of strings and patches. They are used instead of the general serializer if
/// the members are in declaration order and there are no others.
fn literals() -> String {
    let mut out = String::new();
    for union in UNIONS.iter().filter(|union| is_literal_union(union)) {
        let variants = union.variants.iter().map(|variant| (variant.tag, variant.ty));
        let start = format!("export function write{}(value: unknown): string | undefined {{\n", union.name);
        out.push_str(&start);
        out.push_str("  if (!isPlain(value)) return undefined;\n");
        out.push_str(&literal_switch(union.tag, variants));
        out.push('\n');
    }
    out.push_str(
        "/** Takes an event that has just its tag and its required members, all of them strings: the place of its type among all \
         types, and the strings. */\n\
         export type TakeStrings = (place: number, one: string, two?: string, three?: string) => undefined;\n\n\
         /**\n \
         * The JSON text of a plain event if it has just the tag and the required members, in order, and these are strings and\n \
         * patches of scalars; undefined otherwise. An event with only strings goes to `take`, if that is given.\n \
         */\n\
         export function writeLiteral(value: Loose, take?: TakeStrings): string | undefined {\n",
    );
    let events = TYPES.iter().copied().filter_map(|ty| Some((event_tag(ty)?, ty)));
    out.push_str(&literal_switch("type", events.filter(|(_, ty)| is_literal(ty))));
    out
}

/// True if all required members of a type can be written, and there are some.
fn is_literal(ty: &TypeDef) -> bool {
    let mut required = ty.fields.iter().filter(|field| is_required(field));
    let writes = |kind: &Kind| match kind {
        Kind::List(Kind::Union(union)) => is_literal_union(union),
        kind => is_string(kind),
    };
    required.clone().count() > 1 && required.all(|field| writes(&field.kind))
}

/// True if all variants of a union have only strings and free values, all of them required.
fn is_literal_union(union: &UnionDef) -> bool {
    let mut fields = union.variants.iter().flat_map(|variant| variant.ty.fields);
    fields.all(|field: &FieldDef| {
        is_required(field) && (is_string(&field.kind) || matches!(field.kind, Kind::Any))
    })
}

/// Writes `value` by its tag.
fn literal_switch<'t>(tag: &str, variants: impl Iterator<Item = (&'t str, &'t TypeDef)>) -> String {
    let mut out = format!("  let at = 0;\n  switch (value.{tag}) {{\n");
    for (name, ty) in variants {
        out.push_str(&literal_case(tag, name, ty));
    }
    out.push_str("    default: return undefined;\n  }\n}\n");
    out
}

fn literal_case(tag: &str, name: &str, ty: &TypeDef) -> String {
    let required: Vec<_> = ty.fields.iter().filter(|field| is_required(field)).collect();
    let mut out = format!("    case '{name}': {{\n      for (const key in value) switch (at++) {{\n");
    for (index, field) in required.iter().enumerate() {
        let _ = writeln!(out, "        case {index}: if (key !== '{}') return undefined; break;", field.wire);
    }
    let _ = writeln!(out, "        default: return undefined;\n      }}");
    let mut refused = vec![format!("at !== {}", required.len())];
    let mut text = String::new();
    let mut key = "{".to_owned();
    for (index, field) in required.iter().enumerate() {
        let _ = write!(key, "\"{}\":", field.wire);
        if field.wire == tag {
            let _ = write!(key, "\"{name}\",");
            continue;
        }
        let value = format!("v{index}");
        let written = match field.kind {
            Kind::List(Kind::Union(union)) => {
                Some(format!("listText(value.{}, write{})", field.wire, union.name))
            }
            Kind::Any => Some(format!("scalarText(value.{})", field.wire)),
            _ => None,
        };
        let source = written.clone().unwrap_or_else(|| format!("value.{}", field.wire));
        let _ = writeln!(out, "      const {value} = {source};");
        refused.push(match written {
            Some(_) => format!("{value} === undefined"),
            None => format!("typeof {value} !== 'string'"),
        });
        let shown = if written.is_some() { value } else { format!("quote({value})") };
        let _ = write!(text, "'{key}' + {shown} + ");
        key = ",".into();
    }
    let _ = writeln!(out, "      if ({}) return undefined;", refused.join(" || "));
    let place = Event::UNION.variants.iter().position(|variant| std::ptr::eq(variant.ty, ty));
    if let Some(place) = place.filter(|_| is_plain(ty)) {
        let strings: Vec<String> = (1..required.len()).map(|index| format!("v{index}")).collect();
        let _ = writeln!(out, "      if (take !== undefined) return take({place}, {});", strings.join(", "));
    }
    let _ = writeln!(out, "      return {text}'}}';\n    }}");
    out
}
