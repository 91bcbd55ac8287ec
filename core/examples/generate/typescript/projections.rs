//! The projections of events for the stages, for events that are JavaScript objects.

use std::fmt::Write as _;

use ag_ui_native::bindings::projection::{PROJECTIONS, Projection};
use ag_ui_native::bindings::schema::{FieldDef, Kind, Role, TypeDef};
use ag_ui_native::bindings::verify::owners_update;
use ag_ui_native::types::{Event, Interrupt, Message, RunAgentInput, RunFinishedInterruptOutcome, ToolCall};

use super::{is_string, quoted};

/// The file.
pub fn text() -> String {
    let mut out = String::from(HEAD);
    for (stage, projection) in PROJECTIONS {
        let _ = writeln!(out, "  {stage}: {{");
        for (place, variant) in Event::UNION.variants.iter().enumerate() {
            let _ = writeln!(out, "    {}: {},", variant.tag, entry(place, variant.ty, projection));
        }
        out.push_str("  },\n");
    }
    out.push_str("};\n\n");
    out.push_str("/** The projections of types inside of events, for every stage that reads them: messages by role, other types by name. */\n");
    out.push_str("export const nestedProjections: Record<string, Projection> = {\n");
    let messages = Message::UNION.variants.iter().map(|variant| (variant.tag, variant.ty));
    let outcome = RunFinishedInterruptOutcome::TYPE;
    let parts = [ToolCall::TYPE, RunAgentInput::TYPE, outcome, Interrupt::TYPE].map(|ty| (ty.name, ty));
    for (name, ty) in messages.chain(parts) {
        let _ = writeln!(out, "  {name}: {},", entry(0, ty, PROJECTIONS[0].1));
    }
    out + "};\n"
}

const HEAD: &str = "\
/** The members of a type that a stage reads. */
export interface Projection {
  /** The place of the type among the events. */
  readonly place: number;
  /** The members whose values it reads, besides the tag. */
  readonly keys: readonly string[];
  /** The kind of each of them: see `types`. */
  readonly kinds: readonly string[];
  /** The members whose presence alone it reads, such as `delta`. */
  readonly marks: readonly string[];
  /** The JSON that replaces each of them. */
  readonly signs: readonly string[];
  /** The JSON that replaces required members that it does not read, to append to the others. */
  readonly rest: string;
  /** The keys of the required members, if all are strings; null where an empty string replaces the member. */
  readonly strings: readonly (string | null)[] | null;
  /** The effect on the owners of listed messages: it adds them, or begins a run with those of its input. */
  readonly ownersUpdate: 'adds' | 'begins' | null;
}

/** The projection of each event for each stage. */
export const projections: Record<'verify' | 'expand' | 'compact' | 'reduce', Record<string, Projection>> = {
";

fn entry(place: usize, ty: &'static TypeDef, projection: fn(&TypeDef, &FieldDef) -> Projection) -> String {
    let fields = || ty.fields.iter().filter(|field| !field.is_tag() || ty.role == Role::Message);
    let of = |wanted| fields().filter(move |field| projection(ty, field) == wanted);
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    let keys = |wanted| list(of(wanted).map(|field| quoted(field.wire)).collect());
    let kinds = of(Projection::Value).map(|field| quoted(&super::tables::code(&field.kind))).collect();
    let signs = of(Projection::Presence).map(|field| quoted(&sign(&field.kind))).collect();
    let rest = ty.fields.iter().filter(|field| {
        let is_events_tag = field.is_tag() && ty.is_event();
        !field.is_optional() && !is_events_tag && projection(ty, field) == Projection::Omitted
    });
    let rest: Vec<_> = rest.map(|field| format!(",\"{}\":{}", field.wire, sign(&field.kind))).collect();
    let owners = match owners_update(ty) {
        Some(update) => quoted(&format!("{update:?}").to_lowercase()),
        None => "null".into(),
    };
    format!(
        "{{ place: {place}, keys: {}, kinds: {}, marks: {}, signs: {}, rest: {}, strings: {}, ownersUpdate: {owners} }}",
        keys(Projection::Value),
        list(kinds),
        keys(Projection::Presence),
        list(signs),
        quoted(&rest.concat()),
        strings(ty, projection)
    )
}

/// The keys of the required members, if all are strings and the omitted ones may be empty.
fn strings(ty: &TypeDef, projection: fn(&TypeDef, &FieldDef) -> Projection) -> String {
    let required: Vec<_> = ty.fields.iter().filter(|field| !field.is_optional() && !field.is_tag()).collect();
    let is_fit = |field: &&FieldDef| {
        is_string(&field.kind)
            && (projection(ty, field) == Projection::Value || matches!(field.kind, Kind::Text))
    };
    if !ty.is_event() || required.is_empty() || !required.iter().all(is_fit) {
        return "null".into();
    }
    let key = |field: &&FieldDef| {
        if projection(ty, field) == Projection::Value { quoted(field.wire) } else { "null".to_owned() }
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
