"""A LangGraph graph whose runs survive: ag-ui-langgraph as it is, served by this package. `PORT=8000 python adapter_langgraph.py`"""

import os
from contextlib import aclosing
from typing import Any

import ag_ui_native

ag_ui_native.install()  # before anything imports ag_ui

import uvicorn
from ag_ui_langgraph import LangGraphAgent
from langchain_core.language_models import FakeListChatModel
from langgraph.checkpoint.memory import MemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from ag_ui_native.durable import MemoryLog
from ag_ui_native.server import Run, asgi_app, guard

model = FakeListChatModel(responses=["Hello from a graph."])  # here goes the model that you use


async def chat(state: MessagesState) -> dict[str, Any]:
    return {"messages": [await model.ainvoke(state["messages"])]}


builder = StateGraph(MessagesState)
builder.add_node("chat", chat)
builder.add_edge(START, "chat")
graph = builder.compile(checkpointer=MemorySaver())


async def agent(run: Run) -> None:
    adapter = LangGraphAgent(name="chat", graph=graph)  # it holds the state of one run
    async with aclosing(guard(adapter.run(run.input), input=run.input)) as events:
        async for event in events:
            if event.type in ("RUN_STARTED", "RAW"):  # the run has begun; RAW repeats what other events say
                continue
            event.raw_event = None  # what LangGraph said, for each piece of text: many times as long as the piece
            await run.event(event)


app = asgi_app(agent, log=MemoryLog(), authorize="public")

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")
