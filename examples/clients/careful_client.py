"""A client with retries, timeouts and an abort, which prints how the run has ended.

URL=http://127.0.0.1:8000/ python careful_client.py "Hello?"
"""

import asyncio
import os
import signal
import sys

from ag_ui_native import AGUIError
from ag_ui_native.client import AgentSubscriber, CallEndParams, HttpAgent, Retry, RunResult, Timeouts

URL = os.environ.get("URL", "http://127.0.0.1:8000/")


# --8<-- [start:subscriber]
class Log(AgentSubscriber):
    def on_tool_call_end_event(self, params: CallEndParams) -> None:
        print(f"[{params.tool_call_name} is called with {params.tool_call_args}]")


# --8<-- [end:subscriber]


async def ask(question: str) -> RunResult:
    timeouts = Timeouts(connect=5, idle=30, total=float(os.environ.get("SECONDS", "300")))
    async with HttpAgent(URL, retry=Retry(attempts=3), timeouts=timeouts, subscribers=[Log()]) as agent:
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, agent.abort_run)
        return (await agent.ask(question)).result


try:
    result = asyncio.run(ask(sys.argv[1]))
except AGUIError as error:
    print(f"[{error.code}: {error}]")  # no end of the run came; error.run is what did
    sys.exit(1)
match result.outcome:
    case "success":
        print(result.text)
    case "interrupt":
        print(f"[the agent asks: {result.interrupts[0].message}]")
    case "error" if result.error:
        print(f"[the agent failed: {result.error.message}]")
    case outcome:
        print(f"[{outcome}] {result.text}")
