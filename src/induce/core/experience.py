"""The third interface of learning: learners from experience, with the method `learn(source)`.

A source provides experience, such as a fitness function or an environment, so no artificial table is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, ClassVar, Generic, Self, TypeVar, cast

from sklearn.base import BaseEstimator

from induce.core.blas import one_thread
from induce.core.errors import ModelFileError, NotLearnedError
from induce.core.hypothesis import Hypothesis
from induce.core.interrupts import interruptible
from induce.core.parameterised import Parameterised
from induce.core.progress import report, say
from induce.core.trace import learning

State = TypeVar("State")
"""State of a run: a frozen dataclass with everything the next step depends on; model files can store it."""


class ExperienceLearner(Parameterised, BaseEstimator, Generic[State]):
    """Base of learners from experience: `learn`, `resume`, and a run of steps.

    The constructor stores its parameters, as in scikit-learn. A learner defines the initial state of a run,
    the step from one state to the next, the end and the hypothesis. The state is a value: Ctrl-C loses only
    the current step, and a run that was interrupted, saved or extended resumes as if it had never stopped.
    """

    hypothesis_: Hypothesis
    state_: State
    steps: ClassVar[str] = "steps"
    """Name of the steps of a run: generations, episodes."""

    def learn(self, source: Any) -> Self:
        """Learn from a source, from the beginning.

        Parameters
        ----------
        source : object
            Source of experience.
        """
        self._check_parameters()
        self._forget()
        with learning(type(self).__name__), self._opened(source) as run:
            self._go_on(run, self._begin(run))
        return self

    def resume(self, source: Any) -> Self:
        """Continue a run that was interrupted or saved, or extend it after a limit was raised.

        Parameters
        ----------
        source : object
            Source that the run began with.
        """
        self._check_learned()
        self._check_parameters()
        with learning(type(self).__name__), self._opened(source) as run:
            state = self.state_
            self._check_same(run, state)
            self._go_on(run, state)
        return self

    def _repr_html_(self) -> str:
        if hasattr(self, "hypothesis_"):
            return self.hypothesis_._repr_html_()
        return cast(str, super()._repr_html_())

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        """Show the hypothesis in a notebook; before `learn`, the learner as scikit-learn does."""
        if hasattr(self, "hypothesis_"):
            return {"text/plain": str(self.hypothesis_), "text/html": self.hypothesis_._repr_html_()}
        return cast(dict[str, str], super()._repr_mimebundle_(**options))

    # --- methods that a learner defines
    # --------------------------------------------------------------------------

    @contextmanager
    def _opened(self, source: Any) -> Iterator[Any]:
        """Check the parameters and the source, and hold the resources of a run."""
        yield source

    def _begin(self, run: Any) -> State:
        """Return the state before the first step."""
        raise TypeError(f"{type(self).__name__} does not learn")

    def _step(self, run: Any, state: State) -> State:
        """Return the state after one more step."""
        raise TypeError(f"{type(self).__name__} does not learn")

    def _share(self, state: State) -> float:
        """Return the fraction of the run that is done; the run ends at 1."""
        raise TypeError(f"{type(self).__name__} does not learn")

    def _conclude(self, run: Any, state: State) -> Hypothesis:
        """Return the hypothesis learned so far."""
        raise TypeError(f"{type(self).__name__} does not learn")

    def _line(self, state: State) -> str:
        """Return the progress of the run in one line."""
        return f"{self._share(state):.0%}"

    def _check_same(self, run: Any, state: State) -> None:
        """Raise an `InputError` if the state belongs to a different source."""

    # --- the run ---------------------------------------------------------------------------------------------

    def _go_on(self, run: Any, state: State) -> None:
        done = [state]  # the state before the first step is also a result
        with one_thread(), interruptible(done, self.steps):
            while self._share(done[-1]) < 1.0:
                done.append(self._step(run, done[-1]))
                del done[:-1]
                say(partial(self._line, done[-1]))
                report(self._share(done[-1]))
        self.state_ = done[-1]
        self.hypothesis_ = self._conclude(run, done[-1])

    def _check_learned(self) -> None:
        if not hasattr(self, "state_"):
            raise NotLearnedError(
                f"this {type(self).__name__} has learned nothing yet; call its `learn` first"
            )

    def _forget(self) -> None:
        """Become untrained, because a failed run must not leave the old state."""
        self.__dict__.pop("hypothesis_", None)
        self.__dict__.pop("state_", None)

    def _resumable_state(self) -> dict[str, Any]:
        self._check_learned()
        return {"run": self.state_}

    def _restore(self, hypothesis: Hypothesis, state: dict[str, Any] | None) -> None:
        """Become trained from the contents of a model file."""
        if state is None or "run" not in state:
            raise ModelFileError("the state of the run is missing")
        self.hypothesis_ = hypothesis
        self.state_ = state["run"]
