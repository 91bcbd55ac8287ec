"""The rules of the server: which requests are answered, what is said of origins, how runs have failed."""

from ag_ui_native._native import (
    CLOSE_DONE,
    CLOSE_GOING_AWAY,
    agree_websocket,
    arguments_text,
    check_request_length,
    check_request_resume,
    cors_headers,
    read_request,
    refuse_request,
    request_is_binary,
    result_text,
    run_error_message,
    websocket_messages,
)

__all__ = [
    "CLOSE_DONE",
    "CLOSE_GOING_AWAY",
    "agree_websocket",
    "arguments_text",
    "check_request_length",
    "check_request_resume",
    "cors_headers",
    "read_request",
    "refuse_request",
    "request_is_binary",
    "result_text",
    "run_error_message",
    "websocket_messages",
]
