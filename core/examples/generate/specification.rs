//! Writes the page about the specification, requirement by requirement, from the cases that the runners execute.

use std::fmt::Write as _;

use ag_ui_native::Rule;
use serde_json::Value;

use crate::File;

/// The pages of the specification, and their subjects.
const PAGES: [(&str, &str); 17] = [
    ("basic/index", "Events, members and ids"),
    ("basic/processing", "Unknown and malformed values"),
    ("basic/versioning", "Versions"),
    ("basic/run-input", "The input of a run, and identity"),
    ("basic/patterns/streaming", "Messages and calls, piece by piece"),
    ("basic/patterns/snapshots", "Snapshots and deltas"),
    ("basic/patterns/interrupt-resume", "Questions and answers"),
    ("basic/metadata", "Metadata"),
    ("basic/transports", "Transports"),
    ("events/lifecycle", "Runs and steps"),
    ("events/text-messages", "Text messages"),
    ("events/tool-calls", "Tool calls"),
    ("events/reasoning", "Reasoning"),
    ("events/state", "State and messages"),
    ("events/activity", "Activities"),
    ("events/subagents", "Subagents"),
    ("events/passthrough", "RAW and CUSTOM"),
];

const BEGINNING: &str = "\
<!-- Generated from tests/fixtures/stream/requirements.json by `make generate`. Do not edit. -->
# The specification, requirement by requirement

This page lists the requirements of AG-UI's specification, version 1.1, and how this package meets each. A case of our own tries every requirement that a program can try, in Python,
Node and Rust; the page is made from these cases. The words are ours. Each section names the page of the specification that has the rule. The differences on purpose come first;
[profiles](concepts/profiles.md) say why.

