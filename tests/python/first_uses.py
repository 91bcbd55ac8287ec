"""Calls every entrance of the native module for the first time in a process, with arguments that leave the usual path.

    python tests/python/first_uses.py [--mutate] [NAME ...]

Each call has a process of its own, forked when everything is imported and nothing called. A build with the feature
`watched` (`make test-first-uses`) ends a process in which another thread has had the interpreter's lock while
borrowed objects were read: so an initialization at a first use that releases the lock is found, even if the objects
stay unchanged. With `--mutate` another thread changes the argument meanwhile, and any build may be used: a debugger
or valgrind finds the errors.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import enum
import gc
import json
import logging
import os
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import TypeAdapter

import ag_ui_native
from ag_ui_native import _native as native
from ag_ui_native import client, compat, core, encoder, errors, partial, patch, proto, server, stream, testing
from ag_ui_native.client.rules import Intake

Entrance = Callable[[Any], Any]

REFUSALS = errors.AGUIError, ValueError, TypeError, RecursionError
"""Errors that refuse a value: ours, pydantic's, and those of `json`."""


class Name(str, enum.Enum):
    """A key whose hash is Python code."""

    A = "a"


class Text(str):
    """A string whose hash and equality are Python code."""

    def __hash__(self) -> int:
        return str.__hash__(self)

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other)


class Table(dict):  # type: ignore[type-arg] # As programs write it.
    """A dict with methods of its own."""

    def __iter__(self) -> Iterator[Any]:
        return dict.__iter__(self)

    def __len__(self) -> int:
        return dict.__len__(self)


class Number(int):
    """An int with methods of its own."""

    def __index__(self) -> int:
        return int.__index__(self)


def deep(levels: int) -> Any:
    """Lists in dicts in lists."""
    made: Any = 1
    for level in range(levels):
        made = [made] if level % 2 else {"a": made}
    return made


PATHS: dict[str, Callable[[], Any]] = {
    "plain": lambda: {"a": [1, 2.5, None, True, "é"], "b": {"c": "d"}},
    "subclass": lambda: Table({Name.A: [Text("x"), Number(7), (1, 2)], Text("b"): Table({"c": Text("d")})}),
    "big integer": lambda: {"a": [2**70, -(2**200)], "b": Number(2**90)},
    "very big integer": lambda: {"a": 10**5_000},
    "lone surrogate": lambda: {"a": ["\ud800"], "b": {"c": Text("\udc00")}},
    "lone surrogate in a key": lambda: {"a": {"\ud800": 1}},
    "too deep": lambda: {"a": deep(250), "b": 1},
    "far too deep": lambda: deep(5_000),
    "odd keys": lambda: {"a": {1: 2, None: 3}, "b": [{(): 1}]},
    "no number": lambda: {"a": [float("nan"), float("inf")], "b": 1},
    "no JSON": lambda: {"a": [object(), {1, 2}], "b": b"bytes"},
    "error": lambda: object(),
}

RUN = {"threadId": "t", "runId": "r"}
INPUT = {**RUN, "messages": [], "tools": [], "context": [], "state": {}, "forwardedProps": {}}
STARTED = {"type": "RUN_STARTED", **RUN}


def custom(value: Any) -> core.CustomEvent:
    """An event with a free value."""
    return core.CustomEvent(name="n", value=value)


def snapshot(value: Any) -> dict[str, Any]:
    """An event that sets the state."""
    return {"type": "STATE_SNAPSHOT", "snapshot": value}


def text(value: Any) -> str:
    """Returns JSON of any value, as a peer may send it."""
    return json.dumps(value, default=str, skipkeys=True)


def add(value: Any) -> list[dict[str, Any]]:
    """A patch that adds a value."""
    return [{"op": "add", "path": "/x", "value": value}]


async def served(run: server.Run, value: Any) -> None:
    """An agent that passes the value to each method that accepts one."""
    for hand in (
        lambda: run.custom("n", value),
        lambda: run.event(snapshot(value)),
        lambda: run.event(custom(value)),
        lambda: run.tool_call("f", value),
    ):
        with contextlib.suppress(*REFUSALS):
            hand()
    run.state = value
    await run.flush_state()
    run.state = {"a": value}
    await run.write("text")
    run.finish(value)


