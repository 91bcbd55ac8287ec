"""The server side: the run that an agent writes to, and servers for agents."""

from ag_ui_native.server.asgi import ASGIApp, asgi_app
from ag_ui_native.server.coalesce import Coalescer, coalesce_events
from ag_ui_native.server.entities import Activity, Reasoning, Step, TextMessage, ToolCall
from ag_ui_native.server.guard import GuardMode, guard
from ag_ui_native.server.options import RunOptions, ServerOptions
from ag_ui_native.server.respond import respond
from ag_ui_native.server.run import Run
from ag_ui_native.server.scope import Scope, Subagent
from ag_ui_native.server.serve import AgentFunction
from ag_ui_native.server.state import StateTracker
from ag_ui_native.server.wsgi import WSGIApp, wsgi_app

__all__ = [
    "ASGIApp",
    "Activity",
    "AgentFunction",
    "Coalescer",
    "GuardMode",
    "Reasoning",
    "Run",
    "RunOptions",
    "Scope",
    "ServerOptions",
    "StateTracker",
    "Step",
    "Subagent",
    "TextMessage",
    "ToolCall",
    "WSGIApp",
    "asgi_app",
    "coalesce_events",
    "guard",
    "respond",
    "wsgi_app",
]
