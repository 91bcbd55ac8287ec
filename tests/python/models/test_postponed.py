"""Protocol classes are completed when they are first used; programs see complete ones."""

from __future__ import annotations

import inspect
import os

import pytest
from pydantic import VERSION

from ag_ui_native.core.postponed import _ATTRIBUTES, _postponed
from programs import run

# Older versions name the fields of a class when it is completed, so there they are completed at once.
pytestmark = pytest.mark.skipif(VERSION < "2.12", reason="no class is postponed on pydantic 2.11")

FIRST_USES = """
    import inspect, json, sys, threading
    from pydantic import BaseModel, TypeAdapter, ValidationError
    from pydantic_core import SchemaSerializer, SchemaValidator
    from ag_ui_native import core
    from ag_ui_native.core.postponed import _postponed

    def wrong(cls):
        try:
            cls(**dict.fromkeys(cls.model_fields, b"\\xff"))
        except ValidationError as error:
            return str(error)
        return "valid"

    def adapted(cls):
        try:
            TypeAdapter(cls).validate_python({"type": 5, "role": 5})
        except ValidationError as error:
            return str(error)
        return "valid"

    def embedded(cls):
        class Other(BaseModel):
            member: cls
        try:
            Other(member={"type": 5, "role": 5})
        except ValidationError as error:
            return str(error)
        return "valid"

    def derived(cls):
        class Mine(cls):
            mine: int = 0
        assert "defer_build" not in Mine.model_config and Mine.__pydantic_complete__
        return str(inspect.signature(Mine))

    USES = {
        "wrong": wrong,
        "json": lambda cls: json.dumps(cls.model_json_schema()),
        "adapted": adapted,
        "embedded": embedded,
        "derived": derived,
        "signature": lambda cls: str(inspect.signature(cls)),
        "config": lambda cls: str(sorted(cls.model_config)),
        "kinds": lambda cls: str(
            [
                type(cls.__pydantic_core_schema__) is dict,
                type(cls.__pydantic_validator__) is SchemaValidator,
                type(cls.__pydantic_serializer__) is SchemaSerializer,
                cls.__pydantic_complete__,
            ]
        ),
        "rebuilt": lambda cls: str(cls.model_rebuild()),
    }
    classes = list(_postponed)
"""

THREADS = (
    FIRST_USES
    + """
    assert len(classes) > 80
    sys.setswitchinterval(1e-5)
    shift = int(sys.argv[1])
    names = list(USES)
    results = [dict() for _ in names]
    barrier = threading.Barrier(len(names))

    def work(place):
        for turn, cls in enumerate(classes):
            name = names[(place + turn + shift) % len(names)]
            barrier.wait(100)
            results[place][cls, name] = USES[name](cls)

    threads = [threading.Thread(target=work, args=[place]) for place in range(len(names))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not _postponed
    for result in results:
        for (cls, name), value in result.items():
            assert value == USES[name](cls), (cls, name, value)
    assert sum(map(len, results)) == len(names) * len(classes)
    """
)


def test_every_attribute_of_an_incomplete_class_completes_it() -> None:
    run(
        FIRST_USES
        + """
    for turn, cls in enumerate(classes):
        name = list(USES)[turn % len(USES)]
        first = USES[name](cls)
        # A valid one is made natively.
        assert cls not in _postponed or first == "valid", (cls, name)
        assert USES[name](cls) == first, (cls, name)
    """
    )


@pytest.mark.parametrize("shift", range(9))
def test_threads_use_classes_for_the_first_time_at_once(shift: int) -> None:
    run(THREADS, str(shift))


def test_what_native_code_does_leaves_classes_incomplete() -> None:
    run(
        """
    from ag_ui_native import _native, core
    from ag_ui_native.core.postponed import _postponed
    from ag_ui_native.encoder import EventEncoder
    from ag_ui_native.stream import decode_event
    before = len(_postponed)
    event = core.ToolCallStartEvent(tool_call_id="1", tool_call_name="a")
    assert decode_event(EventEncoder().encode(event)[6:].strip()) == event
    assert core.RunAgentInput.model_validate(
        {"threadId": "t", "runId": "r", "messages": [{"id": "1", "role": "user", "content": "a"}], "tools": []}
    ).messages[0].content == "a"
    assert len(_postponed) == before
    assert core.ToolCallStartEvent.model_fields["tool_call_id"].alias == "toolCallId"
    assert len(_postponed) == before
    """
    )


def test_completed_classes_stay_native() -> None:
    run(
        """
    from ag_ui_native import _native, core
    from ag_ui_native.core.postponed import _postponed, complete
    for cls in list(_postponed):
        complete(cls)
    before = _native.fast_path_stats()[0]
    core.ToolCallStartEvent(tool_call_id="1", tool_call_name="a")
    assert _native.fast_path_stats()[0] == before + 1
    """
    )


def test_an_assignment_to_an_incomplete_class_stays() -> None:
    run(
        """
    from ag_ui_native import _native, core
    from pydantic_core import SchemaValidator, core_schema
    mine = SchemaValidator(core_schema.any_schema())
    core.ToolCallStartEvent.__pydantic_validator__ = mine
    assert core.ToolCallStartEvent.__pydantic_complete__
    assert core.ToolCallStartEvent.__pydantic_validator__ is mine
    assert core.ToolCallStartEvent.model_validate(5) == 5
    """
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_child_completes_classes_while_a_thread_of_its_parent_did() -> None:
    run(
        FIRST_USES
        + """
    import os, warnings
    warnings.simplefilter("ignore")
    thread = threading.Thread(target=lambda: [USES["json"](cls) for cls in classes])
    thread.start()
    for _ in range(5):
        child = os.fork()
        if child == 0:
            os._exit(0 if all(USES["kinds"](cls) == str([True] * 4) for cls in classes) else 1)
        assert os.waitpid(child, 0)[1] == 0
    thread.join()
    """
    )


def test_names_are_those_of_the_attributes_that_pydantic_completes() -> None:
    from ag_ui_native import core

    for cls in (core.RunStartedEvent, core.UserMessage):
        inspect.signature(cls)
        assert cls not in _postponed
        assert "__get_pydantic_core_schema__" not in vars(cls)
        assert set(vars(cls)) & set(_ATTRIBUTES) == set(_ATTRIBUTES) - {"__get_pydantic_core_schema__"}


def test_another_pydantic_completes_classes_by_itself() -> None:
    run("""
        import copy, sys
        import pydantic

        class Before(pydantic.BaseModel):
            number: int = 0

        import pydantic._internal._dataclasses
        sys.modules["pydantic._internal._mock_val_ser"] = None
        from pydantic import TypeAdapter, ValidationError
        from ag_ui_native import core
        from ag_ui_native.core.postponed import CAN_POSTPONE, _postponed

        assert not CAN_POSTPONE and not _postponed
        event = core.TextMessageContentEvent(message_id="m", delta="d")
        wire = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "d"}
        assert TypeAdapter(core.Event).validate_python(wire) == event == copy.copy(event)
        assert core.TextMessageContentEvent.model_validate(wire) == event
        assert core.ToolMessage.model_json_schema()["title"] == "ToolMessage"
        try:
            core.ToolMessage(id=5)
        except ValidationError as error:
            assert error.error_count() == 3, error
        else:
            raise AssertionError
    """)
