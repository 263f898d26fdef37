"""A design: the best individual found by evolution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.core.forms import Parts
from induce.evolution.genomes.kind import Genome
from induce.hypotheses.kinds.solution import Solution
from induce.search.history import History

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Design(Solution):
    """An evolved individual, with its fitness and the history of the search.

    Parameters
    ----------
    genome : Genome
        Kind of genome.
    individual : object
        Genome of the individual.
    fitness : float
        Fitness of the individual.
    history : History
        History of the search, one entry per generation.
    """

    genome: Genome
    individual: Any
    fitness: float
    history: History

    def check(self) -> None:
        """Raise an `InputError` unless the individual is valid for the genome."""
        if not self.genome.legal(self.individual):
            raise InputError("the individual is not valid for the genome")

    @property
    def value(self) -> Any:
        """Argument of the fitness function: an array, a dict of named genes, a machine or a program."""
        return self.genome.value(self.individual)

    def parts(self) -> Parts:
        """Return the number of genes if it is the same for every individual."""
        n = getattr(self.genome, "n", None)
        return Parts(None, "its genome has no fixed number of genes") if n is None else Parts(int(n), "genes")

    def size(self) -> str:
        """Return the size of the genome as text."""
        n = getattr(self.genome, "n", None)
        return f"{n} genes" if n is not None else type(self.genome).__name__

    def __str__(self) -> str:
        generations = max(0, len(self.history.rows) - 1)
        return (
            f"{self.genome.show(self.individual)}\n"
            f"fitness {self.fitness:.6g} after {generations:,} generations, "
            f"{self.history.evaluations:,} evaluations"
        )

    def draw(self) -> Figure:
        """Plot the fitness in every generation."""
        return self.history.draw()
