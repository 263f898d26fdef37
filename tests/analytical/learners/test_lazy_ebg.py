"""Lazy explanation: rules that assume, refined where they err."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.logic import DomainTheory, Relations

MACHINES = DomainTheory(
    """
    assign(M, J) :- can_do(M, J), \\+ objection(M, J).
    objection(M, J) :- broken(M).
    objection(M, J) :- size(J, S), limit(M, L), S > L.
    objection(M, J) :- reserved(M, O), owner(J, P), O \\= P.
    """,
    "assign",
)
FACTS = Relations(
    program="""
    can_do(m1, j1). can_do(m2, j1). can_do(m3, j2). can_do(m1, j3). size(j1, 3). size(j2, 9). size(j3, 2).
    limit(m1, 5). limit(m3, 5). broken(m2). reserved(m4, ann). owner(j1, ann).
    """
)


def clauses(learner):
    return [str(one) for one in learner.hypothesis_.clauses]


def test_what_did_not_matter_so_far_is_not_explained():
    learner = induce.LazyEBG(MACHINES, FACTS).fit([["m1", "j1"]], [True])
    assert clauses(learner) == ["assign(M, J) :- can_do(M, J)."]
    (why,) = learner.hypothesis_.justifications
    assert why.assumed == ("\\+ objection(M, J)",)
    assert "assumed: \\+ objection(M, J)" in learner.hypothesis_.justify()
    assert "assumed(\\+ objection(m1, j1))" in why.proof


def test_each_error_explains_one_thing():
    learner = induce.LazyEBG(MACHINES, FACTS).fit([["m1", "j1"]], [True])
    learner.partial_fit([["m2", "j1"]], [False])
    assert clauses(learner) == [
        "assign(M, J) :- can_do(M, J), \\+ objection_1(M, J).",
        "objection_1(M, J) :- broken(M).",
    ]
    learner.partial_fit([["m3", "j2"]], [False])
    assert (
        clauses(learner)[0] == "assign(M, J) :- can_do(M, J), \\+ objection_1(M, J), \\+ objection_2(M, J)."
    )
    assert "objection_2(M, J) :- size(J, S), limit(M, L), S > L." in clauses(learner)
    assert len(learner.refinements_) == 2
    assert (
        "assign(m3, j2) was misclassified, because \\+ objection(m3, j2) does not hold"
        in learner.refinements_[1]
    )
    # reservations have not mattered, and are not explained
    assert not any("reserved" in one for one in clauses(learner))
    rows = [["m1", "j1"], ["m2", "j1"], ["m3", "j2"], ["m1", "j3"]]
    assert learner.predict(rows).tolist() == [True, False, False, True]
    together = induce.LazyEBG(MACHINES, FACTS).fit(rows[:3], [True, False, False])
    assert clauses(together) == clauses(learner)


def test_an_assumed_condition_is_explained_by_its_proof():
    theory = DomainTheory(
        """
        buy(X) :- wanted(X), affordable(X).
        affordable(X) :- price(X, P), budget(B), P < B.
        affordable(X) :- gift(X).
        """,
        "buy",
    )
    facts = Relations(
        program="wanted(a). wanted(b). wanted(c). price(a, 3). price(b, 30). budget(10). gift(c). price(c, 50)."
    )
    learner = induce.LazyEBG(theory, facts, assume=["affordable"]).fit([["a"]], [True])
    assert clauses(learner) == ["buy(X) :- wanted(X)."]
    learner.partial_fit([["b"], ["c"]], [False, True])
    assert clauses(learner) == [
        "buy(X) :- wanted(X), price(X, P), budget(B), P < B.",
        "buy(X) :- wanted(X), gift(X).",
    ]


def test_a_theory_that_proves_a_negative_example():
    theory = DomainTheory("p(X) :- q(X), \\+ r(X). r(X) :- s(X).", "p")
    facts = Relations(program="q(a). q(b). s(c).")
    with pytest.warns(match="proves 1 of 1 negative examples"):
        learner = induce.LazyEBG(theory, facts).fit([["a"], ["b"]], [True, False])
    assert clauses(learner) == ["p(X) :- q(X)."]  # no assumption fails, so that there is nothing to explain


def test_a_positive_example_that_only_an_assumption_explains():
    theory = DomainTheory("p(X) :- q(X), \\+ r(X). r(X) :- s(X).", "p")
    facts = Relations(program="q(a). s(a). q(b). s(b).")
    with pytest.warns(match="no proof of 1 of 1 positive"):
        learner = induce.LazyEBG(theory, facts).fit([["a"], ["b"]], [True, False])
    assert clauses(learner) == []
    assert learner.unexplained_.tolist() == [0]
    assert "the clause was dropped" in learner.refinements_[-1]


def test_bad_assumptions():
    theory = DomainTheory("p(X) :- q(X, Y), r(Y). q(X, Y) :- s(X, Y).", "p")
    facts = Relations(program="s(a, b). r(b).")
    with pytest.raises(InputError, match=r"q\(X, Y\) cannot be assumed, because it binds Y"):
        induce.LazyEBG(theory, facts, assume=["q"]).fit([["a"]], [True])
    with pytest.raises(InputError, match="the target p/1 cannot be assumed"):
        induce.LazyEBG(theory, facts, assume=["p"]).fit([["a"]], [True])
    with pytest.raises(InputError, match="no clause of z"):
        induce.LazyEBG(theory, facts, assume=["z"]).fit([["a"]], [True])
    with pytest.raises(InputError, match="assume"):
        induce.LazyEBG(theory, facts, assume=3).fit([["a"]], [True])


def test_a_limit_of_refinements():
    with pytest.warns(match="max_refinements"):
        learner = induce.LazyEBG(MACHINES, FACTS, max_refinements=0).fit(
            [["m1", "j1"], ["m2", "j1"]], [True, False]
        )
    assert clauses(learner) == ["assign(M, J) :- can_do(M, J)."]


def test_a_saved_learner_predicts_and_says_that_it_cannot_go_on(tmp_path):
    learner = induce.LazyEBG(MACHINES, FACTS).fit([["m1", "j1"], ["m2", "j1"]], [True, False])
    induce.save(learner, tmp_path / "lazy.induce")
    loaded = induce.load(tmp_path / "lazy.induce")
    assert loaded.hypothesis_.justify() == learner.hypothesis_.justify()
    with pytest.raises(InputError, match="fit it again"):
        loaded.partial_fit([["m1", "j1"]], [True])


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=2), min_size=1, max_size=3),
    st.lists(st.tuples(*[st.booleans()] * 5), min_size=2, max_size=8, unique=True),
)
def test_on_what_it_saw_it_says_what_the_theory_says(objections, things):
    """Labels by the theory itself: after the last error no clause errs on the examples seen."""
    text = "good(X) :- e(X), \\+ bad(X).\n" + "\n".join(
        f"bad(X) :- {', '.join(f'{one}(X)' for one in body)}." for body in objections
    )
    facts = " ".join(
        f"{name}(t{n})."
        for n, thing in enumerate(things)
        for name, has in zip("abcde", thing, strict=True)
        if has
    )
    background = Relations(program=facts + " none(t0).")
    rows = [[f"t{n}"] for n in range(len(things))]
    label = [
        thing[4] and not any(all(thing["abcd".index(one)] for one in body) for body in objections)
        for thing in things
    ]
    theory = DomainTheory(text, "good")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner = induce.LazyEBG(theory, background).fit(rows, label)
        assert learner.predict(rows).tolist() == label
