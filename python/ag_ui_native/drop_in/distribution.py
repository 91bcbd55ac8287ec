"""The metadata of ``ag-ui-protocol`` for ``importlib.metadata`` while this package replaces it."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import Distribution, DistributionFinder
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

NAME = "ag-ui-protocol"

VERSION = "1.0.0"
"""The version of the official package whose modules and classes ours mirror."""

FILES = {
    "METADATA": f"""Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: The AG-UI protocol, by ag-ui-native
Requires-Python: >=3.9
Requires-Dist: pydantic>=2.11.2
""",
    "top_level.txt": "ag_ui\n",
}


class OfficialDistribution(Distribution):
    """The official distribution, provided by this package."""

    def read_text(self, filename: str | PathLike[str]) -> str | None:
        """One of the distribution's metadata files."""
        return FILES.get(str(filename))

    def locate_file(self, path: str | PathLike[str]) -> Path:
        """The place where a file of the distribution would be."""
        return Path(__file__).parents[2] / path


def is_found(finders: Iterable[object], without: object) -> bool:
    """True if another finder has the distribution."""
    context = DistributionFinder.Context(name=NAME)
    asked = [getattr(finder, "find_distributions", None) for finder in finders if finder is not without]
    return any(True for find in asked if find is not None for _ in find(context))
