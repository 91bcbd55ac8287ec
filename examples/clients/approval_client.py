"""Asks a person before the agent continues: the client of `approval.py`.

URL=http://127.0.0.1:8000/ python approval_client.py
"""

import os
from contextlib import suppress
from typing import Any

from ag_ui_native.client import SyncHttpAgent, approve, reject

with suppress(KeyboardInterrupt), SyncHttpAgent(os.environ.get("URL", "http://127.0.0.1:8000/")) as agent:
    result = agent.ask("Clean up, please.").result
    while result.outcome == "interrupt":
        answers: dict[str, Any] = {}
        for interrupt in result.interrupts:
            agrees = input(f"{interrupt.message or interrupt.reason} [y/n] ") == "y"
            answers[interrupt.id] = approve() if agrees else reject()
        result = agent.run_agent(resume=agent.build_resume(answers))
    print(result.text)
