"""One JavaScript peer for the whole run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from peer import Peer


@pytest.fixture(scope="session")
def peer() -> Iterator[Peer]:
    """The peer; it must leave in peace when its input ends."""
    started = Peer()
    yield started
    assert started.close() == 0
