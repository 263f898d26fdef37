"""PROGOL: the search, the theories it learns, and its limits."""

from __future__ import annotations

from itertools import chain, combinations, pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.core.errors import InputError
from induce.core.interrupts import whole_fits
from induce.core.notes import Note
from induce.core.progress import progress
from induce.core.trace import trace
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause
from induce.logic.coverage.bindings import Coverage
from induce.logic.parsing import parse_program, parse_term
from induce.logic.subsumption import theta_subsumes
from induce.relational.entailment import Instance, entailed
from induce.relational.learners.progol import Progol
from induce.relational.progol.cover import Evaluation
from induce.relational.progol.most_specific import BottomClause, bottom_clause
from induce.relational.progol.scores import Compression, Generality, Limits
from induce.relational.progol.search import BottomSearch
from induce.relational.readers.settings import parameters_for
from induce.relational.studies.comparison import compare_searches

PEOPLE = ("bob", "shannon", "tom")
GRANDCHILD = Mode("grandchild", ("+person", "+person"), head=True)
FATHER = Mode("father", ("+person", "-person"))
FATHERS = "father(shannon, tom). father(tom, bob)."


def bodies_of(learner: Progol) -> list[list[str]]:
    return [[str(literal) for literal in clause.body] for clause in learner.hypothesis_.clauses]


def clauses_of(learner: Progol) -> list[str]:
    lines = str(learner.hypothesis_.to_prolog()).splitlines()
    return [line for line in lines if not line.startswith("%")]


def family(n: int = 3, seed: int = 0) -> tuple[dict[str, set[tuple[str, ...]]], list[str]]:
    """Some families of three generations."""
    rng = np.random.default_rng(seed)
    facts: dict[str, set[tuple[str, ...]]] = {name: set() for name in ("parent", "male", "female", "married")}
    people: list[str] = []

    def person(name: str, sex: str) -> str:
        facts[sex].add((name,))
        people.append(name)
        return name

    for i in range(n):
        old, wife = person(f"g{i}m", "male"), person(f"g{i}f", "female")
        facts["married"] |= {(old, wife), (wife, old)}
        for j in range(3):
            sex = ("male", "female")[j % 2]
            child = person(f"c{i}{j}", sex)
            facts["parent"] |= {(old, child), (wife, child)}
            if j < 2:
                mate = person(f"m{i}{j}", ("female", "male")[j % 2])
                facts["married"] |= {(child, mate), (mate, child)}
                for k in range(2):
                    young = person(f"y{i}{j}{k}", str(rng.choice(["male", "female"])))
                    facts["parent"] |= {(child, young), (mate, young)}
    return facts, people


def program(facts: dict[str, set[tuple[str, ...]]]) -> str:
    return "\n".join(f"{name}({', '.join(row)})." for name, rows in facts.items() for row in sorted(rows))


def labelled(people: list[str], true: set[tuple[str, ...]]) -> tuple[np.ndarray, np.ndarray]:
    pairs = np.array([*product(people, people)], object)
    return pairs, np.array([tuple(pair) in true for pair in pairs.tolist()])


def evaluation_of(
    relations: Relations, bottom: BottomClause, inside: list[Any], outside: list[Any]
) -> Evaluation:
    code = relations.symbols.codes
    width = len(bottom.head.arguments)
    rows = [
        np.array([code(row) for row in rows], np.int64).reshape(len(rows), width)
        for rows in (inside, outside)
    ]
    return Evaluation(Coverage(relations), bottom.head, *rows)


# -- the oracles --


def test_10_b_20_coverage_and_the_shortest_consistent_clause() -> None:
    relations = Relations(program=FATHERS, modes=[GRANDCHILD, FATHER])
    pairs = [*product(PEOPLE, PEOPLE)]
    example = parse_program("grandchild(bob, shannon).").clauses[0].head
    assert example is not None
    bottom = bottom_clause(example, Coverage(relations), GRANDCHILD, [FATHER])
    rows = np.array([[relations.symbols.find(parse_term(name)) for name in pair] for pair in pairs])
    coverage = Coverage(relations)
    for places, covered in (((), 9), ((0,), 6), ((0, 1), 1)):
        assert int(coverage.covered(bottom.clause(places), rows).sum()) == covered
    learner = Progol(relations, "grandchild").fit(pairs, [pair == ("bob", "shannon") for pair in pairs])
    assert clauses_of(learner) == ["grandchild(A, B) :- father(B, C), father(C, A)."]


