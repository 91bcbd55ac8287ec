"""Calls the Python border with objects whose own code changes, raises, collects and calls back.

    python tests/fuzz/python_objects.py --calls 1000000 --seed 1

With fuses unlit, objects of other classes must have the same result as plain ones. With a fuse lit, a call ends in
a result, in exactly the error that the object raised, or in an error of this package with a code; never in a
`SystemError`, an internal error, a crash or a stop. Every call has its own random state: a failing call is run
again by itself with `--start INDEX --calls 1`.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import gc
import json
import logging
import mmap
import random
import struct
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import evil
from evil import World, disguise
from pydantic import BaseModel

import ag_ui_native
from ag_ui_native import compat, core, errors, partial, proto, stream
from ag_ui_native.encoder import EventEncoder
from ag_ui_native.patch import apply_patch, diff

Call = Callable[[World, bool], None]
CALLS: list[Call] = []
STRICT: set[Call] = set()
"""Calls in which neither pydantic nor `json` has a part."""

ENCODERS = (
    EventEncoder(),
    EventEncoder(timestamps=True),
    EventEncoder("application/vnd.ag-ui.event+proto", protobuf=True),
)
KEYS = ("a", "b", "id", "x", "y", "é", "a/b", "~", "")
SCALARS = (None, True, False, 0, 1, -1, 2**53, 2**63, -(2**70), 0.5, -0.0, 1e300, "", "a", "text", "é\n", "x" * 70)


def fuzz(call: Call) -> Call:
    """Adds a call."""
    CALLS.append(call)
    return call


def strict(call: Call) -> Call:
    """Adds a call that must raise only its own exceptions."""
    STRICT.add(call)
    return fuzz(call)


def value(rng: random.Random, depth: int = 3) -> Any:
    """A JSON value."""
    kind = rng.randrange(6) if depth else 0
    if kind < 3:
        return rng.choice(SCALARS)
    if kind == 3:
        return [value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {key: value(rng, depth - 1) for key in rng.sample(KEYS, rng.randrange(5))}


def objects(rng: random.Random) -> dict[str, Any]:
    """A JSON object."""
    return {key: value(rng, 2) for key in rng.sample(KEYS, rng.randrange(5))}


def changed(rng: random.Random, old: Any) -> Any:
    """A value that differs a little."""
    if isinstance(old, dict) and old and rng.random() < 0.8:
        key = rng.choice(list(old))
        return {**old, key: changed(rng, old[key])}
    if isinstance(old, list) and old and rng.random() < 0.8:
        at = rng.randrange(len(old))
        return [*old[:at], *([changed(rng, old[at])] if rng.random() < 0.7 else []), *old[at + 1 :]]
    return value(rng, 2)


def text(made: Any) -> str:
    """A value as JSON, to be compared."""
    return json.dumps(made, sort_keys=True, ensure_ascii=True)


def outcome(action: Callable[[], Any]) -> Any:
    """Returns the result of an action in a comparable form."""
    try:
        return "made", text(action())
    except errors.AGUIError as error:
        return error.code, error.path, error.operation, error.rule, str(error)


def same(one: Any, other: Any) -> None:
    """Fails if objects of other classes have another result than plain ones."""
    if one != other:
        raise AssertionError(f"{one!r} is not {other!r}")


@strict
def call_diff(w: World, lit: bool) -> None:
    """Differences, and the way back."""
    old = value(w.rng, 4)
    new = changed(w.rng, old)
    one, other = disguise(old, 0.2, lit), disguise(new, 0.2, lit)
    if lit:
        return w.run(lambda: diff(one, other))
    made = w.run(lambda: diff(one, other))
    same(text(made), text(diff(old, new)))
    same(text(apply_patch(old, made)), text(new))


def operations(rng: random.Random, document: Any) -> list[dict[str, Any]]:
    """A patch that may apply."""
    pointers = ["", *(f"/{key}" for key in KEYS[:5]), "/a/b", "/a/0", "/b/-", "/a/a/x", "/none/x"]
    made = diff(document, changed(rng, document))
    for _ in range(rng.randrange(4)):
        kind = rng.choice(("add", "add", "replace", "remove", "move", "copy", "test"))
        step = {"op": kind, "path": rng.choice(pointers), "from": rng.choice(pointers), "value": value(rng, 2)}
        made.insert(rng.randrange(len(made) + 1), step)
    return made


@strict
def call_patch(w: World, lit: bool) -> None:
    """Patches: all or nothing."""
    document = objects(w.rng)
    steps = operations(w.rng, document)
    one, two, in_place = disguise(document, 0.15, lit), disguise(steps, 0.15, lit), w.rng.random() < 0.6
    before = copy.deepcopy(one) if in_place and not lit else None
    if not lit:
        plain = outcome(lambda: apply_patch(document, steps))
        same(outcome(lambda: w.run(lambda: apply_patch(one, two, in_place=in_place))), plain)
        if in_place and plain[0] != "made":
            same(text(one), text(before))
            same(list(one), list(before))
        return
    w.raises_only = w.rng.random() < 0.5
    was = [id(member) for member in dict.values(one)] if isinstance(one, dict) else None
    try:
        w.run(lambda: apply_patch(one, two, in_place=in_place))
    except BaseException:
        if w.raises_only and was is not None:
            same(was, [id(member) for member in dict.values(one)])
        raise


def message(rng: random.Random) -> dict[str, Any]:
    """A message as it stands on the wire."""
    kind = rng.randrange(5)
    if kind == 0:
        return {"id": rng.choice("mno"), "role": "user", "content": [{"type": "text", "text": "t"}]}
    if kind == 1:
        call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        return {"id": rng.choice("mno"), "role": "assistant", "content": "t", "toolCalls": [call]}
    if kind == 2:
        return {"id": "t", "role": "tool", "content": "t", "toolCallId": "c", "metadata": objects(rng)}
    if kind == 3:
        return {"id": "v", "role": "activity", "activityType": "plan", "content": objects(rng)}
    return {"id": rng.choice("mno"), "role": rng.choice(("user", "system")), "content": "text"}


def event(rng: random.Random) -> dict[str, Any]:
    """An event as it stands on the wire, with free values."""
    ids = {"messageId": rng.choice("mno")}
    made = rng.choice(
        (
            {"type": "CUSTOM", "name": "n", "value": value(rng)},
            {"type": "RAW", "event": value(rng), "source": "s"},
            {"type": "STATE_SNAPSHOT", "snapshot": objects(rng)},
            {"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/a", "value": value(rng)}]},
            {"type": "MESSAGES_SNAPSHOT", "messages": [message(rng) for _ in range(rng.randrange(4))]},
            {"type": "TEXT_MESSAGE_START", "role": "assistant", **ids},
            {"type": "TEXT_MESSAGE_CONTENT", "delta": "text", "metadata": objects(rng), **ids},
            {"type": "TEXT_MESSAGE_END", **ids},
            {"type": "TEXT_MESSAGE_CHUNK", "delta": "text", **ids},
            {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f"},
            {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": '{"a":1}'},
            {"type": "TOOL_CALL_END", "toolCallId": "c"},
            {"type": "TOOL_CALL_RESULT", "toolCallId": "c", "messageId": "r", "content": "done"},
            {"type": "ACTIVITY_SNAPSHOT", "messageId": "v", "activityType": "plan", "content": objects(rng)},
            {
                "type": "ACTIVITY_DELTA",
                "messageId": "v",
                "activityType": "plan",
                "patch": [{"op": "add", "path": "/a", "value": 1}],
            },
            {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
            {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "result": value(rng)},
        )
    )
    if rng.random() < 0.2:
        made["rawEvent"] = value(rng)
    if rng.random() < 0.1:
        made["more"] = value(rng)
    return made


CLASSES = {
    kind.model_fields["type"].default.value: kind
    for kind in vars(core).values()
    if isinstance(kind, type) and issubclass(kind, core.BaseEvent) and kind is not core.BaseEvent
}


def instance(w: World, made: dict[str, Any], density: float, odd: bool) -> Any:
    """An instance, some of whose members have not been validated."""
    model = CLASSES[made["type"]].model_validate(made)
    members = model.__dict__
    if w.rng.random() < 0.2:
        members = dict(reversed(members.items()))
        model.__dict__.clear()
        model.__dict__.update(members)
    for name, member in list(model.__dict__.items()):
        if isinstance(member, (dict, list)) and not any(isinstance(item, BaseModel) for item in member):
            model.__dict__[name] = disguise(member, density, odd)
        elif isinstance(member, list):
            w.containers.append(member)
            if odd and w.rng.random() < 0.1:
                member.append(disguise({"id": "m"}, density, odd))
        elif odd and w.rng.random() < 0.05:
            model.__dict__[name] = disguise(member if isinstance(member, str) else "s", 1, odd)
    w.containers.append(model.__dict__)
    w.holders.append([model])
    return model


@fuzz
def call_encode(w: World, lit: bool) -> None:
    """Encoders and the models' own methods."""
    made = event(w.rng)
    one = instance(w, made, 0.1, lit)
    way = w.rng.randrange(7)
    ways: tuple[Callable[[Any], Any], ...] = (
        ENCODERS[0].encode,
        ENCODERS[1].encode_binary,
        lambda model: model.model_dump_json(by_alias=True),
        ag_ui_native.to_json,
        ENCODERS[2].encode,
        proto.encode,
        ag_ui_native.validate,
    )
    result = w.run(lambda: ways[way](one))
    if not lit and way in (0, 2, 3):
        plain = ways[way](CLASSES[made["type"]].model_validate(made))
        same(json.loads(result.removeprefix("data: ")), json.loads(plain.removeprefix("data: ")))


