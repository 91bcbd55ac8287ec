//! The Rust column of docs/names.md names things that exist.

use std::collections::BTreeSet;

/// A name, after the compiler has looked it up.
macro_rules! named {
    (type $($path:ident)::+) => {{
        let _: Option<ag_ui_native::$($path)::+> = None;
        stringify!($($path)::+)
    }};
    (value $($path:ident)::+) => {{
        let _ = ag_ui_native::$($path)::+;
        stringify!($($path)::+)
    }};
}

fn existing() -> BTreeSet<String> {
    type Clock = fn() -> u64;
    let _: Option<ag_ui_native::bindings::ids::TimestampGenerator<Clock>> = None;
    let _ = ag_ui_native::validate::<ag_ui_native::Event>;
    let _ = ag_ui_native::to_json::<ag_ui_native::Event>;
    let _ = |json: &str| ag_ui_native::from_json::<ag_ui_native::Event>(json, ag_ui_native::Profile::Strict);
    #[cfg(feature = "client")]
    {
        fn takes<T: ag_ui_native::client::Transport>(agent: &mut ag_ui_native::client::Agent<T>) {
            drop(agent.ask(""));
            drop(agent.ask_stream(""));
        }
        let _ = |agent: &mut ag_ui_native::client::HttpAgent| takes(agent);
    }
    [
        "client::Agent::ask",
        "client::Agent::ask_stream",
        "client::HttpAgent",
        "client::Transport",
        "ids::TimestampGenerator",
        "validate",
        "to_json",
        "from_json",
        named!(type Value),
        named!(type stream::EventDecoder),
        named!(value types::Event::event_type),
        named!(value types::Event::timestamp),
        named!(value types::Event::stamp),
        named!(value types::Event::set_timestamp),
        named!(value types::Event::thread_id),
        named!(value types::Event::run_id),
        named!(value ids::IdKind::Thread),
        named!(value ids::IdKind::Run),
        named!(value ids::IdKind::Message),
        named!(value ids::IdKind::ToolCall),
        named!(value ids::IdKind::Step),
        named!(type types::Content),
        named!(type types::Event),
        named!(type types::Message),
        named!(type types::Role),
        named!(type types::ResumeStatus),
        named!(type types::EventType),
        named!(type types::ContentPart),
        named!(type stream::EventVerifier),
    ]
    .map(|name| name.replace(' ', ""))
    .into_iter()
    .chain(ag_ui_native::bindings::schema::TYPES.iter().map(|ty| format!("types::{}", ty.name)))
    .collect()
}

#[test]
fn every_name_exists() {
    let page = include_str!("../../docs/names.md");
    let existing = existing();
    let mut seen = 0;
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let cell = line.split('|').nth(2).map(str::trim).unwrap_or_default();
        if cell == "–" {
            continue;
        }
        let name = cell.trim_matches('`');
        assert!(existing.contains(name), "{name} does not exist: {line}");
        seen += 1;
    }
    assert!(seen > 60, "the table was read: {seen} names");
}