def asked(value: Any) -> Any:
    """Runs an agent with the value in everything that the client sends, and with a tool that returns it."""

    def f() -> Any:
        return value

    async def agent(run: server.Run) -> None:
        if not run.input.messages:
            run.tool_call("f", {})
        await run.write("text")

    async def asking() -> Any:
        return await client.LocalAgent(agent, state=value, tools=[f]).run_agent(forwarded_props={"a": value})

    return asyncio.run(asking())


def each(stage: Callable[..., Any]) -> Entrance:
    """A stage over events of either form."""
    return lambda value: list(stage([STARTED, snapshot(value), custom(value)]))


def fed(made: Any, value: Any) -> Any:
    """Feeds a decoder or pipeline with frames of a peer."""
    frames = [STARTED, snapshot(value), {"type": "STATE_DELTA", "delta": add(value)}, {"type": "RUN_FINISHED", **RUN}]
    found = made.feed("".join(f"data: {text(frame)}\n\n" for frame in frames).encode())
    made.close()
    return found


def applied(value: Any) -> Any:
    """A reducer that starts with the value and applies it."""
    reducer = stream.Reducer(state=value)
    reducer.apply(STARTED)
    reducer.apply({"type": "STATE_DELTA", "delta": add(value)})
    return reducer.state


def tracked(value: Any) -> Any:
    """A state and its base."""
    tracker = server.StateTracker(value, base={"a": 1})
    tracker.flush()
    tracker.state = {"a": value, "b": 1}
    return tracker.flush()


def refused(entrance: Callable[[], Any]) -> None:
    """An entrance that accepts no such value refuses it."""
    try:
        entrance()
    except errors.AGUIValidationError:
        return
    raise AssertionError("it was taken")


def whole(value: Any) -> Any:
    """A model as JSON and back."""
    made = custom(value).model_dump_json(by_alias=True)
    return core.CustomEvent.model_validate_json(made)


CANCEL = {"operation": "cancel", "key": {"thread": "t", "run": "r"}}


def redis_operation() -> Any:
    """An operation whose command was sent."""
    operation = native.RedisKeyspace("agui:").begin(native.Operation.from_json(CANCEL))
    operation.start()
    return operation


def misunderstood(value: Any) -> None:
    """A reply that no script gives."""
    try:
        redis_operation().reply([b"done", value])
    except errors.AGUIConnectionError:
        return
    raise AssertionError("it was taken")