def test_10_b_12_the_constraint_and_constructive_induction() -> None:
    bob = Instance.of("male(bob). female(sharon). father(sharon, bob).", "child(bob, sharon).")
    background = "parent(U, V) :- father(U, V)."
    first, second = "child(U, V) :- father(V, U).", "child(U, V) :- parent(V, U)."
    assert entailed(first, [bob]).tolist() == [True]
    assert not entailed(second, [bob]).all()
    assert entailed(second, [bob], background).all()
    modes = [Mode("child", ("+p", "+p"), head=True), Mode("parent", ("+p", "-p"))]
    relations = Relations(
        program="male(bob). female(sharon). father(sharon, bob). " + background, modes=modes
    )
    pairs = [*product(("bob", "sharon"), repeat=2)]
    learner = Progol(relations, "child").fit(pairs, [pair == ("bob", "sharon") for pair in pairs])
    assert clauses_of(learner) == ["child(A, B) :- parent(B, A)."]
    assert entailed(learner.hypothesis_.clauses, [bob], background).all()


# -- what is learned, without a hint --


@pytest.mark.compiled
def test_grandparent_and_aunt() -> None:
    facts, people = family()
    parent, married = facts["parent"], facts["married"]
    grand = {(a, d) for a, b in parent for c, d in parent if b == c}
    sisters = {(a, b) for p, a in parent for q, b in parent if p == q and a != b and (a,) in facts["female"]}
    brothers = {(a, b) for p, a in parent for q, b in parent if p == q and a != b and (a,) in facts["male"]}
    aunts = {(a, d) for a, b in sisters for c, d in parent if b == c}
    aunts |= {(w, d) for a, b in brothers for m, w in married if m == a for c, d in parent if b == c}
    relations = Relations(program=program(facts | {"sibling": sisters | brothers}))
    learner = Progol(relations, "grandparent").fit(*labelled(people, grand))
    assert clauses_of(learner) == ["grandparent(A, B) :- parent(A, C), parent(C, B)."]
    X, y = labelled(people, aunts)
    learner = Progol(relations, "aunt", depth=2, max_literals=4).fit(X, y)
    assert learner.score(X, y) == 1.0
    assert sorted(map(sorted, bodies_of(learner))) == [
        ["female(A)", "married(A, D)", "parent(C, B)", "sibling(C, D)"],
        ["female(A)", "parent(C, B)", "sibling(A, C)"],
    ]
    learner = Progol(relations, "aunt").fit(X, y)
    assert learner.score(X, y) == 1.0
    # all aunts of these families have children, and these say it in one clause
    assert [sorted(body) for body in bodies_of(learner)] == [
        ["female(A)", "parent(A, C)", "parent(D, B)", "parent(E, C)", "sibling(D, E)"]
    ]


def test_trains() -> None:
    rng = np.random.default_rng(1)
    facts: dict[str, set[tuple[str, ...]]] = {
        name: set() for name in ("has_car", "short", "closed", "load", "wheels")
    }
    inside = []
    for train in range(30):
        east = False
        for car in range(int(rng.integers(2, 5))):
            name = f"car{train}_{car}"
            facts["has_car"].add((f"train{train}", name))
            short, closed = rng.random(2) < 0.4
            facts["short"] |= {(name,)} if short else set()
            facts["closed"] |= {(name,)} if closed else set()
            facts["load"].add((name, str(rng.choice(["circle", "triangle", "hexagon"]))))
            facts["wheels"].add((name, str(rng.integers(2, 4))))
            east |= bool(short and closed)
        inside.append(east)
    trains = [[f"train{train}"] for train in range(30)]
    learner = Progol(Relations(program=program(facts)), "eastbound").fit(trains, inside)
    assert clauses_of(learner) == ["eastbound(A) :- has_car(A, B), short(B), closed(B)."]


