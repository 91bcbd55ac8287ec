"""Shows functions of stubs that have overloads and, being native, no other definition."""

from typing import Any

import griffe


class Overloads(griffe.Extension):
    def on_members(self, *, obj: griffe.Object, **_: Any) -> None:
        if isinstance(obj, griffe.Module | griffe.Class):
            for name, overloads in obj.overloads.items():
                if overloads and name not in obj.members:
                    # The last has the docstring.
                    overloads[-1].overloads = overloads
                    obj.set_member(name, overloads[-1])
