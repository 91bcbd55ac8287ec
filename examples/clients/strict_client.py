"""Fails at the first event that AG-UI 1.1 does not allow: `URL=http://127.0.0.1:8000/ python strict_client.py`"""

import os

from ag_ui_native.client import SyncHttpAgent

with SyncHttpAgent(os.environ.get("URL", "http://127.0.0.1:8000/"), profile="strict") as agent:
    for question in ("Hello?", "And then?"):
        result = agent.ask(question).result
        assert result.outcome == "success", result.error
    assert [message.role for message in agent.messages][:2] == ["user", "assistant"]
