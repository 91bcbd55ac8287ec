"""The tables of options and members in docs/ have every name that the code has, and no other; what stands in them runs."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from marked_tables import LANGUAGES, ROOT, names, tables
from test_server_examples import running

sys.path.append(str(ROOT / "tests" / "parity"))
import parity

# The classes whose names a table has, by language: `A without B` are the names of A that B has not, `f()` are the named
# parameters of a function, `+x` and `-x` add and take away a name.
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
}
# Options that no table has, because a page shows them all in a sentence.
ELSEWHERE = {"client.ReadParameters"}


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
    module, _, name = path.removesuffix("()").rpartition(".")
    function = getattr(importlib.import_module(f"ag_ui_native.{module}"), name)
    parameters = inspect.signature(function).parameters.values()
    return {each.name for each in parameters if each.kind is each.KEYWORD_ONLY}


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
    assert tables().keys() == TABLES.keys()


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


MODULES = ("client",)

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
}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running("durable_server.py") as url:
        yield url


def lines(templates: dict[str, str], language: str) -> list[tuple[str, str]]:
    return [
        (template.format(code), f"{table}: {code}")
        for table, template in templates.items()
        for code in tables()[table].get(language, [])
    ]


async def run_python(url: str) -> None:
    import httpx

    import ag_ui_native.client

    def get_time() -> str:
        return "noon"

    async def function(run: Any) -> None:
        run.write("Good day")

    async def quiet(input: Any, next: Callable[[Any], AsyncIterator[Any]]) -> AsyncIterator[Any]:
        async for event in next(input):
            yield event

    headers = {"x-user": "ann"}
    message = {"id": "m", "role": "user", "content": "Hi"}
    for line, where in lines(PYTHON, "Python"):
        first = ag_ui_native.client.HttpAgent(url, headers=headers)
        reply = await first.ask("Hello?")
        agent = ag_ui_native.client.HttpAgent(url, headers=headers, thread_id=reply.thread_id)
        scope = {
            **vars(ag_ui_native.client),
            "httpx": httpx,
            "Limits": ag_ui_native.Limits,
            "URL": url,
            "agent": agent,
            "reply": reply,
            "result": reply.result,
            "run_id": reply.result.run_id,
            "message": message,
            **{one.__name__: one for one in (get_time, function, quiet)},
        }
        try:
            exec(f"async def code():\n{indent(line, '    ')}", scope)  # noqa: S102 The code is that of our pages.
            await scope["code"]()
        except Exception as error:
            raise AssertionError(f"{where}: {error}") from error
        finally:
            await first.close()
            await agent.close()


def test_what_python_s_tables_say_runs(url: str) -> None:
    asyncio.run(run_python(url))


def test_what_node_s_tables_say_runs(url: str) -> None:
    script = Path(__file__).with_name("run_cells.mjs")
    given = json.dumps({"url": url, "lines": lines(NODE, "Node")})
    done = subprocess.run(
        ["node", str(script)], input=given, capture_output=True, text=True, timeout=300, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr
