from contextlib import suppress

from ag_ui_native.client import SyncHttpAgent, approve, reject  # New: approve, reject


# New: asks the person, until the agent has no more questions.
def decide(agent: SyncHttpAgent) -> None:
    while agent.pending_interrupts:
        question = agent.pending_interrupts[0]
        agrees = input(f"{question.message} [y/n] ") == "y"
        resume = agent.build_resume({question.id: approve() if agrees else reject()})
        print(agent.run_agent(resume=resume).text)


with suppress(KeyboardInterrupt), SyncHttpAgent("http://127.0.0.1:8000/") as agent:  # Ctrl-C
    while dish := input("What shall we cook? "):
        with agent.ask_stream(dish) as answer:
            for text in answer:
                print(text, end="", flush=True)
        print()
        decide(agent)  # New
        print("Shopping list:", ", ".join(agent.state["shopping"]))
