"""Access to content in either form: a string, or a list of parts."""

from __future__ import annotations

from collections.abc import Sequence

from ag_ui_native.core import ContentPart, TextPart

__all__ = ["content_has_media", "content_parts", "content_to_text"]


def content_parts(content: str | Sequence[ContentPart]) -> list[ContentPart]:
    """The content as a list of parts: a string is one part of text.

    Examples:
        >>> from ag_ui_native.content import content_parts
        >>> content_parts("Hello!")
        [TextPart(type='text', id=None, text='Hello!', metadata=None)]
    """
    return [TextPart(text=content)] if isinstance(content, str) else list(content)


def content_to_text(content: str | Sequence[ContentPart]) -> str:
    """The text: the string, or the text parts without separators.

    Examples:
        >>> from ag_ui_native.content import content_to_text
        >>> from ag_ui_native.core import ImagePart, TextPart, UrlSource
        >>> picture = ImagePart(source=UrlSource(value="https://example.org/cat.png"))
        >>> content_to_text([TextPart(text="What is this?"), picture])
        'What is this?'
    """
    return "".join(part.text for part in content_parts(content) if part.type == "text")


def content_has_media(content: str | Sequence[ContentPart]) -> bool:
    """True if any part is not text.

    Examples:
        >>> from ag_ui_native.content import content_has_media
        >>> from ag_ui_native.core import ImagePart, UrlSource
        >>> content_has_media([ImagePart(source=UrlSource(value="https://example.org/cat.png"))])
        True
    """
    return any(part.type != "text" for part in content_parts(content))
