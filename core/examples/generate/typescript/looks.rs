//! What the stages look at of events, for those that JavaScript has as objects.

use std::fmt::Write as _;

use ag_ui_native::host::looks::{LOOKS, Look};
use ag_ui_native::host::schema::{FieldDef, Kind, Role, TypeDef};
use ag_ui_native::host::verify::seeding;
use ag_ui_native::types::{Event, Interrupt, Message, RunAgentInput, RunFinishedInterruptOutcome, ToolCall};

use super::{is_string, quoted};

/// The file.
pub fn text() -> String {
    let mut out = String::from(HEAD);
    for (stage, look) in LOOKS {
        let _ = writeln!(out, "  {stage}: {{");
        for (place, variant) in Event::UNION.variants.iter().enumerate() {
            let _ = writeln!(out, "    {}: {},", variant.tag, entry(place, variant.ty, look));
        }
        out.push_str("  },\n");
    }
    out.push_str("};\n\n");
    out.push_str("/** The same of what stands inside of events, for every stage that looks into it: messages by role, and types by name. */\n");
    out.push_str("export const insideLooks: Record<string, Look> = {\n");
    let messages = Message::UNION.variants.iter().map(|variant| (variant.tag, variant.ty));
    let outcome = RunFinishedInterruptOutcome::TYPE;
    let parts = [ToolCall::TYPE, RunAgentInput::TYPE, outcome, Interrupt::TYPE].map(|ty| (ty.name, ty));
    for (name, ty) in messages.chain(parts) {
        let _ = writeln!(out, "  {name}: {},", entry(0, ty, LOOKS[0].1));
    }
    out + "};\n"
}

const HEAD: &str = "\
/** What a stage looks at of a type. */
export interface Look {
  /** The place of the type among the events. */
  readonly place: number;
  /** The members whose values it looks at, besides the tag. */
  readonly keys: readonly string[];
  /** What each of them holds: see `types`. */
  readonly kinds: readonly string[];
  /** Of these members it looks whether they are there: `delta` and such. */
  readonly marks: readonly string[];
  /** What stands for each of them, as JSON. */
  readonly signs: readonly string[];
  /** What stands for required members that it does not look at, as JSON behind other members. */
  readonly rest: string;
  /** If the required members are strings: their keys, or nothing where an empty one stands for it. */
  readonly strings: readonly (string | null)[] | null;
  /** Whether it adds messages to a run that are there at once, or begins one with those of its input. */
  readonly seeds: 'adds' | 'begins' | null;
}

/** What each stage looks at of each event. */
export const looks: Record<'verify' | 'expand' | 'compact' | 'reduce', Record<string, Look>> = {
";

fn entry(place: usize, ty: &'static TypeDef, look: fn(&TypeDef, &FieldDef) -> Look) -> String {
    let fields = || ty.fields.iter().filter(|field| !field.is_tag() || ty.role == Role::Message);
    let of = |wanted| fields().filter(move |field| look(ty, field) == wanted);
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    let keys = |wanted| list(of(wanted).map(|field| quoted(field.wire)).collect());
    let kinds = of(Look::Value).map(|field| quoted(&super::tables::code(&field.kind))).collect();
    let signs = of(Look::Presence).map(|field| quoted(&sign(&field.kind))).collect();
    let rest = ty.fields.iter().filter(|field| {
        let is_events_tag = field.is_tag() && ty.is_event();
        !field.is_optional() && !is_events_tag && look(ty, field) == Look::Nothing
    });
    let rest: Vec<_> = rest.map(|field| format!(",\"{}\":{}", field.wire, sign(&field.kind))).collect();
    let seeds = match seeding(ty) {
        Some(seeding) => quoted(&format!("{seeding:?}").to_lowercase()),
        None => "null".into(),
    };
    format!(
        "{{ place: {place}, keys: {}, kinds: {}, marks: {}, signs: {}, rest: {}, strings: {}, seeds: {seeds} }}",
        keys(Look::Value),
        list(kinds),
        keys(Look::Presence),
        list(signs),
        quoted(&rest.concat()),
        strings(ty, look)
    )
}

/// The required members, if all are strings and what is not looked at may be empty.
fn strings(ty: &TypeDef, look: fn(&TypeDef, &FieldDef) -> Look) -> String {
    let required: Vec<_> = ty.fields.iter().filter(|field| !field.is_optional() && !field.is_tag()).collect();
    let is_fit = |field: &&FieldDef| {
        is_string(&field.kind) && (look(ty, field) == Look::Value || matches!(field.kind, Kind::Text))
    };
    if !ty.is_event() || required.is_empty() || !required.iter().all(is_fit) {
        return "null".into();
    }
    let key = |field: &&FieldDef| {
        if look(ty, field) == Look::Value { quoted(field.wire) } else { "null".to_owned() }
    };
    format!("[{}]", required.iter().map(key).collect::<Vec<_>>().join(", "))
}

/// A value of a kind, as JSON.
fn sign(kind: &Kind) -> String {
    match kind {
        Kind::Text | Kind::Pointer | Kind::Content => "\"\"".into(),
        Kind::Bool => "false".into(),
        Kind::Int53 | Kind::UInt53 | Kind::Any => "0".into(),
        Kind::Dict => "{}".into(),
        Kind::Literal(literal) => format!("\"{literal}\""),
        Kind::Enum(set) => format!("\"{}\"", set.values[0]),
        Kind::List(_) => "[]".into(),
        Kind::Object(ty) => object(ty),
        Kind::Union(union) => object(union.variants[0].ty),
    }
}

fn object(ty: &TypeDef) -> String {
    let members = ty.fields.iter().filter(|field| !field.is_optional());
    let members: Vec<String> =
        members.map(|field| format!("\"{}\":{}", field.wire, sign(&field.kind))).collect();
    format!("{{{}}}", members.join(","))
}
