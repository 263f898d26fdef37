"""Networks as values: groups of units, joined by links, and a flat array of weights (Mitchell §4.2-4.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.hypotheses.naming import plural
from induce.neural.plan import Plan, plan_of
from induce.neural.units import UNITS
from induce.neural.windows import Shape, Window

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Group:
    """Units of one kind that see the same nodes.

    Parameters
    ----------
    name : str
        Name of the group.
    size : int
        Number of units.
    unit : {"input", "threshold", "linear", "sigmoid", "tanh", "softmax", "rectified"}
        Kind of the units.
    bias : bool
        Whether each unit has a weight w0 on a constant input of 1; ``-w0`` is its threshold.
    steepness : float
        Factor k of the net input of sigmoid and tanh units.
    off : float
        Output of a threshold unit that does not fire: -1 in Mitchell, 0 in AIMA.
    fires_at_zero : bool
        Whether a threshold unit fires at a net input of exactly 0, as in AIMA §18.6.
    frozen : bool
        Whether the biases are excluded from training.
    shares : str
        Name under which the biases are shared with other groups; empty if they are not shared.
    shape : (int, int, int), optional
        Numbers of planes, rows and columns if the units are arranged in planes, stored plane by plane and row by
        row.
    plane_bias : bool
        Whether the units of a plane share one bias.
    names : tuple of str
        Name of each unit, used in descriptions of it and its weights; units are numbered if empty.

    Examples
    --------
    >>> pixels = Group.planes("pixels", (1, 16, 16), "input")
    >>> edges, link = pixels.convolved("edges", 12, Window(5, stride=2, padding=2))
    >>> edges.shape, edges.size
    ((12, 8, 8), 768)
    """

    name: str
    size: int
    unit: str = "sigmoid"
    bias: bool = True
    steepness: float = 1.0
    off: float = -1.0
    fires_at_zero: bool = False
    frozen: bool = False
    shares: str = ""
    shape: Shape | None = None
    plane_bias: bool = False
    names: tuple[str, ...] = ()

    @classmethod
    def planes(cls, name: str, shape: Sequence[int], unit: str = "sigmoid", **more: Any) -> Group:
        """Return a group of units arranged in planes; the shape gives planes, rows and columns."""
        planes, rows, columns = map(int, shape)
        return cls(name, planes * rows * columns, unit, shape=(planes, rows, columns), **more)

    def convolved(
        self,
        name: str,
        planes: int,
        window: Window,
        unit: str = "tanh",
        plane_bias: bool = True,
    ) -> tuple[Group, Link]:
        """Return planes of units that see this group through a window, and the link between them."""
        if self.shape is None:
            raise InputError(f"group {self.name!r} has no shape; create it with Group.planes")
        shape = window.target(self.shape, planes)
        group = Group.planes(name, shape, unit, plane_bias=plane_bias)
        return group, Link(self.name, name, window=window)

    def pooled(self, name: str, size: int, unit: str = "tanh") -> tuple[Group, Link]:
        """Return planes that see this group's patch means times a trained gain, and the link between them."""
        window = Window((size, size), (size, size), pooled=True)
        return self.convolved(name, 0 if self.shape is None else self.shape[0], window, unit)

    def unit_names(self) -> tuple[str, ...]:
        """Return the name of each unit."""
        return self.names or tuple(f"{self.name}[{unit}]" for unit in range(self.size))

    @property
    def cells(self) -> int:
        """Number of units that share a bias."""
        return self.shape[1] * self.shape[2] if self.plane_bias and self.shape is not None else 1

    def check(self) -> None:
        """Raise an `InputError` unless the group is consistent."""
        if self.unit != "input" and self.unit not in UNITS:
            known = ", ".join(map(repr, ("input", *UNITS)))
            raise InputError(f"unit of group {self.name!r} is {self.unit!r}; give one of {known}")
        if isinstance(self.size, bool) or not isinstance(self.size, int) or self.size < 1:
            raise InputError(f"group {self.name!r} has size {self.size!r}; give it at least one unit")
        if not (np.isfinite(self.steepness) and self.steepness > 0):
            raise InputError(f"steepness of group {self.name!r} is {self.steepness!r}; give a number above 0")
        if self.shape is not None and (len(self.shape) != 3 or int(np.prod(self.shape)) != self.size):
            raise InputError(
                f"shape of group {self.name!r} is {self.shape!r}; give planes, rows and columns of {self.size} units"
            )
        if self.names and len(self.names) != self.size:
            raise InputError(
                f"group {self.name!r} has {self.size} units, but {len(self.names)} names; "
                "give one name per unit"
            )
        if self.plane_bias and self.shape is None:
            raise InputError(f"group {self.name!r} has one bias per plane, but no shape; give a shape")
        if self.steepness != 1.0 and self.unit not in ("sigmoid", "tanh"):
            raise InputError(
                f"steepness of group {self.name!r} is {self.steepness!r}; only sigmoid and tanh units "
                "have a steepness"
            )


