"""Reads options and reports invalid ones.

pydantic's validators of these options add 10 ms to an import of 340 ms and take a quarter of the time for each check (3 µs, not 13, for a
server). Limits, origins, id generators, subscribers and the words of the errors need code of their own with them, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple, TypeGuard, TypeVar

from ag_ui_native._defaults import LARGEST_COUNT
from ag_ui_native.errors import AGUIValidationError, Issue
from ag_ui_native.limits import Limits

__all__ = [
    "OptionReader",
    "is_flag",
    "is_list",
    "is_text",
    "is_whole",
    "items_of",
    "limit_faults",
    "one",
    "one_of",
    "refused",
    "within",
]


ItemT = TypeVar("ItemT")


class OptionReader(NamedTuple):
    """Reads the values of an option."""

    expected: str
    """The expected value in words, for the error."""
    faults: Callable[[Any], Iterator[str]]
    """Finds the faults of a value: the pointers to them within the value."""
    optional: bool = True
    """True if None is allowed, too."""

    def check(self, name: str, value: object, what: str = "option") -> None:
        """Raises AGUIValidationError `wrong_type` with the pointer to the option and to the fault
        within it.
        """
        fault = None if value is None and self.optional else next(self.faults(value), None)
        if fault is None:
            return
        place = f" at /{name}{fault}" if fault else ""
        kind = f"{self.expected}, or None" if self.optional else self.expected
        message = f"the {what} {name}: expected {kind}, got {type(value).__name__}{place}"
        raise refused(f"/{name}{fault}", message)


def refused(path: str, message: str, code: str = "wrong_type") -> AGUIValidationError:
    """The error for a fault at one place."""
    return AGUIValidationError(message, code=code, path=path, issues=[Issue(code, path, message)])


def one(accepts: Callable[[Any], object]) -> Callable[[Any], Iterator[str]]:
    """The faults of a value without parts."""
    return lambda value: iter(() if accepts(value) else ("",))


def one_of(*values: str) -> Callable[[Any], Iterator[str]]:
    """The faults of a value that must be one of several strings."""
    return one(lambda value: isinstance(value, str) and value in values)


def is_whole(value: object) -> bool:
    """True if the value is a count."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_COUNT


def is_list(value: object) -> TypeGuard[Collection[Any]]:
    """True if the value has items, and is neither text nor a mapping."""
    return isinstance(value, Collection) and not isinstance(value, (str, bytes, Mapping))


def is_text(value: object) -> TypeGuard[str]:
    """True if the value is Unicode text."""
    # The method of `str` itself is called, not that of a subclass.
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in str.__str__(value))


def items_of(
    name: str, given: object, make: Callable[[Any], ItemT] = lambda item: item, what: str = "option"
) -> list[ItemT]:
    """The items of an option that is any iterable. Raises AGUIValidationError, also if `make` does."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise refused(f"/{name}", f"the {what} {name}: expected a list, got {type(given).__name__}")
    made: list[ItemT] = []
    for place, item in enumerate(given):
        try:
            made.append(make(item))
        except AGUIValidationError as error:
            raise within(f"/{name}/{place}", error) from error
    return made


def within(place: str, error: AGUIValidationError) -> AGUIValidationError:
    """The error for a part, with the part's place in the whole."""
    path = place + error.path
    said = error.message.replace(f" at {error.path};", f" at {path};", 1) if error.path else error.message
    return refused(path, said, error.code)


def is_flag(value: object) -> bool:
    """True if the value is a boolean."""
    return isinstance(value, bool)


def limit_faults(value: object) -> Iterator[str]:
    """The faults of limits."""
    if not isinstance(value, Limits):
        yield ""
        return
    yield from (f"/{field.name}" for field in fields(value) if not is_whole(getattr(value, field.name)))