@fuzz
def call_construct(w: World, lit: bool) -> None:
    """Constructors, in both ways."""
    made = event(w.rng)
    kind, named = CLASSES[made["type"]], dict(disguise(made, 0, False))
    named = {key: disguise(member, 0.15, lit) for key, member in named.items()}
    if isinstance(named.get("messages"), list) and w.rng.random() < 0.5:
        named["messages"] = [core.UserMessage(id="m", content="t"), *named["messages"]][: len(named["messages"])]
        made = (
            made | {"messages": json.loads(kind(messages=named["messages"]).model_dump_json())["messages"]}
            if not lit
            else made
        )
    result = w.run(lambda: kind(**named) if w.rng.random() < 0.5 else kind.model_validate(named))
    w.run(lambda: (result.model_fields_set, result.model_extra, copy.copy(result)))
    if not lit:
        plain = kind.model_validate(made)
        same(json.loads(result.model_dump_json(by_alias=True)), json.loads(plain.model_dump_json(by_alias=True)))


def events(w: World, lit: bool) -> list[Any]:
    """Events of any form."""
    made = [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}, *(event(w.rng) for _ in range(w.rng.randrange(5)))]
    as_models = w.rng.random() < 0.5
    return [instance(w, one, 0.1, lit) if as_models else disguise(one, 0.1, lit) for one in made]


