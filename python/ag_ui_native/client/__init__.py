"""The client side: agents that are reached over HTTP, WebSockets, in process, or by any function that transports
bytes.
"""

from ag_ui_native.client.agent import Agent, SyncAgent
from ag_ui_native.client.callbacks import (
    ActivityParams,
    AgentStateMutation,
    AgentSubscriberParams,
    ArgumentsParams,
    CallEndParams,
    EventParams,
    FailureParams,
    NewMessageParams,
    NewToolCallParams,
    ReasoningParams,
    RunFinishedParams,
    TextParams,
)
from ag_ui_native.client.chat import Content, Reply, ReplyStream, SyncReplyStream
from ag_ui_native.client.conversation import Subscription
from ag_ui_native.client.middleware import AsyncMiddleware, Middleware, SyncMiddleware, ToolCallFilter
from ag_ui_native.client.options import (
    AgentOptions,
    Headers,
    HttpOptions,
    Reconnect,
    Redirects,
    Retry,
    RunParameters,
    Timeouts,
    WebSocketOptions,
)
from ag_ui_native.client.result import Outcome, RunResult
from ag_ui_native.client.resume import Answers, InterruptAnswer, approve, cancel, edit, reject, respond
from ag_ui_native.client.stream import RunStream, SyncRunStream
from ag_ui_native.client.subscriber import AgentSubscriber, CallbackResult
from ag_ui_native.client.tools import FrontendTool
from ag_ui_native.client.transport.http_agent import HttpAgent, SyncHttpAgent
from ag_ui_native.client.transport.local import LocalAgent, SyncLocalAgent
from ag_ui_native.client.transport.transport import Response, RunRequest, TransportFunction
from ag_ui_native.client.transport.websocket import SyncWebSocketAgent, WebSocketAgent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ag_ui_native.core.unknown import UnknownEvent
else:

    def __getattr__(name):
        # It is loaded with the first agent, if not before.
        if name != "UnknownEvent":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from ag_ui_native.core.unknown import UnknownEvent

        return globals().setdefault(name, UnknownEvent)


__all__ = [
    "ActivityParams",
    "Agent",
    "AgentOptions",
    "Answers",
    "ArgumentsParams",
    "AsyncMiddleware",
    "CallEndParams",
    "CallbackResult",
    "Content",
    "EventParams",
    "FailureParams",
    "FrontendTool",
    "Headers",
    "HttpAgent",
    "HttpOptions",
    "InterruptAnswer",
    "LocalAgent",
    "Middleware",
    "AgentStateMutation",
    "NewMessageParams",
    "NewToolCallParams",
    "Outcome",
    "ReasoningParams",
    "Reconnect",
    "Redirects",
    "Reply",
    "ReplyStream",
    "RunRequest",
    "Response",
    "Retry",
    "RunFinishedParams",
    "RunParameters",
    "AgentSubscriberParams",
    "RunResult",
    "RunStream",
    "AgentSubscriber",
    "Subscription",
    "SyncAgent",
    "SyncHttpAgent",
    "SyncLocalAgent",
    "SyncMiddleware",
    "SyncReplyStream",
    "SyncRunStream",
    "SyncWebSocketAgent",
    "TextParams",
    "Timeouts",
    "ToolCallFilter",
    "TransportFunction",
    "UnknownEvent",
    "WebSocketAgent",
    "WebSocketOptions",
    "approve",
    "cancel",
    "edit",
    "reject",
    "respond",
]
