"""Clusters around means as a value: a row belongs to the nearest (Mitchell §6.12.1 as hard assignments)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from induce.data.numeric_view import Floats
from induce.data.table import Table
from induce.mixtures.hypothesis import Mixture
from induce.mixtures.rows import Units


@dataclass(frozen=True, eq=False)
class KMeansClusters(Mixture):
    """Clusters around means: a row belongs to the one whose mean is nearest.

    The mean of a nominal column is the share of each of its values. As a density it is the mixture of the clusters,
    their Gaussians round and all of one width. Missing and unseen values of a row are left out of its distance.

    See Also
    --------
    Mixture : the parameters; `covariances` are those of spherical components, all the same.
    """

    def squares(self, table: Table) -> Floats:
        """Return the squared distance of each row from each mean, in the units of the clusters."""
        numeric = Units(self.offset, self.scale).scaled(table.numeric)
        found = np.zeros((len(table), len(self.shares)))
        for i in range(len(self.shares)):
            found[:, i] = np.nansum(np.square(numeric - self.means[i]), axis=1)
            for place, size, codes in zip(self.places, self.sizes, table.nominal.T, strict=True):
                shares = self.tables[i, place : place + size]
                known = codes >= 0
                found[known, i] += 1.0 - 2.0 * shares[codes[known]] + float(np.square(shares).sum())
        return found

    def _scores(self, table: Table) -> Floats:
        """Return half of the squared distances below 0, in units of the width of the clusters."""
        return np.asarray(-0.5 * self.squares(table) / self.covariances[0])

    def headline(self) -> str:
        """Return the kind of the clusters."""
        return f"{len(self.shares)} clusters around means"