@pytest.mark.compiled
def test_noise_is_recognised() -> None:
    facts, people = family(5)
    parent = facts["parent"]
    grand = {(a, d) for a, b in parent for c, d in parent if b == c}
    X, y = labelled(people, grand)
    rng = np.random.default_rng(3)
    kept = y | (rng.random(len(y)) < 0.05)
    X, y = X[kept], y[kept]
    flipped = y ^ (rng.random(len(y)) < 0.1)
    learner = Progol(Relations(program=program(facts)), "grandparent", max_literals=3).fit(X, flipped)
    assert clauses_of(learner) == ["grandparent(A, B) :- parent(A, C), parent(C, B)."]
    assert learner.score(X, y) == 1.0


def test_illegal_chess_positions_in_part() -> None:
    rng = np.random.default_rng(0)
    positions = rng.integers(0, 8, (400, 4))
    inside = (positions[:, 0] == positions[:, 2]) | (
        (abs(positions[:, 0] - positions[:, 2]) <= 1) & (abs(positions[:, 1] - positions[:, 3]) <= 1)
    )
    near = [(a, b) for a in range(8) for b in range(8) if abs(a - b) <= 1]
    modes = [
        Mode("illegal", ("+file", "+rank", "+file", "+rank"), head=True),
        Mode("near", ("+file", "+file")),
        Mode("near", ("+rank", "+rank")),
    ]
    relations = Relations(program=" ".join(f"near({a}, {b})." for a, b in near), modes=modes)
    both = "illegal(A, B, C, D) :- near(A, C), near(B, D)."
    learner = Progol(relations, "illegal").fit(positions, inside)
    assert not any("=" in one for one in clauses_of(learner))  # none is declared
    relations = relations.with_modes([*modes, Mode("=", ("+file", "+file"))])
    learner = Progol(relations, "illegal").fit(positions, inside)
    assert sorted(clauses_of(learner)) == ["illegal(A, B, C, D) :- A = C.", both]


def test_thresholds_of_a_table() -> None:
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 10, (200, 3)).round(2)
    y = (X[:, 0] > 3) & (X[:, 1] <= 6)
    learner = Progol(target="inside").fit(X, y)
    assert learner.score(X, y) == 1.0
    assert learner.hypothesis_.size() == "1 clause, 2 literals"


def test_thresholds_of_the_background() -> None:
    rng = np.random.default_rng(0)
    prices = {f"p{i}": int(rng.integers(1, 100)) for i in range(60)}
    owns = [(f"c{i % 30}", name) for i, name in enumerate(prices)]
    text = " ".join([f"owns({a}, {b})." for a, b in owns] + [f"price({a}, {b})." for a, b in prices.items()])
    rich = {a for a, b in owns if prices[b] > 70}
    people = [[f"c{i}"] for i in range(30)]
    learner = Progol(Relations(program=text), "rich").fit(people, [row[0] in rich for row in people])
    assert learner.score(people, [row[0] in rich for row in people]) == 1.0
    assert len(learner.hypothesis_.clauses) == 1
    assert [each.name for each in learner.hypothesis_.clauses[0].body] == ["owns", "price", ">"]


def test_nominal_columns_of_a_table() -> None:
    import induce

    X, y = induce.dataset("play-tennis")
    learner = Progol(target="play").fit(X, y.to_list())
    assert learner.score(X, y.to_list()) == 1.0
    assert all(each.name == "=" for clause in learner.hypothesis_.clauses for each in clause.body)


# -- recursion --


