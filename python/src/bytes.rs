//! Bytes from arguments of callers.

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

/// Returns the bytes of any object with a buffer.
pub fn bytes_of<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let py = data.py();
    let view = py.get_type::<PyMemoryView>().call1((data,))?;
    Ok(py.get_type::<PyBytes>().call1((view,))?.cast_into()?)
}

/// Returns text in UTF-8. Halves of surrogate pairs become bytes that are no UTF-8, so that core refuses what has them.
pub fn utf8_of<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    let py = text.py();
    if let Ok(text) = text.to_str() {
        return Ok(PyBytes::new(py, text.as_bytes()));
    }
    let encoded = py.get_type::<PyString>().call_method1("encode", (text, "utf-8", "surrogatepass"))?;
    Ok(encoded.cast_into()?)
}

/// Returns the bytes of a JSON document given as `str`, `bytes` or `bytearray`.
pub fn json_bytes(json: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = json.cast::<PyString>() {
        return Ok(text.to_str()?.as_bytes().to_vec());
    }
    if let Ok(bytes) = json.cast::<PyByteArray>() {
        return Ok(bytes.to_vec());
    }
    Ok(json.extract::<&[u8]>()?.to_vec())
}
