//! The body of a request in pieces of every kind, at every limit.

use ag_ui_native::Limits;
use ag_ui_native::bindings::server::Close;
use ag_ui_native::server::{Refusal, RequestBody};
use ag_ui_native::types::RunAgentInput;

/// Characters of two, three and four bytes, and a surrogate pair as escapes: `é€😀` and `😀`.
const TEXT: &str = r#"{"threadId":"é€😀","runId":"\ud83d\ude00","messages":[],"state":{"a":[1,2.5,null]}}"#;

fn received<'p>(
    limits: Limits,
    pieces: impl IntoIterator<Item = &'p [u8]>,
) -> Result<RunAgentInput, Refusal> {
    let mut body = RequestBody::new(limits);
    for piece in pieces {
        body.receive(piece)?;
    }
    Ok(body.read()?.0)
}

fn code(refused: &Refusal) -> (u16, &str, Option<&str>) {
    (refused.status(), refused.0.code().as_str(), refused.0.limit)
}

#[test]
fn pieces_of_every_size_make_the_same_input() {
    let whole = received(Limits::default(), [TEXT.as_bytes()]).unwrap();
    assert_eq!((whole.thread_id.as_str(), whole.run_id.as_str()), ("é€😀", "😀"));
    for size in 1..=TEXT.len() {
        let pieces = TEXT.as_bytes().chunks(size).flat_map(|piece| [&[][..], piece, &[]]);
        assert_eq!(received(Limits::default(), pieces).unwrap(), whole, "pieces of {size} bytes");
    }
    for at in 0..=TEXT.len() {
        let (before, behind) = TEXT.as_bytes().split_at(at);
        assert_eq!(received(Limits::default(), [before, behind]).unwrap(), whole, "cut at {at}");
    }
}

#[test]
fn a_body_that_ends_anywhere_else_is_refused() {
    for at in 0..TEXT.len() {
        let refused = received(Limits::default(), [&TEXT.as_bytes()[..at]]).unwrap_err();
        assert_eq!(refused.status(), 400, "cut at {at}: {refused:?}");
        assert_eq!(Close::from(&refused).code, 1007, "cut at {at}");
    }
    // A second document, and half of a character, behind the first.
    for more in [&b"{}"[..], b"x", "é".as_bytes().split_at(1).0, &[0xff], &[0]] {
        assert_eq!(received(Limits::default(), [TEXT.as_bytes(), more]).unwrap_err().status(), 400);
    }
    let blanks = received(Limits::default(), [&b" \n"[..], TEXT.as_bytes(), b"\t\r\n "]);
    assert!(blanks.is_ok());
}

#[test]
fn the_limit_counts_all_pieces() {
    let length = TEXT.len();
    for size in [1, 2, 7, length] {
        let asked = |most| received(Limits::default().with_input_bytes(most), TEXT.as_bytes().chunks(size));
        assert_eq!(code(&asked(length - 1).unwrap_err()), (413, "limit_exceeded", Some("input_bytes")));
        assert!(asked(length).is_ok() && asked(length + 1).is_ok());
    }
}

#[test]
fn a_refused_piece_leaves_the_body_as_it_was() {
    let mut body = RequestBody::new(Limits::default().with_input_bytes(TEXT.len()));
    let (before, behind) = TEXT.as_bytes().split_at(20);
    body.receive(before).unwrap();
    assert_eq!(code(&body.receive(TEXT.as_bytes()).unwrap_err()).0, 413);
    assert_eq!(body.length(), 20);
    assert_eq!(body.receive_message(b"{}", true).unwrap_err().status(), 415);
    body.receive(behind).unwrap();
    body.receive(&[]).unwrap();
    assert_eq!(body.length(), TEXT.len());
    assert_eq!(code(&body.receive(b" ").unwrap_err()).0, 413);
    // It may be read more than once.
    assert_eq!(body.read().unwrap(), body.read().unwrap());
}

#[test]
fn the_values_of_the_input_are_limited_too() {
    // The object, the values of its five members, and the values within the state.
    let asked = |most| received(Limits::default().with_input_values(most), [TEXT.as_bytes()]);
    let least = (1..100).find(|most| asked(*most).is_ok()).unwrap();
    assert_eq!(code(&asked(least - 1).unwrap_err()), (413, "limit_exceeded", Some("input_values")));
    assert!(asked(least + 1).is_ok());
}
