"""The types of `ag_ui_native.patch`."""

from collections.abc import Sequence
from typing import Any

from ag_ui_native.errors import AGUIPatchError as AGUIPatchError
from ag_ui_native.limits import Limits as Limits
from ag_ui_native.typing import OperationLike

__all__ = ["AGUIPatchError", "Limits", "apply_patch", "diff"]

def apply_patch(
    document: object,
    operations: Sequence[OperationLike | dict[str, Any]],
    limits: Limits | None = None,
    in_place: bool = False,
) -> Any:
    """Applies a JSON Patch (RFC 6902) as a whole or not at all, and returns the result.

    `document` is any JSON value: dict, list, str, int, float, bool, None. `operations` is a list of dicts or of
    operation instances; their values are copied. The document is not changed: the result shares with it the parts that
    the patch does not affect. With `in_place`, dicts and lists are changed in place, and the document itself is
    returned, unless an operation replaces the root. `limits` is an `ag_ui_native.limits.Limits`.

    Raises AGUIPatchError with `operation`, the index of the failing operation, and AGUILimitError. The document is then
    unchanged, with the order of its keys, in place too.

    Examples:
        >>> from ag_ui_native.patch import apply_patch
        >>> apply_patch({"tasks": ["Buy milk"]}, [{"op": "add", "path": "/tasks/-", "value": "Call Ada"}])
        {'tasks': ['Buy milk', 'Call Ada']}
    """

def diff(old: object, new: object) -> list[dict[str, Any]]:
    """A patch that turns `old` into `new`, as a list of dicts: empty if they are equal, and never longer as JSON than
    one that replaces the whole document. The order of keys does not matter; `1` and `1.0` differ.

    Raises AGUIValidationError for values without a JSON form, AGUILimitError for values that nest too deeply.

    Examples:
        >>> from ag_ui_native.patch import diff
        >>> diff({"title": "Groceries", "done": False}, {"title": "Groceries", "done": True})
        [{'op': 'replace', 'path': '/done', 'value': True}]
    """
