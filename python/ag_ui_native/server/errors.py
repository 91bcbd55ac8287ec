"""The texts of exceptions."""

__all__ = ["text_of"]


def text_of(failure: BaseException) -> str | None:
    """The text of an exception, without lone surrogates; None if it is empty."""
    try:
        text = str(failure)
    except Exception:  # noqa: BLE001 Any exception can be raised.
        return None
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") or None
