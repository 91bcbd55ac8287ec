//! Writes the checks: a check returns a copy of a valid value, in declaration order. Core checks all other values, and
//! knows their faults.

use std::fmt::Write as _;

use ag_ui_native::bindings::schema::{FieldDef, Kind, OnRead, TYPES, TypeDef, UNIONS, UnionDef};

use super::{is_required, quoted};

/// The file.
pub fn text() -> String {
    let mut out = String::from(IMPORTS);
    for ty in TYPES {
        out.push_str(&object(ty));
    }
    for union in UNIONS {
        out.push_str(&variants(union));
    }
    out
}

const IMPORTS: &str = "\
import { INVALID, type Loose, isDict, isObject, isPointer, isUint, list, rest, strings } from '../json/check.cjs';

";

/// The members that the official package has too. Its schemas keep newer members, which are undeclared to them.
fn known(ty: &TypeDef) -> impl Iterator<Item = &'static FieldDef> {
    ty.fields.iter().filter(|field| !field.is_newer())
}

fn object(ty: &TypeDef) -> String {
    let mut out = String::new();
    let name = ty.name;
    let keys: Vec<String> = known(ty).map(|field| quoted(field.wire)).collect();
    let _ = writeln!(out, "const {name}Keys: readonly string[] = [{}];\n", keys.join(", "));
    let _ = writeln!(out, "export function check{name}(value: unknown): unknown {{");
    out.push_str("  if (!isObject(value)) return INVALID;\n");
    let (mut reads, mut tests, mut inner) = (String::new(), Vec::new(), String::new());
    for (index, field) in known(ty).enumerate() {
        member(index, field, &mut reads, &mut tests, &mut inner);
    }
    out.push_str(&reads);
    if !tests.is_empty() {
        let _ = writeln!(out, "  if (\n    {}\n  ) return INVALID;", tests.join(" ||\n    "));
    }
    out.push_str(&inner);
    out.push_str(&copy(ty));
    let _ = writeln!(out, "  for (const _ in value) left--;");
    let _ = writeln!(out, "  return left === 0 ? out : rest(value, out, {name}Keys);\n}}\n");
    out
}

/// Writes the reading and the test of one member: `reads` fetch it, `tests` refuse it, `inner` replaces it by its
/// checked copy.
fn member(index: usize, field: &FieldDef, reads: &mut String, tests: &mut Vec<String>, inner: &mut String) {
    let it = format!("v{index}");
    let copied = matches!(field.kind, Kind::Object(_) | Kind::Union(_) | Kind::List(_) | Kind::Content);
    let declare = if copied || field.on_read != OnRead::Keep { "let" } else { "const" };
    let _ = writeln!(reads, "  {declare} {it} = value.{};", field.wire);
    if field.on_read == OnRead::NullIsAbsent {
        let _ = writeln!(reads, "  if ({it} === null) {it} = undefined;");
    }
    let wrong = match field.kind {
        Kind::Text => format!("typeof {it} !== 'string'"),
        Kind::Bool => format!("typeof {it} !== 'boolean'"),
        Kind::Pointer => format!("!isPointer({it})"),
        Kind::Int53 => format!("!Number.isSafeInteger({it})"),
        Kind::UInt53 => format!("!isUint({it})"),
        Kind::Dict => format!("!isDict({it})"),
        Kind::Literal(literal) => format!("{it} !== '{literal}'"),
        Kind::Enum(set) => {
            let differs: Vec<String> = set.values.iter().map(|value| format!("{it} !== '{value}'")).collect();
            if let [only] = &differs[..] { only.clone() } else { format!("({})", differs.join(" && ")) }
        }
        // Any value but the one that stands for absence.
        Kind::Any if field.is_optional() => format!("{it} === null"),
        Kind::Any => format!("{it} === undefined"),
        _ => String::new(),
    };
    if !wrong.is_empty() {
        let optional = field.is_optional() && !matches!(field.kind, Kind::Any);
        tests.push(if optional { format!("({it} !== undefined && {wrong})") } else { wrong });
        return;
    }
    let guard = if field.is_optional() { format!("if ({it} !== undefined) ") } else { String::new() };
    let call = match &field.kind {
        Kind::Object(ty) => format!("check{}({it})", ty.name),
        Kind::Union(union) => format!("check{}({it})", union.name),
        Kind::List(item) => checked_list(&it, item, field.min_items),
        _ => format!("typeof {it} === 'string' ? {it} : list({it}, checkContentPart, 0)"),
    };
    let _ = writeln!(inner, "  {guard}if (({it} = {call}) === INVALID) return INVALID;");
    if field.on_read == OnRead::AbsentIsEmpty {
        let _ = writeln!(inner, "  {it} ??= [];");
    }
}

fn checked_list(it: &str, item: &Kind, min: usize) -> String {
    match item {
        Kind::Object(ty) => format!("list({it}, check{}, {min})", ty.name),
        Kind::Union(union) => format!("list({it}, check{}, {min})", union.name),
        _ => format!("strings({it})"),
    }
}

/// Writes the copy: one literal if no optional member is present, otherwise member by member. `left` counts the present
/// members, and then the absent ones.
fn copy(ty: &TypeDef) -> String {
    let filled = |field: &FieldDef| field.on_read == OnRead::AbsentIsEmpty;
    let literal = |fields: &mut dyn Iterator<Item = (usize, &FieldDef)>| {
        let members: Vec<String> = fields.map(|(index, field)| format!("{}: v{index}", field.wire)).collect();
        if members.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", members.join(", ")) }
    };
    let fields = || known(ty).enumerate();
    let required = fields().filter(|(_, field)| is_required(field)).count();
    let absent: Vec<String> = fields()
        .filter(|(_, field)| field.is_optional())
        .map(|(index, field)| {
            if filled(field) {
                format!("value.{} === undefined", field.wire)
            } else {
                format!("v{index} === undefined")
            }
        })
        .collect();
    let mut out = format!("  let left = {required};\n");
    out.push_str("  let out: Loose;\n");
    let short = literal(&mut fields().filter(|(_, field)| is_required(field) || filled(field)));
    let indent = if absent.is_empty() { "  " } else { "    " };
    if !absent.is_empty() {
        let _ = writeln!(out, "  if ({}) {{", absent.join(" && "));
    }
    let _ = writeln!(out, "{indent}out = {short};");
    if !absent.is_empty() {
        out.push_str("  } else {\n");
        let head = fields().take_while(|(_, field)| is_required(field)).count();
        let _ = writeln!(out, "    out = {};", literal(&mut fields().take(head)));
        for (index, field) in fields().skip(head) {
            let set = format!("out.{} = v{index};", field.wire);
            if is_required(field) {
                let _ = writeln!(out, "    {set}");
            } else if filled(field) {
                let _ = writeln!(out, "    {set}\n    if (value.{} !== undefined) left++;", field.wire);
            } else {
                let _ = writeln!(out, "    if (v{index} !== undefined) {{ {set} left++; }}");
            }
        }
        out.push_str("  }\n");
    }
    out
}

fn variants(union: &UnionDef) -> String {
    let mut out = format!("export function check{}(value: unknown): unknown {{\n", union.name);
    let _ = writeln!(out, "  if (!isObject(value)) return INVALID;\n  switch (value.{}) {{", union.tag);
    for variant in union.variants {
        let _ = writeln!(out, "    case '{}': return check{}(value);", variant.tag, variant.ty.name);
    }
    out.push_str("    default: return INVALID;\n  }\n}\n\n");
    out
}
