"""Processing of declared parameters: checks and aliases of values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ClassVar

from induce.core.interrupts import cut_short
from induce.core.parameters import CLASS_WEIGHT, JOBS, SCHEMA, SEED, Declared, Parameter


class Parameterised:
    """A learner whose constructor's parameters are declared in `parameters`.

    After `fit` or `learn`, `stopped_` holds the reason for an early end, or None.

    Declarations are inherited: a subclass lists only those it adds or narrows. A value with aliases is stored
    under its canonical name, so that a learner need not handle the others.
    """

    parameters: ClassVar[Declared] = {
        "class_weight": CLASS_WEIGHT,
        "n_jobs": JOBS,
        "random_state": SEED,
        "schema": SCHEMA,
    }
    _parameters_declared: ClassVar[Mapping[str, Parameter]] = {}

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        merged: dict[str, Parameter] = {}
        for base in reversed(cls.__mro__):
            merged |= vars(base).get("parameters", {})
        named = [name for name in inspect.signature(cls.__init__).parameters if name != "self"]
        cls._parameters_declared = {name: merged[name] for name in named if name in merged}
        for verb in ("fit", "learn", "resume"):
            if verb in vars(cls):
                setattr(cls, verb, _telling_cuts(vars(cls)[verb]))

    def __setattr__(self, name: str, value: Any) -> None:
        declared = self._parameters_declared.get(name)
        super().__setattr__(name, value if declared is None else declared.settled(value))

    @classmethod
    def declared_parameters(cls) -> Mapping[str, Parameter]:
        """Return the declarations of the constructor's parameters, in order.

        Examples
        --------
        >>> import induce
        >>> print(induce.C45.declared_parameters()["max_depth"].help)
        Maximum depth; None sets no limit.
        """
        return cls._parameters_declared

    def _check_parameters(self) -> None:
        """Raise an `InputError` for the first parameter whose value its declaration does not allow."""
        for name, declared in self._parameters_declared.items():
            declared.check(name, getattr(self, name))


def _telling_cuts(fit: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a learning method so that `stopped_` records whether Ctrl-C ended it early and which part was kept.

    A learner with a time limit sets `stopped_` itself.
    """

    @wraps(fit)
    def telling(self: Any, *args: Any, **params: Any) -> Any:
        vars(self).pop("stopped_", None)
        with cut_short() as cuts:
            found = fit(self, *args, **params)
        self.stopped_ = cuts[0] if cuts else vars(self).get("stopped_")
        return found

    return telling