def offered(w: World, things: list[Any]) -> Iterator[Any]:
    """Offers the items one by one, with another call in between."""
    for thing in things:
        evil.world.touch()
        yield thing


@fuzz
def call_stages(w: World, lit: bool) -> None:
    """The stages on lists of events."""
    given = events(w, lit)
    stages = stream.enforce_events, stream.expand_chunks, stream.verify_events, stream.compact_events
    stage = w.rng.choice(stages)
    w.run(lambda: stage(offered(w, given), on_warning=lambda warning: evil.world.touch()))


@fuzz
def call_reducer(w: World, lit: bool) -> None:
    """Reducers whose messages and state are changed from outside."""
    state = objects(w.rng)
    given, messages = events(w, lit), [message(w.rng) for _ in range(w.rng.randrange(3))]
    start = disguise(state, 0.15, lit), disguise(messages, 0.1 if lit else 0, lit)
    reducer = w.run(lambda: stream.Reducer(messages=start[1], state=start[0], as_dicts=w.rng.random() < 0.5))
    if not lit:
        same(text(reducer.state), text(state))
    w.containers += [reducer.messages] + ([reducer.state] if type(reducer.state) in (dict, list) else [])
    w.calls.append(lambda: (reducer.messages, reducer.state, reducer.apply({"type": "RAW", "event": 1})))
    for one in given:
        w.run(lambda one=one: reducer.apply(one))
        if lit and isinstance(reducer.state, dict) and w.rng.random() < 0.3:
            reducer.state[evil.Odd(w.rng.choice("abx"))] = 1