ENTRANCES: list[tuple[str, Entrance]] = [
    ("model_metaclass", custom),
    ("model_metaclass", lambda value: core.StateSnapshotEvent(snapshot=value)),
    ("model_metaclass", lambda value: core.ActivitySnapshotEvent(message_id="m", activity_type="a", content=value)),
    (
        "model_metaclass",
        lambda value: core.MessagesSnapshotEvent(messages=[core.UserMessage(id="m", content="t", metadata=value)]),
    ),
    ("model_metaclass", lambda value: core.RunAgentInput.model_validate({**INPUT, "state": value})),
    (
        "model_metaclass",
        lambda value: core.UserMessage(id="m", content=[core.TextInputContent(text="t", metadata=value)]),
    ),
    ("model_metaclass", whole),
    ("model_metaclass", lambda value: custom(value).model_dump(mode="json", by_alias=True, exclude_unset=True)),
    ("model_metaclass", lambda value: custom(value) == copy.copy(custom(value))),
    ("model_metaclass", lambda value: copy.deepcopy(custom(value)) == custom([value])),
    ("model_metaclass", lambda value: core.CustomEvent.model_construct(name=value, value=value).model_dump_json()),
    ("EventEncoder", lambda value: encoder.EventEncoder().encode(custom(value))),
    ("EventEncoder", lambda value: encoder.EventEncoder(timestamps=True).encode_binary(custom(value))),
    ("encode_protobuf", lambda value: proto.encode(custom(value))),
    ("decode_protobuf_event", lambda value: proto.decode(proto.encode(custom(value)))),
    ("is_protobuf", lambda value: native.is_protobuf("application/vnd.ag-ui.event+proto; v=1")),
    ("to_json", lambda value: ag_ui_native.to_json(custom(value))),
    ("check", lambda value: ag_ui_native.validate(core.CustomEvent.model_construct(name="n", value=value))),
    ("decode_event", lambda value: native.decode_event(text(snapshot(value)))),
    ("diff", lambda value: patch.diff(value, {"a": 1})),
    ("diff", lambda value: patch.diff({"a": 1, "b": [1]}, value)),
    ("diff", lambda value: patch.diff({"z": value}, {"z": [value, value], "b": 1})),
    ("apply_patch", lambda value: patch.apply_patch(value, add(1))),
    ("apply_patch", lambda value: patch.apply_patch({"a": value}, add(value), in_place=True)),
    ("apply_patch", lambda value: patch.apply_patch({"a": value}, [{"op": "test", "path": "/a", "value": value}])),
    ("apply_patch", lambda value: patch.apply_patch({"a": value}, [{"op": "copy", "from": "/a", "path": "/b"}])),
    ("apply_patch", lambda value: patch.apply_patch({"a": 1}, [{**add(1)[0], "more": value}])),
    ("StateTracker", tracked),
    ("StateTracker", lambda value: server.StateTracker({"a": 1}, base=value).flush()),
    ("EventDecoder", lambda value: fed(stream.EventDecoder(), value)),
    ("EventPipeline", lambda value: fed(stream.EventPipeline(state=value), value)),
    ("Reducer", applied),
    (
        "Reducer",
        lambda value: stream.Reducer(messages=[{"id": "m", "role": "user", "content": "t", "metadata": value}]),
    ),
    ("enforce_events", each(stream.enforce_events)),
    ("expand_chunks", each(stream.expand_chunks)),
    ("verify_events", each(stream.verify_events)),
    ("compact_events", each(stream.compact_events)),
    ("ChunkExpander", lambda value: stream.ChunkExpander().push(snapshot(value))),
    ("Intake", lambda value: Intake().push({**STARTED, "metadata": value})),
    ("EventVerifier", lambda value: stream.EventVerifier().admit({**STARTED, "metadata": value})),
    ("Guard", lambda value: list(server.guard([STARTED, snapshot(value), custom(value)]))),
    ("Guard", lambda value: list(server.guard([f'data: {{"type":"CUSTOM","name":"n","value":{text(value)}}}\n\n']))),
    ("PartialArguments", lambda value: partial.PartialArguments().feed(text(value))),
    ("upgrade_input", lambda value: compat.upgrade_input({**INPUT, "state": value})),
    ("downgrade_input", lambda value: compat.downgrade_input({**INPUT, "state": value}, "0.0.39")),
    ("read_run_input", lambda value: ag_ui_native.read_run_input(text({**INPUT, "state": value}).encode())),
    (
        "check_resume",
        lambda value: stream.check_resume(
            [{"id": "i", "reason": "r", "metadata": value}],
            [{"interruptId": "i", "status": "resolved", "payload": value}],
        ),
    ),
    ("aggregate_usage", lambda value: refused(lambda: native.aggregate_usage([{"provider": "p", "more": value}]))),
    ("usage_from_vendor", lambda value: core.token_usage_from_langchain_metadata(value)),
    ("json_text", lambda value: native.json_text(value)),
    ("arguments_text", lambda value: native.arguments_text(value)),
    ("result_text", lambda value: native.result_text(value)),
    ("RunWriter", lambda value: testing.run_agent(lambda run: served(run, value), {**INPUT, "state": {"a": 1}})),
    ("RunWriter", asked),
    ("ModelStream", lambda value: native.ModelStream("openai_chat", "m").write({"choices": value}, native.RunWriter())),
    (
        "model_messages",
        lambda value: native.model_messages("anthropic", [core.UserMessage(id="m", content="t", metadata=value)]),
    ),
    (
        "model_tools",
        lambda value: native.model_tools("anthropic", [{"name": "n", "description": "", "parameters": value}]),
    ),
    ("Operation", lambda value: native.Operation.from_json({**CANCEL, "more": value})),
    ("Reply", lambda value: native.Reply.from_json({"reply": "done", "more": value})),
    ("Hint", lambda value: native.Hint.from_json({"hint": "cancelled", "more": value})),
    ("RedisOperation", misunderstood),
    ("UnionValidator", lambda value: TypeAdapter(core.Event).validate_python(snapshot(value))),
    ("UnionValidator", lambda value: TypeAdapter(core.Event).validate_json(text(snapshot(value)))),
]