def test_ancestor_by_what_is_proved() -> None:
    chain_of = [f"p{i}" for i in range(8)]
    parent = [*pairwise(chain_of), ("p2", "q"), ("q", "r")]
    relations = Relations(program=" ".join(f"parent({a}, {b})." for a, b in parent))
    people = [*chain_of, "q", "r"]
    true = set(parent)
    while more := {(a, d) for a, b in true for c, d in parent if b == c} - true:
        true |= more
    X, y = labelled(people, true)
    learner = Progol(relations, "ancestor", recursion=True, max_literals=2).fit(X, y)
    assert learner.score(X, y) == 1.0
    assert learner.hypothesis_.recursive
    assert len(learner.hypothesis_.clauses) == 2


def test_reach_in_a_graph_with_cycles_is_not_circular() -> None:
    edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("f", "d"), ("g", "f")]
    relations = Relations(program=" ".join(f"edge({a}, {b})." for a, b in edges))
    true = set(edges)
    while more := {(a, d) for a, b in true for c, d in edges if b == c} - true:
        true |= more
    X, y = labelled([*"abcdefg"], true)
    learner = Progol(relations, "reach", recursion=True, max_literals=2).fit(X, y)
    assert learner.score(X, y) == 1.0
    assert any(not recursive_literals(clause) for clause in learner.hypothesis_.clauses)


def recursive_literals(clause: Clause) -> list[str]:
    assert clause.head is not None
    return [each.name for each in clause.body if each.name == clause.head.name]


def test_member_of_a_list() -> None:
    rng = np.random.default_rng(0)
    rows, inside = [], []
    for _ in range(60):
        things = rng.choice([*"abcde"], int(rng.integers(1, 5))).tolist()
        one = str(rng.choice([*"abcde"]))
        rows.append((one, things))
        inside.append(one in things)
    modes = [
        Mode("member", ("+thing", "+list"), head=True),
        Mode("head", ("+list", "-thing")),
        Mode("tail", ("+list", "-list")),
        Mode("member", ("+thing", "+list")),
    ]
    relations = Relations(program="head([X|_], X). tail([_|L], L).", modes=modes)
    learner = Progol(relations, "member").fit(rows, inside)
    assert clauses_of(learner) == ["member(A, B) :- head(B, A).", "member(A, B) :- tail(B, C), member(A, C)."]
    assert learner.predict([("z", ["x", "y", "z", "w", "q", "z"]), ("z", ["x"])]).tolist() == [True, False]


# -- the search --


