"""Clusters around means, with each row assigned to the nearest (Mitchell §6.12.1 with hard assignments)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from induce.data.numeric_view import Floats
from induce.data.table import Table
from induce.mixtures.hypothesis import Mixture
from induce.mixtures.rows import Units


@dataclass(frozen=True, eq=False)
class KMeansClusters(Mixture):
    """Clusters around means; a row belongs to the cluster with the nearest mean.

    The mean of a nominal column is the relative frequency of each value. As a density, the clusters are a
    mixture of spherical Gaussians of equal variance. Missing and unseen values of a row are omitted from its
    distance.

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
        """Return minus half the squared distances, in units of the clusters' standard deviation."""
        return np.asarray(-0.5 * self.squares(table) / self.covariances[0])

    def headline(self) -> str:
        """Return the kind of the clusters."""
        return f"{len(self.shares)} clusters around means"
