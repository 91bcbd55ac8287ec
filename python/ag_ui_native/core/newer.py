"""Members that the first version of the protocol does not have.

Generated from the declaration in core/src/types: `make generate`.
"""

NEWER = frozenset(["encrypted_value_type"])
"""Their attributes."""
