"""Docstrings of learners: each parameter says what it is and its default; related learners and sources are named."""

import inspect

import pytest
from numpydoc.docscrape import ClassDoc

from tests import docstrings

LEARNERS = docstrings.learners()


@pytest.mark.parametrize("name", LEARNERS)
def test_docstring_is_complete(name):
    learner = LEARNERS[name]
    *_, lines, new = docstrings.corrected(learner)
    assert lines == new  # `python tests/docstrings.py` writes the defaults
    sections = ClassDoc(learner, config={"show_class_members": False})
    described = {each.name: " ".join(each.desc).strip() for each in sections["Parameters"]}
    parameters = set(inspect.signature(learner.__init__).parameters) - {"self"}
    assert parameters <= set(described)
    assert [each for each in parameters if not described[each]] == []
    assert [each for each in parameters if described[each].startswith(("As for ", "As in ", "See `"))] == []
    assert sections["See Also"]
    assert sections["References"]
