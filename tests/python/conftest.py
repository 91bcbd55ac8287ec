"""Shared parts of the tests: the fixtures, the classes of both packages, and a way to compare their behaviour."""

from __future__ import annotations

import enum
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ag_ui.core
import ag_ui.core.deprecated
import ag_ui.core.types
import pytest
from ag_ui._generated import models as official_models
from pydantic import BaseModel, TypeAdapter, ValidationError

import ag_ui_native.core
import ag_ui_native.core.events
import ag_ui_native.core.types
from ag_ui_native import _native
from ag_ui_native.core.base import LACKED
from ag_ui_native.core.newer import NEWER
from ag_ui_native.core.types import GeneratedBaseModel
from ag_ui_native.core.unknown import UnknownEvent

FIXTURES = Path(__file__).parents[1] / "fixtures"
# Tests of one folder use helpers of another one's.
sys.path += sorted({str(file.parent) for file in Path(__file__).parent.glob("*/test_*.py")})


def fixture_cases(name: str) -> list[dict[str, Any]]:
    """Reads the fixture of this name, whose file is in one of the folders of `tests/fixtures`."""
    (path,) = [*FIXTURES.glob(f"{name}.json"), *FIXTURES.glob(f"*/{name}.json")]
    return json.loads(path.read_text("utf-8"))


def ours(name: str) -> Any:
    """A name of this package."""
    for module in (ag_ui_native.core, ag_ui_native.core.types, ag_ui_native.core.events):
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(name)


def official(name: str) -> Any:
    """Returns the name in the official package."""
    for module in (ag_ui.core, official_models, ag_ui.core.deprecated):
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(name)


def _subclasses(cls: type) -> Iterator[type]:
    for sub in cls.__subclasses__():
        yield sub
        yield from _subclasses(sub)


CLASSES = sorted(
    {
        c.__name__
        for c in _subclasses(GeneratedBaseModel)
        if c.__module__.startswith("ag_ui_native.") and c is not UnknownEvent
    }
)
"""Names of all protocol classes."""

SAMPLES: dict[str, list[str]] = {name: [] for name in CLASSES}
"""JSON documents per class, without undeclared members, that both packages accept."""
for _case in fixture_cases("documents"):
    if _case["type"] in SAMPLES and "value" in _case["strict"] and _case.get("python") == "accepts":
        _declared = {field.alias for field in ours(_case["type"]).model_fields.values()}
        if json.loads(_case["json"]).keys() <= _declared:
            SAMPLES[_case["type"]].append(_case["json"])


def parsed(name: str) -> list[dict[str, Any]]:
    """The samples of a class as keyword arguments."""
    return [json.loads(sample) for sample in SAMPLES[name]]


OWN = NEWER - LACKED
"""Attributes that the official classes do not have, and ours have: those under ``install()`` have none."""


def is_known(key: Any, value: Any) -> bool:
    """Returns True if both packages have a member: a member of ours alone is None if it has no value."""
    return value is not None or key not in OWN


def describe(value: Any) -> Any:
    """Describes all visible properties of a value, in a form that is equal for the two packages."""
    if isinstance(value, BaseModel):
        fields = [(key, describe(member)) for key, member in value.__dict__.items() if is_known(key, member)]
        extra = describe(value.model_extra)
        return type(value).__name__, fields, sorted(value.model_fields_set), extra, value.__pydantic_private__
    if isinstance(value, enum.Enum):
        return type(value).__name__, value.value
    if isinstance(value, dict):
        return "dict", [(describe(key), describe(member)) for key, member in value.items() if is_known(key, member)]
    if isinstance(value, str):
        return type(value).__name__, re.sub(rf",? ({'|'.join(OWN) or '$.'})=None", "", repr(value))
    if isinstance(value, list):
        return "list", [describe(item) for item in value]
    return type(value).__name__, repr(value)


def outcome(action: Callable[[], Any]) -> Any:
    """Returns the result of an action: the value described, or the error with all its details."""
    try:
        return describe(action())
    except ValidationError as error:
        details = error.errors(include_context=False)
        return "ValidationError", error.title, [{**detail, "input": describe(detail["input"])} for detail in details]
    except Exception as error:  # Any other failure must be of the same kind.
        return type(error).__name__, str(error)


def names_newer(result: object) -> bool:
    """True if a result shows a member that the official package does not declare, in the text of an instance or of what it iterates."""
    return any(name in repr(result) for name in OWN)


def reader(kind: Any) -> Any:
    """Returns a validator of JSON for a class or a union."""
    return TypeAdapter(kind)


class FastPath:
    """Counts the objects that the engine has handled since the last call."""

    def __init__(self) -> None:
        self.last = _native.fast_path_stats()

    def taken(self) -> tuple[int, int, int]:
        """Constructed, encoded, decoded."""
        now = _native.fast_path_stats()
        before, self.last = self.last, now
        return tuple(new - old for new, old in zip(now, before, strict=True))  # type: ignore[return-value]


@pytest.fixture
def fast_path() -> FastPath:
    """Counts the objects that the engine handles."""
    return FastPath()
