"""Executable programs, the hypotheses of genetic programming."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.core.shapes import check_shapes
from induce.evolution.programs import text
from induce.evolution.programs.flat import depth_of, parsed, subtree_ends, written
from induce.evolution.programs.functions import Guard, definitions
from induce.evolution.programs.grammar import Floats, Ints
from induce.evolution.programs.interpreter import Run
from induce.evolution.programs.intervals import guards_of
from induce.evolution.programs.language import Language
from induce.evolution.programs.population import Codes
from induce.hypotheses.kinds.procedure import Procedure
from induce.hypotheses.naming import plural
from induce.search.history import History

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from induce.evolution.programs.explanation import ProgramExplanation


@dataclass(frozen=True, eq=False)
class Program(Procedure):
    """A program of a language (Mitchell §9.5).

    Parameters
    ----------
    language : Language
        Language of the program.
    codes : array of int32
        Codes in prefix order, flat, so that depth is unlimited; the main part first, then the subroutines.
    constants : array of float64
        Constant at each position.
    starts : array of int64
        Start of each part, and end of the last part.
    fitness : float
        Fitness; NaN if unknown.
    history : History, optional
        History of the search.

    Examples
    --------
    >>> import operator
    >>> from induce.evolution import Language, function, variable
    >>> language = Language((function("+", operator.add, 2), function("*", operator.mul, 2), variable("x")))
    >>> program = Program.parse("(+ x (* x x))", language)
    >>> print(program, program.run({"x": 3}))
    (+ x (* x x)) 12
    >>> print(program.to_formula())
    x + x^2
    """

    language: Language
    codes: Codes
    constants: Floats
    starts: Ints
    fitness: float = float("nan")
    history: History | None = None

    @classmethod
    def parse(cls, text: str, language: Language) -> Program:
        """Parse S-expressions: the main part and, after ``;``, each subroutine."""
        codes: list[int] = []
        constants: list[float] = []
        starts = [0]
        for part in text.split(";"):
            more, held = parsed(part.strip(), language)
            codes, constants = codes + more, constants + held
            starts.append(len(codes))
        found = cls(language, np.array(codes, np.int32), np.array(constants), np.array(starts, np.int64))
        found.check()
        return found

    @property
    def n_nodes(self) -> int:
        """Number of nodes of the program, including subroutines."""
        return len(self.codes)

    def depth(self) -> int:
        """Return the depth of the deepest part."""
        return max(depth_of(self.part(k)[0], self.language.arity) for k in range(len(self.starts) - 1))

    def run(self, state: Any = None, steps: int = 10_000) -> Any:
        """Run the program on a state and return its value.

        Parameters
        ----------
        state : object
            State read and changed by primitives with an effect; a dict of inputs for variables.
        steps : int
            Maximum number of nodes evaluated. A program that needs more raises an `OutOfStepsError`; the
            state remains as the program left it.
        """
        return Run(self, state, steps).value(0, ())

    def to_sexpr(self) -> str:
        """Return the program as S-expressions, the main part and then each subroutine, with ``;`` between."""
        return "; ".join(written(*self.part(k), self.language) for k in range(len(self.starts) - 1))

    def to_formula(self) -> str:
        """Return the program as a formula, and a line for each subroutine and each protected function."""
        lines = self._written(text.infix)
        heads = [f"F{k}({', '.join(self._argument_names(k))}) = " for k in range(len(lines) - 1)]
        formulas = [head + line for head, line in zip(["", *heads], lines, strict=True)]
        return "\n".join([*formulas, *definitions(self.guards)])

    def to_latex(self) -> str:
        """Return the program in LaTeX, and a line for each subroutine and each protected function."""
        lines = self._written(text.latex)
        names = [[f"a_{{{name[1:]}}}" for name in self._argument_names(k)] for k in range(len(lines) - 1)]
        heads = [f"F_{{{k}}}({', '.join(given)}) = " for k, given in enumerate(names)]
        formulas = [head + line for head, line in zip(["", *heads], lines, strict=True)]
        return "\n".join([*formulas, *definitions(self.guards, is_latex=True)])

    def _written(self, write: Any) -> list[str]:
        """Return each part in a notation."""
        lines = []
        for k, start in enumerate(self.starts[:-1].tolist()):
            codes, constants = self.part(k)
            others = {
                i - start: guard.wording
                for i, guard in self.guards.items()
                if start <= i < start + len(codes)
            }
            lines.append(str(write(codes, constants, self.language, others)))
        return lines

    @cached_property
    def guards(self) -> dict[int, Guard]:
        """Nodes that are protected for some inputs."""
        from induce.evolution.programs.meaning import LanguageMeaning

        meaning = LanguageMeaning(self.language)
        return {
            int(self.starts[k]) + i: guard
            for k in range(len(self.starts) - 1)
            for i, guard in guards_of(*self.part(k), meaning, {}).items()
        }

    def to_python(self, name: str = "program") -> str:
        """Return Python source of functions of the state; user-defined primitives are called by name.

        Arguments of lazy primitives become functions; primitives with an effect receive the state first.
        """
        from induce.evolution.programs.program_export import python_of

        return python_of(self, name)

    def to_sql(self, table: str = "data") -> str:
        """Return a query that adds a column "prediction" to `table`.

        Inputs are columns. Every primitive used needs an SQL form: formula functions and Python's built-ins have one,
        others need the parameter `sql`. NULL propagates as in the database's functions.
        """
        from induce.evolution.programs.program_export import sql_of_program

        return sql_of_program(self, table)

    def simplify(self) -> Program:
        """Return an equivalent program, with fewer nodes where possible.

        Constants are folded, and neutral operations removed. User-defined primitives stay, since their effects are
        unknown.
        """
        from induce.evolution.programs.meaning import LanguageMeaning
        from induce.evolution.programs.simplify import simplified

        meaning = LanguageMeaning(self.language)
        parts = [simplified(*self.part(k), meaning) for k in range(len(self.starts) - 1)]
        return replace(
            self,
            codes=np.array([code for codes, _ in parts for code in codes], np.int32),
            constants=np.array([each for _, constants in parts for each in constants], np.float64),
            starts=np.cumsum([0, *(len(codes) for codes, _ in parts)]).astype(np.int64),
        )

    def explain(self, X: Any = None, steps: int = 10_000) -> ProgramExplanation:
        """Run the program on a state and return the value of every part, in order of evaluation.

        Parameters
        ----------
        X : object
            State, as for `run`: a dict of inputs, or an object for primitives with an effect.
        steps : int
            Maximum number of nodes evaluated.
        """
        from induce.evolution.programs.explanation import explained_run

        return explained_run(self, X, steps)

    def parts(self) -> Parts:
        """Return the number of nodes."""
        return Parts(len(self.codes), "nodes")

    def _lacking(self) -> dict[str, str]:
        from induce.evolution.programs.program_export import without_sql

        name = without_sql(self)
        return {} if name is None else {"sql": f"{name} has no SQL"}

    def size(self) -> str:
        """Return the number of nodes."""
        return plural(self.n_nodes, "node")

    def __str__(self) -> str:
        if self.history is None:
            return self.to_sexpr()
        generations = max(0, len(self.history.rows) - 1)
        return (
            f"{self.to_sexpr()}\n{self.size()}; fitness {self.fitness:.6g} after {generations} generations, "
            f"{self.history.evaluations:,} evaluations"
        )

    def draw(self, ax: Axes | None = None) -> Figure:
        """Draw the tree of the main part."""
        from induce.evolution.programs.pictures import draw_tree

        codes, constants = self.part(0)
        labels = [
            self.language.signatures[code].name
            if self.language.signatures[code].low is None
            else f"{self.language.signatures[code].name} {constant:.4g}".strip()
            for code, constant in zip(codes, constants, strict=True)
        ]
        return draw_tree(labels, subtree_ends(codes, self.language.arity), ax)

    def check(self) -> None:
        """Raise an `InputError` unless the codes form a well-typed program of the language."""
        check_shapes(self, {"codes": "nodes", "constants": "nodes", "starts": "parts"})
        signatures, n_parts = self.language.signatures, 1 + len(self.language.subroutines)
        kinds = [self.language.gives, *(each.gives for each in self.language.subroutines)]
        well = len(self.starts) == n_parts + 1 and int(self.starts[-1]) == len(self.codes)
        for k in range(n_parts if well else 0):
            wanted, codes = [kinds[k]], self.part(k)[0]
            for code in codes:
                if not wanted or not 0 <= code < len(signatures) or signatures[code].gives != wanted.pop():
                    well = False
                    break
                wanted += reversed(signatures[code].takes)
            well = well and not wanted and bool(codes)
        if not well:
            raise InputError(
                "the codes do not form a program of the language; check the types of the primitives"
            )

    @cached_property
    def ends(self) -> list[int]:
        """End of the subtree of each node."""
        return [
            int(self.starts[k]) + end
            for k in range(len(self.starts) - 1)
            for end in subtree_ends(self.part(k)[0], self.language.arity)
        ]

    def part(self, k: int) -> tuple[list[int], list[float]]:
        """Return the codes and constants of the main part (0) or of a subroutine."""
        start, end = int(self.starts[k]), int(self.starts[k + 1])
        return self.codes[start:end].tolist(), self.constants[start:end].tolist()

    def _argument_names(self, k: int) -> list[str]:
        return [f"a{j}" for j in range(len(self.language.subroutines[k].takes))]
