"""Links into the documentation of other projects, without a network.

`elsewhere.txt` lists what docstrings name, by project, as a Sphinx inventory would. It is a table that people can
read; Sphinx reads the inventories that are written from it into the folder of the build.
"""

from __future__ import annotations

import zlib
from pathlib import Path

TABLE = Path(__file__).parent / "elsewhere.txt"


def entries() -> dict[str, tuple[str, list[str]]]:
    """Return the address of each project and the lines of its inventory.

    Examples
    --------
    >>> address, lines = entries()["numpy"]
    >>> address
    'https://numpy.org/doc/stable/'
    """
    found: dict[str, tuple[str, list[str]]] = {}
    project = ""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            project, address = line.strip("[]").split()
            found[project] = address, []
        else:
            name, role, place = line.split()
            found[project][1].append(f"{name} {role} 1 {place} -")
    return found


def inventories(folder: Path) -> dict[str, tuple[str, str]]:
    """Write the inventories to a folder, and return them as intersphinx wants them."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for project, (address, lines) in entries().items():
        head = f"# Sphinx inventory version 2\n# Project: {project}\n# Version: \n"
        head += "# The remainder of this file is compressed using zlib.\n"
        file = folder / f"{project}.inv"
        file.write_bytes(head.encode() + zlib.compress("".join(f"{line}\n" for line in lines).encode()))
        found[project] = address, str(file)
    return found
