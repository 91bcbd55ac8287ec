"""Plays scripts with an asynchronous Python agent: each line of the input is a script, each line of the output a
log.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any

from ag_ui_native import AGUIConnectionError, AGUIError, _native
from ag_ui_native.client import Agent, FrontendTool, Response, RunRequest, RunResult
from ag_ui_native.stream import decode_event

DEFAULT: dict[str, Any] = {
    "pieces": [
        'data: {"type":"RUN_STARTED","threadId":"t","runId":"@RUN@"}\n\n',
        'data: {"type":"RUN_FINISHED","threadId":"t","runId":"@RUN@"}\n\n',
    ]
}
"""The agent's answer after the answers of the script."""


QUIET = 0.005
"""The seconds after which all input that has arrived is processed, however far ahead a host reads."""


class Own(Exception):
    """An error of the application."""


def plain(given: Any) -> Any:
    return json.loads(_native.json_text(given))


def brief(message: Any) -> list[Any]:
    given = message if isinstance(message, dict) else plain(message)
    calls = [
        [call["id"], call["function"]["name"], call["function"]["arguments"]] for call in given.get("toolCalls", [])
    ]
    return [given["id"], given["role"], given.get("content"), calls]


class Game:
    """One script that is played."""

    def __init__(self, script: dict[str, Any]) -> None:
        self.script = script
        self.asked: list[Any] = []
        self.told: list[Any] = []
        self.called: list[Any] = []
        self.events: list[Any] = []
        self.agent: Agent = Agent(
            self.answer,
            thread_id="t",
            messages=script["messages"],
            state=script["state"],
            tools=[self.tool(tool) for tool in script["tools"]],
            max_runs=script["maxRuns"],
            middleware=[self.middleware(one) for one in script["middleware"]],
        )
        for number, reactions in enumerate(script["subscribers"]):
            self.agent.subscribe(self.subscriber(number, reactions))

    # The agent that is asked.

    async def answer(self, request: RunRequest) -> Response:
        number = len(self.asked)
        members = json.loads(request.input_json)
        tools = [tool["name"] for tool in members["tools"]]
        messages = [brief(message) for message in members["messages"]]
        self.asked.append(members | {"messages": messages, "tools": tools})
        answers = self.script["answers"]
        answer = answers[number] if number < len(answers) else DEFAULT
        if answer.get("refused"):
            raise AGUIConnectionError("refused", code="connection_failed")
        return Response(self.pieces(number, answer, request), answer.get("contentType"))

    async def pieces(self, number: int, answer: dict[str, Any], request: RunRequest) -> AsyncIterator[bytes]:
        for at, piece in enumerate([*answer["pieces"], ""]):
            if self.script.get("abort") == [number, at]:
                await asyncio.sleep(QUIET)
                self.agent.abort_run()
                await asyncio.get_running_loop().create_future()
            if piece:
                yield piece.replace("@RUN@", request.run_id).encode("latin-1")
        if answer.get("lost"):
            raise AGUIConnectionError("lost", code="connection_lost")

    # The application.

    def tool(self, tool: dict[str, Any]) -> FrontendTool:
        def function(**arguments: Any) -> Any:
            self.called.append([tool["name"], arguments])
            if "raises" in tool:
                raise Own(tool["raises"])
            if tool.get("gives") == "abort":
                return self.agent.abort_run()
            return arguments if "gives" in tool else tool["returns"]

        return FrontendTool(function, name=tool["name"], description="", parameters=tool["parameters"])

    def middleware(self, one: dict[str, Any]) -> Callable[[Any, Any], AsyncIterator[Any]]:
        kind = one["kind"]

        async def run(input: Any, next: Any) -> AsyncIterator[Any]:
            if kind == "early":
                for event in one["events"]:
                    yield decode_event(json.dumps(event).replace("@RUN@", input.run_id))
                return
            if kind == "twice":
                async for _ in next(input):
                    pass
            if kind == "input":
                input = input.model_copy(update={"forwarded_props": {"k": 1}})
            count = 0
            for _ in range(2 if kind == "both" else 1):
                async for event in next(input):
                    if count == one.get("at") and kind == "cut":
                        return
                    if count == one.get("at") and kind == "raises":
                        raise Own("middleware")
                    count += 1
                    if kind != "drop" or event.type not in ("RAW", "CUSTOM"):
                        yield event

        return run

    def subscriber(self, number: int, reactions: dict[str, Any]) -> Any:
        class Scripted:
            pass

        scripted = Scripted()
        for name, reaction in reactions.items():
            setattr(scripted, name, self.callback(number, name, reaction))
        return scripted

    def callback(self, number: int, name: str, reaction: dict[str, Any]) -> Callable[[Any], Any]:
        count = 0

        def heard(params: Any) -> Any:
            nonlocal count
            self.told.append([number, name, *about(name, params)])
            count += 1
            if reaction.get("at", -1) != count - 1:
                return None
            if "raises" in reaction:
                raise Own(reaction["raises"])
            if "aborts" in reaction:
                self.agent.abort_run()
            wanted = {
                name: reaction[key]
                for key, name in (("stop", "stop_propagation"), ("messages", "messages"))
                if key in reaction
            }
            return wanted | ({"state": reaction["state"]["set"]} if "state" in reaction else {})

        return heard

    # The results.

    async def play(self) -> dict[str, Any]:
        raised = None
        result: RunResult | None = None
        try:
            result = await self.ended()
        except AGUIError as error:
            raised, result = error.code, getattr(error, "run", None)
        except Own as error:
            raised = f"own: {error}"
        agent = self.agent
        return {
            "seed": self.script["seed"],
            "asked": self.asked,
            "told": self.told,
            "called": self.called,
            "events": self.events,
            "raised": raised,
            "result": None if result is None else shown(result) | {"runs": [shown(run) for run in result.runs]},
            "messages": [brief(message) for message in agent.messages],
            "state": agent.state,
            "interrupts": [interrupt.id for interrupt in agent.pending_interrupts],
        }

    async def ended(self) -> RunResult:
        if self.script["way"] == "run_agent":
            return await self.agent.run_agent(run_id="r1")
        if self.script["way"] == "stream":
            async with self.agent.stream(run_id="r1") as changes:
                async for _ in changes:
                    pass
            return changes.result
        async with self.agent.run(run_id="r1") as events:
            async for event in events:
                self.events.append(plain(event))
                if self.script.get("leave") == len(self.events) - 1:
                    break
        return events.result


