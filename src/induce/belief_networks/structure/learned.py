"""Networks whose arcs were learned: which directions are known, and how sure each arc is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.graphs.partial import PartialGraph
from induce.belief_networks.network import BeliefNetwork, Given
from induce.core.errors import InputError
from induce.core.reports import text_table
from induce.core.ties import ranked
from induce.hypotheses.naming import value_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

LEAST_SHARE = 0.3
"""Arcs that the network lacks are listed from this share on."""
MOST_LISTED = 60


@dataclass(frozen=True, eq=False)
class LearnedNetwork(BeliefNetwork):
    """A belief network with what its data tell of its arcs.

    Parameters
    ----------
    schema, parents, conditionals, name
        See `BeliefNetwork`.
    undirected : tuple of (int, int)
        The arcs, as parent and child, that could be the other way round: neither data nor knowledge tell. They are
        drawn without an arrow.
    support : array of float64, shape (nodes, nodes)
        Confidence in an arc from one node (row) to another (column): its share of the graphs learned from
        bootstrap samples, or of those that a sampler drew. An arc that could be either way counts half for
        each. Empty if nothing is known.
    sure_by : str
        Population of the share: bootstrap samples or sampled graphs.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> network = induce.ChowLiu().fit(X).hypothesis_
    >>> print(network.arcs_text())
    Outlook — Temperature
    Temperature — Humidity
    Temperature — Wind
    """

    undirected: tuple[tuple[int, int], ...] = ()
    support: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    sure_by: str = ""

    def check(self) -> None:
        """Raise an `InputError` unless the parts make a network."""
        super().check()
        n = len(self.parents)
        if self.support.size and self.support.shape != (n, n):
            raise InputError(f"the support has the shape {self.support.shape}; ({n}, {n}) is needed")
        for parent, child in self.undirected:
            if not 0 <= child < n or parent not in self.parents[child]:
                raise InputError("an arc without direction is not in the graph")

    @property
    def partial(self) -> PartialGraph:
        """The graph without the directions that are not known."""
        free = set(self.undirected)
        arcs = {(parent, child) for child, above in enumerate(self.parents) for parent in above}
        edges = frozenset((min(arc), max(arc)) for arc in free)
        return PartialGraph(self.nodes, frozenset(arcs - free), edges)

    def sureness(self, parent: str, child: str) -> tuple[float, float]:
        """Return how sure it is that two nodes are joined, and that the arc leads from the first to the second.

        Examples
        --------
        >>> import induce
        >>> X, y = induce.dataset("play-tennis")
        >>> network = induce.ChowLiu(n_bootstrap=20, random_state=0).fit(X).hypothesis_
        >>> joined, this_way = network.sureness("Outlook", "Temperature")
        >>> 0 <= this_way <= joined <= 1
        True
        """
        if not self.support.size:
            raise InputError("how sure arcs are was not asked for; learn with n_bootstrap=100")
        a, b = self.graph.position(parent), self.graph.position(child)
        return float(self.support[a, b] + self.support[b, a]), float(self.support[a, b])

    def arcs_text(self) -> str:
        """Return the arcs, one per line: an arrow where the direction is known, and how sure each is."""
        free = set(self.undirected)
        arcs = sorted(
            ((parent, child) for child, above in enumerate(self.parents) for parent in above),
            key=lambda arc: arc[::-1],
        )
        signs = {arc: "—" if arc in free else "→" for arc in arcs}
        if not self.support.size:
            return "\n".join(self._arc(*arc, sign) for arc, sign in signs.items())
        lines = [("arc", "joined", "this way")]
        lines += [(self._arc(*arc, sign), *self._shares(arc)) for arc, sign in signs.items()]
        both = self.support + self.support.T
        others = [
            (a, b) if self.support[a, b] >= self.support[b, a] else (b, a)
            for a, b in np.argwhere(np.triu(both, 1) >= LEAST_SHARE).tolist()
            if (a, b) not in signs and (b, a) not in signs
        ]
        others = ranked(others, lambda arc: both[arc])
        lines += [(f"(not learned: {self._arc(*arc, '→')})", *self._shares(arc)) for arc in others]
        return text_table(lines[: MOST_LISTED + 1])

    def _arc(self, parent: int, child: int, sign: str) -> str:
        return f"{value_text(self.nodes[parent])} {sign} {value_text(self.nodes[child])}"

    def _shares(self, arc: tuple[int, int]) -> tuple[str, str]:
        this = float(self.support[arc])
        return f"{this + float(self.support[arc[::-1]]):.2f}", f"{this:.2f}"

    def draw(self, given: Given = None, *, tables: bool = False) -> Figure:
        """Return a figure of the graph, parents above children, with the marginals of every node as bars.

        An arc whose direction is not known has no arrow. Where it is known how sure arcs are, sure ones are thick,
        and the share is written beside.

        Parameters
        ----------
        given : dict, optional
            Evidence: it is marked, and the bars are what follows from it.
        tables : bool
            Whether to show the conditional tables instead.
        """
        from induce.belief_networks.pictures import draw

        joined = None if not self.support.size else self.support + self.support.T
        return draw(self, given, tables, frozenset(self.undirected), joined)

    def __str__(self) -> str:
        from induce.belief_networks.report import report

        if not any(self.parents):
            return report(self)
        head = f"arcs, with their shares of {self.sure_by}" if self.support.size else "arcs"
        n = len(self.undirected)
        told = "" if not n else f" (— could be the other way round: {n} of {sum(map(len, self.parents))})"
        return report(self, f"{head}{told}\n{self.arcs_text()}")
