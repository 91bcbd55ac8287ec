//! The TypeScript face: types, checks, encoders and tables, in `node/lib/generated/`.

#[path = "typescript/border.rs"]
mod border;
#[path = "typescript/checks.rs"]
mod checks;
#[path = "typescript/event_table.rs"]
mod event_table;
#[path = "typescript/examples.rs"]
mod examples;
#[path = "typescript/omit.rs"]
mod omit;
#[path = "typescript/projections.rs"]
mod projections;
#[path = "typescript/schemas.rs"]
mod schemas;
#[path = "typescript/tables.rs"]
mod tables;
#[path = "typescript/types.rs"]
mod types;
#[path = "typescript/writers.rs"]
mod writers;

use ag_ui_native::bindings::schema::{FieldDef, Kind, TypeDef};

use crate::File;

/// The files.
pub fn files() -> Vec<File> {
    let from = |source: &str, name: &str, text: String| {
        let head = format!("// Made from {source} by `make generate`. Do not edit.\n\n");
        (format!("node/lib/generated/{name}.cts"), head + &text)
    };
    let named = |name: &str, text: String| from("the declaration in core/src/types", name, text);
    vec![
        named("types", types::text()),
        from("core and node/src/border.rs", "border", border::text()),
        named("checks", checks::text()),
        from("core/src/projection.rs", "projections", projections::text()),
        from("core/src/compact/encoded_rows.rs", "event_table", event_table::text()),
        named("omit", omit::text()),
        named("writers", writers::text()),
        named("schemas", schemas::text()),
        named("tables", tables::text()),
    ]
}

fn is_required(field: &FieldDef) -> bool {
    !field.is_optional()
}

/// A string in single quotes; names and tags need no escape.
fn quoted(text: &str) -> String {
    format!("'{text}'")
}

/// A doc comment at the given depth.
fn doc(text: &str, indent: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    if let [line] = lines[..] {
        return format!("{indent}/** {line} */\n");
    }
    let body: Vec<String> = lines.iter().map(|line| format!("{indent} * {line}\n")).collect();
    format!("{indent}/**\n{}{indent} */\n", body.concat())
}

/// A doc comment with an example.
fn documented(text: &str, example: &[String]) -> String {
    let text = text.trim().lines().map(str::trim).chain(["", "@example", "```ts"]);
    let lines = text.chain(example.iter().map(String::as_str)).chain(["```"]);
    let body: Vec<String> = lines.map(|line| format!(" * {line}").trim_end().to_owned() + "\n").collect();
    format!("/**\n{} */\n", body.concat())
}

/// The wire type of an event; `None` for other types.
fn event_tag(ty: &TypeDef) -> Option<&'static str> {
    ty.is_event().then(|| ty.tag().map(|(_, tag)| tag)).flatten()
}

/// True if a member's value is a string on the wire, or can be one.
fn is_string(kind: &Kind) -> bool {
    matches!(kind, Kind::Text | Kind::Pointer | Kind::Literal(_) | Kind::Enum(_) | Kind::Content)
}
