//! Bytes that are no UTF-8, at every place, against the standard library.

use ag_ui_native::types::Event;
use ag_ui_native::{Code, Profile, from_json};

/// Surrogates, overlong and cut sequences, stray bytes, values behind U+10FFFF, and two sequences that are valid.
const PIECES: [&[u8]; 12] = [
    b"\xed\xa0\x80",
    b"\xed\xbf\xbf",
    b"\xc0\x80",
    b"\xe0\x80\x80",
    b"\xf0\x80\x80\x80",
    b"\xf4\x90\x80\x80",
    b"\xe4\xbd",
    b"\xf0\x9f\x98",
    b"\x80",
    b"\xff",
    "你".as_bytes(),
    "😀".as_bytes(),
];

#[test]
fn bytes_are_judged_as_by_the_standard_library() {
    for piece in PIECES {
        for filling in ["x", "é", "你", "😀"] {
            for before in 0..70_usize {
                for behind in [0, 1, 17, 63] {
                    let mut json = br#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"#.to_vec();
                    json.extend(filling.repeat(before).bytes());
                    json.extend(piece);
                    json.extend(filling.repeat(behind).bytes());
                    json.extend(br#""}"#);
                    let ours = from_json::<Event>(&json, Profile::Tolerant);
                    match std::str::from_utf8(&json) {
                        Ok(_) => assert!(ours.is_ok(), "{json:?}"),
                        Err(error) => {
                            let ours = ours.unwrap_err();
                            assert_eq!(
                                (ours.code(), ours.offset),
                                (Code::InvalidUtf8, Some(error.valid_up_to()))
                            );
                        }
                    }
                }
            }
        }
    }
}
