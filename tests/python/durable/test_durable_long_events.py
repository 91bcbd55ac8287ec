"""Events of more than 16 MiB: the log limits their lengths, and nothing else does."""

from __future__ import annotations

import pytest

from ag_ui_native.durable import MemoryLog
from ag_ui_native.encoder import AGUI_MEDIA_TYPE
from ag_ui_native.limits import Limits
from ag_ui_native.server import Run
from ag_ui_native.stream import EventDecoder
from engines import shared_logs
from logged_servers import body_of, frames, read, served, types

LENGTH = 17 << 20
ENGINES = ("memory", "sqlite", "redis")


async def agent(run: Run) -> None:
    await run.write("x" * LENGTH)


def length_of(body: bytes, content_type: str = "text/event-stream") -> int:
    """The length of the text of a whole run."""
    decoder = EventDecoder(content_type, limits=Limits(event_bytes=64 << 20), as_dicts=True)
    events = decoder.feed(body) + decoder.close()
    assert events[-1]["type"] == "RUN_FINISHED"
    return sum(len(event.get("delta", "")) for event in events)


@pytest.mark.parametrize("limits", [Limits(), Limits(event_bytes=64 << 20)], ids=["default", "larger"])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_long_event_is_sent_resumed_joined_and_kept(engine: str, limits: Limits) -> None:
    with (
        shared_logs(engine) as make,
        served(agent, make(), log_bytes=64 << 20, limits=limits, max_waiting=64 << 20) as client,
    ):
        whole = client.post("", json=body_of()).content
        assert length_of(whole) == LENGTH
        resumed, joined = read(client, frames(whole)[0][0]), read(client)
        assert whole.endswith(resumed.content) and "ag-ui-prefix" in joined.headers
        assert (length_of(resumed.content), length_of(joined.content)) == (LENGTH, LENGTH)
        for after in (None, frames(whole)[0][0]):
            binary = read(client, after, accept=AGUI_MEDIA_TYPE)
            assert length_of(binary.content, binary.headers["content-type"]) == LENGTH
        assert len(client.get("", params={"thread": "t"}).json()["messages"][-1]["content"]) == LENGTH


@pytest.mark.parametrize("engine", ENGINES)
def test_an_event_that_is_longer_than_the_log_ends_the_run(engine: str) -> None:
    with shared_logs(engine) as make, served(agent, make(), max_waiting=64 << 20) as client:
        whole = client.post("", json=body_of()).content
        assert types(whole) == ["RUN_STARTED", "RUN_ERROR"]
        assert frames(whole)[-1][1]["code"] == "limit_exceeded" and "log_bytes" in frames(whole)[-1][1]["message"]
        assert "activeRunId" not in client.get("", params={"thread": "t"}).json()


def test_the_memory_of_a_log_is_a_limit_too() -> None:
    with served(agent, MemoryLog(max_bytes=16 << 20), log_bytes=64 << 20, max_waiting=64 << 20) as client:
        found = frames(client.post("", json=body_of()).content)
        assert found[-1][1]["code"] == "limit_exceeded" and "log_bytes" in found[-1][1]["message"]
