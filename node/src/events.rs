//! Events that JavaScript has as objects. They cross as JSON text, one on each line, and are read like bytes from the network, so both have
//! the same verdict.

use ag_ui_native::bindings::NumberStyle;
use ag_ui_native::bindings::decode::DeclaredType;
use ag_ui_native::bindings::decoder::{EventReader, ReadEvent};
use ag_ui_native::bindings::encode::to_json_with;
use ag_ui_native::{Code, Error};

/// Reads the events of a text and hands each to `take`, until one is refused.
pub fn read_lines(
    reader: &mut EventReader,
    text: &[u8],
    mut take: impl FnMut(ReadEvent, &mut EventReader) -> Result<(), Error>,
) -> Result<(), Error> {
    let text = std::str::from_utf8(text).map_err(|_| Error::new(Code::InvalidUtf8, ""))?;
    for line in text.split('\n') {
        if let Some(read) = reader.read(line)? {
            let index = read.index;
            take(read, reader).map_err(|error| error.of_event(index))?;
        }
    }
    Ok(())
}

/// The JSON text of a typed value, as JavaScript writes it.
pub fn json_of<T: DeclaredType>(value: &T) -> String {
    to_json_with(value, NumberStyle::JavaScript)
}