TEXTS = {
    "LogCase", "LogKey", "LogOptions", "LogRefusal", "LogRequest", "LogStart", "LogStream", "Machine", "MemoryStore", "Occupancy", "Place", "PrefixCache", "Recorder", "RedisKeyspace",
    "SqliteStore", "SqliteWatch", "Ticket", "accept_log_request", "check_log_options", "log_cases", "refused_notice",
    "ActivityWriter", "BodyDecoder", "Coalescer", "Delivery", "EntityWriter", "Exchange", "FirstStep", "RequestBody", "RequestCommand", "ResumableStream", "Runs", "ToolCalls", "accelerate_class", "accelerated_metaclass",
    "address_of", "agree_websocket", "answer_tool", "body_decoder", "build_resume", "check_protocol_version", "check_request_header", "documentation_of",
    "accept_request", "check_request_resume", "claim_package", "client_error", "close_failure", "declares",
    "default_limits", "event_content_type", "fast_path_stats", "frame_message", "invalid_location", "limit_within", "make_id", "misfit", "no_active_run", "outcome_error", "over_http_only", "read_arguments", "read_input",
    "read_message", "read_thread", "refusal_error", "refuse_internal", "start_engine", "members_validator", "unwatched", "learn_arguments",
    "timeout_error", "websocket_messages",
}  # fmt: skip
"""Functions that accept no value of an application, or that the runs of servers and clients above call."""


def changing(value: Any) -> None:
    """Changes the contents of a value, again and again."""
    held = [one for one in gc.get_referents(value) if isinstance(one, (dict, list))]
    containers = [one for one in [value, *held] if isinstance(one, (dict, list))]
    kept = [one.copy() for one in containers]
    while True:
        for container, before in zip(containers, kept, strict=True):
            if isinstance(container, dict):
                dict.clear(container)
                dict.update(container, {key: ["new", "x" * 40] for key in before})
            else:
                list.clear(container)
                list.extend(container, ["new"] * 5)


def call(entrance: Entrance, make: Callable[[], Any], mutate: bool) -> None:
    """The call, in this process."""
    warnings.simplefilter("ignore")
    logging.disable()
    sys.setswitchinterval(1e-6)
    value = make()
    if mutate:
        threading.Thread(target=changing, args=(value,), daemon=True).start()
    watch = getattr(native, "watch_lock", None)
    if watch:
        watch()
    refused = contextlib.nullcontext() if make is PATHS["plain"] and not mutate else contextlib.suppress(*REFUSALS)
    try:
        with refused:
            entrance(value)
    except BaseException as error:
        if not (mutate and says_that_a_dict_changed(error)):
            raise


def says_that_a_dict_changed(error: BaseException) -> bool:
    """Returns True if another thread changed a dictionary while Python's `json` or pydantic iterated over it.

    Unusual values are read by `json`, which raises RuntimeError, and by pydantic's own serializer, which panics,
    with the official classes, too. A panic of ours would be an AGUIInternalError.
    """
    changed = "dictionary changed size during iteration", "dictionary keys changed during iteration"
    return type(error).__name__ in {"RuntimeError", "PanicException"} and str(error) in changed


def in_process(entrance: Entrance, make: Callable[[], Any], mutate: bool) -> int:
    """Makes the call in a process of its own. Returns how that ended."""
    child = os.fork()
    if not child:
        status = 1
        try:
            call(entrance, make, mutate)
            status = 0
        except BaseException:  # As no process of its own may go on in its parent's code.
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def missing() -> set[str]:
    """The public names of the native module that no call enters."""
    public = {name for name in dir(native) if not name.startswith("_") and callable(getattr(native, name))}
    return public - {name for name, _ in ENTRANCES} - TEXTS - {"watch_lock"}


def main(*names: str) -> int:
    """Makes all calls, or those whose names are given."""
    mutate = "--mutate" in names
    names = tuple(name for name in names if name != "--mutate")
    if missing():
        print(f"nothing enters {', '.join(sorted(missing()))}")
        return 1
    failed = calls = 0
    for number, (name, entrance) in enumerate(ENTRANCES):
        for path, make in PATHS.items():
            if names and name not in names:
                continue
            calls += 1
            status = in_process(entrance, make, mutate)
            if status:
                failed += 1
                print(f"{name} (entrance {number}), {path}: ended with {status}", flush=True)
    python = ".".join(map(str, sys.version_info[:3]))
    watched = "watched" if hasattr(native, "watch_lock") else "not watched"
    print(f"CPython {python}, {watched}: {calls} first uses, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