def random_problem(seed: int) -> tuple[Relations, list[Mode], list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    rng = np.random.default_rng(seed)
    things = [f"x{i}" for i in range(7)]
    lines = ["p(x0, x1). q(x1, x0). r(x0). s(x1)."]
    for name in ("p", "q"):
        lines += [f"{name}({a}, {b})." for a in things for b in things if rng.random() < 0.25]
    lines += [f"{name}({a})." for name in ("r", "s") for a in things if rng.random() < 0.5]
    modes = [Mode("p", ("+x", "-x")), Mode("q", ("-x", "+x")), Mode("r", ("+x",)), Mode("s", ("+x",))]
    relations = Relations(program="\n".join(lines))
    pairs = [(parse_term(a), parse_term(b)) for a in things for b in things]
    inside = [pair for pair in pairs if rng.random() < 0.4]
    return relations, modes, inside, [pair for pair in pairs if pair not in inside]


def subsets(bottom: BottomClause, longest: int) -> list[tuple[int, ...]]:
    """All bodies whose literals, in some order, find their inputs."""

    def connected(places: tuple[int, ...]) -> bool:
        known, left = set(bottom.known), [*places]
        while ready := [place for place in left if bottom.needs[place] <= known]:
            left = [place for place in left if place not in ready]
            known |= {name for place in ready for name in bottom.literals[place].variables()}
        return not left

    every = chain.from_iterable(combinations(range(len(bottom)), size) for size in range(longest + 1))
    return [places for places in every if connected(places)]


@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore:the most specific clause")
@settings(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from([0, 1, np.inf]))
def test_no_subset_is_better_than_what_the_search_finds(seed: int, noise: float) -> None:
    relations, modes, inside, outside = random_problem(seed)
    if not inside:
        return
    head = Mode("t", ("+x", "+x"), head=True)
    example = parse_program(f"t({inside[0][0]}, {inside[0][1]}).").clauses[0].head
    assert example is not None
    bottom = bottom_clause(example, Coverage(relations), head, modes, max_literals=10)
    evaluation = evaluation_of(relations, bottom, inside, outside)
    search = BottomSearch(bottom, evaluation, Compression(), Limits(max_literals=3, noise=noise))
    found = search.best(evaluation.everything)
    best = -np.inf
    for places in subsets(bottom, 3):
        covers = Coverage(relations).covered(bottom.clause(places), evaluation.rows)
        p, n = int(covers[: len(inside)].sum()), int(covers[len(inside) :].sum())
        if n <= noise and p:
            best = max(best, p - n - len(places))
    assert found.score == best
    if found.places is not None:
        clause = bottom.clause(found.places)
        assert (found.inside, found.outside) == counted(relations, clause, evaluation, len(inside))
        assert theta_subsumes(clause, bottom.clause()) is not None
        assert evaluation.words_of_clause(clause)[0] & np.uint64(1), "the seed is covered"


def counted(relations: Relations, clause: Clause, evaluation: Evaluation, n_inside: int) -> tuple[int, int]:
    covers = Coverage(relations).covered(clause, evaluation.rows)
    return int(covers[:n_inside].sum()), int(covers[n_inside:].sum())


@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore:the most specific clause")
@settings(max_examples=10)
@given(st.integers(0, 1_000))
def test_the_outputs_of_the_head_are_bound(seed: int) -> None:
    relations, modes, inside, outside = random_problem(seed)
    if not inside:
        return
    head = Mode("t", ("+x", "-x"), head=True)
    example = parse_program(f"t({inside[0][0]}, {inside[0][1]}).").clauses[0].head
    assert example is not None
    bottom = bottom_clause(example, Coverage(relations), head, modes, max_literals=10)
    evaluation = evaluation_of(relations, bottom, inside, outside)
    found = BottomSearch(bottom, evaluation, Compression(), Limits(max_literals=3)).best(
        evaluation.everything
    )
    output = bottom.head.arguments[1]
    possible = [
        places
        for places in subsets(bottom, 3)
        if any(output in bottom.literals[place].arguments for place in places)
    ]
    scores = []
    for places in possible:
        p, n = counted(relations, bottom.clause(places), evaluation, len(inside))
        scores.append(p - n - len(places))
    if found.places is None:
        assert not possible
    else:
        assert found.score == max(scores)
        assert any(output in bottom.literals[place].arguments for place in found.places)


def test_generality_bound_is_tight() -> None:
    score = Generality(50)
    for best in (-1.0, 0.5, 2.0):
        for length in (0, 3):
            least = score.least(best, length)
            assert least == 51 or score.of(least, 0, length) > best
            assert least <= 1 or score.of(least - 1, 0, length) <= best


# -- behaviour --


def small() -> tuple[Relations, list[tuple[str, str]], list[bool]]:
    text = (
        "parent(ann, bea). parent(ann, cal). parent(bea, dan). parent(bea, eve). parent(cal, fay). "
        "parent(dan, gus). parent(fay, hal)."
    )
    pairs = [("ann", "dan"), ("ann", "eve"), ("ann", "fay"), ("bea", "gus"), ("cal", "hal")]
    pairs += [("ann", "bea"), ("bea", "dan"), ("dan", "ann"), ("ann", "gus"), ("cal", "cal"), ("eve", "hal")]
    return Relations(program=text), pairs, [True] * 5 + [False] * 6


def test_a_trace_changes_nothing_and_tells_the_steps() -> None:
    relations, pairs, inside = small()
    plain = Progol(relations, "grandparent").fit(pairs, inside)
    with trace() as events:
        traced = Progol(relations, "grandparent").fit(pairs, inside)
    assert traced.hypothesis_ == plain.hypothesis_
    kinds = [event.kind for event in events]
    assert kinds[0] == "bottom clause"
    assert kinds[-1] == "clause"
    assert events[1].data == {"clause": "grandparent(A, B).", "positives": 5, "negatives": 6, "score": -1.0}
    assert (events[-1]["positives"], events[-1]["negatives"], events[-1]["score"]) == (5, 0, 3.0)


def test_the_names_of_things_do_not_matter() -> None:
    relations, pairs, inside = small()
    plain = Progol(relations, "grandparent").fit(pairs, inside)
    names = {name: f"x{17 * k % 101}" for k, name in enumerate(sorted({n for pair in pairs for n in pair}))}
    terms = [names[str(term)] for term in relations.symbols.terms]
    rows = relations.facts["parent/2"].tolist()
    text = " ".join(f"parent({terms[a]}, {terms[b]})." for a, b in rows)
    renamed = [tuple(names[name] for name in pair) for pair in pairs]
    other = Progol(Relations(program=text), "grandparent").fit(renamed, inside)
    assert clauses_of(other) == clauses_of(plain)
    assert other.n_nodes_ == plain.n_nodes_


def test_progress_goes_up_to_one() -> None:
    relations, pairs, inside = small()
    seen: list[float] = []
    with progress(seen.append):
        Progol(relations, "grandparent").fit(pairs, inside)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_positive_only() -> None:
    chain_of = [f"p{i}" for i in range(12)]
    text = " ".join(f"mother({a}, {b})." for a, b in pairwise(chain_of))
    relations = Relations(program=text)
    pairs = [(chain_of[i], chain_of[i + 2]) for i in (0, 3, 7)]
    with pytest.raises(InputError, match="positive_only=True"):
        Progol(relations, "grandmother").fit(pairs, [True] * 3)
    learner = Progol(relations, "grandmother", positive_only=True).fit(pairs, [True] * 3)
    assert clauses_of(learner) == ["grandmother(A, B) :- mother(A, C), mother(C, B)."]
    sampled = Progol(relations, "grandmother", positive_only=True, n_random=60).fit(pairs, [True] * 3)
    assert clauses_of(sampled) == clauses_of(learner)


@pytest.mark.compiled
def test_limits_keep_the_best_so_far() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 5)).round(2)
    y = rng.random(150) < 0.5
    with pytest.warns(Note, match="max_nodes"):
        cut = Progol(max_nodes=5, noise=0).fit(X, y)
    assert "max_nodes" in str(cut.stopped_)
    with pytest.warns(Note, match="time limit"):
        timed = Progol(time_limit=1e-9).fit(X, y)
    assert "time limit" in str(timed.stopped_)
    with pytest.warns(Note, match="max_clauses"):
        short = Progol(max_clauses=1, noise=0).fit(X, y)
    assert len(short.hypothesis_.clauses) == 1


