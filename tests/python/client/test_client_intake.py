"""Middleware may yield any value: objects that lie, raise or call back, from any thread, also while garbage is
collected.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from typing import Any

import ag_ui.core
import pytest

from ag_ui_native import core
from ag_ui_native.client import SyncAgent
from ag_ui_native.client.rules import Intake
from ag_ui_native.errors import AGUIError
from client_scripts import Script, frame

START = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
END = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}


class Text(str):
    """A string that equals nothing, and has no hash."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    def __hash__(self) -> int:
        raise RuntimeError("hash")

    def __len__(self) -> int:
        raise RuntimeError("len")


class Members(dict[Any, Any]):
    """A dictionary whose methods do not show its contents."""

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError("iter")

    def items(self) -> Any:
        raise RuntimeError("items")

    def __len__(self) -> int:
        raise RuntimeError("len")


class Dumped:
    """An object that dumps another text each time."""

    def __init__(self, *texts: Any) -> None:
        self.texts = list(texts)
        self.type = "CUSTOM"

    def model_dump_json(self, **_: object) -> Any:
        made = self.texts.pop(0)
        return made() if callable(made) else made


class Raising:
    """An object whose methods all raise."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def endless() -> dict[str, Any]:
    value: dict[str, Any] = {"type": "CUSTOM", "name": "n"}
    value["value"] = value
    return value


LIARS: dict[str, Callable[[], Any]] = {
    "an integer too large": lambda: {"type": "CUSTOM", "name": "n", "value": 10**5000},
    "an integer too large where one is declared": lambda: {**START, "timestamp": 2**80},
    "no number": lambda: {"type": "CUSTOM", "name": "n", "value": float("nan")},
    "half of a pair": lambda: {"type": "CUSTOM", "name": "\ud800", "value": 1},
    "too deep": lambda: {"type": "CUSTOM", "name": "n", "value": nested(100_000)},
    "within itself": endless,
    "a text of its own": lambda: {"type": Text("CUSTOM"), "name": Text("n"), "value": Text("v")},
    "a key of its own": lambda: {Text("type"): "CUSTOM", Text("name"): "n"},
    "a dictionary of its own": lambda: Members(type="CUSTOM", name="n", value=1),
    "bytes that change": lambda: {"type": "CUSTOM", "name": "n", "value": bytearray(b"x")},
    "a class": lambda: core.CustomEvent,
    "nothing": lambda: 0,
    "a text": lambda: '{"type":"CUSTOM"}',
    "bytes": lambda: b'{"type":"CUSTOM"}',
    "raises": Raising,
    "says no JSON": lambda: Dumped("{", "{"),
    "says no text": lambda: Dumped(5, 5),
    "says half of a pair": lambda: Dumped('{"type":"CUSTOM","name":"\ud800"}'),
    "a message": lambda: core.UserMessage(id="u", content="x"),
    "an event that is half made": lambda: core.CustomEvent.__new__(core.CustomEvent),
    "official, half made": lambda: ag_ui.core.CustomEvent.__new__(ag_ui.core.CustomEvent),
}


@pytest.mark.parametrize("name", LIARS)
@pytest.mark.parametrize("profile", ["strict", "tolerant"])
def test_liars_are_read_or_refused(name: str, profile: str) -> None:
    intake = Intake(profile=profile)
    assert len(intake.push(START)) == 1
    try:
        made = intake.push(LIARS[name]())
    except (AGUIError, RuntimeError, TypeError, ValueError, AttributeError) as error:
        assert "panicked" not in str(error)
    else:
        assert all(str.__str__(event.type) == "CUSTOM" for event in made)


@pytest.mark.parametrize("name", LIARS)
def test_a_run_with_liars_ends(name: str) -> None:
    lies = [LIARS[name]]

    def lie(input: Any, ask: Any) -> Iterator[Any]:
        for event in ask(input):
            yield event
            if event.type == "RUN_STARTED" and lies:
                yield lies.pop()()

    agent = SyncAgent(Script([frame(START), frame(END)], [frame(START), frame(END)]), thread_id="t", middleware=[lie])
    try:
        result = agent.run_agent(run_id="r")
    except Exception as error:
        assert "panicked" not in str(error)
    else:
        assert result.outcome == "success"
    assert not agent.is_running
    # The next run knows nothing of it.
    agent.run_agent(run_id="r2")


def test_what_an_event_does_while_it_is_read_comes_before_it() -> None:
    intake = Intake()

    def call() -> str:
        assert [event.type for event in intake.push(START)] == ["RUN_STARTED"]
        assert intake.warnings == []
        return json.dumps(END)

    event = Dumped(call)
    assert intake.push(event) == [event]
    intake.finish()


def test_a_callback_that_calls_back_is_refused() -> None:
    codes: list[str | None] = []

    def warned(_: object) -> None:
        for again in (lambda: intake.push(END), intake.finish):
            with pytest.raises(AGUIError) as refused:
                again()
            codes.append(refused.value.code)

    intake = Intake(on_warning=warned)
    intake.push({**START, "unknown": 1, "timestamp": "5"})
    assert set(codes) == {"reentrant_call"}
    assert [event.type for event in intake.push(END)] == ["RUN_FINISHED"]
    intake.finish()


def test_what_a_callback_raises_loses_no_event() -> None:
    def warned(_: object) -> None:
        raise KeyError("mine")

    intake = Intake(on_warning=warned)
    with pytest.raises(KeyError, match="mine"):
        intake.push({**START, "timestamp": "5"})
    assert [event.type for event in intake.push(END)] == ["RUN_STARTED", "RUN_FINISHED"]


def test_behind_a_failure_nothing_is_taken() -> None:
    intake = Intake()
    with pytest.raises(AGUIError):
        intake.push(END)
    for _ in range(2):
        with pytest.raises(AGUIError) as refused:
            intake.push(START)
        assert refused.value.code == "decoder_failed"


@pytest.mark.parametrize("wrong", [5, None, b"t", ["t"]])
def test_kinds_of_ids(wrong: Any) -> None:
    intake = Intake()
    for ids in ((wrong, "r"), ("t", wrong)):
        with pytest.raises(TypeError):
            intake.ask(*ids)
    with pytest.raises(UnicodeEncodeError):
        intake.ask("\ud800", "r")


def test_two_threads_at_once() -> None:
    intake = Intake()
    intake.push(START)
    failures: list[BaseException] = []
    taken: list[int] = []

    def work(own: int) -> None:
        try:
            for index in range(300):
                taken.append(len(intake.push({"type": "CUSTOM", "name": f"{own}-{index}", "value": [index] * 50})))
        except BaseException as error:
            failures.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=[own]) for own in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failures
    assert taken == [1] * 1200


PROGRAMS = {
    "a finalizer that calls back, at every allocation": """
        import gc
        from ag_ui_native.client.rules import Intake
        from ag_ui_native.errors import AGUIError
        from ag_ui_native import core
        import ag_ui.core
        intake, codes = Intake(), set()
        class Garbage:
            def __del__(self):
                for again in (lambda: intake.push({"type": "CUSTOM", "name": "g", "value": 1}), lambda: intake.warnings, lambda: repr(intake)):
                    try:
                        again()
                    except AGUIError as error:
                        codes.add(error.code)
        intake.push({"type": "RUN_STARTED", "threadId": "t", "runId": "r"})
        gc.set_threshold(1)
        made = []
        for index in range(300):
            garbage = Garbage()
            garbage.me = garbage
            del garbage
            made += intake.push({"type": "TEXT_MESSAGE_CHUNK", "messageId": f"m{index}", "role": "user", "delta": "x", "metadata": {"a": [index]}})
            made += intake.push(core.CustomEvent(name="n", value={"a": [index]}))
            made += intake.push(ag_ui.core.CustomEvent(name="n", value={"a": [index]}))
        gc.set_threshold(700)
        assert codes <= {"reentrant_call"}, codes
        kinds = [str.__str__(event.type) for event in made]
        assert kinds.count("CUSTOM") == 600 and kinds.count("TEXT_MESSAGE_START") == 300
    """,
    "an intake that holds itself is collected": """
        import gc, weakref
        from ag_ui_native.client.rules import Intake
        class Callback:
            def __call__(self, warning):
                pass
        for _ in range(100):
            callback = Callback()
            callback.intake = Intake(on_warning=callback)
            known = weakref.ref(callback)
            del callback
        gc.collect()
        assert known() is None
    """,
    "values that change while they are read": """
        import sys, threading
        from ag_ui_native.client.rules import Intake
        sys.setswitchinterval(1e-6)
        intake, done = Intake(), False
        intake.push({"type": "RUN_STARTED", "threadId": "t", "runId": "r"})
        value = {}
        def change():
            while not done:
                value.clear()
                for index in range(200):
                    value[f"k{index}"] = ["x" * 20, index]
        thread = threading.Thread(target=change)
        thread.start()
        try:
            for _ in range(400):
                try:
                    [event] = intake.push({"type": "CUSTOM", "name": "n", "value": value})
                except RuntimeError as error:
                    assert "changed" in str(error), error
                else:
                    assert all(made == ["x" * 20, int(key[1:])] for key, made in event.value.items())
        finally:
            done = True
            thread.join()
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_end_well(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(PROGRAMS[name])],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
