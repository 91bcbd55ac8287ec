"""The native rules of the server: accepting requests, CORS, error messages."""

from ag_ui_native._native import (
    RequestBody,
    accept_request,
    agree_websocket,
    arguments_text,
    check_request_resume,
    refuse_internal,
    result_text,
    websocket_messages,
)

__all__ = [
    "RequestBody",
    "accept_request",
    "agree_websocket",
    "arguments_text",
    "check_request_resume",
    "refuse_internal",
    "result_text",
    "websocket_messages",
]