@dataclass(frozen=True, eq=False)
class Link:
    """Connections from all units of one group to all units of another, unless restricted by `places`.

    Parameters
    ----------
    source, target : str
        Names of the groups.
    places : array of int, shape (source size, target size), optional
        Index of the weight of each connection. Connections with the same index share a weight; -1 marks absent
        connections. None gives each connection its own weight.
    frozen : bool
        Whether the weights are excluded from training.
    tie : {"sum", "mean"}
        Update of shared weights: the sum of the gradients of the copies, which is the true gradient, or their mean,
        as in Mitchell §4.8.
    shares : str
        Name under which the weights are shared with other links; empty if they are not shared.
    delay : int
        Number of steps before the output of the source reaches the target; only recurrent networks have delays.
    window : Window, optional
        Patch of planes that each unit sees, with weights shared by all units of a plane.
    """

    source: str
    target: str
    places: Ints | None = None
    frozen: bool = False
    tie: str = "sum"
    shares: str = ""
    delay: int = 0
    window: Window | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Link):
            return NotImplemented
        mine, others = (replace(link, places=None).__dict__ for link in (self, other))
        if (self.places is None) is not (other.places is None):
            return False
        return mine == others and (
            self.places is None or np.array_equal(self.places, np.asarray(other.places))
        )

    def __hash__(self) -> int:
        return hash((self.source, self.target, self.shares, self.delay))


