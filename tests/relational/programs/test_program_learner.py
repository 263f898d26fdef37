"""Whole programs, from a few examples of each."""

import numpy as np
import pytest

import induce
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.relational.learners.program_learner import ProgramLearner

pytestmark = pytest.mark.compiled

LISTS = "head([X|_], X). tail([_|T], T). empty([]). cons(H, T, [H|T]). same(X, X)."
MODES = [
    Mode("head", ("+list", "-item")),
    Mode("tail", ("+list", "-list")),
    Mode("cons", ("+item", "+list", "-list")),
]


def cells(rows):
    found = np.empty((len(rows), len(rows[0])), object)
    for place, row in enumerate(rows):
        for column, value in enumerate(row):
            found[place, column] = value
    return found


def learned(name, signs, modes, inside, outside):
    relations = Relations(
        program=LISTS, modes=[Mode(name, signs, head=True), Mode(name, signs), *MODES, *modes]
    )
    learner = ProgramLearner(relations, name)
    return learner.fit(cells(inside + outside), [True] * len(inside) + [False] * len(outside))


def test_append():
    inside = [([1], [2], [1, 2]), ([], [3], [3]), ([4, 5], [6], [4, 5, 6]), ([7, 8, 9], [], [7, 8, 9])]
    outside = [([1], [2], [2, 1]), ([1], [2], [1]), ([], [3], []), ([4, 5], [6], [4, 6])]
    learner = learned(
        "append",
        ("+list", "+list", "-list"),
        [Mode("empty", ("+list",)), Mode("same", ("+list", "-list"))],
        inside,
        outside,
    )
    fresh = [([1, 2], [3, 4], [1, 2, 3, 4]), ([5, 6], [], [5, 6]), ([1, 2], [3], [3, 1, 2])]
    assert learner.hypothesis_.recursive
    assert learner.predict(cells(fresh)).tolist() == [True, True, False]


def test_remove():
    inside = [(1, [1, 2], [2]), (3, [4, 3], [4]), (5, [6, 7, 5], [6, 7]), (2, [2], [])]
    outside = [(1, [1, 2], [1]), (3, [4, 3], [3]), (1, [2, 3], [2, 3]), (2, [2], [2]), (5, [6, 7, 5], [7, 5])]
    learner = learned("remove", ("+item", "+list", "-list"), [], inside, outside)
    fresh = [(9, [7, 8, 9, 6], [7, 8, 6]), (9, [7, 8], [7, 8]), (7, [7, 8], [7])]
    assert learner.predict(cells(fresh)).tolist() == [True, False, False]


def test_ancestor():
    parents = [("a", "b"), ("b", "c"), ("c", "d"), ("b", "e"), ("e", "f")]
    relations = Relations(program=" ".join(f"parent({one}, {other})." for one, other in parents))
    inside = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "f"), ("a", "f"), ("c", "d")]
    outside = [("b", "a"), ("d", "a"), ("c", "e"), ("e", "d"), ("a", "a"), ("f", "b")]
    learner = ProgramLearner(relations, "ancestor").fit(inside + outside, [True] * 6 + [False] * 6)
    assert learner.hypothesis_.recursive
    assert not learner.hypothesis_.errors()
    assert learner.predict([("b", "d"), ("d", "b")]).tolist() == [True, False]


@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_rows_does_not_matter(order):
    rows = [([1, 2, 3], 3), ([4], 4), ([5, 6], 6), ([1, 2], 1), ([3, 4, 5], 4), ([7, 8, 9], 7)][::order]
    inside = [True, True, True, False, False, False][::order]
    signs = ("+list", "-item")
    modes = [Mode("last", signs, head=True), Mode("last", signs), *MODES[:2], Mode("empty", ("+list",))]
    learner = ProgramLearner(Relations(program=LISTS, modes=modes), "last").fit(cells(rows), inside)
    assert [str(clause) for clause in learner.hypothesis_.clauses] == [
        "last(A, B) :- head(A, B), tail(A, C), empty(C).",
        "last(A, B) :- tail(A, C), last(C, B).",
    ]


def test_settings_of_files_reach_the_learner(tmp_path):
    (tmp_path / "bk.pl").write_text("parent(a, b). parent(b, c).", encoding="utf-8")
    (tmp_path / "exs.pl").write_text("pos(anc(a, b)). pos(anc(a, c)). neg(anc(b, a)).", encoding="utf-8")
    (tmp_path / "bias.pl").write_text(
        "head_pred(anc, 2). body_pred(parent, 2). enable_recursion. max_vars(4). max_body(3).",
        encoding="utf-8",
    )
    learner = induce.read_problem(tmp_path).learner()
    assert type(learner).__name__ == "ProgramLearner"
    assert (learner.max_variables, learner.max_literals, learner.recursion) == (4, 3, True)
    progol = induce.read_problem(tmp_path).learner("Progol")
    assert progol.max_literals == 3
    assert ":- clause(C), #count{V : clause_var(C, V)} > 4." in progol.constraints
    with pytest.warns(induce.Note, match="Cigol has no parameter for max_vars, constraints"):
        induce.read_problem(tmp_path).learner("Cigol")


