//! The constants that both sides of the Node border share, and those that JavaScript takes from core.

use std::fmt::Write as _;

use ag_ui_native::bindings::Category;
use ag_ui_native::bindings::client::{Callback, NO_JSON_RESULT, accept};
use ag_ui_native::bindings::defaults::{Amount, DEFAULTS};
use ag_ui_native::bindings::patch::MAX_SCALAR_SHIFTS;
use ag_ui_native::bindings::reduce::{ChangeKind, Member, Place};
use ag_ui_native::bindings::server::SUBPROTOCOLS;
use ag_ui_native::bindings::{protobuf, sse};
use ag_ui_native::ids::IdKind;
use ag_ui_native::{Limits, PROTOCOL_VERSION};

use super::{doc, documented, quoted};
use declared::{Ask, Beat, EndCause, Growth, NUMBERS, Named, Part, PatchFunction, RunCall};

#[path = "../../../../node/src/border.rs"]
mod declared;

/// The file.
pub fn text() -> String {
    let version = "The protocol version that this package speaks.";
    let mut out = public(version, "PROTOCOL_VERSION", "ag-ui-native", PROTOCOL_VERSION);
    let media_type = "The media type of the protobuf transport.";
    out += &public(media_type, "AGUI_MEDIA_TYPE", "ag-ui-native/encoder", protobuf::MEDIA_TYPE);
    out += &constant("The media type of the text transport.", "SSE_MEDIA_TYPE", sse::MEDIA_TYPE);
    out += &limits();
    out += &client();
    out += &callbacks();
    out += &defaults();
    out += &subprotocols();
    out += &ids();
    out += &categories();
    for (name, about, number) in NUMBERS {
        let _ = writeln!(out, "{}export const {name} = {};", doc(about, ""), digits(*number));
    }
    out += &number(MAX_SHIFTS, "MAX_SCALAR_SHIFTS", MAX_SCALAR_SHIFTS);
    out += &number("The deepest level of JSON that core reads.", "MAX_DEPTH", Limits::MAX_DEPTH);
    out += &number("The default of the limit `eventBytes`.", "EVENT_BYTES", Limits::default().event_bytes);
    out += &codes("Ask", Ask::ABOUT, Ask::ALL);
    out += &codes("RunCall", RunCall::ABOUT, RunCall::ALL);
    out += &codes("Beat", Beat::ABOUT, Beat::ALL);
    out += &codes("EndCause", EndCause::ABOUT, EndCause::ALL);
    out += &codes("Growth", Growth::ABOUT, Growth::ALL);
    out += &codes("Part", Part::ABOUT, Part::ALL);
    out += &codes("PatchFunction", PatchFunction::ABOUT, PatchFunction::ALL);
    out += &changes();
    out += &members();
    out += &append();
    out
}

const MAX_SHIFTS: &str =
    "By how many places an operation may move the items of a list, if the patch is carried out in parts.";

fn constant(about: &str, name: &str, value: &str) -> String {
    format!("{}export const {name} = {};\n\n", doc(about, ""), quoted(value))
}

/// A constant that programs import.
fn public(about: &str, name: &str, entrance: &str, value: &str) -> String {
    let value = quoted(value);
    let example =
        [format!("import {{ {name} }} from '{entrance}';"), String::new(), format!("{name}; // => {value}")];
    format!("{}export const {name} = {value};\n\n", documented(about, &example))
}

fn number(about: &str, name: &str, value: usize) -> String {
    format!("{}export const {name} = {};\n\n", doc(about, ""), grouped(value, "_"))
}

fn limits() -> String {
    let example = [
        "import type { Limits } from 'ag-ui-native';",
        "import { decodeEvent } from 'ag-ui-native/stream';",
        "",
        "const limits: Limits = { eventBytes: 1024 * 1024, depth: 20 };",
        "decodeEvent('{\"type\": \"TEXT_MESSAGE_END\", \"messageId\": \"m1\"}', { limits })?.type; // => 'TEXT_MESSAGE_END'",
    ];
    let mut out = documented("Limits on the cost of reading input.", &example.map(str::to_owned));
    out += "export interface Limits {\n";
    for (name, about, default) in Limits::ALL {
        let about = format!("{} By default {}.", about.trim().replace('\n', ""), size(*default));
        let _ = writeln!(out, "{}  {}?: number | undefined;", doc(&about, "  "), camel_case(name));
    }
    out + "}\n\n"
}

/// In the units of JavaScript: milliseconds.
fn defaults() -> String {
    let amount = |amount: Amount| match amount {
        Amount::Time(time) => grouped(usize::try_from(time.as_millis()).expect("it is short"), "_"),
        Amount::Count(count) => grouped(count, "_"),
        Amount::Part(part) => part.to_string(),
    };
    let each = |&(name, about, value): &(&str, &str, Amount)| {
        format!("{}export const {name} = {};\n", doc(about, ""), amount(value))
    };
    DEFAULTS.iter().map(each).collect::<String>() + "\n"
}

