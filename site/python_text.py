"""The reference of Python as Markdown: what mkdocstrings shows as HTML."""

import re
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import cast

import griffe

SITE = Path(__file__).parent
EXAMPLE = re.compile(r"^Examples:\n((?:    .*\n?|\n(?=    ))+)", re.MULTILINE)
NAME = re.compile(r"^::: (ag_ui_native[\w.]*)$", re.MULTILINE)


def program(example: re.Match[str]) -> str:
    return f"```pycon\n{dedent(example[1]).rstrip()}\n```\n"


@cache
def package() -> griffe.Module:
    """Returns the package, as its sources declare it."""
    extensions = griffe.load_extensions(SITE / "overloads.py")
    loader = griffe.GriffeLoader(search_paths=[SITE.parent / "python"], allow_inspection=False, extensions=extensions)
    found = loader.load("ag_ui_native")
    loader.resolve_aliases(implicit=False, external=False)
    return cast(griffe.Module, found)


def signatures(function: griffe.Function, name: str) -> str:
    return "\n".join(str(each.signature(name=name)) for each in function.overloads or [function])


def declared(thing: griffe.Object | griffe.Alias) -> str:
    """Returns a name as it is declared: the signatures of a function or class, the type of an attribute."""
    if isinstance(thing, griffe.Function):
        return signatures(thing, thing.name)
    if isinstance(thing, griffe.Class):
        for name in ("__init__", "__new__"):
            made = thing.all_members.get(name)
            made = made.final_target if isinstance(made, griffe.Alias) else made
            if isinstance(made, griffe.Function):
                return signatures(made, thing.name).replace(" -> None", "").replace(" -> Self", "")
        return f"class {thing.name}"
    if not isinstance(thing, griffe.Attribute):
        return thing.name
    annotation = str(thing.annotation or "")
    return f"{thing.name} = {thing.value}" if annotation in ("", "TypeAlias") else f"{thing.name}: {annotation}"


def described(thing: griffe.Object | griffe.Alias, level: int) -> str:
    """Returns a name with its documentation, and below it its public members."""
    thing = thing.final_target if isinstance(thing, griffe.Alias) else thing
    text = f"{'#' * level} {thing.name}\n\n```python\n{declared(thing)}\n```\n"
    if thing.docstring:
        text += f"\n{EXAMPLE.sub(program, thing.docstring.value)}\n"
    if isinstance(thing, griffe.Class):
        for name, member in thing.all_members.items():
            if not name.startswith("_") and member.has_docstring:
                text += "\n" + described(member, level + 1)
    return text


def as_text(page: str) -> str:
    """Returns a page of the reference with what its directives stand for."""
    return NAME.sub(lambda found: described(package()[found[1].partition(".")[2]], 2).rstrip("\n"), page)
