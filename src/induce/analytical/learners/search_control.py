"""SearchControl: control rules from the conflicts of a planner (PRODIGY, Minton 1988; Mitchell §11.4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from induce.analytical.control.conflicts import Conflicts
from induce.analytical.control.utility import analysed, expected_cost, run
from induce.analytical.learners.problem_learner import ProblemLearner, Problems
from induce.core import trace
from induce.core.parameters import Declared, truth, whole
from induce.planning.control import ControlRule, ControlRules
from induce.planning.domains import PlanningProblem
from induce.planning.grounding import ground

LARGEST = 4
"""Utility is measured on the largest training problems: one of so many."""
FEWEST = 10
"""Number of problems below which the utility of a rule would be chance."""


@dataclass(frozen=True)
class ControlState:
    """State of a run.

    Parameters
    ----------
    domain : str
    done : int
        Number of problems tried; one more when the rules have been analysed.
    total : int
        Number of problems and the analysis.
    n_chances : int
        Conflicts met.
    rules : tuple of ControlRule
        Rules taken.
    candidates : tuple of ControlRule
        Rules that have not yet promised to pay, with the sums of what they would have saved and cost.
    kept : tuple of ControlRule
        Rules left by the analysis.
    """

    domain: str
    done: int
    total: int
    n_chances: int = 0
    rules: tuple[ControlRule, ...] = ()
    candidates: tuple[ControlRule, ...] = ()
    kept: tuple[ControlRule, ...] = ()


class SearchControl(ProblemLearner[ControlState]):
    """Learn control rules for means-ends planning by explaining the conflicts met in training problems.

    A problem is searched with the rules learned so far. Three kinds of conflict are explained: an action failed for a
    goal (reject it), a goal was achieved and undone for another one (work for that one before), an action succeeded
    after others had failed (prefer it). The first two are proved on operators with variables, for all problems of the
    domain; the facts of the problem that the proof needs become the conditions of the rule. Utility analysis takes a
    rule only when what it would have saved exceeds the cost of matching, and at the end forgets rules without which
    the training problems take no more work.

    Parameters
    ----------
    max_nodes : int, default=2000
        Maximum number of decisions per training problem. More of them let conflicts of harder problems be met.
    analysis : bool, default=True
        Whether rules must pay; without it every explained conflict gives a rule.
    analysis_problems : int, default=20
        Maximum number of training problems on which utility is measured: the largest quarter, but no fewer than ten.
        Small ones would say little, for what is saved and what matching costs grow with the problem at unlike rates.

    Attributes
    ----------
    hypothesis_ : ControlRules

    See Also
    --------
    MacroLearner : Macro-operators of plans.
    PrologEBG : Clauses from explanations.

    Notes
    -----
    It learns from problems, not from a table: there are no missing values and no categories.

    References
    ----------
    S. Minton (1988). Learning Effective Search Control Knowledge: An Explanation-Based Approach. Kluwer.

    Examples
    --------
    >>> from induce.planning.problems import random_problem
    >>> problems = [random_problem("blocks", 4, seed) for seed in range(3)]
    >>> learner = SearchControl(analysis=False).learn(problems)
    >>> print(learner.hypothesis_.rules[0])
    IF goal clear(A) AND no holding(A) THEN reject put-down(A)
    """

    hypothesis_: ControlRules
    parameters: ClassVar[Declared] = {
        "max_nodes": whole("Maximum number of decisions per training problem.", at_least=1),
        "analysis": truth("Whether rules must pay for the cost of matching them."),
        "analysis_problems": whole(
            "Maximum number of training problems on which utility is measured.", at_least=1
        ),
    }

    def __init__(self, *, max_nodes: int = 2_000, analysis: bool = True, analysis_problems: int = 20) -> None:
        self.max_nodes = max_nodes
        self.analysis = analysis
        self.analysis_problems = analysis_problems

    def _begin(self, run: Problems) -> ControlState:
        return ControlState(run[0].domain.name, 0, len(run) + 1)

    def _line(self, state: ControlState) -> str:
        return f"problem {min(state.done, state.total - 1)}: {len(state.rules)} rules"

    def _analysed(self, run: Problems, state: ControlState) -> ControlState:
        """Return the state after rules that do not pay were forgotten."""
        kept = state.rules
        if self.analysis and kept:
            tasks = [(one, ground(one)) for one in run]
            tasks.sort(key=lambda one: -len(one[1].facts))
            some = tasks[: min(self.analysis_problems, max(FEWEST, len(tasks) // LARGEST))]
            kept = analysed(kept, some, self.max_nodes)
        return replace(state, done=state.total, kept=kept)

    def _met(self, problem: PlanningProblem, state: ControlState) -> ControlState:
        """Return the state after the conflicts of one problem."""
        task = ground(problem)
        record = run(state.rules, problem, task, self.max_nodes).record
        known = {rule.key for rule in state.rules}
        waiting = {rule.key: rule for rule in state.candidates}
        met: dict[tuple[object, ...], None] = {}
        n_chances = 0
        for chance in Conflicts(problem, record).chances():
            n_chances += 1
            rule = chance.rule
            if rule is None or rule.key in known:
                continue
            before = waiting.setdefault(rule.key, rule)
            waiting[rule.key] = replace(before, saved=before.saved + chance.saved)
            met[rule.key] = None
        taken, n_things = list(state.rules), len(problem.objects)
        for key in met:
            rule = waiting[key]
            rule = waiting[key] = replace(rule, cost=rule.cost + expected_cost(rule, record, n_things))
            if not self.analysis or rule.saved > rule.cost:
                del waiting[key]
                taken.append(rule)
                if trace.active("learn"):
                    trace.emit("learn", problem=problem.name, rule=str(rule), conflict=rule.conflict)
        return replace(
            state,
            done=state.done + 1,
            n_chances=state.n_chances + n_chances,
            rules=tuple(taken),
            candidates=tuple(waiting.values()),
        )

    def _conclude(self, run: Problems, state: ControlState) -> ControlRules:
        rules = state.kept if state.done == state.total else state.rules
        return ControlRules(
            state.domain, rules, state.n_chances, len(state.rules), min(state.done, state.total - 1)
        )
