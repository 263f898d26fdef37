"""Processing of declared parameters: checks, former names, aliases of values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ClassVar, Self, cast

from induce.core.interrupts import cut_short
from induce.core.notes import note
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
    _parameters_renamed: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        merged: dict[str, Parameter] = {}
        for base in reversed(cls.__mro__):
            merged |= vars(base).get("parameters", {})
        named = [name for name in inspect.signature(cls.__init__).parameters if name != "self"]
        cls._parameters_declared = {name: merged[name] for name in named if name in merged}
        cls._parameters_renamed = {
            old: new for new, told in cls._parameters_declared.items() for old in told.former
        }
        if cls._parameters_renamed and "__init__" in vars(cls):
            type.__setattr__(cls, "__init__", _taking_former_names(cls.__init__))
        for old, new in cls._parameters_renamed.items():
            setattr(cls, old, _former_attribute(old, new))
        for verb in ("fit", "learn", "resume"):
            if verb in vars(cls):
                setattr(cls, verb, _telling_cuts(vars(cls)[verb]))

    def __setattr__(self, name: str, value: Any) -> None:
        declared = self._parameters_declared.get(name)
        super().__setattr__(name, value if declared is None else declared.settled(name, value))

    def set_params(self, **params: Any) -> Self:
        """Set parameters, as scikit-learn does; former names work, with a note."""
        return cast(Self, cast(Any, super()).set_params(**_told_of(type(self), params)))

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


def current_names(cls: Any, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters under their current names and values, for old model files.

    Examples
    --------
    >>> import induce
    >>> current_names(induce.C45, {"max_depth": 3})
    {'max_depth': 3}
    """
    renamed: Mapping[str, str] = getattr(cls, "_parameters_renamed", {})
    declared: Mapping[str, Parameter] = getattr(cls, "_parameters_declared", {})
    found: dict[str, Any] = {}
    for old, value in params.items():
        name = renamed.get(old, old)
        words = declared[name].formerly if name in declared else {}
        found[name] = words.get(value, value) if isinstance(value, str) else value
    return found


def todays_name(cls: Any, name: str) -> str:
    """Return the current name of a parameter, with a note if it was renamed.

    Examples
    --------
    >>> import induce
    >>> todays_name(induce.C45, "max_depth")
    'max_depth'
    """
    return next(iter(_told_of(cls, {name: None})))


def _told_of(cls: type[Parameterised], params: Mapping[str, Any]) -> dict[str, Any]:
    """Translate former names, with a note for each."""
    renamed = cls._parameters_renamed
    for old in params.keys() & renamed.keys():
        note(
            f"the parameter {old} of {cls.__name__} is now called {renamed[old]}; the old name will be removed"
        )
    return {renamed.get(name, name): value for name, value in params.items()}


def _taking_former_names(init: Callable[..., None]) -> Callable[..., None]:
    """Wrap a constructor so that it also accepts former names; its signature shows only the current ones."""

    @wraps(init)
    def renaming(self: Any, *args: Any, **params: Any) -> None:
        init(self, *args, **_told_of(type(self), params))

    return renaming


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


def _former_attribute(old: str, new: str) -> property:
    """Return the property that keeps a former parameter name readable."""

    def get(self: Any) -> Any:
        note(
            f"the parameter {old} of {type(self).__name__} is now called {new}; the old name will be removed"
        )
        return getattr(self, new)

    def put(self: Any, value: Any) -> None:
        self.set_params(**{old: value})

    return property(get, put)
