"""JSON Patch (RFC 6902) and its inverse, on plain Python values.

``apply_patch`` accesses only the places that the patch names, in documents of any size: the result shares the rest.
``diff`` finds a small patch between two documents.
"""

from ag_ui_native._native import apply_patch, diff
from ag_ui_native.errors import AGUIPatchError
from ag_ui_native.limits import Limits

__all__ = ["AGUIPatchError", "Limits", "apply_patch", "diff"]
