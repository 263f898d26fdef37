"""Base class of learners from planning problems: one step per problem, then the utility analysis."""

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
    """State of a run: the domain, the number of problems processed, and the total with the analysis."""

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
    """A learner that solves planning problems of one domain and finally analyses utility."""

    steps: ClassVar[str] = "problems"

    @contextmanager
    def _opened(self, source: Any) -> Iterator[Problems]:
        name = type(self).__name__
        if not isinstance(source, Sequence) or not all(isinstance(one, PlanningProblem) for one in source):
            raise InputError(f"{name} learns from a list of planning problems")
        if not source:
            raise InputError(f"{name} needs at least one planning problem")
        domains = dict.fromkeys(one.domain.name for one in source)
        if len(domains) > 1:
            raise InputError(f"all problems must be of one domain, not of {' and '.join(domains)}")
        yield tuple(source)

    def _check_same(self, run: Problems, state: State) -> None:
        if self._begin(run).domain != state.domain or len(run) + 1 != state.total:
            raise InputError(f"the run was one of {state.total - 1} problems of another kind; give the same")

    def _share(self, state: State) -> float:
        return state.done / state.total

    def _step(self, run: Problems, state: State) -> State:
        # searches inside a step report shares of their own
        with progress(lambda share: None):
            return self._met(run[state.done], state) if state.done < len(run) else self._analysed(run, state)

    @abstractmethod
    def _met(self, problem: PlanningProblem, state: State) -> State:
        """Return the state after one problem."""

    @abstractmethod
    def _analysed(self, run: Problems, state: State) -> State:
        """Return the state after dropping items without positive utility."""