def about(name: str, params: Any) -> list[Any]:
    """Returns the arguments of a callback in the form of the log."""
    match name:
        case "on_event":
            return [params.event.type]
        case "on_run_initialized":
            return [[brief(message) for message in params.input.messages], params.input.state]
        case "on_run_failed":
            return [getattr(params.error, "code", None) or f"own: {params.error}"]
        case "on_new_message":
            return [brief(params.message)]
        case "on_new_tool_call":
            return [params.tool_call.id, params.tool_call.function.name, params.tool_call.function.arguments]
        case "on_messages_changed":
            return [[brief(message) for message in params.messages]]
        case "on_state_changed":
            return [plain(params.state)]
        case "on_text_message_content_event" | "on_text_message_end_event":
            return [params.text_message_buffer]
        case "on_reasoning_message_content_event" | "on_reasoning_message_end_event":
            return [params.reasoning_message_buffer]
        case "on_tool_call_args_event":
            return [params.tool_call_name, params.tool_call_buffer]
        case _:
            return []


def shown(result: RunResult) -> dict[str, Any]:
    error = None if result.error is None else [result.error.message, result.error.code]
    return {
        "run": result.run_id,
        "outcome": result.outcome,
        "result": result.result,
        "error": error,
        "usage": [plain(entry) for entry in result.usage],
        "pending": result.pending_tool_call_ids,
        "interrupts": [interrupt.id for interrupt in result.interrupts],
        "warnings": [[warning.event_index or 0, warning.code] for warning in result.warnings],
        "newMessages": [brief(message) for message in result.new_messages],
    }


async def main() -> None:
    for line in sys.stdin:
        script = json.loads(line)
        try:
            log = await asyncio.wait_for(Game(script).play(), 20)
        except Exception as error:  # noqa: BLE001 It is told, with the seed.
            log = {"seed": script["seed"], "broken": f"{type(error).__name__}: {error}"}
        print(json.dumps(log))


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    asyncio.run(main())
