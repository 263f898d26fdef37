"""`induce plan`."""

from __future__ import annotations

from dataclasses import replace

import induce
from induce.planning import Macro, random_problem, read_domain, read_problem, write_domain, write_problem
from induce.planning.domains import BLOCKS

PROBLEM = """
(define (problem two) (:domain blocks) (:objects a b)
  (:init (ontable a) (ontable b) (clear a) (clear b) (handempty)) (:goal (on a b)))
"""


def test_a_plan(run, tmp_path):
    (tmp_path / "domain.pddl").write_text(BLOCKS, encoding="utf-8")
    (tmp_path / "two.pddl").write_text(PROBLEM, encoding="utf-8")
    for search in ("best-first", "breadth-first", "means-ends"):
        result = run("plan", tmp_path / "domain.pddl", tmp_path / "two.pddl", "--search", search)
        assert "(pick-up a)\n   (stack a b)\n   2 steps" in result.out
    (document,) = run("plan", tmp_path / "domain.pddl", tmp_path / "two.pddl", "--json").json
    assert document["steps"] == ["(pick-up a)", "(stack a b)"]
    (tmp_path / "bad.pddl").write_text("(define (problem p)\n (:wrong))", encoding="utf-8")
    sentence = run("plan", tmp_path / "domain.pddl", tmp_path / "bad.pddl").sentence()
    assert "bad.pddl, line 2, column 2: :wrong is not supported" in sentence


def test_control_rules_are_learned_saved_and_used(run, tmp_path):
    problems = [random_problem("blocks", 9, seed) for seed in range(6)]
    (tmp_path / "domain.pddl").write_text(write_domain(problems[0].domain), encoding="utf-8")
    files = []
    for problem in problems:
        files.append(tmp_path / f"{problem.name}.pddl")
        files[-1].write_text(write_problem(problem), encoding="utf-8")
    rules = tmp_path / "control.induce"
    first = run("plan", tmp_path / "domain.pddl", *files, "--learn", rules)
    assert "6 problems, " in first.out
    assert "1. IF goal " in first.out
    assert "without rules: " in first.out
    again = run("plan", tmp_path / "domain.pddl", files[0], "--learn", rules, "--json").json
    assert again[0]["expanded"] <= again[0]["without_learning"]["expanded"]
    sentence = run(
        "plan", tmp_path / "domain.pddl", files[0], "--learn", rules, "--search", "best-first"
    ).sentence()
    assert "control rules are for means-ends search, not for best-first" in sentence
    other = tmp_path / "other.pddl"
    other.write_text(BLOCKS.replace("domain blocks", "domain bricks"), encoding="utf-8")
    bricks = tmp_path / "bricks.pddl"
    bricks.write_text(PROBLEM.replace(":domain blocks", ":domain bricks"), encoding="utf-8")
    sentence = run("plan", other, bricks, "--learn", rules).sentence()
    assert "are for the domain blocks, not for bricks" in sentence


def test_macros_are_learned_saved_used_and_written(run, tmp_path):
    problems = [random_problem("two-rooms", 4, seed) for seed in range(3)]
    domain, macros, folder = tmp_path / "domain.pddl", tmp_path / "macros.induce", tmp_path / "strips"
    domain.write_text(write_domain(problems[0].domain), encoding="utf-8")
    files = []
    for problem in problems:
        files.append(tmp_path / f"{problem.name}.pddl")
        files[-1].write_text(write_problem(problem), encoding="utf-8")
    first = run("plan", domain, *files, "--macros", macros, "--search", "breadth-first")
    assert "3 problems, " in first.out
    assert "kept for breadth-first search" in first.out
    carry = Macro("carry", ("(grasp ?b ?r)", "(go ?r ?s)", "(release ?b ?s)"))
    learner = induce.MacroLearner(search="breadth-first").learn(problems)
    learner.hypothesis_ = replace(learner.hypothesis_, macros=(carry,))
    induce.save(learner, macros)
    used = run("plan", domain, files[0], "--macros", macros).out
    assert "   macros used: carry" in used
    assert "   without macros: " in used
    # the search is that for which they were learned
    again = run("plan", domain, files[0], "--macros", macros, "--write", folder, "--json").json
    assert again[0]["expanded"] <= again[0]["without_learning"]["expanded"]
    wider = read_domain(folder / "domain.pddl")
    assert len(wider.operators) > len(problems[0].domain.operators)
    assert read_problem(folder / "two-rooms-4-0.pddl", wider).goal == problems[0].goal
    assert ":action" in run("show", macros, "--as", "pddl").out
    sentence = run("plan", domain, files[0], "--learn", macros).sentence()
    assert "does not contain control rules" in sentence
    other = tmp_path / "blocks.pddl"
    other.write_text(BLOCKS, encoding="utf-8")
    (tmp_path / "two.pddl").write_text(PROBLEM, encoding="utf-8")
    sentence = run("plan", other, tmp_path / "two.pddl", "--macros", macros).sentence()
    assert "the macros are for the domain two-rooms, not for blocks" in sentence
