"""The signatures of decoders and pipelines name few parameters; the other options are those of a `TypedDict`."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from ag_ui_native import Limits
from ag_ui_native.stream import DecodeOptions, EventDecoder, EventPipeline, PipelineOptions

DEFAULTS: dict[str, Any] = {
    "limits": Limits(),
    "replace_invalid_text": False,
    "go_member_names": False,
    "on_warning": print,
    "pending_interrupts": [],
    "peer": "1.0.0",
    "expand": True,
    "verify": True,
    "on_patch_failure": "flag",
}


@pytest.mark.parametrize(("reader", "options"), [(EventDecoder, DecodeOptions), (EventPipeline, PipelineOptions)])
def test_each_option_is_taken_by_name_and_no_other(reader: Any, options: Any) -> None:
    names = options.__optional_keys__
    assert not names & inspect.signature(reader).parameters.keys()
    assert [*inspect.signature(reader).parameters][-1] == "options"
    reader(**{name: DEFAULTS[name] for name in names})
    for other in {"unknown", *DEFAULTS.keys() - names}:
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{other}'"):
            reader(**{other: DEFAULTS.get(other)})
