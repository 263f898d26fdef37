"""The relational problems are what they say, and their files say the same to every system; no peer is needed."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
RELATED = ("daughter", "grandparent", "uncle", "aunt", "ancestor")


@pytest.fixture(autouse=True)
def _from_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))


@cache
def _small() -> dict[str, Any]:
    from benchmarks import relational_problems as drawn
    from benchmarks.relational_families import family

    found = [
        *(family(relation, 4) for relation in RELATED),
        family("aunt", 5, 0.1),
        drawn.trains(30),
        drawn.element(40),
        drawn.reach(12),
        drawn.endgame(60),
        drawn.customers("category", 40),
        drawn.customers("amount", 40),
    ]
    return {problem.name: problem for problem in found}


def test_the_same_problems_are_drawn_again() -> None:
    for first, again in zip(_small().values(), _small.__wrapped__().values(), strict=True):
        for part in ("train", "test"):
            one, other = getattr(first, part), getattr(again, part)
            assert (one.facts, one.positives, one.negatives) == (
                other.facts,
                other.positives,
                other.negatives,
            )


def test_every_problem_has_both_kinds_of_examples_and_no_example_twice_with_different_labels() -> None:
    for problem in _small().values():
        for part in (problem.train, problem.test):
            assert part.positives, problem.name
            assert part.negatives, problem.name
            assert not set(part.positives) & set(part.negatives), problem.name
        assert {len(row) for row in problem.train.positives} == {len(problem.head.arguments)}


def test_what_is_tested_on_is_not_what_was_learned_from() -> None:
    for name, problem in _small().items():
        if name.startswith(("endgame", "element")):
            continue
        known, new = (
            {value for rows in part.facts.values() for row in rows for value in row if isinstance(value, str)}
            for part in (problem.train, problem.test)
        )
        shared = {"rectangle", "u_shaped", "hexagon", "ellipse", "circle", "triangle"}
        shared |= {"books", "food", "jewellery", "music", "travel", "online", "shop"}
        assert known & new <= shared, name


def test_relatives_are_what_their_rules_say() -> None:
    from benchmarks.relational_families import related

    facts = {
        "parent": (("a", "b"), ("a", "c"), ("b", "d"), ("e", "d"), ("d", "f")),
        "married": (("b", "e"), ("e", "b"), ("c", "g"), ("g", "c")),
        "male": (("a",), ("c",), ("e",), ("f",)),
        "female": (("b",), ("d",), ("g",)),
        "sibling": (("b", "c"), ("c", "b")),
    }
    assert related(facts, "daughter") == {("b", "a"), ("d", "b"), ("d", "e")}
    assert related(facts, "grandparent") == {("a", "d"), ("b", "f"), ("e", "f")}
    assert related(facts, "uncle") == {("c", "d")}
    assert related(facts, "aunt") == {("g", "d")}
    assert related(facts, "ancestor") == {
        *facts["parent"],
        ("a", "d"),
        ("a", "f"),
        ("b", "f"),
        ("e", "f"),
    }


def test_a_family_has_no_person_married_twice_and_every_child_two_parents() -> None:
    import numpy as np

    from benchmarks.relational_families import drawn

    facts = drawn(5, np.random.default_rng(0), "f")
    spouses = [one for one, _ in facts["married"]]
    assert len(spouses) == len(set(spouses))
    children = [child for _, child in facts["parent"]]
    assert {children.count(child) for child in children} == {2}
    assert not set(facts["male"]) & set(facts["female"])
    assert {tuple(reversed(pair)) for pair in facts["sibling"]} == set(facts["sibling"])


def test_noise_is_in_the_training_labels_alone() -> None:
    from benchmarks.relational_families import family, related

    noisy = family("aunt", 5, 0.1)
    true = related(noisy.train.facts, "aunt")
    wrong = [row for row in noisy.train.positives if row not in true]
    wrong += [row for row in noisy.train.negatives if row in true]
    n = len(noisy.train.positives) + len(noisy.train.negatives)
    assert len(wrong) == round(0.1 * n) > 0
    assert set(noisy.test.positives) == related(noisy.test.facts, "aunt")
    assert noisy.noisy


def test_trains_go_east_for_a_short_closed_car_alone() -> None:
    train = _small()["trains-30"].train
    facts = {name: set(rows) for name, rows in train.facts.items()}
    east = {(one,) for one, car in facts["has_car"] if {(car,)} <= facts["short"] & facts["closed"]}
    assert east == set(train.positives)
    assert len(train.positives) + len(train.negatives) == 30


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        ((0, 0, 4, 2, 7, 7), False),
        ((0, 0, 0, 0, 7, 7), True),  # king and rook on one square
        ((0, 0, 4, 2, 4, 2), True),  # the rook on the square of the black king
        ((3, 3, 7, 0, 4, 4), True),  # the kings side by side
        ((0, 0, 4, 2, 4, 6), True),  # check along a file
        ((0, 0, 2, 6, 7, 6), True),  # check along a rank
        ((4, 4, 4, 2, 4, 6), False),  # the white king between
        ((4, 0, 4, 2, 4, 6), True),  # on the line, but not between
        ((4, 6, 2, 6, 7, 6), False),
    ],
)
def test_illegal_positions(position: tuple[int, ...], expected: bool) -> None:
    from benchmarks.relational_problems import illegal

    assert illegal(position[:2], position[2:4], position[4:]) is expected


def test_legality_does_not_depend_on_how_the_board_is_turned() -> None:
    from benchmarks.relational_problems import illegal

    for row in product(range(0, 8, 2), (1, 4), range(0, 8, 3), (1, 5), range(8), (0, 4, 7)):
        mirrored = [7 - value for value in row]
        turned = [row[i ^ 1] for i in range(6)]
        said = illegal(row[:2], row[2:4], row[4:])
        assert illegal(tuple(mirrored[:2]), tuple(mirrored[2:4]), tuple(mirrored[4:])) is said
        assert illegal(tuple(turned[:2]), tuple(turned[2:4]), tuple(turned[4:])) is said


def test_lists_and_graphs_are_labelled_right() -> None:
    from benchmarks.relational_families import closure

    small = _small()
    for part in (small["element"].train, small["element"].test):
        assert all(one in str(things) for one, things in part.positives)
        assert not any(one in str(things) for one, things in part.negatives)
    graph = small["reach"].train
    assert set(graph.positives) == closure(graph.facts["edge"])
    assert not any(a == b for a, b in graph.positives)  # no cycle
    assert len(graph.positives) + len(graph.negatives) == 12 * 12


@pytest.mark.parametrize("kind", ["category", "amount"])
def test_customers_are_suspect_for_one_purchase(kind: str) -> None:
    from benchmarks.relational_problems import DEAR, customers

    train = customers(kind, 300).train
    facts = {name: dict(rows) for name, rows in train.facts.items() if name != "bought"}
    suspect = {
        (customer,)
        for customer, purchase in train.facts["bought"]
        if (
            facts["amount"][purchase] >= DEAR
            if kind == "amount"
            else (facts["category"][purchase], facts["channel"][purchase]) == ("jewellery", "online")
        )
    }
    assert suspect == set(train.positives)


def test_the_large_problem_has_the_size_it_says() -> None:
    from benchmarks.relational_problems import problems

    train = problems()["customers-category"]().train
    assert len(train.positives) + len(train.negatives) == 10_000
    assert 95_000 < sum(map(len, train.facts.values())) < 105_000


def test_both_systems_get_the_same_examples_and_facts(tmp_path: Path) -> None:
    from benchmarks.peers.problems import atom, write

    for name, problem in _small().items():
        place = write(problem, tmp_path)
        positive, negative = (
            (place / "aleph" / f"{name}.{end}").read_text(encoding="utf-8") for end in ("f", "n")
        )
        examples = (place / "popper" / "exs.pl").read_text(encoding="utf-8")
        assert positive.splitlines() == [
            f"{atom(problem.head.name, row)}." for row in problem.train.positives
        ]
        assert examples.count("pos(") == positive.count("\n")
        assert examples.count("neg(") == negative.count("\n")
        for system in ("aleph", "popper"):
            test = (place / system / "test.pl").read_text(encoding="utf-8")
            assert len(re.findall(r"^pos\(", test, re.MULTILINE)) == len(problem.test.positives)
        background = (place / "aleph" / f"{name}.b").read_text(encoding="utf-8")
        for fact in (atom(one, row) for one, rows in problem.train.facts.items() for row in rows):
            assert f"\n{fact}.\n" in background


def test_modes_are_declared_for_aleph(tmp_path: Path) -> None:
    from benchmarks.peers.problems import write

    text = (write(_small()["customers-amount"], tmp_path) / "aleph" / "customers-amount.b").read_text(
        encoding="utf-8"
    )
    for line in (
        ":- set(clauselength,4).",
        ":- modeh(1,suspect(+customer)).",
        ":- modeb(*,bought(+customer,-purchase)).",
        ":- modeb(*,at_least(+amount,#amount)).",
        ":- determination(suspect/1,at_most/2).",
    ):
        assert line in text


def test_popper_gets_constants_thresholds_and_types_as_predicates(tmp_path: Path) -> None:
    from benchmarks.peers.problems import popper_relations, write

    small = _small()
    trains = small["trains-30"]
    load = {row for row in trains.train.facts["load"] if row[1:] == ("circle", 2)}
    found = {one.name: one for one in popper_relations(trains)}
    assert found["load_circle_2"].rows(trains.train.facts) == tuple(
        (car,) for car, *_ in trains.train.facts["load"] if (car, "circle", 2) in load
    )
    amounts = {one.name: one for one in popper_relations(small["customers-amount"])}
    cuts = sorted(int(name.rpartition("_")[2]) for name in amounts if name.startswith("at_least"))
    assert len(cuts) == 9
    above = amounts[f"at_least_amount_{cuts[4]}"].rows(small["customers-amount"].train.facts)
    assert above
    assert min(value for (value,) in above) >= cuts[4]
    bias = (write(small["endgame-60"], tmp_path) / "popper" / "bias.pl").read_text(encoding="utf-8")
    assert "body_pred(adjacent_file,2)." in bias
    assert "type(same_rank,(rank,rank,))." in bias
    assert "non_datalog." in bias  # or every variable of the head had to be in the body
    assert "enable_recursion." not in bias
    recursive = (write(small["element"], tmp_path) / "popper" / "bias.pl").read_text(encoding="utf-8")
    assert "enable_recursion." in recursive
    assert "direction(tail,(in,out,))." in recursive


def test_a_relation_without_facts_is_declared(tmp_path: Path) -> None:
    from dataclasses import replace

    from benchmarks.peers.problems import write

    problem = _small()["trains-30"]
    bare = replace(problem, test=replace(problem.test, facts={**problem.test.facts, "jagged": ()}))
    place = write(bare, tmp_path)
    for system in ("aleph", "popper"):
        assert ":- dynamic jagged/1." in (place / system / "test.pl").read_text(encoding="utf-8")


def test_real_files_are_read(tmp_path: Path) -> None:
    from benchmarks.relational_problems import main, problems

    folder = tmp_path / "data" / "relational"
    folder.mkdir(parents=True)
    (folder / "family.pl").write_text(
        "% facts\nhusband(al,bo). parent(al,cy). parent(bo,cy).\nparent(cy, di).\n", encoding="utf-8"
    )
    (folder / "trains.b").write_text(
        ":- modeb(1,short(+car)).\ncar(c1). short(c1). % short(c2).\nshape(oval).\nshape(c1,oval). load(c1,oval,3).\n"
        "has_car(t1,c1). has_car(t2,c2).\n",
        encoding="utf-8",
    )
    (folder / "trains.f").write_text("eastbound(t1).\n", encoding="utf-8")
    (folder / "trains.n").write_text("eastbound(t2).\n", encoding="utf-8")
    found = problems(tmp_path / "data")
    grandparent = found["english-grandparent"]()
    assert grandparent.train.positives == (("al", "di"), ("bo", "di"))
    assert len(grandparent.train.negatives) == 4 * 4 - 2
    trains = found["trains-michalski"]().train
    assert trains.facts["short"] == (("c1",),)
    assert trains.facts["shape"] == (("c1", "oval"),)
    assert trains.facts["load"] == (("c1", "oval", 3),)
    assert (trains.positives, trains.negatives) == ((("t1",),), (("t2",),))
    main(["--data", str(tmp_path / "data"), "--write", str(tmp_path / "out"), "--only", "trains-michalski"])
    assert (tmp_path / "out" / "trains-michalski" / "popper" / "bk.pl").exists()


def test_a_problem_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks.relational_problems import main

    with pytest.raises(SystemExit):
        main(["--write", str(tmp_path), "--only", "nothing"])
    assert "no problem is called nothing; there are" in capsys.readouterr().err


def test_a_theory_and_a_test_are_counted() -> None:
    from benchmarks.peers.relational import Learned, Tested

    theory = "p(A,B) :-\n   q(A,C), r(C,B).\np(A,A).\np(a1,b2).\n"
    assert Learned(theory, 1.0, 1.0, 1.0, 1.0, False).clauses == 2
    assert Learned("", 1.0, 1.0, 1.0, 1.0, False).clauses == 0
    assert Tested(9, 10, 2, 10).accuracy == 0.85


def test_a_peer_that_needs_too_long_is_ended_and_one_that_fails_says_why() -> None:
    import sys

    from benchmarks.peers.relational import _run

    late = _run([sys.executable, "-c", "import time; time.sleep(60)"], 0.3)
    assert late.killed
    assert late.learned("never").theory == ""
    assert late.learned("never").expired
    failed = _run([sys.executable, "-c", "raise SystemExit('no such thing')"], 30.0)
    assert not failed.killed
    with pytest.raises(RuntimeError, match="no such thing"):
        failed.learned("")
    said = 'print(\'measured\', \'{"cpu": 1.5, "wall": 2.5, "expired": false}\')'
    held = (
        "import time; held = bytearray(50_000_000); time.sleep(0.3)"  # its peak is looked up while it lives
    )
    good = _run([sys.executable, "-c", f"{held}; {said}"], 30.0).learned("p(A).")
    assert (good.cpu, good.wall, good.expired, good.clauses) == (1.5, 2.5, False, 1)
    assert 50 < good.memory < 150


def test_our_learners_are_told_what_aleph_is() -> None:
    from benchmarks.peers.relational import parameters

    small = _small()
    assert parameters(small["reach"], "Golem") == {
        "determinate": False,
        "depth": 2,
        "recursion": True,
    }
    noisy = small["aunt-noise"]
    assert parameters(noisy, "Golem")["noise"] == 0.2
    assert parameters(noisy, "Progol")["noise"] == noisy.aleph["noise"]
    assert parameters(noisy, "Progol")["max_literals"] == 4
    assert parameters(noisy, "FOIL") == {}


def test_our_learner_is_tested_on_the_other_facts(tmp_path: Path) -> None:
    from benchmarks.peers.problems import write
    from benchmarks.peers.relational import learn_induce

    problem = _small()["daughter"]
    folder = write(problem, tmp_path) / "aleph"
    learned, test, first = learn_induce(problem, folder, "Progol", 60.0, 2)
    assert "female" in learned.theory
    assert test.accuracy == 1.0
    assert (test.of_positives, test.of_negatives) == (
        len(problem.test.positives),
        len(problem.test.negatives),
    )
    assert not learned.expired
    assert learned.memory > 10
    assert first > 0


def test_our_learner_that_fails_says_why(tmp_path: Path) -> None:
    from benchmarks.peers.relational import PeerError, learn_induce

    with pytest.raises(PeerError, match=r"daughter\.b"):
        learn_induce(_small()["daughter"], tmp_path, "Progol", 60.0)
