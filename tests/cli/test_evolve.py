"""`induce evolve`: shipped problems, files, resuming, pictures, bad input."""

from __future__ import annotations

import pytest

SMALL = ("population_size=20", "generations=5")
FILE = """
from induce.evolution import Genes, Language, Real, Whole, formula_functions, variable

genome = Genes({"width": Real(0, 4), "turns": Whole(1, 9)})


def cost(design):
    return (design["width"] - 2) ** 2 + design["turns"]


def ones(bits):
    return bits.sum()


broken = 3

language = Language((*formula_functions(("add", "mul")), variable("x")))


def wrong(program):
    return abs(program.run({"x": 3.0}) - 12.0)
"""


def test_problems_are_listed(run):
    assert "job-shop" in run("evolve").out
    assert {entry["name"] for entry in run("evolve", "--json").json} >= {"onemax", "traps", "multiplexer"}


def test_a_shipped_problem(run, tmp_path):
    done = run("evolve", "onemax", "--size", "20", *SMALL, "--live", "--draw", str(tmp_path / "fitness.svg"))
    assert done.code == 0
    assert "GeneticAlgorithm on OneMax" in done.out
    assert "generation 5: best" in done.err
    assert (tmp_path / "fitness.svg").read_text(encoding="utf-8").startswith("<?xml")
    found = run("evolve", "onemax", "--size", "20", *SMALL, "--search", "--json").json
    assert found["generations"] == 5
    assert set(found["search"]) == {
        "GeneticAlgorithm",
        "hill-climbing",
        "simulated annealing",
        "random search",
    }


def test_a_saved_run_is_resumed(run, tmp_path):
    file, whole = str(tmp_path / "run.induce"), ("evolve", "onemax", "--size", "40", "--demes", "2")
    assert run(*whole, *SMALL, "--out", file).code == 0
    again = run(*whole, "generations=9", "--resume", file, "--json").json
    expected = run(*whole, "population_size=20", "generations=9", "--json").json
    assert again["hypothesis"] == expected["hypothesis"]
    assert again["history"] == expected["history"]
    other = run("evolve", "traps", "--resume", file)
    assert other.code == 2
    assert "the run solves a different problem" in other.err


def test_a_run_is_not_resumed_with_another_genome(run, tmp_path):
    script, file = tmp_path / "own.py", str(tmp_path / "run.induce")
    script.write_text("def ones(bits):\n    return float(sum(bits))\n", encoding="utf-8")
    whole = ("evolve", f"{script}:ones")
    assert run(*whole, "--genome", "bits:20", *SMALL, "--out", file).code == 0
    assert run(*whole, "--genome", "bits:20", "generations=5", "--resume", file).code == 0
    other = run(*whole, "--genome", "bits:30", "generations=5", "--resume", file)
    assert other.code == 2
    assert other.err.count("\n") == 1
    assert "individuals of Bits(n=20" in other.err
    assert "leave out --genome" in other.err


@pytest.mark.parametrize("problem", ["blocks", "ant", "filter"])
def test_programs_are_bred_saved_and_resumed(run, tmp_path, problem):
    file, whole = (
        str(tmp_path / "run.induce"),
        ("evolve", problem, "--size", "9", "--demes", "2", "population_size=10"),
    )
    done = run(*whole, "generations=1", "--out", file, "--draw", str(tmp_path / "fitness.svg"))
    assert "GeneticProgramming on" in done.out
    again = run(*whole, "generations=2", "--resume", file, "--json").json
    assert again["history"] == run(*whole, "generations=2", "--json").json["history"]
    other = run("evolve", "ant" if problem == "blocks" else "blocks", "--resume", file)
    assert other.code == 2
    assert len(other.err) < 500


def test_a_function_of_a_file(run, tmp_path):
    path = tmp_path / "design.py"
    path.write_text(FILE, encoding="utf-8")
    settings = ("minimise=true", "selection=tournament", "m=0.9", *SMALL)
    done = run("evolve", f"{path}:cost", *settings)
    assert done.code == 0
    assert "width = " in done.out
    assert run("evolve", f"{path}:ones", "--genome", "bits:12", *SMALL).code == 0
    programs = run(
        "evolve", f"{path}:wrong", "--genome", "language", "minimise=true", "fitness_threshold=0", *SMALL
    )
    assert "fitness 0 after" in programs.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("onemx",), "there is no problem 'onemx'|problem 'onemx'"),
        (("FILE:nothing",), "has no function 'nothing'"),
        (("FILE:broken",), "has no function 'broken'"),
        (("FILE:ones", "--genome", "bits"), "--genome is 'bits'"),
        (("FILE:ones", "--genome", "reals:x"), "--genome is 'reals:x'"),
        (("FILE:ones", "--size", "3"), "--size is for shipped problems"),
        (("FILE",), "name the fitness function"),
        (("missing.py:f",), "there is no file"),
        (("onemax", "--genome", "bits:3"), "--genome is for functions"),
        (("FILE:wrong", "--genome", "language", "--learner", "GeneticAlgorithm"), "no parameter 'language'"),
        (("blocks", "--demes", "200"), "too small for 200 demes"),
        (("onemax", "r=2"), "r is 2"),
        (("onemax", "wheels=2"), "has no parameter 'wheels'"),
        (("onemax", "--learner", "C45"), "C45 does not learn from a fitness function"),
        (("onemax", "--resume", "FILE"), "cannot load"),
        (("onemax", "--draw", "picture.xyz"), "does not determine the format"),
    ],
)
def test_bad_input(run, tmp_path, arguments, sentence):
    import re

    path = tmp_path / "design.py"
    path.write_text(FILE, encoding="utf-8")
    done = run("evolve", *(each.replace("FILE", str(path)) for each in arguments))
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert re.search(sentence, done.err)


def test_table_commands_say_where_to_go(run):
    done = run("learn", "play-tennis", "--learner", "GeneticAlgorithm")
    assert done.code == 2
    assert "use `induce evolve`" in done.err
    assert run("compare", "play-tennis", "--learners", "C45,GeneticAlgorithm").code == 2
