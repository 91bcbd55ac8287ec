"""The stages of a stream one by one: enforcement, chunk expansion, verification, compaction."""

from ag_ui_native._native import (
    ChunkExpander,
    EventVerifier,
    compact_events,
    enforce_events,
    expand_chunks,
    verify_events,
)

__all__ = ["ChunkExpander", "EventVerifier", "compact_events", "enforce_events", "expand_chunks", "verify_events"]
