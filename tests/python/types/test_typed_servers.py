"""Agents, as type checkers see them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal, TypeAlias, TypedDict, assert_type
from wsgiref.simple_server import make_server

import uvicorn
from fastapi import FastAPI
from flask import Flask
from pydantic import BaseModel
from pytest import raises
from starlette.applications import Starlette
from starlette.routing import Mount, Route, Router
from starlette.testclient import TestClient

from ag_ui_native.core import Interrupt, Message, ResumeEntry
from ag_ui_native.durable import Log, MemoryLog
from ag_ui_native.server import ASGIApp, Reasoning, Run, Subagent, TextMessage, ToolCall, WSGIApp, asgi_app, wsgi_app
from ag_ui_native.testing import AgentRun, arun_agent, assert_events, run_agent, scripted_agent


class Plan(BaseModel):
    steps: list[str] = []


async def agent(run: Run[Plan]) -> str:
    assert_type(run.state, Plan)
    run.state = Plan(steps=["look"])
    assert_type(run.messages, list[Message])
    assert_type(run.answer("i"), ResumeEntry | None)
    async with run.text_message(role="assistant") as message:
        assert_type(message, TextMessage)
        assert_type(message.write("Hello"), Awaitable[None])
        await message.write("!")
    with run.tool_call("look") as call:
        assert_type(call, ToolCall)
    assert_type(run.reasoning(), Reasoning)
    assert_type(run.subagent("s"), Subagent)
    return "done"


def ask(run: Run) -> None:
    run.interrupt(Interrupt(id="i", reason="input"), {"id": "j", "reason": "input"})


def plain(run: Run) -> None:
    assert_type(run, Run[Any])
    run.text_message().write("Hello")


async def scope_of(request: Any, action: str, thread_id: str, run_id: str | None) -> str | None:
    return None if run_id is None else thread_id


class OwnLog(Log):
    async def execute(self, operation: dict[str, Any]) -> dict[str, Any]:
        raise ConnectionError

    def watch(self, key: dict[str, Any], callback: Callable[[dict[str, Any]], object]) -> Callable[[], object]:
        return lambda: None


def test_types() -> None:
    assert_type(asgi_app(agent, time_limit=3.5, cors="*"), ASGIApp)
    assert_type(wsgi_app(plain, state_flush="end"), WSGIApp)
    assert_type(asgi_app(agent, log=MemoryLog(), authorize=scope_of, on_busy="interrupt", lease=10), ASGIApp)
    assert_type(wsgi_app(plain, log=OwnLog(), authorize="public"), WSGIApp)
    run = run_agent(agent, {"state": {"steps": []}})
    assert_type(run, AgentRun)
    assert_events(run, ["RUN_STARTED"] + [event.type for event in run.events[1:]])
    assert len(run_agent(ask).interrupts) == 2
    assert run_agent(scripted_agent(["Hello", plain, {"type": "CUSTOM", "name": "n", "value": 1}])).text == "HelloHello"


class HttpScope(TypedDict):
    type: Literal["http"]
    path: str


class Message_(TypedDict):
    type: Literal["http.response.body"]
    body: bytes


Framework: TypeAlias = Callable[
    [HttpScope, Callable[[], Awaitable[Message_]], Callable[[Message_], Awaitable[None]]], Awaitable[None]
]
"""An application as hypercorn types it: dictionaries of certain keys."""


def test_applications_go_wherever_they_are_taken() -> None:
    application = asgi_app(agent)
    for router in (Starlette(), FastAPI(), Router()):
        router.add_route("/agent", application, methods=["POST"])
        router.add_route("/other", asgi_app(agent))
        router.mount("/mounted", application)
    assert_type(Mount("/agent", application), Mount)
    starlette = Starlette(routes=[Route("/agent", application), Mount("/mounted", asgi_app(agent))])
    answer = TestClient(starlette).post("/agent", json={"threadId": "t", "runId": "r", "messages": []})
    assert answer.status_code == 200 and "RUN_FINISHED" in answer.text
    taken: list[Framework] = [application]
    assert uvicorn.Config(application).interface == "auto" and taken
    flask = Flask("test")
    flask.wsgi_app = wsgi_app(plain)  # type: ignore[method-assign]
    make_server("127.0.0.1", 0, wsgi_app(plain)).server_close()


def test_an_application_is_no_function_of_a_request() -> None:
    with raises(TypeError, match="scope"):
        asyncio.run(asgi_app(agent)(object()))


async def within_a_loop() -> None:
    assert_type(await arun_agent(agent), AgentRun)


def refused() -> None:
    asgi_app(plain, state_flush="never")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    asgi_app(plain, speed=1)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    asgi_app(len)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
