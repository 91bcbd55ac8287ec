"""``importlib.reload`` under ``install()``: a module stays what it is, because new classes would not be equal to the
old ones.
"""

from __future__ import annotations

import pkgutil
import textwrap

import pytest

import ag_ui_native
from programs import run

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(ag_ui_native.__path__, "ag_ui_native.")
    if not module.name.endswith(("._native", ".startup.sitecustomize"))
)

CHECK = """
    import ag_ui_native
    ag_ui_native.install()
    import copy, pickle
    from ag_ui.core import EventType, RunStartedEvent
    from ag_ui_native.errors import AGUIError, AGUIValidationError
    from ag_ui_native.client import AgentStateMutation, AgentSubscriberParams, AgentSubscriber, SyncLocalAgent
    from ag_ui_native.limits import Limits
    from ag_ui_native.server import Run
    from ag_ui_native.stream import EventDecoder, EventPipeline, decode_event, decode_events
    from ag_ui_native.testing import run_agent

    def check():
        made = next(iter(decode_events([b'data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\\n\\n'])))
        assert isinstance(made, RunStartedEvent) and made.type is EventType.RUN_STARTED
        assert type(pickle.loads(pickle.dumps(made))) is type(copy.deepcopy(made)) is RunStartedEvent
        assert pickle.loads(pickle.dumps(made)) == RunStartedEvent(thread_id="t", run_id="r")
        try:
            decode_event(b'{"type":"RUN_STARTED"}', limits=Limits(depth=9))
        except AGUIValidationError as error:
            assert isinstance(error, AGUIError) and type(pickle.loads(pickle.dumps(error))) is AGUIValidationError
        else:
            raise AssertionError
        heard = []
        class Hears(AgentSubscriber):
            def on_run_initialized(self, params):
                heard.append(isinstance(params, AgentSubscriberParams))
                return AgentStateMutation(messages=[{"id": "u", "role": "user", "content": "Hello"}])
        async def agent(run):
            assert isinstance(run, Run)
            await run.write("Hi")
            return len(run.messages)
        assert run_agent(agent).text == "Hi"
        asked = SyncLocalAgent(agent, subscribers=[Hears()], state={"a": 1})
        assert asked.run_agent().result == 1 and heard == [True] and asked.state == {"a": 1}
"""


@pytest.mark.parametrize("order", ["one", "all", "reverse"])
def test_reloaded_modules_stay_what_they_are(order: str) -> None:
    run(
        textwrap.dedent(CHECK)
        + textwrap.dedent("""
        import importlib, inspect, sys
        names = sys.argv[2:] if sys.argv[1] != "reverse" else sys.argv[:1:-1]
        modules = [importlib.import_module(name.replace("ag_ui_native", "ag_ui", number % 2)) for number, name in enumerate(names)]
        check()
        for module in modules:
            before, spec, loader = dict(vars(module)), module.__spec__, module.__loader__
            assert importlib.reload(module) is module is sys.modules[module.__name__]
            assert vars(module) == before and module.__spec__ is spec and module.__loader__ is loader
            assert inspect.getsource(module)
            if sys.argv[1] == "one":
                check()
        check()
        ag_ui_native.uninstall()
        check()
        """),
        order,
        *MODULES,
    )


def test_other_modules_are_loaded_again() -> None:
    run(
        """
        import importlib, sys
        import ag_ui_native
        ag_ui_native.install()
        import textwrap
        before = textwrap.dedent
        assert importlib.reload(textwrap).dedent is not before
        del sys.modules["textwrap"]
        import textwrap as again
        assert again is not textwrap
        """
    )