@fuzz
def call_pipeline(w: World, lit: bool) -> None:
    """Bytes to changes, or events, with callbacks that act."""
    made = [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}, *(event(w.rng) for _ in range(w.rng.randrange(6)))]
    data = "".join(f"data: {json.dumps(one)}\n\n" for one in made).encode()
    on_warning = lambda warning: evil.world.touch()
    options: dict[str, Any] = {"on_warning": on_warning, "as_dicts": w.rng.random() < 0.5}
    if w.rng.random() < 0.5:
        fed: Any = stream.EventDecoder(**options)
    else:
        state = disguise(objects(w.rng), 0.1, False)
        fed = stream.EventPipeline(state=state, reduce=w.rng.random() < 0.7, verify=False, **options)
        w.containers += [fed.messages] + ([fed.state] if isinstance(fed.state, dict) else [])
    w.calls.append(lambda: (fed.last_event_id, fed.warnings, fed.feed(b"data: {}\n\n")))
    cut = w.rng.randrange(len(data))
    for piece in (data[:cut], bytearray(data[cut:])):
        w.run(lambda piece=piece: fed.feed(piece))
    w.run(fed.close)


@fuzz
def call_helpers(w: World, lit: bool) -> None:
    """The remaining helpers: usage, arguments, downgrades, answers."""
    way = w.rng.randrange(5)
    if way == 0:
        report = {"input_tokens": 1, "output_tokens": 2, "input_token_details": {"cache_read": 1}, **objects(w.rng)}
        given = disguise(report, 0.2, lit)
        w.run(lambda: core.token_usage_from_langchain_metadata(given))
    elif way == 1:
        entries = disguise([{"provider": "p", "inputTokens": 1}, {"provider": "p", "inputTokens": 2}], 0.2, lit)
        w.run(lambda: ag_ui_native._native.aggregate_usage(entries))
    elif way == 2:
        arguments = partial.PartialArguments()
        w.containers += [arguments.value]
        for piece in ('{"a":[1,"te', 'xt"],"b":{"c":', "2}}"):
            delta = disguise(piece, 0.2, False)
            w.run(lambda delta=delta: arguments.feed(delta))
            w.containers += [arguments.value] if isinstance(arguments.value, dict) else []
    elif way == 3:
        given = {
            "threadId": "t",
            "runId": "r",
            "state": objects(w.rng),
            "messages": [message(w.rng)],
            "tools": [],
            "context": [],
            "forwardedProps": {},
        }
        one = disguise(given, 0.1, lit)
        w.run(lambda: (compat.downgrade_input(one, "0.0.39"), compat.upgrade_input(one)))
    else:
        pending = disguise([{"id": "i", "reason": "r"}], 0.2, lit)
        answers = disguise([{"interruptId": "i", "status": "resolved"}], 0.2, lit)
        w.run(lambda: stream.check_resume(pending, answers))


HOSTS = (TypeError, ValueError, RuntimeError, LookupError, AttributeError, ArithmeticError)
"""The errors of pydantic and `json` for values that are not JSON, or that change while they are read."""


