//! The options of a decoder, as JavaScript passes them.

use ag_ui_native::bindings::compat::ProtocolVersion;
use ag_ui_native::bindings::json::{Input, ParseOptions, Tape};
use ag_ui_native::bindings::pipeline::{PipelineOptions, Stages};
use ag_ui_native::bindings::profile::Undeclared;
use ag_ui_native::bindings::reduce::OnPatchFailure;
use ag_ui_native::bindings::{Rules, UnsafeIntegers};
use ag_ui_native::{Code, Error, Limits, Number, Object, Profile, Value};

use crate::error::camel_case;

/// The options of all functions that read events.
#[derive(Debug)]
pub struct ReaderOptions {
    /// Media type of the response.
    pub content_type: Option<String>,
    /// The profile.
    pub profile: Profile,
    /// The rules of validation.
    pub rules: Rules,
    /// The limits.
    pub limits: Limits,
    /// The stages of a pipeline.
    pub stages: Stages,
    /// The newest version that the peer is assumed to speak.
    pub peer: Option<ProtocolVersion>,
    /// The treatment of a patch that does not apply.
    pub on_patch_failure: OnPatchFailure,
}

impl ReaderOptions {
    /// Reads the JSON text that `optionsText` in `options.cts` writes.
    pub fn parse(json: &str) -> Result<Self, Error> {
        let mut tape = Tape::default();
        let root = tape
            .parse(json, ParseOptions { depth: 4, replace_invalid_text: true })
            .map_err(|syntax| Error::new(syntax.code, "options"))?
            .to_value();
        let Value::Object(options) = root else { return Err(Error::new(Code::NotAnObject, "options")) };
        let text = |name| options.get(name).and_then(Value::as_str);
        let flag = |name| matches!(options.get(name), Some(Value::Bool(true)));
        let profile = match text("profile") {
            None => Profile::default(),
            Some(name) => Profile::parse(name).ok_or_else(|| {
                Error::at(Code::InvalidValue, "/profile".into(), "expected strict, tolerant or relay")
            })?,
        };
        let unsafe_integers = match text("unsafeIntegers") {
            None => UnsafeIntegers::default(),
            Some(name) => UnsafeIntegers::parse(name).ok_or_else(|| {
                Error::at(Code::InvalidValue, "/unsafeIntegers".into(), "expected allow, warn or error")
            })?,
        };
        let mut rules = Rules::of(profile);
        if flag("refuseNulls") {
            rules.nulls = Undeclared::Refuse;
        }
        Ok(Self {
            content_type: text("contentType").map(str::to_owned),
            profile,
            rules: Rules {
                replace_invalid_text: flag("replaceInvalidText"),
                go_member_names: flag("goMemberNames"),
                unsafe_integers,
                ..rules
            },
            limits: limits(options.get("limits"))?,
            stages: stages(&options, profile),
            peer: text("peer").map(version).transpose()?,
            on_patch_failure: match text("onPatchFailure") {
                None => OnPatchFailure::of(profile),
                Some(name) => OnPatchFailure::parse(name).ok_or_else(|| {
                    Error::at(Code::InvalidValue, "/onPatchFailure".into(), "expected flag or error")
                })?,
            },
        })
    }

    /// The options of core's pipeline.
    pub fn of_pipeline(&self) -> PipelineOptions {
        let Self { rules, limits, stages, peer, .. } = *self;
        PipelineOptions { rules, limits, stages, peer }
    }
}

fn stages(options: &Object, profile: Profile) -> Stages {
    let stage = |name, default| match options.get(name) {
        Some(Value::Bool(on)) => *on,
        _ => default,
    };
    let Stages { expand, verify, reduce } = Stages::of(profile);
    Stages {
        expand: stage("expand", expand),
        verify: stage("verify", verify),
        reduce: stage("reduce", reduce),
    }
}

fn limits(given: Option<&Value>) -> Result<Limits, Error> {
    let mut limits = Limits::default();
    let Some(Value::Object(given)) = given else { return Ok(limits) };
    for (setting, value) in given {
        let path = format!("/limits/{setting}");
        let found = Limits::ALL.iter().find(|(name, ..)| camel_case(name) == *setting);
        let Some(limit) = found.and_then(|(name, ..)| limits.get_mut(name)) else {
            let names: Vec<String> = Limits::ALL.iter().map(|(name, ..)| camel_case(name)).collect();
            let detail = format!("expected {}", names.join(", "));
            return Err(Error::at(Code::UnknownField, path, detail).advise("name one of the limits"));
        };
        *limit = whole(value)
            .ok_or_else(|| Error::at(Code::WrongType, path, "expected a whole number, 0 or more"))?;
    }
    Ok(limits)
}

/// Reads a whole number from 0 on.
pub fn whole(value: &Value) -> Option<usize> {
    let int = if let Value::Number(number) = value { Number::as_int(number) } else { None };
    int.and_then(|int| usize::try_from(int).ok())
}

/// Reads a version.
pub fn version(text: &str) -> Result<ProtocolVersion, Error> {
    let expected = || Error::at(Code::InvalidValue, "/peer".into(), "expected a version such as 0.0.39");
    ProtocolVersion::parse(text).ok_or_else(expected)
}
