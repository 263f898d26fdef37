"""Positive examples alone: a clause without a body is no answer for a relation of several arguments."""

import pytest

import induce
from induce.core.errors import InputError
from induce.core.notes import Note

FAMILY = "parent(ann, bea). parent(ann, cal). parent(bea, dan). parent(cal, fay). parent(dan, gus). parent(fay, hal)."
PAIRS = [("ann", "dan"), ("ann", "fay"), ("bea", "gus"), ("cal", "hal")]
LEARNERS = (
    induce.FOIL,
    induce.Golem,
    induce.Progol,
    induce.ProgramLearner,
    induce.RelationalLearner,
    induce.Cigol,
)


def family():
    return induce.Relations(program=FAMILY)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_no_relation_holds_for_everything(learner, n):
    with pytest.raises(InputError, match=r"no negative example, so gp\(.*\) explains .* without a body"):
        learner(family(), "gp").fit(PAIRS[:n], [True] * n)


@pytest.mark.parametrize("n", [1, 2, 4])
def test_positives_alone_give_clauses_with_a_body(n):
    for learner in (induce.Progol(family(), "gp", positive_only=True), induce.RDT(family(), "gp")):
        clauses = learner.fit(PAIRS[:n], [True] * n).hypothesis_.clauses
        assert clauses
        assert all(clause.body for clause in clauses)


@pytest.mark.parametrize("learner", [*LEARNERS, lambda *given: induce.Progol(*given, positive_only=True)])
def test_a_property_of_everything_has_a_note(learner):
    numbers = induce.Relations(program="number(1). number(2). number(3).")
    with pytest.warns(Note, match="there is no negative example, so small holds for everything"):
        fitted = learner(numbers, "small").fit([(1,), (2,), (3,)], [True] * 3)
    assert [str(clause) for clause in fitted.hypothesis_.clauses] == ["small(A)."]
