"""FOIL beyond the book's examples: numbers, constants, modes, noise, limits, and tables without background."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from induce.core.interrupts import cut_short
from induce.core.notes import Note
from induce.core.trace import trace
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.logic.parsing import parse_clause
from induce.relational.clauses import closed_world
from induce.relational.foil import space as foil_space
from induce.relational.learners.foil import FOIL
from induce.relational.readers.problems import read_problem


def clauses(learner: FOIL) -> list[str]:
    return [str(clause) for clause in learner.hypothesis_.clauses]


TRAINS = """
has_car(t1, a). has_car(t1, b). has_car(t2, c). has_car(t2, d). has_car(t3, e). has_car(t4, f). has_car(t4, g).
has_car(t5, h). has_car(t6, i). has_car(t6, j).
short(a). short(c). short(e). short(g). short(h). short(i). closed(a). closed(c). closed(e). closed(f). closed(j).
shape(a, box). shape(b, hexagon). shape(c, box). shape(d, u). shape(e, u). shape(f, box). shape(g, u).
shape(h, hexagon). shape(i, u). shape(j, box).
"""


class TestLiterals:
    def test_a_link_without_gain_is_tried(self):
        """Every train has cars: the literal that brings them in gains nothing."""
        rows, labels = [(f"t{i}",) for i in range(1, 7)], [True] * 3 + [False] * 3
        learner = FOIL(Relations(program=TRAINS), "eastbound", constants="declared").fit(rows, labels)
        assert clauses(learner) == ["eastbound(A) :- has_car(A, B), closed(B), short(B)."]

    def test_constants_of_values(self):
        background = Relations(
            program="colour(a, red). colour(b, red). colour(c, red). colour(d, blue). colour(e, green)."
        )
        rows, labels = [(x,) for x in "abcde"], [True, True, True, False, False]
        assert clauses(FOIL(background, "hot").fit(rows, labels)) == ["hot(A) :- colour(A, red)."]
        learner = FOIL(background, "hot", constants="declared").fit(rows, labels)
        assert "red" not in str(learner.hypothesis_)

    def test_constants_where_a_mode_says_so(self):
        modes = (Mode("hot", ("+thing",), head=True), Mode("colour", ("+thing", "#paint")))
        facts = "colour(a, red). colour(b, red). colour(c, blue). colour(d, green)."
        learner = FOIL(Relations(program=facts, modes=modes), "hot", constants="declared")
        learner.fit([(x,) for x in "abcd"], [True, True, False, False])
        assert clauses(learner) == ["hot(A) :- colour(A, red)."]

    def test_threshold_on_a_number_of_the_background(self):
        ages = {f"p{i}": age for i, age in enumerate([12, 15, 17, 21, 30, 42, 19, 16])}
        background = Relations(program=" ".join(f"age({one}, {age})." for one, age in ages.items()))
        labels = [age >= 18 for age in ages.values()]
        learner = FOIL(background, "adult").fit([(one,) for one in ages], labels)
        assert clauses(learner) == ["adult(A) :- age(A, B), B > 18."]
        assert learner.predict([("p4",), ("p0",), ("nobody",)]).tolist() == [True, False, False]

    def test_numbers_of_two_things_are_compared(self):
        random = np.random.default_rng(0)
        size = {f"x{i}": int(value) for i, value in enumerate(random.permutation(40)[:20])}
        background = Relations(program=" ".join(f"size({one}, {value})." for one, value in size.items()))
        rows = [(one, other) for one in size for other in size if one != other]
        learner = FOIL(background, "larger").fit(rows, [size[one] > size[other] for one, other in rows])
        assert clauses(learner) == ["larger(A, B) :- size(A, C), size(B, D), C > D."]

    def test_numbers_that_stand_for_things_are_not_compared(self):
        facts = " ".join(f"owner({i}, {'ann' if i % 2 else 'bob'})." for i in range(20))
        rows, labels = [(i,) for i in range(20)], [i >= 10 for i in range(20)]
        learner = FOIL(Relations(program=facts), "late").fit(rows, labels)
        assert not clauses(learner)  # the numbers of cars, say, tell the late ones apart by accident only

    def test_types_keep_arguments_apart(self):
        facts = "likes(ann, tea). likes(bob, tea). likes(cal, milk). cold(milk)."
        types = {"likes/2": ("person", "drink"), "cold/1": ("drink",), "chilly/1": ("person",)}
        learner = FOIL(
            Relations(program=facts, types=types), "chilly", constants="declared", encoding_length=False
        )
        learner.fit([("ann",), ("bob",), ("cal",)], [False, False, True])
        assert clauses(learner) == ["chilly(A) :- likes(A, B), cold(B)."]

    def test_modes_say_which_relations_are_used(self):
        facts = "p(a). p(b). q(a). q(b). q(c)."
        modes = (Mode("t", ("+x",), head=True), Mode("q", ("+x",)))
        background = Relations(program=facts + " r(d).", modes=modes)
        learner = FOIL(background, "t", min_accuracy=0.5).fit(
            [(x,) for x in "abcd"], [True, True, False, False]
        )
        assert "p(" not in str(learner.hypothesis_)

    def test_a_predicate_that_only_the_prover_knows(self):
        rules = "last([X], X). last([_|T], X) :- last(T, X)."
        modes = (Mode("good", ("+list",), head=True), Mode("last", ("+list", "#thing")))
        background = Relations(program=rules, modes=modes)
        rows = [[["a", "b"]], [["b"]], [["c", "a", "b"]], [["b", "a"]], [["a"]], [["b", "c"]]]
        learner = FOIL(background, "good").fit(rows, [True, True, True, False, False, False])
        assert clauses(learner) == ["good(A) :- last(A, b)."]
        assert learner.predict([[["c", "c", "b"]], [["b", "b", "c"]]]).tolist() == [True, False]

    def test_negation_as_failure_when_asked_for(self):
        facts = "parent(ann, bea). parent(bea, cal). parent(dan, eve). parent(fay, gus). parent(gus, hal)."
        people = ["ann", "bea", "cal", "dan", "eve", "fay", "gus", "hal"]
        rows, labels = [(one,) for one in people], [one in ("cal", "eve", "hal") for one in people]
        learner = FOIL(Relations(program=facts), "leaf", negation="failure").fit(rows, labels)
        assert clauses(learner) == ["leaf(A) :- \\+ parent(A, B)."]
        assert FOIL(Relations(program=facts), "leaf", negation=None).fit(rows, labels).predict(rows).sum() < 8


class TestTables:
    def test_nominal_and_numeric_columns(self):
        table = pl.DataFrame(
            {"colour": ["red", "red", "blue", "blue"] * 10, "size": [2.0, 5.0, 1.0, 7.0] * 10}
        )
        learner = FOIL().fit(table, ["yes", "no", "no", "no"] * 10)
        assert clauses(learner) == ["target(A, B) :- A = red, B =< 3.5."]
        assert learner.predict(table).tolist() == ["yes", "no", "no", "no"] * 10

    def test_equal_columns(self):
        random = np.random.default_rng(3)
        table = random.integers(0, 5, (200, 3))
        learner = FOIL().fit(table, table[:, 0] == table[:, 2])
        assert clauses(learner) == ["target(A, B, C) :- A = C."]

    def test_a_missing_value_satisfies_no_comparison(self):
        table = pl.DataFrame({"a": ["x", "x", "y", None] * 5, "b": [1.0, 2.0, 3.0, None] * 5})
        learner = FOIL().fit(table, [True, True, False, False] * 5)
        missing = pl.DataFrame({"a": [None], "b": [None]}, schema=table.schema)
        assert learner.predict(missing).tolist() == [False]
        differs = FOIL(thresholds=False).fit(table.drop("b"), [False, False, True, False] * 5)
        assert clauses(differs) == ["target(A) :- A = y."]

    def test_a_constant_not_seen_in_training(self):
        learner = FOIL().fit([["x"], ["x"], ["y"], ["z"]] * 5, [True, True, False, False] * 5)
        assert learner.predict([["new"], ["x"]]).tolist() == [False, True]

    def test_only_one_class(self):
        learner = FOIL().fit([["x"], ["y"]], ["yes", "yes"])
        assert clauses(learner) == ["target(A)."]
        assert learner.predict([["z"]]).tolist() == ["yes"]
        nothing = FOIL().fit([["x"], ["y"]], ["no", "no"])
        assert nothing.predict([["x"]]).tolist() == ["no"]

    def test_the_greater_class_is_inside_whatever_the_declared_order(self):
        labels = pl.Series("y", ["good", "bad", "bad", "good"] * 5, pl.Enum(["good", "bad"]))
        learner = FOIL().fit([["x"], ["y"], ["y"], ["x"]] * 5, labels)
        assert learner.hypothesis_.classes == ("bad", "good")
        assert learner.predict([["x"], ["y"]]).tolist() == ["good", "bad"]
        assert learner.predict_proba([["y"]])[0].argmax() == learner.classes_.tolist().index("bad")
        assert clauses(learner) == ["target(A) :- A = x."]


def kinship(noise: float) -> tuple[Relations, list[tuple[str, str]], np.ndarray, np.ndarray]:
    """Grandparents in 25 families, with some labels wrong."""
    random = np.random.default_rng(0)
    facts, rows, truth = [], [], []
    for f in range(25):
        name = [f"p{f}_{i}" for i in range(9)]
        parents = {3: 0, 4: 0, 5: 1, 6: 3, 7: 4, 8: 5}
        facts += [f"parent({name[one]}, {name[other]})." for other, one in parents.items()]
        facts += [f"{'male' if i % 2 else 'female'}({name[i]})." for i in range(9)]
        for _ in range(30):
            one, other = random.integers(0, 9, 2).tolist()
            rows.append((name[one], name[other]))
            truth.append(parents.get(parents.get(other, -1), -1) == one)
        rows += [(name[0], name[6]), (name[0], name[7]), (name[1], name[8])]
        truth += [True] * 3
    inside = np.array(truth)
    return Relations(program=" ".join(facts)), rows, inside, inside ^ (random.random(len(rows)) < noise)


class TestNoise:
    @pytest.mark.compiled
    @pytest.mark.filterwarnings("ignore")
    def test_the_definition_is_found_in_spite_of_wrong_labels(self):
        background, rows, truth, labels = kinship(0.1)
        learner = FOIL(background, "grandparent", min_accuracy=0.6).fit(rows, labels)
        assert learner.predict(rows).tolist() == truth.tolist()
        assert len(clauses(learner)) == 1
        careless = FOIL(background, "grandparent", min_accuracy=0.6, encoding_length=False).fit(rows, labels)
        assert len(clauses(careless)) > 3

    def test_a_clause_that_is_not_accurate_enough_is_not_used(self):
        rows, labels = [["x"]] * 10 + [["y"]] * 10, [True] * 7 + [False] * 13
        with pytest.warns(Note, match="both positive and negative"):
            assert not clauses(FOIL().fit(rows, labels))
        with pytest.warns(Note, match="both positive and negative"):
            assert clauses(FOIL(min_accuracy=0.7).fit(rows, labels)) == ["target(A) :- A = x."]

    def test_mfoil_is_a_beam_and_the_m_estimate(self):
        background, rows, truth, _ = kinship(0.0)
        learner = FOIL(background, "grandparent", measure="m-estimate", beam_width=5).fit(rows, truth)
        assert learner.predict(rows).tolist() == truth.tolist()


class TestDeterminate:
    def test_values_that_say_nothing_by_themselves_are_brought_in(self):
        """That two people have the same boss gains nothing before both bosses are there."""
        random = np.random.default_rng(0)
        boss = {f"x{i}": f"b{random.integers(6)}" for i in range(24)}
        background = Relations(program=" ".join(f"boss({one}, {other})." for one, other in boss.items()))
        rows = [(one, other) for one in boss for other in boss if one < other]
        labels = [boss[one] == boss[other] for one, other in rows]
        learner = FOIL(background, "colleague").fit(rows, labels)
        assert clauses(learner) == ["colleague(A, B) :- boss(A, C), boss(B, C)."]

    def test_those_that_are_not_used_are_dropped(self):
        facts = " ".join(f"age(p{i}, {i}). town(p{i}, t{i % 3}). tall(p{i})." for i in range(0, 30, 2))
        facts += " ".join(f" age(p{i}, {i}). town(p{i}, t{i % 3})." for i in range(1, 30, 2))
        rows = [(f"p{i}",) for i in range(30)]
        labels = [i % 2 == 0 and i < 20 for i in range(30)]
        learner = FOIL(Relations(program=facts), "t").fit(rows, labels)
        (clause,) = learner.hypothesis_.clauses
        assert {literal.name for literal in clause.body} == {"tall", "age", "=<"}


class TestLimits:
    def test_candidates(self):
        background, rows, truth, _ = kinship(0.0)
        with pytest.warns(Note, match=r"max_candidates \(5\) ended the search"):
            learner = FOIL(background, "grandparent", max_candidates=5).fit(rows, truth)
        assert learner.stopped_.startswith("max_candidates (")
        assert FOIL(background, "grandparent").fit(rows, truth).stopped_ is None

    def test_time(self):
        random = np.random.default_rng(0)
        table = random.integers(0, 3, (3000, 12)).astype(str)
        with pytest.warns(Note, match="the time limit of 0.3 s ended the search"):
            learner = FOIL(time_limit=0.3, encoding_length=False, min_accuracy=0.6).fit(
                table, random.random(3000) < 0.5
            )
        assert learner.stopped_.startswith("the time limit of")

    def test_a_table_of_bindings_that_would_not_fit(self, monkeypatch):
        monkeypatch.setattr(foil_space, "MOST_CELLS", 300)
        background, rows, truth, _ = kinship(0.0)
        with pytest.warns(Note, match="bindings would not fit in memory"):
            FOIL(background, "grandparent", determinate=False).fit(rows, truth)

    def test_a_large_closed_world_is_sampled(self, monkeypatch):
        monkeypatch.setattr(closed_world, "MOST_NEGATIVES", 500)
        facts = " ".join(f"next(n{i}, n{i + 1})." for i in range(60))
        rows = [(f"n{i}", f"n{i + 1}") for i in range(60)]
        with pytest.warns(Note, match="a random sample of 500 is taken"):
            first = FOIL(Relations(program=facts), "after", negatives="closed-world").fit(rows, [1] * 60)
        assert clauses(first) == ["after(A, B) :- next(A, B)."]
        assert first.classes_.tolist() == [0, 1]

    def test_ctrl_c_keeps_the_clauses_found(self, monkeypatch):
        random = np.random.default_rng(0)
        table = random.integers(0, 4, (400, 4)).astype(str)
        labels = (table[:, 0] == "1") | (table[:, 1] == "2")
        calls = 0
        whole = foil_space.Clauses.begin

        def begin(self, body=()):
            nonlocal calls
            calls += 1
            if calls == 2:
                raise KeyboardInterrupt
            return whole(self, body)

        monkeypatch.setattr(foil_space.Clauses, "begin", begin)
        with pytest.warns(Note, match="interrupted: the 1 clauses"), cut_short() as cuts:
            learner = FOIL().fit(table, labels)
        assert len(clauses(learner)) == 1
        assert cuts == [learner.stopped_] == ["interrupted: the 1 clauses found so far are kept"]
        monkeypatch.undo()
        assert learner.fit(table, labels).stopped_ is None


@pytest.mark.compiled
def test_traced_and_untraced_fits_agree():
    background, rows, truth, labels = kinship(0.1)
    plain = FOIL(background, "grandparent", min_accuracy=0.6).fit(rows, labels)
    with trace() as events:
        traced = FOIL(background, "grandparent", min_accuracy=0.6).fit(rows, labels)
    assert traced.hypothesis_ == plain.hypothesis_
    assert {"candidates", "literal", "clause"} <= {event.kind for event in events}
    table = next(event for event in events if event.kind == "candidates")
    literal = next(event for event in events if event.kind == "literal")
    assert max(gain for *_, gain in table["candidates"]) == pytest.approx(literal["gain"])
    assert truth.any()


@pytest.mark.compiled
def test_the_same_seed_gives_the_same_theory():
    background, rows, _, labels = kinship(0.1)
    one, other = (FOIL(background, "grandparent", beam_width=3).fit(rows, labels) for _ in range(2))
    assert one.hypothesis_ == other.hypothesis_


class TestPrograms:
    def test_a_chain(self):
        edges = " ".join(f"edge(n{i}, n{i + 1})." for i in range(12))
        rows = [(f"n{i}", f"n{j}") for i in range(13) for j in range(13)]
        inside = [int(one[1:]) < int(other[1:]) for one, other in rows]
        learner = FOIL(Relations(program=edges), "reach").fit(rows, inside)
        assert learner.hypothesis_.recursive
        assert learner.predict(rows).tolist() == inside
        assert parse_clause("reach(A, B) :- edge(A, B).") in learner.hypothesis_.clauses

    def test_a_map_with_circles(self):
        random = np.random.default_rng(0)
        reach = np.zeros((20, 20), bool)
        reach[tuple(random.integers(0, 20, (2, 26)))] = True
        edges = " ".join(f"edge(n{a}, n{b})." for a, b in np.argwhere(reach).tolist())
        for _ in range(6):
            reach |= reach @ reach
        assert reach.diagonal().any()
        rows = [(f"n{a}", f"n{b}") for a in range(20) for b in range(20)]
        with pytest.warns(Note, match="are cyclic"):
            learner = FOIL(Relations(program=edges), "reach").fit(rows, reach.ravel())
        assert learner.hypothesis_.recursive
        assert learner.predict(rows).tolist() == reach.ravel().tolist()

    def test_recursion_that_does_not_work_as_a_program(self):
        """Calls are found among the examples that only such calls would prove."""
        random = np.random.default_rng(3)
        pairs = {tuple(pair) for pair in random.integers(0, 8, (14, 2)).tolist()}
        facts = [*(f"p(x{a}, x{b})." for a, b in pairs), *(f"q(x{a})." for a in range(0, 8, 2))]
        rows = [(a, b) for a in range(8) for b in range(8)]
        inside = [any((a, c) in pairs and (c, b) in pairs for c in range(8)) for a, b in rows]
        named = [(f"x{a}", f"x{b}") for a, b in rows]
        learner = FOIL(Relations(program=" ".join(facts)), "t", encoding_length=False)
        with pytest.warns(Note, match="clauses without recursion are used instead"):
            learner.fit(named, inside)
        assert not learner.hypothesis_.recursive
        assert learner.predict(named).tolist() == inside


def test_recursion_is_preferred_to_as_many_exceptions() -> None:
    chain = Relations(program="parent(a, b). parent(b, c). parent(c, d).")
    pairs = [(one, other) for one in "abcd" for other in "abcd"]
    learner = FOIL(chain, "ancestor").fit(pairs, [one < other for one, other in pairs])
    assert clauses(learner) == [
        "ancestor(A, B) :- parent(A, B).",
        "ancestor(A, B) :- parent(A, C), ancestor(C, B).",
    ]


def test_a_game_rule_in_a_declared_language_with_one_state_a_clause(tmp_path: Path) -> None:
    """A clause that explains enough may end only after a literal that gains nothing."""
    rng = np.random.default_rng(3)
    facts = [f"succ_of({k}, {k + 1})." for k in range(5)] + ["fire(f). wait(w). player(p). zero(0)."]
    lines = []
    for state in range(60):
        ammo, action = int(rng.integers(0, 6)), "fw"[int(rng.integers(0, 2))]
        facts += [f"ammo({state}, {ammo}). does({state}, p, {action})."]
        then = max(ammo - 1, 0) if action == "f" else ammo
        lines += [f"{'pos' if value == then else 'neg'}(next_ammo({state}, {value}))." for value in range(6)]
    types = {
        "next_ammo": "state, number",
        "ammo": "state, number",
        "does": "state, agent, action",
        "succ_of": "number, number",
        "fire": "action,",
        "wait": "action,",
        "player": "agent,",
        "zero": "number,",
    }
    bias = [f"type({name}, ({each}))." for name, each in types.items()]
    bias += [
        f"{'head' if name == 'next_ammo' else 'body'}_pred({name}, {len(each.strip(',').split(','))})."
        for name, each in types.items()
    ]
    bias += ["max_vars(6).", ":- clause(C), #count{V : var_type(C, V, state)} != 1."]
    for name, text in (("bk", facts), ("exs", lines), ("bias", bias)):
        (tmp_path / f"{name}.pl").write_text("\n".join(text), encoding="utf-8")
    problem = read_problem(tmp_path)
    theory = problem.learner("FOIL").fit(problem.X, problem.y).hypothesis_
    assert not theory.errors()
    assert {frozenset(one.name for one in clause.body) for clause in theory.clauses} == {
        frozenset({"ammo", "does", "wait", "player"}),
        frozenset({"ammo", "does", "fire", "player", "succ_of"}),
        frozenset({"ammo", "zero"}),
    }
