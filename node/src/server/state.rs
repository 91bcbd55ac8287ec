//! Computes the update of a client to the current state, from JSON texts.

use ag_ui_native::bindings::NumberStyle;
use ag_ui_native::bindings::json::{Node, Tape};
use ag_ui_native::bindings::patch::Place;
use ag_ui_native::bindings::server::{Comparison, Terms, Update, update, update_at};
use ag_ui_native::{Error, Issue, Limits};
use napi_derive::napi;

use crate::options::ReaderOptions;
use crate::patch::read;

/// A place where a state differs from the client's.
#[napi(object)]
pub struct StatePlace {
    /// The pointer to it.
    pub place: String,
    /// The client's value there, as JSON text; `None` if it has no state.
    pub sent: Option<String>,
    /// The current value there, as JSON text.
    pub state: String,
    /// If common parts are left out: the count of items at the start of a list, or of members of an object.
    pub before: Option<u32>,
    /// The count of items that are left out at the end of a list.
    pub after: Option<u32>,
}

/// Computes the update of a client whose state differs at these places only. `bytes` is the size of the client's whole state. The answer is
/// `=` for no change; or `d` (delta) or `s` (snapshot), the new size, `:` and the operations of a delta; or `w` if the caller has to give
/// one place that contains all of them.
pub fn state_update(places: &[StatePlace], bytes: usize, options: &str) -> Result<String, Error> {
    let limits: Limits = ReaderOptions::parse(options)?.limits;
    let bytes = places.iter().fold(bytes, |bytes, place| {
        let sent = |sent: &String| bytes.saturating_sub(place.bytes(sent));
        place.sent.as_ref().map_or(0, sent) + place.bytes(&place.state)
    });
    let mut tapes: Vec<(Tape, Tape)> = places.iter().map(|_| Default::default()).collect();
    let read: Result<Vec<_>, _> =
        places.iter().zip(&mut tapes).map(|(place, tapes)| place.read(tapes)).collect();
    let terms = Terms { style: NumberStyle::JavaScript, bytes: Some(bytes), ..Terms::new(&limits) };
    let look = match &read?[..] {
        [(pointer, None, state, _)] => Some(update(pointer, None, *state, &terms)?),
        read => update_at(&read.iter().filter_map(known).collect::<Vec<_>>(), bytes, &terms)?,
    };
    Ok(match look.map(|Comparison { update, .. }| update) {
        None => "w".to_owned(),
        Some(None) => "=".to_owned(),
        Some(Some(Update::Snapshot)) => format!("s{bytes}:"),
        Some(Some(Update::Delta { json, .. })) => format!("d{bytes}:{json}"),
    })
}

type Read<'p> = (&'p str, Option<Node<'p>>, Node<'p>, Option<(usize, usize)>);

fn known<'p>(&(pointer, sent, new, left_out): &Read<'p>) -> Option<Place<'p, Node<'p>>> {
    sent.map(|old| Place { pointer, old, new, left_out })
}

impl StatePlace {
    /// The count of bytes of these values within the whole text.
    fn bytes(&self, text: &str) -> usize {
        // Next to left-out parts there are commas instead of brackets.
        text.len()
            - if self.before.is_none() {
                0
            } else if text.len() > 2 {
                1
            } else {
                2
            }
    }

    fn read<'p>(&'p self, (before, after): &'p mut (Tape, Tape)) -> Result<Read<'p>, Error> {
        let sent = self.sent.as_ref().map(|sent| read(before, sent)).transpose()?;
        let state = read(after, &self.state).map_err(|mut error| {
            error.issues.iter_mut().for_each(|issue| self.put_at_place(issue));
            error
        })?;
        let count = |count: Option<u32>| count.map(|count| count as usize);
        let left_out = count(self.before).map(|before| (before, count(self.after).unwrap_or_default()));
        Ok((&self.place, sent, state, left_out))
    }

    /// Returns the error of an issue in the text of the state.
    fn put_at_place(&self, issue: &mut Issue) {
        let (first, rest) =
            issue.path.get(1..).map_or(("", ""), |path| path.split_at(path.find('/').unwrap_or(path.len())));
        if let (true, Some(before), Ok(index)) =
            (self.state.starts_with('['), self.before, first.parse::<u32>())
        {
            issue.path = format!("/{}{rest}", before + index);
        }
        issue.path.insert_str(0, &self.place);
    }
}
