"""SearchControl: control rules learned from planner conflicts (PRODIGY, Minton 1988; Mitchell §11.4)."""

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
"""Inverse of the fraction of training problems on which utility is measured; the largest problems are used."""
FEWEST = 10
"""Minimum number of problems for a reliable utility estimate."""


@dataclass(frozen=True)
class ControlState:
    """State of a run.

    Parameters
    ----------
    domain : str
    done : int
        Number of problems processed, plus one after the analysis.
    total : int
        Number of problems, plus one for the analysis.
    n_chances : int
        Number of conflicts found.
    rules : tuple of ControlRule
        Rules adopted.
    candidates : tuple of ControlRule
        Rules without positive estimated utility so far, with their total estimated savings and costs.
    kept : tuple of ControlRule
        Rules kept by the analysis.
    """

    domain: str
    done: int
    total: int
    n_chances: int = 0
    rules: tuple[ControlRule, ...] = ()
    candidates: tuple[ControlRule, ...] = ()
    kept: tuple[ControlRule, ...] = ()


class SearchControl(ProblemLearner[ControlState]):
    """Learn control rules for means-ends planning by explaining conflicts in training problems.

    Each problem is searched with the rules learned so far. Three kinds of conflict are explained. An action
    failed for a goal (the rule rejects it). A goal was achieved and then undone for another one (the rule
    works on the other one first). An action succeeded after others had failed (the rule prefers it). The
    first two explanations are proved on operators with variables, for all problems of the domain; the facts
    of the problem that the proof needs become the conditions of the rule. Utility analysis adopts a rule only
    if its estimated savings exceed the cost of matching. It finally drops rules whose removal does not
    increase the cost of the training problems.

    Parameters
    ----------
    max_nodes : int, default=2000
        Maximum number of decisions per training problem. Larger values reach the conflicts of harder problems.
    analysis : bool, default=True
        Whether to require positive utility; otherwise every explained conflict yields a rule.
    analysis_problems : int, default=20
        Maximum number of training problems used to measure utility: the largest quarter, but at least ten. Small
        problems are less informative, because savings and matching costs grow at different rates with problem size.

    Attributes
    ----------
    hypothesis_ : ControlRules

    See Also
    --------
    MacroLearner : Macro-operators of plans.
    PrologEBG : Clauses from explanations.

    Notes
    -----
    The learner is trained on problems, not on a table, so missing values and unseen categories do not occur.

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
        "analysis": truth("Whether to require positive utility of rules."),
        "analysis_problems": whole(
            "Maximum number of training problems used to measure utility.", at_least=1
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
        """Return the state after dropping rules without positive utility."""
        kept = state.rules
        if self.analysis and kept:
            tasks = [(one, ground(one)) for one in run]
            tasks.sort(key=lambda one: -len(one[1].facts))
            some = tasks[: min(self.analysis_problems, max(FEWEST, len(tasks) // LARGEST))]
            kept = analysed(kept, some, self.max_nodes)
        return replace(state, done=state.total, kept=kept)

    def _met(self, problem: PlanningProblem, state: ControlState) -> ControlState:
        """Return the state after processing the conflicts of one problem."""
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
