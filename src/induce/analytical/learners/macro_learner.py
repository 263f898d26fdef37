"""MacroLearner: macro-operators from successful plans (MACROPS, Fikes, Hart & Nilsson 1972; Mitchell §11.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar
from typing import Literal as OneOf

from induce.analytical.control.macro_utility import SEARCHES, Trials, met, paying
from induce.analytical.learners.problem_learner import ProblemLearner, Problems
from induce.core import trace
from induce.core.parameters import Declared, choice, truth, whole
from induce.core.ties import is_less, ranked
from induce.planning.domains import PlanningProblem
from induce.planning.grounding import ground
from induce.planning.macro_operators import Macro, MacroOperators
from induce.planning.pddl import write_domain


@dataclass(frozen=True)
class MacroState:
    """State of a training run.

    Parameters
    ----------
    domain : str
        PDDL text of the domain.
    done : int
        Number of problems processed, plus one after the analysis.
    total : int
        Number of problems, plus one for the analysis.
    candidates : tuple of Macro
        Macros found, with their total estimated savings and costs.
    taken : int
        Number of macros with positive estimated utility.
    kept : tuple of Macro
        Macros kept by the analysis.
    """

    domain: str
    done: int
    total: int
    candidates: tuple[Macro, ...] = ()
    taken: int = 0
    kept: tuple[Macro, ...] = ()


class MacroLearner(ProblemLearner[MacroState]):
    """Learn macro-operators from plans of training problems and keep those with positive utility.

    Consecutive steps of a plan become an operator that applies to all objects of the same types. Instances of
    a macro are created before a search and tested in every state. A macro is promising if the nodes it would
    have saved in the training searches exceed the cost of its instances. Utility analysis then selects, from
    the most promising macros, those that reduce the cost of the training problems, and drops those made
    redundant by others.

    Parameters
    ----------
    search : {"best-first", "breadth-first", "means-ends"}, default="best-first"
        Search algorithm that uses the macros.
    max_steps : int, default=4
        Maximum number of steps of a macro. Longer macros save more where they apply, but apply less often.
    max_nodes : int or None, default=None
        Maximum number of nodes per training problem. None: 500 for best-first, 100,000 for breadth-first and 2,000
        for means-ends search, which take about the same time.
    max_macros : int, default=8
        Maximum number of macros tried in the analysis.
    analysis : bool, default=True
        Whether to require positive utility; otherwise the most frequent macros are kept.
    analysis_problems : int, default=12
        Maximum number of training problems used to measure utility. The largest are used, since they dominate
        the run time.

    Attributes
    ----------
    hypothesis_ : MacroOperators

    See Also
    --------
    SearchControl : Control rules for search.

    Notes
    -----
    The learner is trained on problems, not on a table, so missing values and unseen categories do not occur.

    References
    ----------
    R. E. Fikes, P. E. Hart, N. J. Nilsson (1972). Learning and Executing Generalized Robot Plans. Artificial
    Intelligence 3.
    S. Minton (1985). Selectively Generalizing Plans for Problem-Solving. IJCAI.

    Examples
    --------
    >>> from induce.planning.problems import random_problem
    >>> problems = [random_problem("blocks", 6, seed) for seed in range(4)]
    >>> learner = MacroLearner(analysis=False).learn(problems)  # with it none pays on so few problems
    >>> print(learner.hypothesis_.macros[0])
    unstack--put-down = unstack(A, B), put-down(A)
    """

    hypothesis_: MacroOperators
    parameters: ClassVar[Declared] = {
        "search": choice("Search algorithm that uses the macros.", *SEARCHES),
        "max_steps": whole("Maximum number of steps of a macro.", at_least=2),
        "max_nodes": whole("Maximum number of nodes per training problem.", at_least=1, none=True),
        "max_macros": whole("Maximum number of macros tried in the analysis.", at_least=1),
        "analysis": truth("Whether to require positive utility of macros."),
        "analysis_problems": whole(
            "Maximum number of training problems used to measure utility.", at_least=1
        ),
    }

    def __init__(
        self,
        *,
        search: OneOf["best-first", "breadth-first", "means-ends"] = "best-first",
        max_steps: int = 4,
        max_nodes: int | None = None,
        max_macros: int = 8,
        analysis: bool = True,
        analysis_problems: int = 12,
    ) -> None:
        self.search = search
        self.max_steps = max_steps
        self.max_nodes = max_nodes
        self.max_macros = max_macros
        self.analysis = analysis
        self.analysis_problems = analysis_problems

    @property
    def _nodes(self) -> int:
        return self.max_nodes or SEARCHES[self.search].nodes

    def _begin(self, run: Problems) -> MacroState:
        return MacroState(write_domain(run[0].domain), 0, len(run) + 1)

    def _line(self, state: MacroState) -> str:
        return f"problem {min(state.done, state.total - 1)}: {len(state.candidates)} macros found"

    def _met(self, problem: PlanningProblem, state: MacroState) -> MacroState:
        """Return the state after processing one problem."""
        task = ground(problem)
        plan = SEARCHES[self.search].search(task, self._nodes)
        known = {one.steps: one for one in state.candidates}
        if plan.steps:
            for key, new in met(problem, task, plan, self.search, self.max_steps).items():
                old = known.get(key, replace(new, n_seen=0, saved=0.0, cost=0.0))
                known[key] = replace(
                    old, n_seen=old.n_seen + new.n_seen, saved=old.saved + new.saved, cost=old.cost + new.cost
                )
        return replace(state, done=state.done + 1, candidates=tuple(known.values()))

    def _analysed(self, run: Problems, state: MacroState) -> MacroState:
        """Return the state after dropping macros without positive utility."""
        often = [one for one in state.candidates if one.n_seen > 1 and one.saved]
        if self.analysis:
            promising = [one for one in often if is_less(one.cost, one.saved)]
            promising = ranked(promising, lambda one: one.saved - one.cost)
            taken = _named(promising[: self.max_macros])
            tasks = sorted(map(ground, run), key=lambda one: -len(one.facts))[: self.analysis_problems]
            kept = paying(taken, Trials(self.search, tasks, self._nodes)) if taken else ()
            n_taken = len(promising)
        else:
            often.sort(key=lambda one: -one.n_seen)
            kept = tuple(replace(one, saved=0.0, cost=0.0) for one in _named(often[: self.max_macros]))
            n_taken = len(often)
        if trace.active("learn"):
            for one in kept:
                trace.emit("learn", problem="", rule=str(one), conflict=one.report())
        return replace(state, done=state.total, taken=n_taken, kept=kept)

    def _conclude(self, run: Problems, state: MacroState) -> MacroOperators:
        return MacroOperators(
            state.domain,
            state.kept,
            self.search,
            len(state.candidates),
            state.taken,
            min(state.done, state.total - 1),
        )


def _named(macros: Sequence[Macro]) -> list[Macro]:
    """Return macros with unique names."""
    found: dict[str, Macro] = {}
    for one in macros:
        name, number = one.name, 1
        while name in found:
            number += 1
            name = f"{one.name}-{number}"
        found[name] = replace(one, name=name)
    return [*found.values()]
