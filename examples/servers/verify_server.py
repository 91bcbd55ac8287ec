"""Requests a run from a server in each transport, and prints everything that AG-UI 1.1 does not allow.

URL=http://127.0.0.1:8000/ python verify_server.py
"""

import logging
import os
import sys
from typing import Any

import httpx

from ag_ui_native import AGUIError, ProtocolWarning
from ag_ui_native.encoder import AGUI_MEDIA_TYPE
from ag_ui_native.server import guard
from ag_ui_native.stream import apply_events, decode_events, expand_chunks

URL = os.environ.get("URL", "http://127.0.0.1:8000/")
HELLO = {"id": "u", "role": "user", "content": "Hello?"}
RUN: dict[str, Any] = {"threadId": "t", "runId": "r", "state": {}, "messages": [HELLO]}
logging.getLogger("ag_ui_native").setLevel("ERROR")  # The warnings are printed below.


def faults_of_an_answer(accept: str) -> list[str]:
    found: list[ProtocolWarning | AGUIError] = []
    with httpx.stream("POST", URL, json=RUN, headers={"accept": accept}, timeout=60) as answer:
        try:
            # --8<-- [start:judge]
            events = decode_events(answer.iter_bytes(), answer.headers.get("content-type"), on_warning=found.append)
            seen = list(guard(events, mode="report", input=RUN, on_warning=found.append))
            apply_events(expand_chunks(seen), state=RUN["state"], on_warning=found.append)
            # --8<-- [end:judge]
        except AGUIError as error:
            found.append(error)
    return [f"{accept}: {fault}" + (f" (rule {fault.rule})" if fault.rule else "") for fault in found]


def faults_of_refusals() -> list[str]:
    sent = {body: httpx.post(URL, content=body, headers={"content-type": "application/json"}) for body in (b"{", b"{}")}
    return [f"{body!r} is answered with {a.status_code}" for body, a in sent.items() if not 400 <= a.status_code < 500]


faults = [*faults_of_an_answer("text/event-stream"), *faults_of_an_answer(AGUI_MEDIA_TYPE), *faults_of_refusals()]
print("\n".join(faults) or "no faults")
sys.exit(bool(faults))
