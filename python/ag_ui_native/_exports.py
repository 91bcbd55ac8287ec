"""The names that the package exports beside its modules. They are loaded when a program uses the
first of them. One line each; `as` tells type checkers that a name is exported.
"""
# ruff: noqa: PLC0414

from ag_ui_native.drop_in.install import accelerate as accelerate
from ag_ui_native.drop_in.install import install as install
from ag_ui_native.drop_in.install import uninstall as uninstall
from ag_ui_native.errors import AGUIConnectionError as AGUIConnectionError
from ag_ui_native.errors import AGUIError as AGUIError
from ag_ui_native.errors import AGUIInternalError as AGUIInternalError
from ag_ui_native.errors import AGUILimitError as AGUILimitError
from ag_ui_native.errors import AGUIPatchError as AGUIPatchError
from ag_ui_native.errors import AGUISequenceError as AGUISequenceError
from ag_ui_native.errors import AGUIStreamError as AGUIStreamError
from ag_ui_native.errors import AGUIValidationError as AGUIValidationError
from ag_ui_native.errors import Issue as Issue
from ag_ui_native.errors import ProtocolWarning as ProtocolWarning
from ag_ui_native.limits import Limits as Limits
from ag_ui_native.model import to_json as to_json
from ag_ui_native.model import validate as validate
from ag_ui_native.run_input import RunInput as RunInput
from ag_ui_native.run_input import read_run_input as read_run_input