def judge(call: Call, w: World, lit: bool, error: BaseException) -> None:
    """Returns if a call may raise the error, and raises it otherwise."""
    if lit and w.error in (error, error.__cause__, error.__context__):
        return
    if isinstance(error, errors.AGUIError) and error.code and error.code != "internal":
        return
    if not lit or call in STRICT:
        raise error
    if type(error).__name__ == "PanicException":
        return  # pydantic's: ours are internal errors.
    if isinstance(error, HOSTS) and not isinstance(error, (SystemError, AssertionError)):
        return
    raise error


class Meddler(threading.Thread):
    """Changes the containers of the running call, while there is one."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.done = False

    def run(self) -> None:
        while not self.done:
            time.sleep(0)
            with contextlib.suppress(BaseException):
                if evil.world.armed:
                    evil.world.change()


def one_call(seed: int, index: int, threaded: bool) -> None:
    """The call of an index."""
    rng = random.Random(seed * 1_000_003 + index)
    call, lit = CALLS[rng.randrange(len(CALLS))], threaded or rng.random() < 0.7
    w = evil.new_world(rng)
    collecting = lit and rng.random() < 0.15

    def run(action: Callable[[], Any]) -> Any:
        w.fuse = rng.choice((0, 1, 2, 3, 5, 8, 13, 30)) if lit else 0
        w.armed = lit
        if collecting:
            gc.disable()
            evil.Last()
            gc.set_threshold(rng.choice((1, 3, 20, 100)), 1_000, 1_000)
            gc.enable()
        try:
            return action()
        finally:
            w.fuse, w.armed = 0, False
            gc.set_threshold(2_000, 20, 50)

    w.run = run
    if lit:
        w.calls += [lambda: diff({"a": 1}, {"b": [2]}), lambda: ENCODERS[0].encode(core.RawEvent(event={"a": [1]}))]
    try:
        call(w, lit)
    except BaseException as error:
        judge(call, w, lit, error)


def work(start: int, calls: int, seed: int, progress: str) -> None:
    """Makes the calls, in this process."""
    warnings.simplefilter("ignore")
    logging.disable()
    sys.setswitchinterval(1e-5)
    sys.unraisablehook = lambda unraisable: None
    with open(progress, "r+b") as file, mmap.mmap(file.fileno(), 8) as place:
        for index in range(start, start + calls):
            struct.pack_into("q", place, 0, index)
            if index % 5_000 == 0 or index == start:
                meddler = Meddler() if index // 5_000 % 10 == 9 else None
                if meddler:
                    meddler.start()
            one_call(seed, index, meddler is not None)
            if meddler and (index % 5_000 == 4_999 or index == start + calls - 1):
                meddler.done = True
                meddler.join()


def main() -> int:
    """Makes the calls in a process of their own, and reports."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--calls", type=int, default=100_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--start", type=int, default=0)
    arguments.add_argument("--progress", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.progress:
        work(given.start, given.calls, given.seed, given.progress)
        return 0
    began = time.monotonic()
    with tempfile.NamedTemporaryFile() as progress:
        progress.write(struct.pack("q", given.start))
        progress.flush()
        command = [sys.executable, "-X", "faulthandler", *sys.argv, "--progress", progress.name]
        child = subprocess.Popen(command)
        last, since = None, time.monotonic()
        while child.poll() is None:
            time.sleep(0.05)
            progress.seek(0)
            at = progress.read(8)
            if at != last:
                last, since = at, time.monotonic()
            elif time.monotonic() - since > 120:
                print("a call does not end", file=sys.stderr)
                child.kill()
        progress.seek(0)
        (index,) = struct.unpack("q", progress.read(8))
    python = ".".join(map(str, sys.version_info[:3]))
    if child.returncode:
        print(
            f"CPython {python}: failed ({child.returncode}); again with --seed {given.seed} --start {index} --calls 1"
        )
        return 1
    print(f"CPython {python}: {given.calls} calls from seed {given.seed}, no fault, {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
