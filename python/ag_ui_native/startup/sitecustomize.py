"""Calls ``ag_ui_native.install()`` in every Python that starts with this directory on PYTHONPATH, unless AG_UI_NATIVE
is 0. Afterwards it runs the sitecustomize that this one hides.
"""

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec


def use_ag_ui_native() -> None:
    try:
        from ag_ui_native.drop_in.install import install
    except ModuleNotFoundError as error:
        # A Python of another environment may have inherited the variable.
        if error.name != "ag_ui_native":
            raise
    else:
        install()


def run_next() -> None:
    spec = PathFinder.find_spec("sitecustomize")
    if spec is not None and spec.loader is not None:
        sys.modules["sitecustomize"] = module = module_from_spec(spec)
        spec.loader.exec_module(module)


_here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != _here]
try:
    if os.environ.get("AG_UI_NATIVE") != "0":
        use_ag_ui_native()
finally:
    run_next()
