"""What is said of runs that fail."""

__all__ = ["text_of"]


def text_of(failure: BaseException) -> str | None:
    """What an exception says, as text that every peer can read; None if that is nothing."""
    try:
        text = str(failure)
    except Exception:  # noqa: BLE001 Any exception can be raised.
        return None
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") or None
