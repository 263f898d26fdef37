"""Base class of learners from planning problems: one step per problem, then utility analysis."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Protocol, TypeVar

from induce.core.errors import InputError
from induce.core.experience import ExperienceLearner
from induce.core.progress import progress
from induce.planning.domains import PlanningProblem

Problems = tuple[PlanningProblem, ...]


class ProblemState(Protocol):
    """State of a training run: the domain, the number of problems processed, and the total including the analysis."""

    @property
    def domain(self) -> str:
        """Name or text of the domain."""

    @property
    def done(self) -> int:
        """Number of problems processed, plus one after the analysis."""

    @property
    def total(self) -> int:
        """Number of problems, plus one for the analysis."""


State = TypeVar("State", bound=ProblemState)


class ProblemLearner(ExperienceLearner[State]):
    """Learner that solves planning problems of one domain and finally analyses utility."""

    steps: ClassVar[str] = "problems"

    @contextmanager
    def _opened(self, source: Any) -> Iterator[Problems]:
        name = type(self).__name__
        if not isinstance(source, Sequence) or not all(isinstance(one, PlanningProblem) for one in source):
            raise InputError(f"{name} learns from planning problems; give a list of them")
        if not source:
            raise InputError(f"{name} needs at least one planning problem; give one or more")
        domains = dict.fromkeys(one.domain.name for one in source)
        if len(domains) > 1:
            raise InputError(
                f"the problems are of the domains {' and '.join(domains)}; give problems of one domain"
            )
        yield tuple(source)

    def _check_same(self, run: Problems, state: State) -> None:
        if self._begin(run).domain != state.domain or len(run) + 1 != state.total:
            raise InputError(f"the run was on {state.total - 1} other problems; give the same problems")

    def _share(self, state: State) -> float:
        return state.done / state.total

    def _step(self, run: Problems, state: State) -> State:
        # searches within a step would report progress of their own
        with progress(lambda share: None):
            return self._met(run[state.done], state) if state.done < len(run) else self._analysed(run, state)

    @abstractmethod
    def _met(self, problem: PlanningProblem, state: State) -> State:
        """Return the state after one problem."""

    @abstractmethod
    def _analysed(self, run: Problems, state: State) -> State:
        """Return the state after dropping items without positive utility."""
