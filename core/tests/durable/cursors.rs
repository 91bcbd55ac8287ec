//! The spelling of cursors and keys.

use ag_ui_native::Code;
use ag_ui_native::bindings::durable::{Cursor, Incarnation, LogKey, MAX_ID_BYTES, Operation};

#[test]
fn a_cursor_is_read_as_it_is_printed() {
    for byte in 0..=255 {
        // Some of these have hyphens in the incarnation.
        let incarnation = Incarnation::from_bytes([byte; 16]);
        for number in [0, 1, 9, 10, u64::MAX] {
            let cursor = Cursor { incarnation, number };
            let text = cursor.to_string();
            assert_eq!(text.rsplit_once('-').unwrap().0.len(), 22, "{text}");
            assert_eq!(text.parse::<Cursor>(), Ok(cursor));
        }
    }
}

#[test]
fn another_spelling_is_refused() {
    let incarnation = Incarnation::from_bytes([0; 16]).to_string();
    assert_eq!(incarnation, "A".repeat(22));
    let numbers = ["", "-1", "+1", "01", "00", "1 ", " 1", "1.0", "x", "18446744073709551616"];
    let mut texts: Vec<_> = numbers.iter().map(|number| format!("{incarnation}-{number}")).collect();
    // The last character has four bits that are not part of the number.
    texts.extend(["", "-", "1", "-1"].map(str::to_owned));
    texts.extend(["A", "B", "=", "/", "+", "é"].map(|last| format!("{}{last}x-1", "A".repeat(21))));
    texts.extend(["B", "=", "/", "+", "é", ""].map(|last| format!("{}{last}-1", "A".repeat(21))));
    for text in texts {
        let refused = text.parse::<Cursor>().expect_err(&text);
        assert_eq!(refused.code(), Code::CursorInvalid, "{text:?}");
        assert!(text.len() < 3 || !refused.to_string().contains(&text), "no message shows what was sent");
    }
}

#[test]
fn keys_of_one_thread_share_its_hash() {
    let key = |scope, thread, run| LogKey::new(scope, thread, run).unwrap();
    let (one, other) = (key("s", "t", "r"), key("s", "t", "q"));
    assert_eq!(one.thread(), other.thread());
    assert_ne!(one.run(), other.run());
    assert_eq!((one.thread().as_str().len(), one.run().len()), (43, 43));
    for strange in [key("s", "u", "r"), key("z", "t", "r"), key("st", "", "r"), key("", "st", "r")] {
        assert_ne!(one.thread(), strange.thread());
    }
    assert_ne!(key("st", "", "r"), key("", "st", "r"));
}

#[test]
fn long_ids_are_refused() {
    let (fits, long) = ("é".repeat(MAX_ID_BYTES / 2), "x".repeat(MAX_ID_BYTES + 1));
    LogKey::new(&fits, &fits, &fits).unwrap();
    for (scope, thread, run) in [(&long, &fits, &fits), (&fits, &long, &fits), (&fits, &fits, &long)] {
        let refused = LogKey::new(scope, thread, run).unwrap_err();
        assert_eq!(refused.code(), Code::LimitExceeded);
        assert!(refused.to_string().contains("257 bytes"), "{refused}");
    }
    assert!(Operation::delete_thread(&fits, &fits).is_ok());
    assert_eq!(Operation::delete_thread(&fits, &long).unwrap_err().code(), Code::LimitExceeded);
}
