"""Hot loops of PART: pure functions on arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from induce.core.loops import loop


@loop
def keep_rows(kept: Any, size: int, rows: Any, ranks: Any, labels: Any, columns: Any) -> int:
    """Remove the rows that are not kept from the sorted columns of length `size`; return the number left.

    The result is also copied to the sorted columns in which a tree is grown, because growth changes their
    order.
    """
    left = 0
    for f in range(rows.shape[0]):
        left = 0
        for p in range(size):
            row, rank, label = rows[f, p], ranks[f, p], labels[f, p]
            # Written unconditionally, but kept only if `left` advances; left <= p, so no unread entry is
            # lost.
            rows[f, left] = columns.rows[f, left] = row
            ranks[f, left] = columns.ranks[f, left] = rank
            labels[f, left] = columns.labels[f, left] = label
            left += kept[row]
    return left


@loop
def entropies(counts: Any, min_leaf: float, bits: Any) -> None:
    """Write the entropy of each subset in bits, to six decimals; -1 if it is too light for a leaf."""
    for b in range(len(counts)):
        weight = 0.0
        of_classes = 0.0
        for count in counts[b]:
            weight += count
            of_classes += count * math.log2(count) if count > 0.0 else 0.0
        # Rounded, so that subsets of equal entropy are expanded in their given order on every processor.
        light = weight <= 0.0 or weight < min_leaf
        bits[b] = -1.0 if light else np.rint(max(math.log2(weight) - of_classes / weight, 0.0) * 1e6) / 1e6
