//! Twice the input costs twice the work. The test counts every allocated byte, so that repeated copies show.
//! `make test-growth` counts instructions.

#[path = "support/growth.rs"]
mod growth;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator as it came.
#[allow(unsafe_code)] // An allocator is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.with(|bytes| bytes.set(bytes.get() + layout.size()));
        // SAFETY: the caller's promise is the same as ours.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is the same as ours.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn bytes(work: fn(usize), n: usize) -> usize {
    let before = BYTES.get();
    work(n);
    BYTES.get() - before
}

#[test]
fn twice_the_input_takes_twice_the_memory() {
    for (name, work) in growth::all() {
        let [one, two, four] = [1_000, 2_000, 4_000].map(|n| bytes(*work, n));
        assert!(two * 10 <= one * 23 && four * 10 <= two * 23, "{name}: {one}, {two}, {four} bytes");
    }
}
