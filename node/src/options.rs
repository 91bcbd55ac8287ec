//! What JavaScript asks a decoder for.

use ag_ui_native::error::{Code, Error};
use ag_ui_native::json::{Input, ParseOptions, Tape};
use ag_ui_native::{Limits, Number, Profile, Rules, Value};

/// Options of a decoder.
#[derive(Debug)]
pub struct Options {
    /// Media type of the response.
    pub content_type: Option<String>,
    /// How events are read.
    pub rules: Rules,
    /// What they may cost.
    pub limits: Limits,
}

impl Options {
    /// Reads the JSON text that `optionsText` in `stream.cts` writes.
    pub fn parse(json: &str) -> Result<Self, Error> {
        let mut tape = Tape::default();
        let root = tape
            .parse(json, ParseOptions { depth: 4, lossy: true })
            .map_err(|syntax| Error::new(syntax.code, "options"))?
            .to_value();
        let Value::Object(options) = root else { return Err(Error::new(Code::NotAnObject, "options")) };
        let text = |name| options.get(name).and_then(Value::as_str);
        let flag = |name| matches!(options.get(name), Some(Value::Bool(true)));
        let profile = match text("profile") {
            None => Profile::default(),
            Some(name) => Profile::parse(name).ok_or_else(|| {
                Error::at(Code::InvalidValue, "/profile".into(), "expected strict, tolerant, relay")
            })?,
        };
        let limits = Limits::default();
        Ok(Self {
            content_type: text("contentType").map(str::to_owned),
            rules: Rules { lossy: flag("lossy"), go_names: flag("goNames"), ..Rules::of(profile) },
            limits: Limits {
                event_bytes: size(options.get("eventBytes"), "eventBytes", limits.event_bytes)?,
                depth: size(options.get("depth"), "depth", limits.depth)?,
            },
        })
    }
}

fn size(value: Option<&Value>, name: &str, default: usize) -> Result<usize, Error> {
    let Some(value) = value else { return Ok(default) };
    let int = if let Value::Number(number) = value { Number::as_int(number) } else { None };
    int.and_then(|int| usize::try_from(int).ok()).ok_or_else(|| {
        Error::at(Code::WrongType, format!("/limits/{name}"), "expected a whole number from 0")
    })
}
