"""The code in the tables of options and members in docs/ runs, and has types."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from cells import lines, node_program
from marked_tables import ROOT
from test_server_examples import running


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running("durable_server.py") as url:
        yield url


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


def test_node_s_tables_have_types() -> None:
    """Python's are checked with the other programs, by `make lint`."""
    folder = ROOT / ".build" / "cells"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cells.mjs").write_text(node_program(), "utf-8")
    project = {"extends": "../../tests/node/types/tsconfig.json", "include": ["cells.mjs"]}
    (folder / "tsconfig.json").write_text(json.dumps(project), "utf-8")
    compiler = ROOT / "node" / "node_modules" / "typescript" / "bin" / "tsc"
    done = subprocess.run(
        ["node", str(compiler), "-p", str(folder)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
