"""Shows functions of stubs that have overloads and no other definition, because they are native."""

from typing import Any

import griffe


class Overloads(griffe.Extension):
    def on_members(self, *, obj: griffe.Object, **_: Any) -> None:
        if isinstance(obj, griffe.Module | griffe.Class):
            for name, overloads in obj.overloads.items():
                if overloads and name not in obj.members:
                    # The last overload has the docstring.
                    overloads[-1].overloads = overloads
                    obj.set_member(name, overloads[-1])
