"""Subclasses of a class as programs write them: with members, mixins, methods and parents of their own."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_serializer

Item = TypeVar("Item")


class Tool:
    """A mixin that changes nothing."""

    def shout(self) -> str:
        return str(self).upper()


class Counted:
    """A mixin whose methods hand on to the next ones."""

    def model_dump(self, **options: Any) -> dict[str, Any]:
        return {"counted": 1, **super().model_dump(**options)}  # type: ignore[misc]

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]


class Stamped:
    """A mixin that makes and copies instances itself."""

    def __new__(cls, *_: Any, **__: Any) -> Any:
        made = super().__new__(cls)
        object.__setattr__(made, "__dict__", {"stamp": 1})
        return made

    def __copy__(self) -> Any:
        copied = super().__copy__()  # type: ignore[misc]
        copied.__dict__["stamp"] = 2
        return copied


class Alike(BaseModel):
    """A model as another parent, with methods of its own."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def model_copy(self, **options: Any) -> Any:
        copied = super().model_copy(**options)
        copied.__dict__["alike"] = True
        return copied

    __hash__ = None  # type: ignore[assignment]


def of(parent: Any) -> list[Any]:
    """Returns subclasses of a class."""

    class Bare(parent):
        pass

    class Noted(parent):
        note: str | None = None
        count: int = 0
        labels: list[str] = Field(default_factory=list)

    class Hidden(parent):
        _secret: Any = PrivateAttr(default_factory=lambda: [1])
        _unset: int = PrivateAttr()

    class Mixed(Tool, Noted):
        pass

    class Behind(Noted, Tool):
        pass

    class Counting(Counted, Bare):
        pass

    class Marked(Stamped, parent):
        pass

    class Twin(parent, Alike):
        pass

    class First(Alike, parent):
        pass

    class Further(Noted, Counted):
        pass

    class Own(parent):
        def model_dump(self, **options: Any) -> dict[str, Any]:
            return {"own": parent.model_dump(self, **options)}

        def __copy__(self) -> Any:
            copied = super().__copy__()
            copied.__dict__["own"] = 1
            return copied

        def __eq__(self, other: object) -> Any:
            return parent.__eq__(self, other)

        __hash__ = None  # type: ignore[assignment]

    class Below(Own, Mixed):
        pass

    class Watching(parent):
        def __getattribute__(self, name: str) -> Any:
            value = super().__getattribute__(name)
            return {**value, "watched": 1} if name == "__dict__" else value

    class Remembering(parent):
        @cached_property
        def size(self) -> int:
            return len(self.model_fields_set)

        def model_post_init(self, _: Any) -> None:
            if self.model_fields_set:
                self.size  # noqa: B018

    class Frozen(parent):
        model_config = ConfigDict(frozen=True, extra="ignore")

    class Checked(parent):
        model_config = ConfigDict(validate_assignment=True, revalidate_instances="always")

    class Serialized(parent):
        note: int = 1

        @field_serializer("note")
        def spelled(self, value: Any) -> str:
            return f"<{value}>"

    class Boxed(parent, Generic[Item]):
        item: Item | None = None

    plain = [Bare, Noted, Hidden, Mixed, Behind, Counting, Marked, Twin, First, Further, Own, Below]
    return [*plain, Watching, Remembering, Frozen, Checked, Serialized, Boxed, Boxed[int]]
