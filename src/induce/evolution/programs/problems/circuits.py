"""AC analysis of linear circuits by nodal analysis, and the design of a filter (Mitchell §9.5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core import parallel
from induce.core.errors import InputError
from induce.evolution.programs.flat import folded
from induce.evolution.programs.genome import Programs
from induce.evolution.programs.grammar import Floats
from induce.evolution.programs.language import Language, Primitive
from induce.evolution.programs.program import Program

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GROUND, SOURCE = 0, 1
UNITS = {"R": "Ω", "L": "H", "C": "F"}
LARGEST = 60
"""Maximum number of components of a simulated circuit."""


@dataclass(frozen=True)
class Component:
    """A resistor, an inductor or a capacitor between two nodes.

    Parameters
    ----------
    kind : {"R", "L", "C"}
        Resistor, inductor or capacitor.
    first, second : int
        Nodes that the component connects.
    value : float
        Resistance in ohm, inductance in henry or capacitance in farad; above 0.
    """

    kind: str
    first: int
    second: int
    value: float

    def __post_init__(self) -> None:
        if self.kind not in UNITS:
            raise InputError(f"a component is {self.kind!r}; it can be 'R', 'L' or 'C'")
        if not 0 < self.value < np.inf:
            raise InputError(f"{self.kind} has the value {self.value!r}; it must be a number above 0")

    def __str__(self) -> str:
        return f"{self.kind} {self.first}-{self.second} {self.value:.4g} {UNITS[self.kind]}"


@dataclass(frozen=True)
class Circuit:
    """Resistors, inductors and capacitors between numbered nodes: 0 is ground, 1 a source of one volt.

    Parameters
    ----------
    components : tuple of Component
        Components of the circuit.
    output : int
        Output node.

    Examples
    --------
    >>> circuit = Circuit((Component("R", 1, 2, 1e3), Component("C", 2, 0, 1e-6)), output=2)
    >>> circuit.response([10.0, 1000.0]).round(6).tolist()
    [0.998032, 0.157177]
    """

    components: tuple[Component, ...]
    output: int

    def trouble(self) -> str | None:
        """Return why the circuit cannot be simulated, or None if it can.

        As in circuit simulators, every node needs a DC path to ground, and inductors and sources must not form
        a loop.
        """
        if len(self.components) > LARGEST:
            return f"it has more than {LARGEST} components"
        group: dict[int, int] = {}
        for component in self.components:
            if component.kind == "L" and not _joined(group, component.first, component.second):
                return "inductors form a loop"
        _joined(group, GROUND, SOURCE)
        for component in self.components:
            if component.kind == "R":
                _joined(group, component.first, component.second)
        nodes = {node for each in self.components for node in (each.first, each.second)} | {self.output}
        if any(_root(group, node) != _root(group, GROUND) for node in nodes):
            return "a node has no DC path to ground"
        return None

    def response(self, frequencies: Sequence[float] | Floats) -> Floats:
        """Return the magnitude of the output voltage at each frequency in hertz, for one volt at the source."""
        w = 2.0 * np.pi * np.asarray(frequencies, dtype=np.float64)
        known = {node for each in self.components for node in (each.first, each.second)} | {self.output}
        nodes = sorted(known - {GROUND, SOURCE})
        place = {node: k for k, node in enumerate(nodes)}
        if self.output not in place:
            return np.full(len(w), float(self.output == SOURCE))
        matrix = np.zeros((len(w), len(nodes), len(nodes)), complex)
        currents = np.zeros((len(w), len(nodes)), complex)
        for each in self.components:
            admittance = _admittance(each, w)
            for one, other in ((each.first, each.second), (each.second, each.first)):
                if one in place:
                    matrix[:, place[one], place[one]] += admittance
                    if other in place:
                        matrix[:, place[one], place[other]] -= admittance
                    elif other == SOURCE:
                        currents[:, place[one]] += admittance
        try:
            found = np.linalg.solve(matrix, currents[:, :, None])[:, place[self.output], 0]
        except np.linalg.LinAlgError:
            return np.full(len(w), np.nan)
        return np.abs(found)

    def __str__(self) -> str:
        return "\n".join([*map(str, self.components), f"output: node {self.output}"])


def _admittance(component: Component, w: Floats) -> Any:
    match component.kind:
        case "R":
            return np.full(len(w), 1.0 / component.value, complex)
        case "C":
            return 1j * w * component.value
    return 1.0 / (1j * w * component.value)


def _root(group: dict[int, int], node: int) -> int:
    while group.get(node, node) != node:
        node = group[node]
    return node


def _joined(group: dict[int, int], first: int, second: int) -> bool:
    """Join two nodes; return whether they were separate."""
    a, b = _root(group, first), _root(group, second)
    group[a] = b
    return a != b


BRANCH = "branch"
LANGUAGE = Language(
    (
        Primitive("series", (BRANCH, BRANCH), BRANCH),
        Primitive("parallel", (BRANCH, BRANCH), BRANCH),
        Primitive("shunt", (BRANCH, BRANCH, BRANCH), BRANCH),
        Primitive("wire", (), BRANCH),
        Primitive("cut", (), BRANCH),
        Primitive("L", (), BRANCH, low=-3.0, high=1.0),
        Primitive("C", (), BRANCH, low=-9.0, high=-5.0),
    ),
    gives=BRANCH,
)
"""A branch is an edited wire: an inductor or a capacitor (given by the base-10 logarithm of its henries or
farads), a cut, two branches in series or in parallel, or two in series with a third from their junction to
ground.
"""
SERIES, PARALLEL, SHUNT, WIRE, CUT, COIL, CAPACITOR = range(7)


@dataclass(frozen=True)
class LowPass:
    """Design a low-pass filter (Mitchell §9.5.3; the target is not the book's).

    Programs edit a wire from a source with a resistor of 1 kΩ to a load of 1 kΩ. The target is half the
    voltage up to `passes` and none at `stops` and above; fitness is the sum of absolute errors at 101
    frequencies from 1 Hz to 100 kHz, excluding those between the two limits, and is minimised.

    Parameters
    ----------
    passes, stops : float
        Passband and stopband limits in hertz.
    n_jobs : int, optional
        Number of threads.

    Examples
    --------
    >>> wire = Program.parse("wire", LowPass().language)
    >>> round(LowPass().error(wire), 4)
    17.0
    """

    passes: float = 1000.0
    stops: float = 2000.0
    n_jobs: int | None = None
    minimise: bool = field(default=True, init=False)
    noisy: bool = field(default=False, init=False)

    @property
    def language(self) -> Language:
        """Language of the programs."""
        return LANGUAGE

    @property
    def genome(self) -> Programs:
        """Programs of the language."""
        return Programs(LANGUAGE)

    @property
    def optimum(self) -> float | None:
        """None, since the best filter is unknown."""
        return None

    @cached_property
    def _wanted(self) -> tuple[Floats, Floats]:
        frequencies = np.logspace(0.0, 5.0, 101)
        scored = (frequencies <= self.passes * (1 + 1e-9)) | (frequencies >= self.stops * (1 - 1e-9))
        desired = np.where(frequencies <= self.passes * (1 + 1e-9), 0.5, 0.0)
        return frequencies[scored], desired[scored]

    def circuit(self, program: Program) -> Circuit:
        """Return the circuit built by a program."""
        components = [Component("R", SOURCE, 2, 1000.0), Component("R", 3, GROUND, 1000.0)]
        branches = _branches(program)
        merged: dict[int, int] = {}
        nodes = [4]

        def place(branch: Any, first: int, second: int) -> None:
            todo = [(branch, first, second)]
            while todo:
                (code, value, parts), first, second = todo.pop()
                if code == WIRE:
                    a, b = _root(merged, first), _root(merged, second)
                    merged[max(a, b)] = min(a, b)
                elif code in (COIL, CAPACITOR):
                    size = 10.0 ** min(max(value, -15.0), 6.0)
                    components.append(Component("L" if code == COIL else "C", first, second, size))
                elif code == PARALLEL:
                    todo += [(part, first, second) for part in parts]
                elif code in (SERIES, SHUNT):
                    middle = nodes[0]
                    nodes[0] += 1
                    todo += [(parts[0], first, middle), (parts[1], middle, second)]
                    if code == SHUNT:
                        todo.append((parts[2], middle, GROUND))

        place(branches, 2, 3)
        kept = [
            Component(each.kind, _root(merged, each.first), _root(merged, each.second), each.value)
            for each in components
            if _root(merged, each.first) != _root(merged, each.second)
        ]
        return Circuit(tuple(kept), _root(merged, 3))

    def error(self, program: Program) -> float:
        """Return the sum of errors of a program's circuit; NaN if it cannot be simulated."""
        circuit = self.circuit(program)
        if circuit.trouble() is not None:
            return float("nan")
        frequencies, desired = self._wanted
        return float(np.abs(circuit.response(frequencies) - desired).sum())

    def scores(self, population: Any, rng: Any = None) -> Floats:
        """Return the error of each program; NaN if its circuit cannot be simulated."""
        genome = self.genome
        found = parallel.run(lambda genes: self.error(genome.value(genes)), list(population), self.n_jobs)
        return np.array(found)

    def draw(self, program: Program, ax: Axes | None = None) -> Figure:
        """Plot the frequency response of a program's circuit and the target."""
        from induce.pictures.style import GREY, PALETTE, axes_for, tidy

        figure, axes = axes_for(ax)
        frequencies = np.logspace(0.0, 5.0, 400)
        axes.plot(frequencies, self.circuit(program).response(frequencies), color=PALETTE[0], label="circuit")
        axes.plot([1.0, self.passes], [0.5, 0.5], color=GREY, ls="--", label="wanted")
        axes.plot([self.stops, 1e5], [0.0, 0.0], color=GREY, ls="--")
        axes.set_xscale("log")
        axes.set_xlabel("frequency, Hz")
        axes.set_ylabel("voltage at the load")
        axes.legend(frameon=False)
        tidy(axes, "both")
        return figure


def _branches(program: Program) -> Any:
    """Return a program as nested (code, value, parts)."""
    codes, constants = program.codes.tolist(), program.constants.tolist()
    return folded(codes, program.language.arity, lambda i, parts: (codes[i], constants[i], tuple(parts)))
