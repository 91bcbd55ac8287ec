"""The code in the tables of docs/, as lines that run, and as programs for type checkers."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from textwrap import indent
from types import MappingProxyType

from marked_tables import ROOT, codes, names

sys.path.append(str(ROOT / "tests" / "parity"))
from parity import snake

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
    "tool": "frontendTool({{ ...{{ name: 'get_time', execute: () => 'noon' }}, {} }})",
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
    "log": "nodeHandler(answer, {{ ...{{ log: new MemoryLog(), authorize: 'public' }}, {} }})",
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


def lines(language: str, others: Mapping[str, str] = MappingProxyType({})) -> Iterator[tuple[str, str, bool]]:
    """Yields each line to run, the place where it stands, and if it runs in an agent; `others` replace templates."""
    templates = {**(PYTHON if language == "Python" else NODE), **others}
    for table, template in templates.items():
        for code in codes(table, language):
            yield template.format(code), f"{table}: {code}", table in WITHIN
    for name, code in zip(names("opening", language), codes("opening", language), strict=True):
        for taker, taken in TAKERS.items():
            if snake(name) not in taken:
                continue
            first = FIRST.get(taker, "")
            if language == "Python":
                line = f"run.{taker}({first}{', ' if first else ''}{code})"
            else:
                camel = re.sub("_(.)", lambda letter: letter[1].upper(), taker)
                undefined = ", undefined" if taker == "tool_call" else ""
                line = f"run.{camel}({first}{undefined}{', ' if first else ''}{{ {code} }})"
            yield line, f"opening: {code}", True


PYTHON_HEAD = """\
from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx

from ag_ui_native import Limits
from ag_ui_native.client import (
    AgentSubscriber, HttpAgent, LocalAgent, FrontendTool, Reconnect, Reply, Retry, RunResult, Timeouts, WebSocketAgent,
)
from ag_ui_native.core import Event, Message, RunAgentInput, UserMessage
from ag_ui_native.durable import MemoryLog, RedisLog
from ag_ui_native.ids import UuidGenerator
from ag_ui_native.server import (
    Activity, Coalescer, Run, StateTracker, Step, Subagent, TextMessage, ToolCall, asgi_app, guard,
)

URL, run_id = "http://127.0.0.1:9/", "r"
messages: list[Message] = []
input = RunAgentInput(thread_id="t", run_id="r", messages=messages)
events: list[Event] = []
state: dict[str, list[str]] = {}


def use(value: object) -> None: ...
def get_time() -> str:
    return "noon"


def function(run: Run) -> None: ...
async def quiet(input: RunAgentInput, next: Callable[[RunAgentInput], AsyncIterator[Event]]) -> AsyncIterator[Event]:
    async for event in next(input):
        yield event
"""
GIVEN = "agent: HttpAgent[Any], message: UserMessage, reply: Reply, result: RunResult"
OPENED = "run: Run[Any], message: TextMessage, call: ToolCall, step: Step, subagent: Subagent, activity: Activity"
# What only runs is written for type checkers in another way.
TYPED = {
    "tool": "FrontendTool({})",
    "log": "asgi_app(function, {})",
    "guard": "guard(events, {})",
    "tracker": "StateTracker(state, {})",
}


def python_program() -> str:
    """Returns a function for each line, in types that are strict."""
    written = [PYTHON_HEAD]
    for number, (line, where, is_within) in enumerate(lines("Python", TYPED)):
        if where.startswith("tool: ") and "function=" not in line:
            line = line.replace("(", "(get_time, ")
        match ast.parse(f"async def _():\n {line}").body:
            # A value that nothing uses is a fault to type checkers.
            case [ast.AsyncFunctionDef(body=[ast.Expr(value=ast.Attribute())])]:
                line = f"use({line})"
        written.append(f"async def line_{number}({OPENED if is_within else GIVEN}) -> None:\n{indent(line, '    ')}\n")
    return "\n\n".join(written)


NODE_HEAD = """\
import * as client from 'ag-ui-native/client'
import { MemoryLog, RedisLog } from 'ag-ui-native/durable'
import { Coalescer, guard, nodeHandler, StateTracker } from 'ag-ui-native/server'

const { EventType, frontendTool, HttpAgent, LocalAgent, UuidGenerator, WebSocketAgent } = client
const [url, runId] = ['http://127.0.0.1:9/', 'r']
/** @type {client.RunAgentInput} */
const input = { threadId: 't', runId: 'r', messages: [], tools: [], context: [], state: {} }
/** @type {client.SocketClass} */
const WebSocket = /** @type {any} */ (globalThis).WebSocket
/** @type {any} */
const anySchema = undefined
/** @type {import('ag-ui-native/server').AgentFunction} */
const answer = (run) => {
  run.write('Good day')
}
/** @type {client.Middleware} */
async function* quiet(input, next) {
  yield* next(input)
}
export { anySchema, answer, Coalescer, EventType, guard, input, LocalAgent, MemoryLog, nodeHandler, quiet, RedisLog, StateTracker, url, WebSocket }
"""
SERVER = "import('ag-ui-native/server')."
NODE_GIVEN = {
    "agent": "client.HttpAgent",
    "message": "client.UserMessage",
    "reply": "client.Reply",
    "result": "client.RunResult",
}
NODE_OPENED = {
    "run": f"{SERVER}Run",
    "message": f"{SERVER}TextMessage",
    "call": f"{SERVER}ToolCall",
    "step": f"{SERVER}Step",
    "subagent": f"{SERVER}Subagent",
    "activity": f"{SERVER}Activity",
}


def node_program() -> str:
    """The same for TypeScript."""
    written = [NODE_HEAD]
    for number, (line, where, is_within) in enumerate(lines("Node")):
        given = NODE_OPENED if is_within else NODE_GIVEN
        if re.search(r"agent\.(WebSocket|protocols|socketOptions)", line):
            given = {**given, "agent": "client.WebSocketAgent"}
        types = "".join(f" * @param {{{kind}}} {name}\n" for name, kind in given.items())
        written.append(
            f"/**\n{types} */\nexport async function line{number}({', '.join(given)}) {{\n  {line} // {where}\n}}\n"
        )
    return "\n".join(written)
