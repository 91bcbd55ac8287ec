//! One schema for each type, union and set of strings.

use std::fmt::Write as _;

use ag_ui_native::bindings::schema::{ENUMS, EnumDef, Module, TYPES, UNIONS};

use super::{documented, examples};

/// The file.
pub fn text() -> String {
    let mut out = String::from(IMPORTS);
    for set in ENUMS.iter().filter(|set| is_public(set)) {
        let check = format!("(value) => (enums.{}!.includes(value as string) ? value : INVALID)", set.name);
        out.push_str(&schema("schema", set.name, (set.doc, &examples::of_set_schema(set)), "e", &check));
    }
    for ty in TYPES.iter().filter(|ty| ty.module != Module::Deprecated) {
        let (kind, check) = (format!("T{}", ty.name), format!("'check{}'", ty.name));
        out.push_str(&schema(
            "objectSchema",
            ty.name,
            (ty.doc, &examples::of_schema(ty.name, ty)),
            &kind,
            &check,
        ));
    }
    for union in UNIONS {
        let (kind, check) = (format!("U{}", union.name), format!("'check{}'", union.name));
        out.push_str(&schema(
            "unionSchema",
            union.name,
            (union.doc, &examples::of_union_schema(union)),
            &kind,
            &check,
        ));
    }
    out
}

const IMPORTS: &str = "\
import { INVALID } from '../json/check.cjs';
import { type ObjectSchema, objectSchema, type Schema, schema, type UnionSchema, unionSchema } from '../schema/schema.cjs';
import { enums } from './tables.cjs';
import type * as types from './types.cjs';

";

/// Sets that exist only as the type of one member have no schema of their own.
fn is_public(set: &EnumDef) -> bool {
    set.values.len() > 1 && set.name != "ResumeStatus"
}

fn schema(make: &str, name: &str, about: (&str, &[String]), kind: &str, check: &str) -> String {
    let mut out = documented(about.0, about.1);
    let class = make[..1].to_uppercase() + &make[1..];
    let _ = writeln!(
        out,
        "export const {name}Schema: {class}<types.{name}> = {make}('{name}', '{kind}', {check});\n"
    );
    out
}
