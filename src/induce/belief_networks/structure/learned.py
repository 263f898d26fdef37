"""Networks with learned arcs: which directions are determined, and the confidence in each arc."""

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
"""Minimum confidence at which arcs that the network lacks are listed."""
MOST_LISTED = 60


@dataclass(frozen=True, eq=False)
class LearnedNetwork(BeliefNetwork):
    """A belief network with the determined directions and the confidence of its learned arcs.

    Parameters
    ----------
    schema, parents, conditionals, name
        See `BeliefNetwork`.
    undirected : tuple of (int, int)
        Arcs, as (parent, child), whose direction neither data nor knowledge determine. They are drawn without
        an arrow head.
    support : array of float64, shape (nodes, nodes)
        Confidence in an arc from one node (row) to another (column): its proportion among the graphs learned
        from bootstrap samples or drawn by a sampler. An undetermined arc counts half for each direction.
        Empty if not computed.
    sure_by : str
        Description of the graphs that `support` refers to: bootstrap samples or sampled graphs.

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
        """Raise an `InputError` unless the parts form a valid network."""
        super().check()
        n = len(self.parents)
        if self.support.size and self.support.shape != (n, n):
            raise InputError(f"the support has the shape {self.support.shape}; give the shape ({n}, {n})")
        for parent, child in self.undirected:
            if not 0 <= child < n or parent not in self.parents[child]:
                raise InputError("an undirected arc is not in the graph; add it to the parents")

    @property
    def partial(self) -> PartialGraph:
        """The graph with undetermined directions left open."""
        free = set(self.undirected)
        arcs = {(parent, child) for child, above in enumerate(self.parents) for parent in above}
        edges = frozenset((min(arc), max(arc)) for arc in free)
        return PartialGraph(self.nodes, frozenset(arcs - free), edges)

    def sureness(self, parent: str, child: str) -> tuple[float, float]:
        """Return the confidence that two nodes are adjacent, and that the arc leads from the first to the
        second.

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
            raise InputError("the confidence in arcs was not computed; learn with n_bootstrap=100")
        a, b = self.graph.position(parent), self.graph.position(child)
        return float(self.support[a, b] + self.support[b, a]), float(self.support[a, b])

    def arcs_text(self) -> str:
        """Return the arcs, one per line: an arrow if the direction is determined, and the confidence."""
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
        """Plot the graph, parents above children, with the marginals of every node as bars.

        An arc of undetermined direction has no arrow head. With known support, confident arcs are thick, and
        uncertain ones show their confidence.

        Parameters
        ----------
        given : dict, optional
            Evidence, which is marked in the plot; the bars show the posteriors.
        tables : bool
            Whether to show the conditional tables instead of bars.
        """
        from induce.belief_networks.pictures import draw

        joined = None if not self.support.size else self.support + self.support.T
        return draw(self, given, tables, frozenset(self.undirected), joined)

    def __str__(self) -> str:
        from induce.belief_networks.report import report

        if not any(self.parents):
            return report(self)
        head = f"arcs, with their proportion among {self.sure_by}" if self.support.size else "arcs"
        n = len(self.undirected)
        told = "" if not n else f" (— undetermined direction: {n} of {sum(map(len, self.parents))})"
        return report(self, f"{head}{told}\n{self.arcs_text()}")
