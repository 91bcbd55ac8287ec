//! Peers that speak AG-UI 0.x.

use ag_ui_native::bindings::compat;
use ag_ui_native::bindings::decoder::Warning;
use ag_ui_native::bindings::json::{Input, ParseOptions, Tape};
use ag_ui_native::types::RunAgentInput;
use ag_ui_native::{Error, Issue};
use ag_ui_native::{Limits, Profile, from_json};

use crate::error;
use crate::events::json_of;
use crate::options::{ReaderOptions, version};

/// Translates a run's input for an older peer. Returns it with the warnings.
pub fn downgrade_input(json: &str, peer: &str) -> Result<String, Error> {
    let (mut input, mut issues) = from_json::<RunAgentInput>(json, Profile::Tolerant)?;
    issues.extend(input.downgrade(version(peer)?));
    Ok(answer(&json_of(&input), issues))
}

/// Translates a run's input to 1.0. Returns it with the warnings.
pub fn upgrade_input(json: &str) -> Result<String, Error> {
    let options = ParseOptions { depth: Limits::MAX_DEPTH, replace_invalid_text: false };
    let mut tape = Tape::default();
    let parsed = tape.parse(json, options);
    let parsed = parsed.map_err(|syntax| Error::at(syntax.code, syntax.path, syntax.expected))?;
    let mut input = parsed.to_value();
    let issues = compat::upgrade_input(&mut input);
    Ok(answer(&error::text(&input), issues))
}

/// Reads the body of a request as a run's input. Returns it with the warnings.
pub fn read_run_input(body: &[u8], options: &str) -> Result<String, Error> {
    let options = ReaderOptions::parse(options)?;
    let (input, warnings) = ag_ui_native::read_run_input(body, options.profile, options.limits)?;
    Ok(input_and_warnings(&input, warnings))
}

/// Returns the warning about the version that a peer declares.
pub fn check_protocol_version(declared: &str) -> Option<String> {
    compat::check_protocol_version(Some(declared)).map(|issue| warnings(vec![issue]))
}

/// Writes an input and its warnings.
pub fn input_and_warnings(input: &RunAgentInput, issues: Vec<Issue>) -> String {
    answer(&json_of(input), issues)
}

fn answer(input: &str, issues: Vec<Issue>) -> String {
    format!("{{\"input\":{input},\"warnings\":{}}}", warnings(issues))
}

/// Returns the warnings as the member `warnings`.
pub fn warned(issues: Vec<Issue>) -> String {
    format!("{{\"warnings\":{}}}", warnings(issues))
}

fn warnings(issues: Vec<Issue>) -> String {
    let warnings: Vec<_> = issues.into_iter().map(|issue| Warning { event_index: 0, issue }).collect();
    error::warnings(&warnings)
}
