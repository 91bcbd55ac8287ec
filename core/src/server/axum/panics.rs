//! Panics of agents: they end a run and nothing else, and the log says where they were.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

/// File, line and column, as far as they are known.
pub(super) type Place = String;

thread_local! {
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<Option<Place>> = const { RefCell::new(None) };
}

/// Does something that may panic. A panic's message is not handed on: it may hold anything.
pub(super) fn watch<R>(work: impl FnOnce() -> R) -> Result<R, Place> {
    note_places();
    let before = IS_WATCHED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_WATCHED.set(before);
    done.map_err(|_| PLACE.take().unwrap_or_else(|| "unknown".to_owned()))
}

/// Only a hook is told where a panic was. What was the hook before is called as ever; where another one takes the place of this, panics are
/// caught all the same.
fn note_places() {
    static ONCE: Once = Once::new();
    if std::thread::panicking() {
        return;
    }
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if IS_WATCHED.get() {
                PLACE.set(panic.location().map(ToString::to_string));
            }
            before(panic);
        }));
    });
}
