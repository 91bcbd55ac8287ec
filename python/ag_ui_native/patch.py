"""JSON Patch (RFC 6902) and its inverse, on plain Python values.

``apply_patch`` touches what the patch names, whatever the size of the document: the result shares the rest with it.
``diff`` finds a small patch between two documents.
"""

from ag_ui_native._native import apply_patch, diff
from ag_ui_native.errors import AGUIPatchError
from ag_ui_native.limits import Limits

__all__ = ["AGUIPatchError", "Limits", "apply_patch", "diff"]
