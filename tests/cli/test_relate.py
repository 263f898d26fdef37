"""`induce relate`: every kind of source, what it prints, what it saves, and bad input."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import numpy as np
import polars as pl
import pytest

import induce

PARENTS = [
    ("ann", "bea"),
    ("ann", "cal"),
    ("bea", "dan"),
    ("bea", "eve"),
    ("cal", "fay"),
    ("dan", "gus"),
    ("fay", "hal"),
]
GRAND = [(a, d) for a, b in PARENTS for c, d in PARENTS if b == c]
FACTS = "".join(f"parent({a}, {b}).\n" for a, b in PARENTS)
CLAUSE = "grand(A, B) :- parent(A, C), parent(C, B)."
SAME = "grand(A, B) :- parent(C, B), parent(A, C)."


@pytest.fixture
def family(tmp_path):
    """The same problem as a Prolog file, a folder, a stem and a database."""
    inside = "".join(f"grand({a}, {b}).\n" for a, b in GRAND)
    outside = "".join(f"grand({b}, {a}).\n" for a, b in [*PARENTS, *GRAND])
    (tmp_path / "family.pl").write_text(FACTS + inside, encoding="utf-8")
    folder = tmp_path / "popper"
    folder.mkdir()
    (folder / "exs.pl").write_text(
        "".join(f"pos({line[:-1]}).\n" for line in inside.splitlines())
        + "".join(f"neg({line[:-1]}).\n" for line in [*outside.splitlines(), "grand(ann, bea)."]),
        encoding="utf-8",
    )
    (folder / "bk.pl").write_text(FACTS, encoding="utf-8")
    (folder / "bias.pl").write_text("head_pred(grand,2). body_pred(parent,2). max_body(2).", encoding="utf-8")
    (tmp_path / "aleph.b").write_text(
        ":- set(i, 2).\n:- modeh(1, grand(+person, +person)).\n:- modeb(*, parent(+person, -person)).\n"
        ":- determination(grand/2, parent/2).\n" + FACTS,
        encoding="utf-8",
    )
    (tmp_path / "aleph.f").write_text(inside, encoding="utf-8")
    (tmp_path / "aleph.n").write_text(outside + "grand(ann, bea).", encoding="utf-8")
    with closing(sqlite3.connect(tmp_path / "family.db")) as database:
        database.execute("CREATE TABLE person (name TEXT PRIMARY KEY)")
        database.execute("CREATE TABLE parent (one TEXT REFERENCES person, other TEXT REFERENCES person)")
        database.execute("CREATE TABLE grand (elder TEXT REFERENCES person, child TEXT REFERENCES person)")
        people = sorted({name for pair in PARENTS for name in pair})
        database.executemany("INSERT INTO person VALUES (?)", [(name,) for name in people])
        database.executemany("INSERT INTO parent VALUES (?, ?)", PARENTS)
        database.executemany("INSERT INTO grand VALUES (?, ?)", GRAND)
        database.commit()
    return tmp_path


@pytest.mark.parametrize("learner", ["foil", "progol"])
@pytest.mark.parametrize("source", ["family.pl", "popper", "aleph", "aleph.f", "family.db"])
def test_every_source(run, family, source, learner):
    result = run("relate", family / source, "--target", "grand/2", "--learner", learner)
    assert result.code == 0, result.err
    name = {"aleph.f": "aleph"}.get(source, source.partition(".")[0])
    lines = result.out.splitlines()
    assert lines[0].startswith(f"{name}: grand/2, 5 positive and ")
    assert lines[2] in [f"{clause}  % 5 positive, 0 negative" for clause in (CLAUSE, SAME)]
    assert any(line.endswith(" s") and ": 1 clause, 2 literals, learned in " in line for line in lines)
    total = lines[0].partition(" and ")[2].partition(" ")[0]
    assert lines[-1] == f"covers 5 of 5 positive and 0 of {total} negative examples"


def test_a_database_with_a_label(run, family):
    with closing(sqlite3.connect(family / "family.db")) as database:
        database.execute("ALTER TABLE person ADD COLUMN old BOOLEAN")
        database.execute("UPDATE person SET old = name IN (SELECT elder FROM grand)")
        database.execute("DROP TABLE grand")
        database.commit()
    url = f"sqlite:///{family / 'family.db'}"
    result = run("relate", url, "--target", "person", "--label", "old", "--learner", "progol")
    assert "family: old/1, 3 positive and 5 negative examples" in result.out
    assert "old(A) :- parent(A, B), parent(B, C).  % 3 positive, 0 negative" in result.out


def test_json_is_one_document(run, family):
    found = run("relate", family / "aleph", "--json", "--learner", "progol", "--set", "max_literals=3").json
    assert found["problem"] == {
        "name": "aleph",
        "target": "grand/2",
        "positive": 5,
        "negative": 13,
        "relations": ["parent/2"],
    }
    assert found["learner"]["name"] == "Progol"
    assert found["learner"]["parameters"]["max_literals"] == 3
    assert found["learner"]["parameters"]["depth"] == 2
    assert found["theory"] == [{"clause": CLAUSE, "positive": 5.0, "negative": 0.0}]
    assert found["covered"] == {"positive": 5.0, "negative": 0.0}
    assert found["stopped"] is None


def test_the_model_is_saved_and_used_again(run, family, table):
    model = family / "grand.induce"
    result = run("relate", family / "family.pl", "--target", "grand", "--learner", "progol", "--out", model)
    assert result.out.splitlines()[-1] == f"wrote {model}"
    learned = induce.load(model)
    people = pl.DataFrame({"x0": ["ann", "dan", "ann"], "x1": ["dan", "ann", "nobody"]})
    assert learned.predict(people).tolist() == [True, False, False]
    assert CLAUSE in run("show", model).out
    assert run("show", model, "--as", "prolog").out == CLAUSE + "\n"
    rows = table("x0,x1\nann,dan\ndan,ann\n", "rows.csv")
    assert run("predict", model, rows).out == "x0,x1,prediction\nann,dan,true\ndan,ann,false\n"
    assert "parent(ann, bea)" in run("explain", model, "x0=ann,x1=dan").out


def test_negative_examples_are_chosen(run, family):
    source = family / "popper"
    assert "5 positive and 13 negative" in run("relate", source).out
    assert "5 positive and 59 negative" in run("relate", source, "--negatives", "closed-world").out
    alone = run("relate", source, "--negatives", "none")
    assert "5 positive and 0 negative" in alone.out
    assert "Progol: " in alone.out


def test_a_limit_that_ends_the_search_is_told(run, family):
    result = run(
        "relate", family / "family.pl", "--target", "grand", "--time-limit", "1e-9", "--learner", "progol"
    )
    assert result.code == 0
    assert "ended early: the time limit of 1e-09 s" in result.out


def test_contradictory_examples_are_told(run, table):
    path = table("pos(p(a)). neg(p(a)). pos(p(b)). neg(p(c)). q(a). q(b).", "p.pl")
    result = run("relate", path, "--learner", "progol")
    assert result.code == 0
    assert "1 example is both positive and negative" in result.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nothing.pl"], "there is no file 'nothing.pl'"),
        (["family.pl"], "target is missing; name the relation of family to learn, one of parent/2, grand/2"),
        (["family.pl", "--target", "gran/2"], "family has no relation gran/2 to learn"),
        (["family.db"], "name the table of the examples"),
        (["family.db", "--target", "person"], "every tuple of the types of person is a positive example"),
        (["popper", "--label", "x"], "label 'x' applies to tables of a database"),
        (
            ["popper", "--negatives", "none", "--learner", "foil"],
            "FOIL needs negative examples, but there are none of grand",
        ),
        (["popper", "--set", "depth"], "'depth' is not a parameter; write it as key=value"),
        (["popper", "--set", "no_such=1"], "has no parameter 'no_such'"),
        (["popper", "--set", "target=x"], "target is set by --target, not by --set"),
        (
            ["popper", "--time-limit", "0", "--learner", "progol"],
            "time_limit is 0.0; give a number of seconds above 0",
        ),
        (["popper", "--learner", "aleph"], "--learner"),
        (["popper", "--out", "no/such/folder/m.induce"], "there is no directory"),
        (["damaged.db", "--target", "p"], "cannot be read"),
        (["sqlite:///:memory:", "--target", "p"], "an in-memory database cannot be read by its URL"),
    ],
)
def test_bad_input_is_one_line(run, family, arguments, sentence):
    (family / "damaged.db").write_bytes(b"SQLite format 3\0 and then nothing of use" + bytes(2000))
    first = arguments[0] if "://" in arguments[0] else family / arguments[0]
    if arguments[0] == "nothing.pl":
        sentence = sentence.replace("nothing.pl", str(first))
    result = run("relate", first, *arguments[1:])
    assert sentence in result.sentence()


@pytest.fixture
def shops(tmp_path):
    """Two folders of a CSV and a Parquet file each, with customers in three classes."""
    for seed, name in ((1, "shop"), (2, "later")):
        rng = np.random.default_rng(seed)
        n = 120
        orders = pl.DataFrame(
            {
                "nr": list(range(3 * n)),
                "customer": [f"c{rng.integers(n)}" for _ in range(3 * n)],
                "kind": [["toy", "book", "food"][rng.integers(3)] for _ in range(3 * n)],
                "price": rng.integers(1, 100, 3 * n),
            }
        )
        dear = orders.filter(pl.col("price") > 60)
        toys, books = (set(dear.filter(pl.col("kind") == kind)["customer"]) for kind in ("toy", "book"))
        every = [f"c{number}" for number in range(n)]
        risk = ["high" if one in toys else "medium" if one in books else "low" for one in every]
        folder = tmp_path / name
        folder.mkdir()
        table = pl.DataFrame({"id": every, "risk": risk, "bad": [one == "high" for one in risk]})
        table.write_csv(folder / "customer.csv")
        orders.write_parquet(folder / "order.parquet")
    return tmp_path


def test_several_classes_with_a_test_and_cross_validation(run, shops):
    options = ("--target", "customer", "--label", "risk", "--ignore", "customer.bad")
    model = shops / "risk.induce"
    result = run("relate", shops / "shop", *options, "--test", shops / "later", "--cv", "2", "--out", model)
    assert result.code == 0, result.err
    assert "keys were inferred from names and values: customer(id), order(nr)" in result.err
    assert (
        "risk(A, high) :- order_customer(B, A), order_kind(B, toy), order_price(B, C), C > 60." in result.out
    )
    assert "% otherwise risk is low" in result.out
    assert "on the test source: error 0.0" in result.out
    assert "by cross-validation: error 0.0" in result.out
    shown = run("show", model, "--as", "sql").out
    assert shown.startswith('SELECT e.*,\nCASE\nWHEN e."id" IN (SELECT')
    document = run("relate", shops / "shop", *options, "--test", shops / "later", "--json").json
    assert document["problem"]["classes"].keys() == {"high", "low", "medium"}
    assert document["test"]["error"] <= 0.05


def test_rules_and_modes_in_files(run, shops):
    options = ("--target", "customer", "--label", "bad", "--ignore", "customer.risk")
    (shops / "rules.pl").write_text("dear(O) :- order_price(O, P), P > 60.", encoding="utf-8")
    (shops / "modes.pl").write_text(
        ":- modeb(*, order_customer(-order, +customer)). :- modeb(*, order_kind(+order, #'order.kind')). "
        ":- modeb(*, dear(+order)).",
        encoding="utf-8",
    )
    asked = (
        "relate",
        shops / "shop",
        *options,
        "--theory",
        shops / "rules.pl",
        "--modes",
        shops / "modes.pl",
    )
    clause = next(line for line in run(*asked).out.splitlines() if line.startswith("bad(A)"))
    assert {part.partition("(")[0] for part in clause.partition(":- ")[2].split(", ")} >= {
        "dear",
        "order_kind",
    }
    assert "price" not in clause
    for text, sentence in (
        ("p(a).", "declares no mode for the body"),
        (":- modeb(*, nothing(+customer)).", "nothing"),
        (":- modeh(1, other(+customer)). :- modeb(*, dear(+order)).", "not of bad/1"),
    ):
        (shops / "modes.pl").write_text(text, encoding="utf-8")
        refused = run(*asked)
        assert refused.code == 2
        assert sentence in refused.err
    (shops / "rules.pl").write_text("bad(X) :- order_customer(Y, X).", encoding="utf-8")
    refused = run("relate", shops / "shop", *options, "--theory", shops / "rules.pl")
    assert refused.code == 2
    assert "the relation to be learned" in refused.err


def test_learners_are_compared_on_the_same_folds(run, family):
    words = ("relate", family / "family.pl", "--target", "grand/2", "--compare", "foil,Progol depth=1")
    found = run(*words, "--cv", "3", "--json").json
    problem = induce.relational.read_problem(family / "family.pl", "grand/2")
    expected = induce.evaluate(problem.learner("FOIL"), problem.X, problem.y, cv=3)
    by_name = {line["name"]: line["value"] for line in found["learners"]}
    assert set(by_name) == {"FOIL", "Progol depth=1"}
    assert by_name["FOIL"] == expected.error
    result = run(*words, "--cv", "3")
    lines = result.out.splitlines()
    assert lines[0].startswith("family: grand/2, 5 positive and ")
    assert lines[2].startswith("family: error by 3-fold cross-validation, ")
    assert "against the best" in lines[4]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--compare", "foil"], "--compare is 'foil'; give at least two learners, as in foil,progol"),
        (["--compare", "foil,fool"], "there is no learner 'fool'; did you mean 'foil'?"),
        (["--compare", "foil,progol", "--learner", "foil"], "--learner is about one learner"),
        (["--compare", "foil,progol", "--out", "x.induce"], "--out is about one learner"),
    ],
)
def test_a_comparison_that_cannot_be_is_refused(run, family, options, sentence):
    assert sentence in run("relate", family / "family.pl", "--target", "grand/2", *options).sentence()
