"""AG-UI (Agent-User Interaction Protocol) 1.1 with a native engine.

``core`` and ``encoder`` replace the modules of ``ag_ui`` 1.0.0 with the same names; ``stream`` reads event streams.

PYTEST_DONT_REWRITE: there is no test here, and the package may be imported before pytest is.
"""

import sys

from ag_ui_native import _native
from ag_ui_native._native import PROTOCOL_VERSION as PROTOCOL_VERSION
from ag_ui_native._native import __version__ as __version__

_native.claim_package(sys.modules[__name__])

# Type checkers assume that it is true. Importing `typing` for it would cost more than the rest of this
# module.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from ag_ui_native._exports import *
else:
    # The names in `_exports` are loaded at the first use of one: importing the package alone is fast.

    def _exported():
        from ag_ui_native import _exports

        return {name: value for name, value in vars(_exports).items() if not name.startswith("_")}

    def __getattr__(name):
        if name == "__all__":
            return [*_exported(), "PROTOCOL_VERSION", "__version__"]
        if name.startswith("_") or name not in (exported := _exported()):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return globals().setdefault(name, exported[name])

    def __dir__():
        return sorted({*globals(), *_exported()})
