"""The tables of options and members in docs/ have every name that the code has, and no other; what stands in them runs."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from marked_tables import LANGUAGES, ROOT, codes, name_of, names, rows_of, spans, tables
from test_server_examples import running

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
        [*OPENED, "server.Activity", "server.Subagent without server.Scope", "-type"],
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


# What surrounds the code of a table; `{}` is the code.
PYTHON = {
    "members": "{}",
    "parameters": "await LocalAgent(function).run_agent({})",
    "reply": "{}",
    "result": "{}",
    "tool": "FrontendTool(**dict(function=get_time) | dict({}))",
    "options": "HttpAgent(URL, {})",
    "http": "HttpAgent(URL, {})",
    "websocket": "WebSocketAgent('ws://127.0.0.1:9/', {})",
    "local": "LocalAgent(function, {})",
    "timeouts": "Timeouts({})",
    "retry": "Retry({})",
    "reconnect": "Reconnect({})",
    "run": "{}",
    "opened": "{}",
    "server": "asgi_app(function, {})",
    "tracker": "StateTracker({{}}, {})",
    "guard": "list(guard([], {}))",
    "coalesce": "Coalescer({})",
    "log": "asgi_app(function, **(dict(log=MemoryLog(), authorize='public') | dict({})))",
    "memory-log": "MemoryLog({})",
    "redis-log": "RedisLog('redis://127.0.0.1:9', {})",
}
NODE = {
    "members": "{}",
    "parameters": "await new LocalAgent(answer).runAgent({{ {} }})",
    "reply": "{}",
    "result": "{}",
    "tool": "frontendTool({{ name: 'get_time', execute: () => 'noon', {} }})",
    "options": "new HttpAgent(url, {{ {} }})",
    "http": "new HttpAgent(url, {{ {} }})",
    "websocket": "new WebSocketAgent('ws://127.0.0.1:9/', {{ {} }})",
    "local": "new LocalAgent(answer, {{ {} }})",
    "timeouts": "new HttpAgent(url, {{ timeouts: {{ {} }} }})",
    "retry": "new HttpAgent(url, {{ retry: {{ {} }} }})",
    "reconnect": "new HttpAgent(url, {{ reconnect: {{ {} }} }})",
    "run": "{}",
    "opened": "{}",
    "server": "nodeHandler(answer, {{ {} }})",
    "tracker": "new StateTracker({{}}, {{ {} }})",
    "guard": "guard([], {{ {} }})",
    "coalesce": "new Coalescer({{ {} }})",
    "log": "nodeHandler(answer, {{ log: new MemoryLog(), authorize: 'public', {} }})",
    "memory-log": "new MemoryLog({{ {} }})",
    "redis-log": "new RedisLog(() => undefined, {{ {} }})",
}
WITHIN = ("run", "opened")
"""Tables whose code runs in an agent."""
TAKERS = {
    "text_message": ("id", "role", "name", "metadata"),
    "reasoning": ("id",),
    "tool_call": ("id", "parent_message_id", "metadata"),
    "tool_result": ("message_id", "metadata"),
    "subagent": ("id", "description", "parent_message_id", "parent_tool_call_id"),
    "activity": ("id", "replace"),
}
"""What takes the options of the table `opening`."""
FIRST = {"tool_call": "'look'", "tool_result": "'call', 1", "subagent": "'taster'", "activity": "'progress', {}"}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running("durable_server.py") as url:
        yield url


def lines(language: str) -> Iterator[tuple[str, str, bool]]:
    """Yields each line to run, the place where it stands, and if it runs in an agent."""
    templates = PYTHON if language == "Python" else NODE
    for table, template in templates.items():
        for code in codes(table, language):
            yield template.format(code), f"{table}: {code}", table in WITHIN
    for name, code in zip(names("opening", language), codes("opening", language), strict=True):
        for taker, taken in TAKERS.items():
            if parity.snake(name) not in taken:
                continue
            first = FIRST.get(taker, "")
            if language == "Python":
                line = f"run.{taker}({first}{', ' if first else ''}{code})"
            else:
                camel = re.sub("_(.)", lambda letter: letter[1].upper(), taker)
                undefined = ", undefined" if taker == "tool_call" else ""
                line = f"run.{camel}({first}{undefined}{', ' if first else ''}{{ {code} }})"
            yield line, f"opening: {code}", True


def test_no_table_is_left_out() -> None:
    named_only = {"agent-run", "callbacks", "opening"}
    assert PYTHON.keys() | named_only == NODE.keys() | named_only == TABLES.keys()


async def executed(line: str, scope: dict[str, Any]) -> None:
    exec(f"async def code():\n{indent(line, '    ')}", scope)  # noqa: S102 The code is that of our pages.
    await scope["code"]()


async def within(line: str, scope: dict[str, Any]) -> None:
    """Executes a line in an agent."""
    from ag_ui_native.testing import arun_agent

    raised: list[BaseException] = []

    async def agent(run: Any) -> None:
        opened = {
            "message": run.text_message(),
            "call": run.tool_call("look"),
            "step": run.step("another"),
            "subagent": run.subagent("taster"),
            "activity": run.activity("progress", {"percent": 0}),
        }
        outcomes = await asyncio.gather(executed(line, {**scope, **opened, "run": run}), return_exceptions=True)
        raised.extend(each for each in outcomes if each is not None)

    await arun_agent(agent)
    if raised:
        raise raised[0]


async def run_python(url: str) -> None:
    import httpx

    import ag_ui_native.client
    import ag_ui_native.durable
    import ag_ui_native.ids
    import ag_ui_native.server

    def get_time() -> str:
        return "noon"

    async def function(run: Any) -> None:
        run.write("Good day")

    async def quiet(input: Any, next: Callable[[Any], AsyncIterator[Any]]) -> AsyncIterator[Any]:
        async for event in next(input):
            yield event

    headers = {"x-user": "ann"}
    fixed = {
        **vars(ag_ui_native.durable),
        **vars(ag_ui_native.server),
        **vars(ag_ui_native.client),
        "httpx": httpx,
        "Limits": ag_ui_native.Limits,
        "UuidGenerator": ag_ui_native.ids.UuidGenerator,
        "URL": url,
        "message": {"id": "m", "role": "user", "content": "Hi"},
        "input": {"threadId": "t", "runId": "r", "messages": []},
        **{one.__name__: one for one in (get_time, function, quiet)},
    }
    for line, where, is_within in lines("Python"):
        first = ag_ui_native.client.HttpAgent(url, headers=headers)
        reply = await first.ask("Hello?")
        agent = ag_ui_native.client.HttpAgent(url, headers=headers, thread_id=reply.thread_id)
        scope = {**fixed, "agent": agent, "reply": reply, "result": reply.result, "run_id": reply.result.run_id}
        try:
            await (within if is_within else executed)(line, scope)
        except Exception as error:
            raise AssertionError(f"{where}: {error}") from error
        finally:
            await first.close()
            await agent.close()


def test_what_python_s_tables_say_runs(url: str) -> None:
    asyncio.run(run_python(url))


def test_what_node_s_tables_say_runs(url: str) -> None:
    script = Path(__file__).with_name("run_cells.mjs")
    given = json.dumps({"url": url, "lines": [*lines("Node")]})
    done = subprocess.run(
        ["node", str(script)], input=given, capture_output=True, text=True, timeout=300, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr
