"""Types of AG-UI before 1.0 that programs still import.

Generated from the declaration in core/src/types: `make generate`.
"""

from typing import Literal, Optional

from pydantic import model_validator

from ag_ui_native.core.base import GeneratedBaseModel


class BinaryInputContent(GeneratedBaseModel):
    """The binary part of AG-UI before 1.0. Messages of 1.0 cannot hold it; one of `id`, `url` and `data` must
    have a value.

    Examples:
        >>> from ag_ui_native.core import BinaryInputContent
        >>> content = BinaryInputContent(mime_type="image/png", url="https://example.org/cat.png")
        >>> print(content.model_dump_json(by_alias=True))
        {"type":"binary","mimeType":"image/png","url":"https://example.org/cat.png"}
    """

    type: Literal["binary"] = "binary"
    """Always `binary`."""
    mime_type: str
    """Media type of the bytes."""
    id: Optional[str] = None
    """A handle for the bytes."""
    url: Optional[str] = None
    """The URL of the bytes."""
    data: Optional[str] = None
    """The bytes in base64."""
    filename: Optional[str] = None
    """A name for the file."""

    @model_validator(mode="after")
    def validate_source(self) -> "BinaryInputContent":
        """Refuses a part whose `id`, `url` and `data` are all empty."""
        if not any([self.id, self.url, self.data]):
            raise ValueError("BinaryInputContent requires id, url, or data to be provided.")
        return self


__all__ = [
    "BinaryInputContent",
]