@dataclass(frozen=True, eq=False)
class Network:
    """Groups of units in a directed acyclic graph, and their weights.

    The weights are one flat array. Calling a network with rows of inputs returns rows of outputs. A network is
    immutable: training returns a new network with other weights.

    Parameters
    ----------
    groups : tuple of Group
        Groups of units; the input groups read the columns of the inputs in this order.
    links : tuple of Link
        Links between the groups.
    outputs : tuple of str
        Names of the output groups, in order.
    weights : array of float64
        Values of all distinct weights, in the order of `names()`.

    Examples
    --------
    >>> unit = Network.layered(2, 1, unit="threshold")
    >>> both = unit.set(("inputs", "outputs"), [[0.5], [0.5]]).set("outputs", [-0.8])
    >>> both([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]).ravel().tolist()
    [-1.0, -1.0, -1.0, 1.0]
    >>> print(Network.layered(8, 3, 8))
    a network of 59 weights: inputs 8, hidden 3 sigmoid, outputs 8 sigmoid
    """

    groups: tuple[Group, ...]
    links: tuple[Link, ...]
    outputs: tuple[str, ...]
    weights: Floats

    @classmethod
    def of(
        cls,
        groups: Sequence[Group],
        links: Sequence[Link],
        outputs: Sequence[str] | None = None,
        weights: Any = None,
    ) -> Network:
        """Return a validated network with zero weights; the last group is the output unless `outputs` is
        given.

        Examples
        --------
        >>> Network.of([Group("x", 2, "input"), Group("y", 0)], [Link("x", "y")])
        Traceback (most recent call last):
        ...
        induce.core.errors.InputError: group 'y' has size 0; give it at least one unit
        """
        groups, links = tuple(groups), tuple(links)
        if not groups:
            raise InputError("the network has no groups of units; give it inputs and outputs")
        chosen = (groups[-1].name,) if outputs is None else tuple(outputs)
        made = plan_of(groups, links, chosen)
        given = np.zeros(made.n_weights) if weights is None else np.array(weights, np.float64).ravel()
        network = cls(groups, links, chosen, given)
        network.__dict__["plan"] = made
        network.check()
        return network

    @classmethod
    def layered(
        cls, *sizes: int, unit: str = "sigmoid", output: str | None = None, bias: bool = True
    ) -> Network:
        """Return a network of fully connected layers; all weights are 0.

        Parameters
        ----------
        *sizes : int
            Number of inputs, of units in each hidden layer, and of outputs.
        unit : str
            Kind of the units.
        output : str, optional
            Kind of the output units, if different.
        bias : bool
            Whether units have a bias.

        Examples
        --------
        >>> Network.layered(960, 3, 4).n_weights
        2899
        """
        if len(sizes) < 2:
            raise InputError("sizes is too short; give at least the number of inputs and of outputs")
        hidden = ["hidden"] if len(sizes) == 3 else [f"hidden{place}" for place in range(1, len(sizes) - 1)]
        names = ["inputs", *hidden, "outputs"]
        kinds = ["input", *[unit] * len(hidden), output or unit]
        groups = [
            Group(name, size, kind, bias and kind != "input")
            for name, size, kind in zip(names, sizes, kinds, strict=True)
        ]
        return cls.of(groups, [Link(one, other) for one, other in pairwise(names)])

    @cached_property
    def plan(self) -> Plan:
        """Layout of the flat arrays."""
        return plan_of(self.groups, self.links, self.outputs)

    @property
    def n_weights(self) -> int:
        """Number of distinct weights; shared weights count once."""
        return len(self.weights)

    @property
    def n_inputs(self) -> int:
        """Number of inputs."""
        return self.plan.n_inputs

    @property
    def n_outputs(self) -> int:
        """Number of outputs."""
        return self.plan.n_outputs

    @property
    def has_windows(self) -> bool:
        """Whether some units see others through windows, which need all cells of a plane."""
        return any(link.window is not None for link in self.links)

    def group(self, name: str) -> Group:
        """Return the group with this name."""
        return self.groups[self._place(name)]

    def __call__(self, X: Any) -> Floats:
        """Return the outputs for each row of inputs, given as an array or a sparse matrix."""
        if hasattr(X, "tocsr") and not self.has_windows:
            return self.plan.chosen(self._run(X.tocsr()))
        return self.plan.chosen(self._run(_dense(X)))

    def states(self, X: Any) -> list[Floats]:
        """Return the outputs of the units of each group for each row of inputs, in the order of `groups`."""
        return self._run(_dense(X))

    def _run(self, rows: Any) -> list[Floats]:
        if rows.shape[1] != self.n_inputs:
            raise InputError(
                f"X has {rows.shape[1]} columns, but the network has {self.n_inputs} "
                "inputs; give one column per input"
            )
        if self.plan.delayed:
            raise InputError("the network has delayed links; use RecurrentNetwork, or unfold it")
        with np.errstate(over="ignore", invalid="ignore"):
            return self.plan.forward(self.weights, rows)

    def said(self, name: str, X: Any) -> Floats:
        """Return the outputs of the units of a group for each row of inputs.

        Examples
        --------
        >>> Network.layered(2, 3, 1).said("hidden", [[0.0, 1.0]]).tolist()
        [[0.5, 0.5, 0.5]]
        """
        return self.states(X)[self._place(name)]

    def input_gradients(self, X: Any, of: str | None = None) -> Floats:
        """Return the derivative of each output with respect to each input: rows, outputs and inputs.

        Parameters
        ----------
        X : array
            Rows of inputs.
        of : str, optional
            Name of a group whose units are differentiated instead of the outputs.

        Examples
        --------
        >>> unit = Network.layered(2, 1, unit="tanh").with_weights([0.0, 2.0, -1.0])
        >>> unit.input_gradients([[0.0, 0.0]]).tolist()
        [[[2.0, -1.0]]]
        """
        from induce.neural.slopes import to_inputs

        states, found = self.states(X), []
        for seeds in self._seeds(of, len(states[0])):
            found.append(to_inputs(self.plan, self.weights, states, seeds))
        return np.stack(found, axis=1)

    def weight_gradients(self, X: Any, of: str | None = None) -> Floats:
        """Return the derivative of each output with respect to each weight: rows, outputs and weights.

        The derivatives of shared weights are summed over their copies. Frozen weights are included; ``plan.factor``
        is 0 for them.

        Parameters
        ----------
        X : array
            Rows of inputs.
        of : str, optional
            Name of a group whose units are differentiated instead of the outputs.
        """
        from induce.neural.slopes import by_weights

        states, found = self.states(X), []
        for seeds in self._seeds(of, len(states[0])):
            found.append(by_weights(self.plan, self.weights, states, seeds))
        return np.stack(found, axis=1)

    def moved(self, X: Any, directions: Any) -> Floats:
        """Return the directional derivative of each output along a direction for each row: rows and outputs."""
        from induce.neural.slopes import moved

        states = self.states(X)
        along = np.atleast_2d(np.asarray(directions, np.float64))
        if along.shape != (len(states[0]), self.n_inputs):
            raise InputError(
                f"directions has shape {along.shape}; give a direction of {self.n_inputs} numbers per row"
            )
        return self.plan.chosen(moved(self.plan, self.weights, states, along)[0])

    def _seeds(self, of: str | None, n: int) -> Iterator[dict[int, Floats]]:
        """Yield dE/dout with a 1 at each unit of a group, one at a time, or at each output."""
        names = self.outputs if of is None else (of,)
        for place in map(self._place, names):
            for unit in range(self.groups[place].size):
                seeds = np.zeros((n, self.groups[place].size))
                seeds[:, unit] = 1.0
                yield {place: seeds}

    def get(self, where: str | tuple[Any, ...]) -> Floats:
        """Return the biases of a group, or the weights of a link as a matrix of sources and targets.

        Absent connections have weight 0.
        """
        return self.plan.matrix(self.weights, where).copy()

    def kernels(self, where: tuple[Any, ...]) -> Floats:
        """Return the weights of a link through a window: target planes, source planes, rows and columns."""
        return self.plan.kernels(self.weights, where).copy()

    def set(self, where: str | tuple[Any, ...], values: Any) -> Network:
        """Return the network with new biases for a group, or new weights for a link."""
        weights = self.weights.copy()
        self.plan.put(weights, where, np.asarray(values, np.float64))
        return self.with_weights(weights)

    def with_weights(self, weights: Any) -> Network:
        """Return a network of the same structure with new weights."""
        given = np.array(weights, np.float64).ravel()
        if given.shape != self.weights.shape:
            raise InputError(
                f"weights has {len(given)} numbers, but the network has {self.n_weights} weights; give "
                "one per weight"
            )
        network = replace(self, weights=given)
        network.__dict__["plan"] = self.plan
        return network

    def freeze(self, *where: str | tuple[Any, ...]) -> Network:
        """Return the network with the biases of some groups and the weights of some links frozen.

        Examples
        --------
        >>> frozen = Network.layered(2, 3, 1).freeze("hidden", ("inputs", "hidden"))
        >>> int(frozen.plan.factor.sum())  # only the output unit is trained
        4
        """
        known = {each.name for each in self.groups} | {(each.source, each.target) for each in self.links}
        for each in where:
            if each not in known:
                raise InputError(f"the network has no group or link {each!r}; name one of its own")
        groups = [replace(each, frozen=each.frozen or each.name in where) for each in self.groups]
        links = [
            replace(each, frozen=each.frozen or (each.source, each.target) in where) for each in self.links
        ]
        return Network.of(groups, links, self.outputs, self.weights)

    def names(self) -> tuple[str, ...]:
        """Return the name of each weight, such as ``hidden[1] <- inputs[0]``; shared weights are named after a copy.

        Examples
        --------
        >>> Network.layered(1, 1).names()
        ('outputs[0] <- 1', 'outputs[0] <- inputs[0]')
        >>> x, y = Group("x", 1, "input", names=("age",)), Group("y", 1, names=("risk",))
        >>> Network.of([x, y], [Link("x", "y")]).names()
        ('risk <- 1', 'risk <- age')
        """
        return self.plan.names()

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent; they may come from a file."""
        for group in self.groups:
            group.check()
        if self.weights.shape != (self.plan.n_weights,):
            raise InputError(
                f"weights has {self.weights.size} numbers, but the network has {self.plan.n_weights} "
                "weights; give one per weight"
            )
        if not np.isfinite(self.weights).all():
            raise InputError("some weights of the network are not finite; train it again")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        mine, others = ((each.groups, each.links, each.outputs) for each in (self, other))
        return mine == others and np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return hash((self.groups, self.outputs))

    def __str__(self) -> str:
        told = ", ".join(
            f"{group.name} {group.size}" + ("" if group.unit == "input" else f" {group.unit}")
            for group in self.groups
        )
        return f"a network of {plural(self.n_weights, 'weight')}: {told}"

    __repr__ = __str__

    def _place(self, name: str) -> int:
        for place, group in enumerate(self.groups):
            if group.name == name:
                return place
        raise InputError(
            f"the network has no group {name!r}; it has {', '.join(each.name for each in self.groups)}"
        )


def _dense(X: Any) -> Floats:
    return np.atleast_2d(np.asarray(X.toarray() if hasattr(X, "toarray") else X, np.float64))


def collapse(network: Network) -> Network:
    """Return the single layer equivalent to a network of linear units (AIMA ex. 18.22).

    Parameters
    ----------
    network : Network
        Network of linear units only.

    Examples
    --------
    >>> deep = Network.layered(2, 5, 4, 1, unit="linear")
    >>> print(collapse(deep))
    a network of 3 weights: inputs 2, outputs 1 linear
    """
    for group in network.groups:
        if group.unit not in ("input", "linear"):
            raise InputError(
                f"group {group.name!r} has {group.unit} units; give a network of linear units only"
            )
    constant = network(np.zeros((1, network.n_inputs)))[0]
    slopes = network(np.eye(network.n_inputs)) - constant
    single = Network.layered(network.n_inputs, network.n_outputs, unit="linear")
    return single.set(("inputs", "outputs"), slopes).set("outputs", constant)
