"""Finite-state machines, the individuals of evolutionary programming."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.reports import text_table
from induce.core.values import Value
from induce.hypotheses.kinds.procedure import Procedure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class StateMachine(Procedure):
    """A finite-state machine: in each state, each input leads to an output and to the next state.

    Parameters
    ----------
    inputs, outputs : tuple
        Input and output symbols.
    start : int
        Initial state.
    target, output : array of int
        Next state, and index of the output, for each state and input.

    Examples
    --------
    >>> machine = StateMachine(("0", "1"), ("even", "odd"), 0, np.array([[0, 1], [1, 0]]), np.array([[0, 1], [1, 0]]))
    >>> machine.run("0110")
    ['even', 'odd', 'even', 'even']
    >>> print(machine)
    state  input  output  next
    S0 *   0      even    S0
           1      odd     S1
    S1     0      odd     S1
           1      even    S0
    """

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    start: int
    target: Ints
    output: Ints

    @property
    def n_states(self) -> int:
        """Number of states."""
        return len(self.target)

    def parts(self) -> Parts:
        """Return the number of transitions."""
        return Parts(int(self.target.size), "transitions")

    def size(self) -> str:
        """Return the number of states."""
        return f"{self.n_states} state{'' if self.n_states == 1 else 's'}"

    def check(self) -> None:
        """Raise an `InputError` unless all state and output indices are valid."""
        shape = (self.n_states, len(self.inputs))
        if self.n_states < 1 or self.target.shape != shape or self.output.shape != shape:
            raise InputError("a machine needs a next state and an output for every state and input")
        for name, cells, most in (
            ("start", np.array([self.start]), self.n_states),
            ("target", self.target, self.n_states),
            ("output", self.output, len(self.outputs)),
        ):
            if cells.min() < 0 or cells.max() >= most:
                raise InputError(f"{name} of the machine contains an index out of range")

    def run(self, symbols: Iterable[Any]) -> list[Any]:
        """Return the outputs for a sequence of inputs."""
        places = {symbol: k for k, symbol in enumerate(self.inputs)}
        state, said = self.start, []
        for symbol in symbols:
            if symbol not in places:
                raise InputError(
                    f"{symbol!r} is not an input of this machine; its inputs are {list(self.inputs)}"
                )
            k = places[symbol]
            said.append(self.outputs[int(self.output[state, k])])
            state = int(self.target[state, k])
        return said

    def reached(self) -> list[int]:
        """Return the states reachable from the initial one, in order of discovery."""
        found = [self.start]
        for state in found:
            found += dict.fromkeys(int(k) for k in self.target[state] if int(k) not in found)
        return found

    def __str__(self) -> str:
        lines: list[Sequence[str]] = [("state", "input", "output", "next")]
        for state in self.reached():
            for k, symbol in enumerate(self.inputs):
                name = "" if k else f"S{state}{' *' if state == self.start else ''}"
                said = self.outputs[int(self.output[state, k])]
                lines.append((name, str(symbol), str(said), f"S{self.target[state, k]}"))
        return text_table(lines, left=(0, 1, 2, 3))

    def to_python(self, name: str = "machine") -> str:
        """Return the machine as a Python function from a sequence of inputs to the list of outputs."""
        from induce.hypotheses.writers.python import check_name, python_literal

        check_name(name)
        lines = [f"def {name}(symbols):", "    steps = {"]
        for state in self.reached():
            pairs = [
                f"{python_literal(symbol)}: {python_literal((self.outputs[int(o)], int(t)))}"
                for symbol, o, t in zip(self.inputs, self.output[state], self.target[state], strict=True)
            ]
            lines.append(f"        {int(state)}: {{{', '.join(pairs)}}},")
        lines += ["    }", f"    state, said = {int(self.start)}, []", "    for symbol in symbols:"]
        lines += [
            "        output, state = steps[state][symbol]",
            "        said.append(output)",
            "    return said",
        ]
        return "\n".join(lines) + "\n"

    def draw(self) -> Figure:
        """Plot the state diagram."""
        from induce.evolution.pictures.machines import machine_figure

        return machine_figure(self)
