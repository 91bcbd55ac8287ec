//! Reads the table for compaction from events that are JavaScript objects. Every type is written out, since reading dynamic keys costs
//! more than the rest.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ag_ui_native::bindings::compact::{Action, Flag, KNOWN_STRINGS, ROW_WORDS, RowLayout, Shape, row_layout};
use ag_ui_native::bindings::schema::TypeDef;
use ag_ui_native::types::Event;

use super::{doc, quoted};

/// The file.
pub fn text() -> String {
    let mut out = String::from("import type { BaseEvent } from '../types/events.cjs';\n\n");
    let mut number = |about: &str, name: &str, number: usize| {
        let _ = writeln!(out, "{}export const {name} = {number};\n", doc(about, ""));
    };
    number(
        "Number of words of a row: a head, and numbers of strings or the range of a list.",
        "ROW_WORDS",
        ROW_WORDS,
    );
    number("In a head: the event has metadata.", "METADATA", Flag::Metadata as usize);
    number(
        "In a head: it carries more than a replay needs, or stands for several.",
        "DRESSED",
        Flag::Dressed as usize,
    );
    number("In a head: it replaces nothing.", "KEEPS", Flag::Keeps as usize);
    let words: Vec<String> = KNOWN_STRINGS.iter().map(|word| quoted(word)).collect();
    let _ = writeln!(
        out,
        "/** The strings that have the first numbers, from 1. */\nexport const KNOWN_STRINGS = [{}] as const;\n",
        words.join(", ")
    );
    let actions: Vec<String> =
        Action::ALL.iter().map(|action| format!("  {action:?} = {},\n", *action as u32)).collect();
    let _ =
        writeln!(out, "/** The action on rows. */\nexport const enum Action {{\n{}}}\n", actions.concat());
    out.push_str(ROWS);
    let tags = Event::UNION.variants.iter().map(|variant| variant.tag.len());
    for length in tags.collect::<BTreeSet<_>>() {
        let of_length =
            Event::UNION.variants.iter().enumerate().filter(|(_, variant)| variant.tag.len() == length);
        let mut cases: Vec<_> =
            of_length.map(|(place, variant)| (place, variant, row_layout(variant.ty))).collect();
        cases.retain(|(_, _, of)| of.is_known());
        cases.sort_by_key(|(_, _, of)| of.shape != Shape::Delta);
        if cases.is_empty() {
            continue;
        }
        let _ = writeln!(out, "    case {length}:");
        for (place, variant, of) in cases {
            let call = call(place, variant.ty, &of);
            let _ = writeln!(out, "      if (type === {}) return {call};", quoted(variant.tag));
        }
        out.push_str("      break;\n");
    }
    let _ = writeln!(out, "  }}\n  return rows.same({}, event);\n}}\n", Event::UNION.variants.len());
    out.push_str(JOINED);
    for variant in Event::UNION.variants {
        let of = row_layout(variant.ty);
        if let (Shape::Delta, [id, ..]) = (of.shape, of.columns) {
            let _ = writeln!(
                out,
                "  if (first.type === {0}) return {{ type: {0}, {id}: first['{id}'], delta }} as unknown as BaseEvent;",
                quoted(variant.tag)
            );
        }
    }
    out + "  return first;\n}\n"
}

/// The arguments for the row of an event.
fn call(place: usize, ty: &TypeDef, of: &RowLayout) -> String {
    // A missing required member counts as not a string.
    let is_optional = |key: &str| ty.fields.iter().any(|field| field.wire == key && field.is_optional());
    let member = |key: &&str| {
        if is_optional(key) { format!("event['{key}']") } else { format!("event['{key}'] ?? null") }
    };
    let columns: Vec<String> = of.columns.iter().map(|key| format!(", {}", member(key))).collect();
    let columns = columns.concat();
    match of.shape {
        Shape::Delta => format!("rows.delta({place}, event{columns})"),
        Shape::State => format!("rows.state({place}, event)"),
        Shape::Edge => format!("rows.edge({place}, event{columns})"),
        Shape::Same => format!("rows.same({place}, event{columns})"),
        Shape::Stays => match of.list {
            [] if ty.fields.iter().any(|field| field.wire == "replace") => {
                format!("rows.row(event['replace'] === false ? {place} | KEEPS : {place}, event{columns})")
            }
            [] => format!("rows.row({place}, event{columns})"),
            [first, inner @ ..] => {
                let inner: Vec<String> = inner.iter().map(|key| format!("?.['{key}']")).collect();
                let list = format!("event['{first}'] as any");
                if inner.is_empty() {
                    format!("rows.list({place}, {list})")
                } else {
                    format!("rows.list({place}, ({list}){})", inner.concat())
                }
            }
        },
    }
}

const ROWS: &str = "\
/** Takes the rows of events; `false` if an event is none that rows can be made of. Heads are the places of types. */
export interface Rows {
  /** Adds to a stream; adjacent events with the same numbers and no metadata share a row. */
  delta(head: number, event: BaseEvent, id: unknown, tag: unknown): boolean;
  /** Begins or ends a stream. */
  edge(head: number, event: BaseEvent, id: unknown, tag: unknown, one?: unknown, other?: unknown): boolean;
  /** A state, or what changes it. */
  state(head: number, event: BaseEvent): boolean;
  /** Stays unchanged. */
  row(head: number, event: BaseEvent, id?: unknown, tag?: unknown, one?: unknown, other?: unknown): boolean;
  /** Stays unchanged; adjacent events with the same numbers share a row. */
  same(head: number, event: BaseEvent, id?: unknown, tag?: unknown): boolean;
  /** Stays unchanged, and has a list of messages. */
  list(head: number, messages: unknown): boolean;
}

/** Passes the members that compaction reads to the rows. Types are distinguished by the length of their names first. */
export function table(event: BaseEvent, rows: Rows): boolean {
  const type = event.type as unknown;
  switch (typeof type === 'string' ? type.length : 0) {
";

const JOINED: &str = "\
/** A delta of the same stream as another, without what that carries besides. */
export function deltaLike(first: BaseEvent, delta: string): BaseEvent {
";
