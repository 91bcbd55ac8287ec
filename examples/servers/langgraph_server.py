"""A LangGraph graph on AG-UI: ag-ui-langgraph as it is, on the classes and the encoder of this package.

PORT=8000 python langgraph_server.py
"""

import os

import ag_ui_native

ag_ui_native.install()  # before anything imports ag_ui

import uvicorn
from ag_ui_langgraph import LangGraphAgent, add_langgraph_fastapi_endpoint
from fastapi import FastAPI
from langchain_core.language_models import FakeListChatModel
from langgraph.checkpoint.memory import MemorySaver
from langgraph.graph import START, MessagesState, StateGraph

model = FakeListChatModel(responses=["Hello from a graph."])  # here goes the model that you use


async def chat(state: MessagesState) -> dict:
    return {"messages": [await model.ainvoke(state["messages"])]}


graph = StateGraph(MessagesState)
graph.add_node("chat", chat)
graph.add_edge(START, "chat")

app = FastAPI()
agent = LangGraphAgent(name="chat", graph=graph.compile(checkpointer=MemorySaver()))
add_langgraph_fastapi_endpoint(app, agent, "/")

if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8000")), log_level="warning")
