"""Snippets of docs/drop-in.md: this package under the name of the official one, and its engine under that."""

import sys
from subprocess import run

if len(sys.argv) == 1:
    # Each needs a process of its own, because earlier imports decide the result.
    run([sys.executable, __file__, "accelerate"], check=True)

    # --8<-- [start:install]
    import ag_ui_native

    ag_ui_native.install()

    from ag_ui.core import RunAgentInput  # the class of ag_ui_native
    from pydantic_ai.ui.ag_ui import AGUIAdapter  # a framework, unchanged

    # --8<-- [end:install]
    import ag_ui_native.core

    assert RunAgentInput is ag_ui_native.core.RunAgentInput and AGUIAdapter
else:
    # --8<-- [start:accelerate]
    import ag_ui.core
    import ag_ui.encoder  # the official package

    import ag_ui_native

    ag_ui_native.accelerate()
    # --8<-- [end:accelerate]
    event = ag_ui.core.TextMessageContentEvent(message_id="m", delta="Hello")
    assert type(event).__module__.startswith("ag_ui.") and type(type(event)).__module__.startswith("ag_ui_native")
    assert ag_ui.encoder.EventEncoder().encode(event).startswith('data: {"type":"TEXT_MESSAGE_CONTENT"')