def test_ctrl_c_keeps_the_clauses_found() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)).round(2)
    y = (X[:, 0] > 0.5) | (X[:, 1] > 1) | (X[:, 2] < -1)

    def interrupt(share: float) -> None:
        raise KeyboardInterrupt

    with progress(interrupt), pytest.warns(Note, match="interrupted: the 1 clauses"):
        learner = Progol(noise=0).fit(X, y)
    assert len(learner.hypothesis_.clauses) == 1
    with progress(interrupt), whole_fits(), pytest.raises(KeyboardInterrupt):
        Progol(noise=0).fit(X, y)


def test_examples_are_kept_on_demand() -> None:
    relations = Relations(program="r(a). r(b). r(c). r(d).")
    rows, inside = [["a"], ["b"], ["c"], ["d"]], [True, False, False, False]
    assert clauses_of(Progol(relations).fit(rows, inside)) == []
    assert clauses_of(Progol(relations, keep_examples=True).fit(rows, inside)) == ["target(a)."]


def test_clauses_that_others_make_superfluous_are_left_out() -> None:
    relations = Relations(program="r(a). r(b). r(c). s(a). s(b). s(c). s(d). s(e). t(a). t(f).")
    rows = [[name] for name in "abcdefgh"]
    learner = Progol(relations, noise=0).fit(rows, [True] * 5 + [False] * 3)
    assert clauses_of(learner) == ["target(A) :- s(A)."]


