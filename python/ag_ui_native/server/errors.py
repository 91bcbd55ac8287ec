"""Gives the texts of exceptions."""

__all__ = ["text_of"]


def text_of(failure: BaseException) -> str | None:
    """Returns the text of an exception, with lone surrogates replaced; None if it is empty."""
    try:
        text = str(failure)
    except Exception:  # noqa: BLE001 `__str__` may raise anything.
        return None
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") or None