LEARNERS = ["FOIL", "Golem", "ProgramLearner", "Progol", "RDT", "RelationalLearner"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", LEARNERS)
def test_no_literal_outside_of_the_declared_language(name):
    facts = (
        "mother(a, b). mother(a, c). father(d, b). mother(b, e). father(c, f). father(f, g). mother(g, h)."
    )
    modes = [
        Mode("grand", ("+person", "+person"), head=True),
        Mode("mother", ("+person", "-person")),
        Mode("father", ("+person", "-person")),
    ]
    rows = [(one, other) for one in "abcdefgh" for other in "abcdefgh"]
    grand = {("a", "e"), ("d", "e"), ("a", "f"), ("c", "g"), ("f", "h")}
    learner = getattr(induce, name)(Relations(program=facts, modes=modes), "grand")
    learner.fit(rows, [row in grand for row in rows])
    for clause in learner.hypothesis_.clauses:
        assert all(not one.negated and one.name in ("mother", "father") for one in clause.body), str(clause)
        assert all(str(term)[0].isupper() for one in clause.body for term in one.arguments), str(clause)


PARENTS = "mother(a, b). mother(a, c). father(d, b). mother(b, e). father(c, f). father(f, g). mother(g, h)."
GRAND = {("a", "e"), ("d", "e"), ("a", "f"), ("c", "g"), ("f", "h")}


def test_a_predicate_is_invented_for_mother_or_father():
    rows = [(one, other) for one in "abcdefgh" for other in "abcdefgh"]
    modes = [
        Mode("grand", ("+person", "+person"), head=True),
        Mode("mother", ("+person", "-person")),
        Mode("father", ("+person", "-person")),
    ]
    learner = ProgramLearner(Relations(program=PARENTS, modes=modes), "grand", invention=True)
    learner.fit(rows, [row in GRAND for row in rows])
    assert [str(clause) for clause in learner.hypothesis_.clauses] == [
        "grand(A, B) :- grand_1(A, C), grand_1(C, B).",
        "grand_1(A, B) :- mother(A, B).",
        "grand_1(A, B) :- father(A, B).",
    ]
    assert not learner.hypothesis_.errors()


def test_an_invented_predicate_is_followed_by_recursion(tmp_path):
    (tmp_path / "bk.pl").write_text(PARENTS, encoding="utf-8")
    ancestors = [
        ("a", "b"),
        ("d", "b"),
        ("c", "f"),
        ("a", "e"),
        ("c", "h"),
        ("d", "e"),
        ("a", "h"),
        ("f", "h"),
    ]
    others = [("b", "a"), ("e", "d"), ("b", "c"), ("d", "c"), ("h", "a"), ("d", "f"), ("a", "a"), ("b", "g")]
    lines = [f"pos(anc({one}, {other}))." for one, other in ancestors]
    lines += [f"neg(anc({one}, {other}))." for one, other in others]
    (tmp_path / "exs.pl").write_text("\n".join(lines), encoding="utf-8")
    bias = "head_pred(anc, 2). body_pred(mother, 2). body_pred(father, 2). enable_recursion. enable_pi. max_body(2). "
    bias += "max_clauses(2)."
    directions = "direction(anc, (in, in)). direction(mother, (in, out)). direction(father, (in, out))."
    (tmp_path / "bias.pl").write_text(f"{bias} {directions}", encoding="utf-8")
    problem = induce.read_problem(tmp_path)
    learner = problem.learner()
    assert learner.invention
    learner.fit(problem.X, problem.y)
    assert not learner.hypothesis_.errors()
    assert learner.predict([("c", "g"), ("g", "c")]).tolist() == [True, False]


def test_constraints_are_kept_to(tmp_path):
    pairs = ["(a, b)", "(b, c)", "(c, d)", "(d, e)"]
    facts = " ".join(f"edge{pair}. link{pair}." for pair in pairs)
    (tmp_path / "bk.pl").write_text(facts, encoding="utf-8")
    steps = {("a", "c"), ("b", "d"), ("c", "e")}
    lines = [f"{'pos' if (a, b) in steps else 'neg'}(two({a}, {b}))." for a in "abcde" for b in "abcde"]
    (tmp_path / "exs.pl").write_text("\n".join(lines), encoding="utf-8")
    bias = "head_pred(two, 2). body_pred(edge, 2). body_pred(link, 2). max_body(2). max_clauses(1)."
    once = ":- clause(C), body_literal(C, P, _, V), body_literal(C, P, _, W), V != W."
    found = []
    for constraint in ("", once):
        (tmp_path / "bias.pl").write_text(f"{bias}\n{constraint}\n", encoding="utf-8")
        problem = induce.read_problem(tmp_path)
        learner = problem.learner("ProgramLearner").fit(problem.X, problem.y)
        found.append([sorted(one.name for one in clause.body) for clause in learner.hypothesis_.clauses])
    assert found == [[["edge", "edge"]], [["edge", "link"]]]
