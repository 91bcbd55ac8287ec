"""The modules have the same names as the official ones."""

from __future__ import annotations

import subprocess
import sys
import typing
from importlib import import_module
from typing import Any

import ag_ui.core as official_core
import pytest
from pydantic.alias_generators import to_camel

import ag_ui_native
from ag_ui_native import core
from conftest import CLASSES, OWN, official, ours

MODULES = [
    "core",
    "core.events",
    "core.types",
    "core.capabilities",
    "core.token_usage",
    "core.version",
    "core.deprecated",
    "encoder",
    "encoder.encoder",
]
# Names that the official modules import for themselves.
IMPORTED = {"Any", "Dict", "List", "Mapping", "Optional", "Sequence", "Tuple", "math"}


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_there(name: str) -> None:
    theirs, mine = import_module(f"ag_ui.{name}"), import_module(f"ag_ui_native.{name}")
    public = {found for found in dir(theirs) if not found.startswith("_")}
    assert public - IMPORTED <= set(dir(mine))
    if hasattr(theirs, "__all__"):
        assert sorted(mine.__all__) == sorted(theirs.__all__)


def test_aliases_are_the_same_class() -> None:
    assert core.TextInputContent is core.TextPart
    assert core.SubAgentInfo is core.SubagentInfo
    assert core.InputContent is core.ContentPart
    assert core.types.ConfiguredBaseModel is core.events.ConfiguredBaseModel


def test_names_that_the_protocol_dropped_stay_dropped() -> None:
    assert not [name for name in dir(core) + dir(core.events) if name.startswith("Thinking")]


@pytest.mark.parametrize("name", ["Role", "ResumeStatus", "ReasoningMessageRole", "ReasoningEncryptedValueSubtype"])
def test_closed_sets(name: str) -> None:
    assert typing.get_args(ours(name)) == typing.get_args(official(name))


def test_event_type() -> None:
    assert [(member.name, member.value) for member in core.EventType] == [
        (member.name, member.value) for member in official_core.EventType
    ]
    assert core.EventType.RAW == "RAW"
    assert str(core.EventType.RAW) == "EventType.RAW"
    assert core.EventType("RAW") is core.EventType.RAW
    assert {core.EventType.RAW: 1}["RAW"] == 1


def plain(annotation: Any) -> str:
    """An annotation without the modules its classes come from."""
    return repr(annotation).replace("ag_ui_native.core.types.", "").replace("ag_ui_native.core.events.", "")


def without_prose(schema: Any) -> Any:
    if isinstance(schema, dict):
        prose = {"description"} if isinstance(schema.get("description"), str) else set()
        return {key: without_prose(member) for key, member in schema.items() if key not in prose}
    return [without_prose(item) for item in schema] if isinstance(schema, list) else schema


def without_own(schema: Any) -> Any:
    """Without the members that our classes alone have."""
    if isinstance(schema, dict):
        own = {name for attribute in OWN for name in (attribute, to_camel(attribute))}
        return {key: without_own(member) for key, member in schema.items() if key not in own}
    return [without_own(item) for item in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize("name", CLASSES)
def test_fields_and_schema(name: str) -> None:
    mine, theirs = ours(name), official(name)
    fields = {key: field for key, field in mine.model_fields.items() if key not in OWN}
    assert list(fields) == list(theirs.model_fields)
    for one, other in zip(fields.values(), theirs.model_fields.values(), strict=True):
        for attribute in ("alias", "serialization_alias", "validation_alias", "discriminator", "alias_priority"):
            assert getattr(one, attribute) == getattr(other, attribute)
        assert one.is_required() == other.is_required()
        assert repr(one.default) == repr(other.default)
        assert repr(one.metadata) == repr(other.metadata)
        expected = plain(other.annotation).replace("ag_ui._generated.models.", "")
        assert plain(one.annotation).replace("ag_ui_native.core.capabilities.", "") == expected
    for by_alias in (True, False):
        for mode in ("validation", "serialization"):
            assert without_own(without_prose(mine.model_json_schema(by_alias=by_alias, mode=mode))) == without_prose(
                theirs.model_json_schema(by_alias=by_alias, mode=mode)
            )
    assert {base.__name__ for base in mine.__mro__} == {base.__name__ for base in theirs.__mro__}
    assert mine.__doc__


def test_versions() -> None:
    assert ag_ui_native.PROTOCOL_VERSION == "1.1"
    assert core.PROTOCOL_VERSION == (ag_ui_native.PROTOCOL_VERSION if OWN else official_core.PROTOCOL_VERSION)
    assert ag_ui_native.__version__


def run(script: str) -> None:
    """Runs a script in an interpreter that has imported nothing yet."""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_importing_the_package_alone_loads_no_classes() -> None:
    run(
        """
import sys
import ag_ui_native
def loaded():
    return {name for name in sys.modules if name.startswith(("ag_ui_native.", "pydantic"))}
assert loaded() == {"ag_ui_native._native"}
assert ag_ui_native.__version__ and ag_ui_native.PROTOCOL_VERSION
assert not hasattr(ag_ui_native, "__wrapped__")
assert loaded() == {"ag_ui_native._native"}
error = ag_ui_native.AGUIError
assert error is ag_ui_native.AGUIError is sys.modules["ag_ui_native.errors"].AGUIError
assert not {name for name in loaded() if name.startswith(("ag_ui_native.core", "pydantic"))}
"""
    )


def test_the_package_names_what_it_exports() -> None:
    run(
        """
import ag_ui_native
names = {
    "PROTOCOL_VERSION", "AGUIError", "AGUIInternalError", "AGUILimitError", "AGUIPatchError", "AGUISequenceError",
    "AGUIStreamError", "AGUIValidationError", "Issue", "Limits", "ProtocolWarning", "RunInput", "__version__",
    "read_run_input", "to_json", "validate",
}
assert names <= set(dir(ag_ui_native))
assert names <= set(ag_ui_native.__all__)
assert len(set(ag_ui_native.__all__)) == len(ag_ui_native.__all__)
scope = {}
exec("from ag_ui_native import *", scope)
assert {name for name in scope if name != "__builtins__"} == set(ag_ui_native.__all__)
for name in ("nothing", "_nothing", "Any", "annotations"):
    try:
        getattr(ag_ui_native, name)
    except AttributeError as error:
        assert name in str(error) and "ag_ui_native" in str(error)
    else:
        raise AssertionError(name)
"""
    )
