"""Write what follows from declarations, the type stubs and the page of parameters: `make stubs`."""

from pathlib import Path

import induce
from induce.core.declarations import stubs
from induce.core.describing import parameter_page

for package, text in stubs().items():
    (Path(induce.__file__).parent / package / "__init__.pyi").write_text(text, encoding="utf-8")
page = Path(__file__).parent.parent / "docs" / "parameters.md"
page.parent.mkdir(exist_ok=True)
page.write_text(parameter_page(), encoding="utf-8")
