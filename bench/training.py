"""The program that is run for profile-guided optimisation: the common work of agents and their clients.

`maturin build --pgo` runs it on an instrumented wheel, so it imports nothing outside of the wheel. Its documents
are of the measured kinds, with other texts and ids; it also runs every case of the streams' fixture.
"""

import json
import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import scenarios

from ag_ui_native import core, server
from ag_ui_native.encoder import AGUI_MEDIA_TYPE, EventEncoder
from ag_ui_native.errors import AGUIError
from ag_ui_native.patch import apply_patch, diff
from ag_ui_native.stream import EventDecoder, EventPipeline, Reducer, decode_event
from ag_ui_native.testing import run_agent

CASES = Path(__file__).parents[1] / "tests" / "fixtures" / "stream/stream-cases.json"
ROUNDS = 200


def repeated(work: Callable[[], object], rounds: int = ROUNDS) -> None:
    for _ in range(rounds):
        work()


def in_reads(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def feed(reader: Any, reads: list[bytes]) -> list[Any]:
    """Returns the results of a decoder or a pipeline."""
    found = [made for read in reads for made in reader.feed(read)]
    return [*found, *reader.close()]


def documents(texts: dict[str, str]) -> None:
    encoder, binary = EventEncoder(), EventEncoder(AGUI_MEDIA_TYPE, protobuf=True)
    run_input = texts.pop("input")
    repeated(lambda: core.RunAgentInput.model_validate_json(run_input).model_dump_json(by_alias=True))
    for text in texts.values():
        event = decode_event(text)
        repeated(lambda text=text: decode_event(text))
        repeated(lambda event=event: encoder.encode(event))
        repeated(lambda event=event: encoder.encode_binary(event))
        repeated(lambda event=event: binary.encode_binary(event))
        feed(EventDecoder(AGUI_MEDIA_TYPE), [binary.encode_binary(event)] * ROUNDS)
    repeated(lambda: core.TextMessageContentEvent(message_id="an id as long as ids are", delta="some text"), 20_000)


def streams(frames: list[bytes]) -> None:
    data = b"".join(frames)
    for reads in (frames, in_reads(data, 16_384), in_reads(data, 1_000)):
        feed(EventDecoder(), reads)
        feed(EventPipeline(reduce=False), reads)
        feed(EventPipeline(state=scenarios.state(25)), reads)
    reducer = Reducer(state=scenarios.state(25))
    for event in feed(EventDecoder(), frames):
        reducer.apply(event)


def states() -> None:
    old = scenarios.state(100)
    changed, changes = apply_patch(old, scenarios.operations()), scenarios.operations()[:1]
    repeated(lambda: (diff(old, changed), apply_patch(old, changes), apply_patch(old, changes, in_place=True)))


async def agent(run: server.Run) -> None:
    for _ in range(10):
        async with run.text_message() as message:
            repeated(lambda message=message: message.write("some words of an answer"), 1_000)


def cases() -> None:
    """Runs invalid streams too, so that their code paths are not treated as never used."""
    for case in json.loads(CASES.read_text(encoding="utf-8"))["cases"]:
        data = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in case["input"].get("events", []))
        # Most cases are refused.
        with suppress(AGUIError):
            feed(EventPipeline(), in_reads(data, 500))


if __name__ == "__main__":
    logging.disable()
    scenarios.chance.seed(2)
    documents({name: scenarios.compact(document) for name, document in scenarios.documents().items()})
    streams([f"data: {scenarios.compact(event)}\n\n".encode() for event in scenarios.stream()])
    states()
    run_agent(agent, {"threadId": "t", "runId": "r"})
    cases()