A verdict names the [rule](errors.md#rules-of-event-streams), such as V13, or the [code](errors.md) of the error or the warning.

| profile | readers | verdict |
| --- | --- | --- |
| strict | producers, and the guards and tests that judge them | refuses everything that the specification forbids to producers, also if readers need not notice it |
| tolerant | clients and servers, by default | refuses malformed values and events out of order, leaves out unknown parts, and warns of its repairs |
| relay | proxies and recorders | passes on everything that it can read, and does not judge the order |

## Different on purpose

| the specification | here |
| --- | --- |
| unknown material never ends a run | strict refuses it: a producer knows what it sends |
| a malformed value always ends the run | tolerant repairs three faults, each with a warning: it takes null for absent, takes digits in quotes for a number, and fills in a missing fixed value |
| order is verified | relay does not judge it |
| producers must keep identities; the duty of readers is not defined | strict refuses another run or thread, an id used twice and a doubled question; tolerant warns |
| a reader may survive a patch that does not apply | strict fails; the others warn, and say that the state is out of step until the next snapshot |
| readers apply the rest of a patch with an unknown operation | tolerant does so, and says that the state is out of step; in relay the patch fails |
| a wildcard in `Accept` admits protobuf | a client gets protobuf only if it names it |
| the timestamp of a chunk is not carried over | it is carried over |
| a downgrade that loses something warns by default | the warning is in the run's result and goes to `on_warning`; Node prints nothing |
| unknown material is removed before sending | it is refused when the application passes it |

Two subjects have no case here: the duties of a declaration of capabilities, since no event depends on it, and advice on security.
";

/// The document.
pub fn files() -> Vec<File> {
    let cases = include_str!("../../../tests/fixtures/stream/requirements.json");
    let cases: Vec<Value> = serde_json::from_str(cases).expect("it is JSON");
    let mut page = BEGINNING.to_owned();
    for (name, title) in PAGES {
        let _ = write!(page, "\n## {title}\n\nUpstream: [{name}]({}).\n", upstream(name));
        let of_page: Vec<&Value> = cases.iter().filter(|case| case["page"] == name).collect();
        table(&mut page, &of_page, &["strict", "tolerant", "relay"], |case| case.get("relay").is_some());
        table(&mut page, &of_page, &["strict client", "tolerant client"], |case| {
            case.get("client").is_some()
        });
        table(&mut page, &of_page, &["server"], |case| case.get("server").is_some());
    }
    known(&cases);
    names(&mut page, &cases);
    vec![("docs/specification.md".into(), page)]
}

/// Checks that every page has a section, and that every rule in a verdict exists.
fn known(cases: &[Value]) {
    for case in cases {
        assert!(PAGES.iter().any(|(name, _)| case["page"] == *name), "no section for {}", case["page"]);
        for profile in ["strict", "tolerant", "relay"] {
            let error = case[profile]["error"].as_str().unwrap_or_default();
            let Some(rule) = error.strip_prefix("sequence_broken ") else { continue };
            let rule = rule.split(' ').next().unwrap_or_default();
            let is_known = Rule::ALL.iter().any(|known| known.as_str() == rule);
            assert!(is_known || case.get("today").is_some(), "no rule {rule}");
        }
    }
}

fn upstream(name: &str) -> String {
    // The page of a folder is in the folder.
    let file = if name == "basic/transports" { "basic/transports/index" } else { name };
    format!("https://github.com/ag-ui-protocol/ag-ui/blob/main/docs/spec/1.1/{file}.mdx")
}

fn table(page: &mut String, cases: &[&Value], columns: &[&str], is_of_it: impl Fn(&Value) -> bool) {
    let mut cases = cases.iter().filter(|case| is_of_it(case)).peekable();
    if cases.peek().is_none() {
        return;
    }
    let _ = writeln!(page, "\n| no. | | requirement | {} |", columns.join(" | "));
    let _ = writeln!(page, "| --- | --- | --- |{}", " --- |".repeat(columns.len()));
    for case in cases {
        let text = |name: &str| case[name].as_str().unwrap_or_default();
        let _ = write!(page, "| {} | {} {} | {} |", case["number"], text("who"), text("level"), text("text"));
        for column in columns {
            let profile =
                if *column == "server" { "answer" } else { column.split(' ').next().unwrap_or_default() };
            let mut said = words(case, &case[profile]);
            if let Some(today) = case["today"].get(profile) {
                let why = match text("later") {
                    "not done yet" => String::new(),
                    why => format!(" ({why})"),
                };
                said = format!("{} today; wanted is: {said}{why}", words(case, today));
            }
            let _ = write!(page, " {said} |");
        }
        page.push('\n');
    }
}

/// Describes a verdict in words.
fn words(case: &Value, verdict: &Value) -> String {
    if let Some(status) = verdict["status"].as_u64() {
        let ends = verdict["events"].as_array().and_then(|events| events.last()?["type"].as_str());
        return match ends {
            _ if status != 200 => format!("refused with {status}"),
            Some("RUN_ERROR") => "answered; the run ends with RUN_ERROR".into(),
            _ if verdict["type"] == "application/vnd.ag-ui.event+proto" => "answered by protobuf".into(),
            _ => match verdict["events"].as_array().and_then(|events| events.last()?.get("outcome")) {
                Some(Value::String(_)) => "answered, without an outcome".into(),
                Some(outcome) => format!("answered, with the outcome `{outcome}`"),
                None => "answered".into(),
            },
        };
    }
    if let Some(error) = verdict["error"].as_str() {
        let runs = case["client"]["runs"].as_array().map_or(0, Vec::len);
        let is_sent = verdict["asked"].as_u64().is_none_or(|asked| usize::try_from(asked) == Ok(runs));
        return format!(
            "{}: {}",
            if is_sent { "refused" } else { "refused before it is sent" },
            about(error)
        );
    }
    let mut said = match verdict["outcome"].as_str() {
        Some(outcome) => format!("ends as `{outcome}`"),
        None if case.get("client").is_some() => "done".to_owned(),
        None => "accepted".to_owned(),
    };
    let mut told: Vec<String> =
        verdict["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str).map(about).collect();
    told.dedup();
    if !told.is_empty() {
        let _ = write!(said, " with a warning: {}", told.join(", "));
    }
    said
}

/// Returns the broken rule, or the code.
fn about(told: &str) -> String {
    let mut parts = told.split(' ');
    let code = parts.next().unwrap_or_default();
    match parts.next() {
        Some(rule) if Rule::ALL.iter().any(|known| known.as_str() == rule) || code == "sequence_broken" => {
            rule.to_owned()
        }
        _ => format!("`{code}`"),
    }
}

fn names(page: &mut String, cases: &[Value]) {
    page.push_str("\n## Cases upstream\n\nUpstream's own stream cases, and where a case of ours with the same purpose stands. `make test-upstream CORPUS=folder` runs theirs: the folder is a\ncheckout of the specification's repository.\n\n| case upstream | here |\n| --- | --- |\n");
    let mut named: Vec<(&str, String)> = Vec::new();
    for case in cases {
        if let (Some(name), Some(at)) = (case["case"].as_str(), case["page"].as_str()) {
            let title = PAGES.iter().find(|(page, _)| *page == at).map_or("", |(_, title)| title);
            named.push((name, format!("{title}, {}", case["number"])));
        }
    }
    named.sort_unstable();
    for (name, place) in named {
        let _ = writeln!(page, "| `{name}` | {place} |");
    }
}
