"""Write what follows from declarations: type stubs, pages of learners and parameters, contents of the books."""

from pathlib import Path

import induce
from induce.core.declarations import stubs
from induce.core.description import parameter_page
from induce.core.learner_table import learner_page
from induce.textbook.contents import FILE as CONTENTS
from induce.textbook.contents import contents_text

for package, text in stubs().items():
    (Path(induce.__file__).parent / package / "__init__.pyi").write_text(text, encoding="utf-8")
docs = Path(__file__).parent.parent / "docs"
docs.mkdir(exist_ok=True)
(docs / "parameters.md").write_text(parameter_page(), encoding="utf-8")
(docs / "learners.md").write_text(learner_page(), encoding="utf-8")
CONTENTS.write_text(contents_text(), encoding="utf-8")
