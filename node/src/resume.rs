//! Answers to interrupts, before the run that carries them.

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::decode::{DeclaredType, DocumentReader};
use ag_ui_native::bindings::profile::Undeclared;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::types::{Interrupt, ResumeEntry};
use ag_ui_native::{Error, Issue};

/// Checks the answers to the pending interrupts; both are JSON texts. Returns warnings about answers to interrupts that are not pending.
pub fn check(pending: &str, answers: &str, now: i64) -> Result<Vec<Issue>, Error> {
    let rules = Rules::default();
    let pending: Vec<Interrupt> = read(pending, rules)?;
    // An unknown answer is an error: it must not be dropped.
    let answers: Vec<ResumeEntry> = read(answers, Rules { variants: Undeclared::Refuse, ..rules })?;
    ag_ui_native::bindings::resume::check(&pending, &answers, now)?;
    Ok(ag_ui_native::bindings::resume::unasked(&pending, &answers))
}

fn read<T: DeclaredType>(json: &str, rules: Rules) -> Result<T, Error> {
    let mut reader = DocumentReader::default();
    reader.rules = rules;
    let decoded = reader.value(json, T::DECLARED_KIND, &mut TypedBuild)?;
    Ok(T::from_validated(decoded.value))
}