fn subprotocols() -> String {
    let about = "The subprotocols of a WebSocket that a client offers which asks for protobuf, and can set no header.";
    let names: Vec<_> = SUBPROTOCOLS.iter().rev().map(|(name, _)| quoted(name)).collect();
    format!("{}export const SUBPROTOCOLS: readonly string[] = [{}];\n\n", doc(about, ""), names.join(", "))
}

fn client() -> String {
    let accept = |protobuf| quoted(&accept(protobuf));
    format!(
        "{}export const ACCEPT = {};\n\n{}export const ACCEPT_PROTOBUF = {};\n\n\
         {}export const NO_JSON_RESULT = {};\n\n",
        doc("The value of a client's header `Accept`.", ""),
        accept(false),
        doc("The same where protobuf is asked for.", ""),
        accept(true),
        doc("The text that the agent gets for a tool's result without a JSON form.", ""),
        quoted(NO_JSON_RESULT),
    )
}

/// By the names of JavaScript.
fn callbacks() -> String {
    let line = |callback: Callback| {
        let name = camel_case(&callback.name());
        format!("  {name}: {},\n", !callback.is_about_changes())
    };
    format!(
        "{}export const callbacks = {{\n{}}} as const;\n\n",
        doc("The callbacks of subscribers: true if the result of one counts.", ""),
        Callback::all().map(line).collect::<String>()
    )
}

fn ids() -> String {
    let prefix = |kind: &IdKind| format!("  {}: {},\n", camel_case(kind.name()), quoted(kind.prefix()));
    let prefixes: Vec<String> = IdKind::ALL.iter().map(prefix).collect();
    format!(
        "{}export const idPrefixes = {{\n{}}} as const;\n\n",
        doc("The prefixes of ids.", ""),
        prefixes.concat()
    )
}

fn categories() -> String {
    let names: Vec<String> = Category::ALL.iter().map(|category| quoted(category.as_str())).collect();
    format!("{}export type Category = {};\n\n", doc("The class of an error.", ""), names.join(" | "))
}

fn codes(name: &str, about: &str, codes: &[Named]) -> String {
    let mut out = format!("{}export const enum {name} {{\n", doc(about, ""));
    for (name, about, code) in codes {
        let _ = writeln!(out, "{}  {name} = {code},", doc(about, "  "));
    }
    out + "}\n\n"
}

fn changes() -> String {
    let kinds = || ChangeKind::ALL.iter();
    let members: Vec<String> = kinds().map(|kind| format!("  {kind:?} = {},\n", *kind as u32)).collect();
    let names: Vec<String> = kinds().map(|kind| format!("  {},\n", quoted(kind.as_str()))).collect();
    format!(
        "/** The kind of a change. */\nexport const enum ChangeKind {{\n{}}}\n\n/** The names of the kinds, in the same order. */\n\
         export const changeKinds = [\n{}] as const;\n\n",
        members.concat(),
        names.concat()
    )
}

fn members() -> String {
    let members = || Member::ALL.iter();
    let codes: Vec<String> =
        members().map(|member| format!("  {member:?} = {},\n", *member as u32)).collect();
    let path = |member: &Member| {
        let (key, way) = member.path().split_last().expect("a member has a key");
        let way: Vec<String> = way.iter().map(|key| quoted(key)).collect();
        format!("  {{ way: [{}], key: {} }},\n", way.join(", "), quoted(key))
    };
    let paths: Vec<String> = members().map(path).collect();
    format!(
        "/** A member of messages or calls that changes touch. */\nexport const enum Member {{\n{}}}\n\n\
         /** The path of each in its message or call: the keys on the way, its own last. */\n\
         export const memberPaths: readonly {{ way: readonly string[]; key: string }}[] = [\n{}];\n",
        codes.concat(),
        paths.concat()
    )
}

/// Written out, because keys that are not known before cost a tenth of reducing a delta.
fn append() -> String {
    let case = |place: Place| {
        let (key, way) = place.text().path().split_last().expect("a member has a key");
        let holder =
            way.iter().fold("target".to_owned(), |holder, key| format!("owned({holder}, {})", quoted(key)));
        format!("    case Member.{:?}:\n      {holder}.{key} += text;\n      break;\n", place.text())
    };
    format!(
        "\n/** Appends to a member that holds text. `owned` answers what stands under a key, to be changed. */\n\
         export function append(member: Member, target: any, text: string, owned: (holder: any, key: string) => any): void {{\n  \
         switch (member) {{\n{}{}  }}\n}}\n",
        case(Place::Message(0)),
        case(Place::Call(0, 0))
    )
}

/// A number of bytes in the largest unit that it is a multiple of, or any number.
fn size(number: usize) -> String {
    const KIB: usize = 1024;
    match number {
        _ if number.is_multiple_of(KIB * KIB) => format!("{} MiB", number / (KIB * KIB)),
        _ if number.is_multiple_of(KIB) => format!("{} KiB", number / KIB),
        _ => grouped(number, ","),
    }
}

/// A number as a literal.
fn digits(number: i64) -> String {
    usize::try_from(number).map_or_else(|_| number.to_string(), |number| grouped(number, "_"))
}

fn grouped(number: usize, separator: &str) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    groups.iter().map(|group| String::from_utf8_lossy(group)).collect::<Vec<_>>().join(separator)
}

/// A name as JavaScript spells it.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}
