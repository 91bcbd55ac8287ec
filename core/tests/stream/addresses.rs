//! Where the documentation describes an error.

use crate::support::fixture;

use ag_ui_native::bindings::documentation::documentation_of;
use ag_ui_native::{Code, Error, Rule};

#[derive(serde::Deserialize)]
struct Case {
    code: String,
    rule: Option<String>,
    address: Option<String>,
}

#[test]
fn the_cases_that_every_language_reads() {
    for case in fixture::<Vec<Case>>("error_addresses") {
        assert_eq!(documentation_of(&case.code, case.rule.as_deref()), case.address);
    }
}

#[test]
fn a_rule_goes_before_its_code() {
    let error = Error::broken(Rule::V13, "");
    assert_eq!((error.code(), error.documentation()), (Code::SequenceBroken, Rule::V13.documentation()));
    assert_eq!(Error::new(Code::AgentBusy, "").documentation(), Code::AgentBusy.documentation());
}