def test_missing_and_unknown_things() -> None:
    relations = Relations(program="r(a). r(b). r(c).")
    rows = np.array([["a"], ["b"], ["c"], ["d"], [None]], object)
    learner = Progol(relations).fit(rows, [True, True, True, False, False])
    assert clauses_of(learner) == ["target(A) :- r(A)."]
    assert learner.predict(np.array([["zoe"], [None], ["a"]], object)).tolist() == [False, False, True]


def test_settings_of_aleph() -> None:
    with pytest.warns(Note, match="verbosity"):
        found = parameters_for(Progol, {"i": 3, "clauselength": 5, "nodes": 100, "minpos": 2, "verbosity": 0})
    assert found == {"depth": 3, "max_literals": 4, "max_nodes": 100, "min_positives": 2}
    assert parameters_for(Progol, {"evalfn": "posonly"}) == {"positive_only": True}


def test_bad_parameters() -> None:
    relations, pairs, inside = small()
    for name, value in (
        ("depth", 0),
        ("max_literals", 1.5),
        ("noise", -1),
        ("max_nodes", 0),
        ("min_accuracy", "x"),
    ):
        with pytest.raises(InputError, match=name):
            Progol(relations, **{name: value}).fit(pairs, inside)


def test_min_accuracy_and_min_positives() -> None:
    relations = Relations(program="r(a). r(b). r(c). r(x). s(a).")
    rows, inside = [["a"], ["b"], ["c"], ["x"]], [True, True, True, False]
    assert clauses_of(Progol(relations, noise=1).fit(rows, inside))
    strict = Progol(relations, noise=1, min_accuracy=0.9).fit(rows, inside)
    assert clauses_of(strict) == ["target(A) :- s(A)."]
    assert clauses_of(Progol(relations, noise=1, min_accuracy=0.9, min_positives=2).fit(rows, inside)) == []


def test_comparison_of_searches() -> None:
    relations, pairs, inside = small()
    found = compare_searches(relations, "grandparent", pairs, inside, test=(pairs, inside))
    assert [run.learner for run in found.runs] == ["Progol", "Golem", "FOIL"]
    assert found["Progol"].training == found["Progol"].test == 1.0
    assert found["FOIL"].hypotheses > found["Golem"].hypotheses > 0
    lines = str(found).splitlines()
    assert lines[0].split() == [
        "learner",
        "hypotheses",
        "tests",
        "tests",
        "each",
        "seconds",
        "training",
        "test",
    ]
    assert len(lines) == 4


def test_numbers_of_a_cut_bottom_clause_are_compared_only_where_they_were_met() -> None:
    program = "".join(f"has(c{n % 4}, t{n}). amount(t{n}, {n}). " for n in range(40))
    rows = [[f"c{n}"] for n in range(4)]
    with pytest.warns(Note, match="more than 10 literals"):
        learner = Progol(Relations(program=program), "rich", max_bottom=10).fit(rows, [1, 1, 0, 0])
    assert learner.hypothesis_ is not None


def test_a_later_clause_may_not_let_a_recursive_one_cover_negatives() -> None:
    modes = [
        Mode("f", ("+list",), head=True),
        Mode("tail", ("+list", "-list")),
        Mode("head", ("+list", "#el")),
        Mode("f", ("+list",)),
    ]
    lists = Relations(program="tail([_|T], T). head([H|_], H).", modes=modes)
    inside = ["a", "ax", "xa", "yxa", "ya", "zax", "xyax", "q", "qy", "qz", "qx"]
    outside = ["x", "zq", "y", "xq", ""]
    rows = [[[*word]] for word in inside + outside]
    learner = Progol(lists, "f", noise=0, recursion=True).fit(rows, [True] * 11 + [False] * 5)
    assert learner.hypothesis_.recursive
    assert not learner.predict(rows[11:]).any()
