"""The peers for the whole run, and the programs that serve frameworks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from peer import Peer

sys.path.append(str(Path(__file__).parents[1] / "frameworks"))


@pytest.fixture(scope="session")
def peer() -> Iterator[Peer]:
    """The peers; they must exit without an error when their input ends."""
    started = Peer()
    yield started
    assert started.close() == [0, 0]
