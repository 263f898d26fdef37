"""`induce plan`."""

from __future__ import annotations

from induce.planning.domains import BLOCKS

PROBLEM = """
(define (problem two) (:domain blocks) (:objects a b)
  (:init (ontable a) (ontable b) (clear a) (clear b) (handempty)) (:goal (on a b)))
"""


def test_a_plan(run, tmp_path):
    (tmp_path / "domain.pddl").write_text(BLOCKS, encoding="utf-8")
    (tmp_path / "two.pddl").write_text(PROBLEM, encoding="utf-8")
    for search in ("best-first", "breadth-first"):
        result = run("plan", tmp_path / "domain.pddl", tmp_path / "two.pddl", "--search", search)
        assert "(pick-up a)\n   (stack a b)\n   2 steps" in result.out
    (document,) = run("plan", tmp_path / "domain.pddl", tmp_path / "two.pddl", "--json").json
    assert document["steps"] == ["(pick-up a)", "(stack a b)"]
    (tmp_path / "bad.pddl").write_text("(define (problem p)\n (:wrong))", encoding="utf-8")
    sentence = run("plan", tmp_path / "domain.pddl", tmp_path / "bad.pddl").sentence()
    assert "bad.pddl, line 2, column 2: :wrong is not supported" in sentence
