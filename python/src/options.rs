//! Options that many calls share: profile and limits.

use ag_ui_native::bindings::Rules;
use ag_ui_native::{Limits, Profile};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Returns the rules of a named profile, with the two options that any profile allows.
pub fn rules(profile: &str, replace_invalid_text: bool, go_member_names: bool) -> PyResult<(Profile, Rules)> {
    let found = Profile::parse(profile).ok_or_else(|| {
        PyValueError::new_err(format!(
            "profile: expected \"strict\", \"tolerant\" or \"relay\", got {profile:?}"
        ))
    })?;
    Ok((found, Rules { replace_invalid_text, go_member_names, ..Rules::of(found) }))
}

/// Reads limits from an object with the limits as attributes.
pub fn read_limits(limits: Option<&Bound<'_, PyAny>>) -> PyResult<Limits> {
    let mut read = Limits::default();
    let Some(limits) = limits else { return Ok(read) };
    for (name, ..) in Limits::ALL {
        if let Some(setting) = read.get_mut(name) {
            *setting = limits.getattr(*name)?.extract()?;
        }
    }
    Ok(read)
}
