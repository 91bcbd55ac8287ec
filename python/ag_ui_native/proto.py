"""Protobuf: single events as messages of ``ag_ui.proto``, without the length that frames of the transport have.

``stream.EventDecoder`` and ``stream.EventPipeline`` read frames, ``encoder.EventEncoder`` writes them.
"""

from ag_ui_native._native import decode_protobuf_event as decode
from ag_ui_native._native import encode_protobuf as encode
from ag_ui_native.encoder import AGUI_MEDIA_TYPE

__all__ = ["AGUI_MEDIA_TYPE", "decode", "encode"]
