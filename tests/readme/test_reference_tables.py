"""The tables of options and members in docs/ have every name that the code has, and no other."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cells
import pytest
from marked_tables import LANGUAGES, ROOT, name_of, names, rows_of, spans, tables

sys.path.append(str(ROOT / "tests" / "parity"))
import parity

# The classes whose names a table has, by language: `A without B` are the names of A that B has not, `f()` are the
# parameters of a function that have a default, `+x` and `-x` add and take away a name.
OPENED = ["server.TextMessage", "server.Reasoning", "server.ToolCall", "server.Step"]
TABLES: dict[str, tuple[list[str], list[str], list[str]]] = {
    "members": (
        ["client.HttpAgent", "client.WebSocketAgent", "client.LocalAgent", "client.SyncHttpAgent"],
        ["client.HttpAgent", "client.WebSocketAgent", "client.LocalAgent"],
        ["client::Agent", "-over", "-try_new"],
    ),
    "parameters": (["client.RunParameters"], ["client.RunParameters"], ["client::RunParameters with_"]),
    "reply": (["client.Reply"], ["client.Reply"], ["client::Reply"]),
    "result": (["client.RunResult"], ["client.RunResult"], ["client::RunResult"]),
    "tool": (["client.FrontendTool()", "+function"], ["client.FrontendTool"], []),
    "callbacks": (["client.AgentSubscriber"], ["client.AgentSubscriber"], ["client::AgentSubscriber"]),
    "options": (
        ["client.AgentOptions", "client.Agent()"],
        ["client.AgentOptions", "-protobuf"],
        ["client::Agent with_ without client::HttpAgent with_", "-server", "-protobuf", "-retry"],
    ),
    "http": (
        ["client.HttpOptions", "client.HttpAgent() without client.Agent()"],
        ["client.HttpAgentOptions without client.AgentOptions", "+protobuf"],
        ["client::HttpAgent with_", "+protobuf", "+retry"],
    ),
    "websocket": (
        ["client.WebSocketOptions"],
        ["client.WebSocketAgentOptions without client.AgentOptions"],
        ["client::WebSocketAgent with_"],
    ),
    "local": (
        ["client.LocalAgent() without client.Agent()"],
        ["client.LocalAgentOptions without client.AgentOptions"],
        ["client::LocalAgent with_"],
    ),
    "timeouts": (["client.Timeouts"], ["client.Timeouts"], ["client::Timeouts with_"]),
    "retry": (["client.Retry"], ["client.Retry"], ["client::Retry"]),
    "reconnect": (["client.Reconnect"], ["client.Reconnect"], ["client::ReconnectOptions"]),
    "run": (
        ["server.Run"],
        ["server.Run"],
        [
            "server::Run",
            *(f"-{name}" for name in ("MAX_WAITING", "begin", "conclude", "take", "take_notes", "wire_format")),
        ],
    ),
    "opened": (
        [*OPENED, "server.Activity", "server.Subagent without server.Scope", "-show"],
        [*OPENED, "server.Activity", "server.Subagent without server.Scope", "-open", "-type"],
        [],
    ),
    "opening": (
        [f"server.Scope.{name}()" for name in ("text_message", "tool_call", "tool_result", "subagent", "activity")]
        + ["-arguments"],
        [f"server.{name}Options" for name in ("TextMessage", "ToolCall", "ToolResult", "Subagent", "Activity")],
        [],
    ),
    "server": (["server.RunOptions"], ["server.RunOptions"], ["server::axum::RunOptions with_"]),
    "tracker": (["server.StateTracker()"], ["server.StateTrackerOptions"], ["server::StateTracker with_"]),
    "guard": (["server.guard()"], ["server.GuardOptions"], []),
    "agent-run": (["testing.AgentRun"], ["testing.AgentRun"], []),
    "log": (
        ["server.ServerOptions"],
        ["server.LogOptions", "server.ServerOptions without server.RunOptions"],
        ["durable::LogOptions", "-admission", "-create", "-policy"],
    ),
    "memory-log": (["durable.MemoryLog()"], ["durable.MemoryLogOptions"], []),
    "redis-log": (["durable.RedisLog()"], ["durable.RedisLogOptions"], ["durable::RedisLog with_"]),
    "coalesce": (["server.coalesce_events()", "server.Coalescer()"], ["server.CoalesceOptions"], []),
}
# Options that no table has, because a page shows them all in a sentence.
ELSEWHERE = {"client.ReadParameters"}


MODULES = ("client", "server", "durable")


def row_names(row: dict[str, str]) -> Iterator[str]:
    """The names in a row, without those of builders."""
    for language in LANGUAGES:
        for code in spans(row.get(language, "")):
            yield parity.snake(name_of(code, language)).removeprefix("with_")


@cache
def named() -> dict[str, dict[str, set[str]]]:
    """The names of all classes, by language and path."""
    found: dict[str, dict[str, set[str]]] = {"Rust": parity.names_of_rust()}
    for language, modules in (("Python", parity.names_of_python()), ("Node", parity.names_of_node())):
        found[language] = {f"{module}.{name}": set(each) for module, of in modules.items() for name, each in of.items()}
    return found


def of(language: str, path: str) -> set[str]:
    if not path.endswith("()"):
        return named()[language][path]
    module, *members = path.removesuffix("()").split(".")
    function: Any = importlib.import_module(f"ag_ui_native.{module}")
    for name in members:
        function = getattr(function, name)
    parameters = inspect.signature(function).parameters.values()
    return {each.name for each in parameters if each.default is not each.empty}


def expected(language: str, paths: list[str]) -> set[str]:
    found = set[str]()
    for path in paths:
        if path[0] == "+":
            found.add(path[1:])
        elif path[0] == "-":
            found.remove(path[1:])
        else:
            path, _, without = path.partition(" without ")
            found |= of(language, path) - (of(language, without) if without else set())
    return found


def test_every_table_is_checked() -> None:
    assert tables() == TABLES.keys()


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_has_every_name(table: str, language: str) -> None:
    # A builder of Rust, `with_x`, is the name `x`.
    listed = [name.removeprefix("with_") for name in names(table, language)]
    assert len(set(listed)) == len(listed), "a name stands in two rows"
    assert set(listed) == expected(language, TABLES[table][LANGUAGES.index(language)])


def test_all_options_have_a_table() -> None:
    """A class of options that is new needs a table."""
    for at, language in enumerate(LANGUAGES[:2]):
        shown = {path for table in TABLES.values() for paths in table[at] for path in paths.split(" without ")[:1]}
        for path in named()[language]:
            module, _, name = path.partition(".")
            if module in MODULES and name.endswith(("Options", "Parameters")) and path not in ELSEWHERE:
                assert path in shown, f"{language}: no table has the options of {path}"


def test_the_parameters_of_callbacks() -> None:
    """The table of what callbacks of Python get."""
    page = (ROOT / "docs" / "client" / "subscribers.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+Params)\[\S+?\]` \| (.+?) \|$", page.replace(", ", ","), re.MULTILINE)
    every = of("Python", "client.AgentSubscriberParams")
    classes = {path for path in named()["Python"] if path.startswith("client.") and path.endswith("Params")}
    assert {f"client.{name}" for name, _ in rows} == classes
    for name, cell in rows:
        assert {*re.findall(r"`(\w+)`", cell)} == of("Python", f"client.{name}") - every, name


DEFAULTS = {
    **{("timeouts", name): f"{name}_timeout" for name in ("connect", "idle")},
    **{
        (table, name): f"{table}_{name}"
        for table in ("retry", "reconnect")
        for name in ("attempts", "first", "longest", "jitter")
    },
    ("options", "max_runs"): "max_runs",
    **{("server", name): name for name in ("body_timeout", "heartbeat", "max_waiting")},
    ("server", "grace"): "end_grace",
    ("log", "drain"): "drain",
    ("coalesce", "max_bytes"): "coalesce_bytes",
    ("coalesce", "max_delay"): "coalesce_delay",
}
"""The constants of core that are defaults in tables."""
UNITS = {"": 1, "s": 1, "ms": 0.001, "MiB": 1 << 20}


@pytest.mark.parametrize(("table", "name"), DEFAULTS)
def test_defaults_are_those_of_the_core(table: str, name: str) -> None:
    from ag_ui_native import _defaults

    [cell] = [row["default"] for row in rows_of(table) if name in {*row_names(row)}]
    shown = re.match(r"([\d,.]+) ?(s|ms|MiB|)\b", cell)
    assert shown, cell
    constant = getattr(_defaults, DEFAULTS[table, name].upper())
    assert float(shown[1].replace(",", "")) * UNITS[shown[2]] == pytest.approx(constant)


@pytest.mark.parametrize("page", [page for folder in MODULES for page in sorted((ROOT / "docs" / folder).glob("*.md"))])
def test_a_page_is_short(page: Path) -> None:
    """What has more than about 1,200 words is two subjects."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert len(re.findall(r"\w\S*", text)) < 1300


def test_no_table_is_left_out() -> None:
    named_only = {"agent-run", "callbacks", "opening"}
    assert cells.PYTHON.keys() | named_only == cells.NODE.keys() | named_only == TABLES.keys()
