"""Write the type stubs of the packages whose names are loaded when they are first asked for: `make stubs`."""

from pathlib import Path

import induce
from induce.core.declarations import stubs

for package, text in stubs().items():
    (Path(induce.__file__).parent / package / "__init__.pyi").write_text(text)
