"""Built-in environments by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from induce.core.documents import json_of
from induce.core.errors import InputError
from induce.data.names import unknown
from induce.environments.control import MountainCar
from induce.environments.grids import grid_world
from induce.environments.processes.elevator import elevator
from induce.environments.processes.repair import machine_repair
from induce.environments.processes.stock import stock_keeping
from induce.environments.processes.taxi import taxi


@dataclass(frozen=True)
class Shipped:
    """A built-in environment: a one-line summary and its constructor."""

    summary: str
    make: Callable[..., Any]


ENVIRONMENTS: dict[str, Shipped] = {
    "cliff": Shipped("walk along a cliff to the goal", partial(grid_world, "cliff")),
    "elevator": Shipped("move an elevator to callers and their destinations", elevator),
    "exercise-13.2": Shipped(
        "reach the goal of Mitchell's exercise 13.2", partial(grid_world, "exercise-13.2")
    ),
    "frozen-lake": Shipped("cross a slippery lake with holes", partial(grid_world, "frozen-lake")),
    "mitchell-13.2": Shipped(
        "reach the goal of Mitchell's figure 13.2", partial(grid_world, "mitchell-13.2")
    ),
    "mountain-car": Shipped("swing a weak car out of a valley", MountainCar),
    "repair": Shipped("decide when to service a machine that wears out", machine_repair),
    "stock": Shipped("order stock for a store with random demand", stock_keeping),
    "taxi": Shipped("pick up a passenger and drop them off at their destination", taxi),
}


def environment(name: str, **parameters: Any) -> Any:
    """Return a built-in environment by name.

    Parameters
    ----------
    name : str
        'cliff', 'elevator', 'exercise-13.2', 'frozen-lake', 'mitchell-13.2', 'mountain-car', 'repair', 'stock' or
        'taxi'.
    **parameters
        Parameters of the constructor: `stock_keeping`, `machine_repair`, `elevator`, `taxi`, `MountainCar`.

    Examples
    --------
    >>> environment("stock", capacity=12)
    MDP: 13 states, 13 actions, 91 pairs, 2,002 transitions, no absorbing state
    """
    if name not in ENVIRONMENTS:
        raise unknown("environment", name, list(ENVIRONMENTS))
    make = ENVIRONMENTS[name].make
    known = [] if isinstance(make, partial) else list(inspect.signature(make).parameters)
    for key in parameters:
        if key not in known:
            raise InputError(
                f"the environment {name!r} has no parameter {key!r}; it has {', '.join(known) or 'none'}"
            )
    return make(**parameters)


def setting_of(text: str) -> tuple[str, Any]:
    """Parse a parameter of an environment, written as ``name=value``.

    Examples
    --------
    >>> setting_of("capacity=12"), setting_of("map=small")
    (('capacity', 12), ('map', 'small'))
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise InputError(f"--set {text!r} has no value; write it as name=value")
    try:
        return name.strip(), json_of(value)
    except ValueError:
        return name.strip(), value
