"""The rules of the server: which requests are answered, what is said of origins, how runs have failed."""

from ag_ui_native._native import (
    arguments_text,
    check_request_length,
    check_request_resume,
    cors_headers,
    read_request,
    refuse_request,
    request_is_binary,
    result_text,
    run_error_message,
)

__all__ = [
    "arguments_text",
    "check_request_length",
    "check_request_resume",
    "cors_headers",
    "read_request",
    "refuse_request",
    "request_is_binary",
    "result_text",
    "run_error_message",
]
