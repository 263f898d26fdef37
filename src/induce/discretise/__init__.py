"""Machinery: discretisation of a numeric column into intervals. Missing values (NaN) are ignored."""

from induce.discretise.intervals import (
    codes,
    equal_width_cuts,
    midpoints,
    quantile_cuts,
    quantile_edges,
    thresholds,
)
from induce.discretise.mdlp import mdlp_cuts, price_of_cut

__all__ = [
    "codes",
    "equal_width_cuts",
    "mdlp_cuts",
    "midpoints",
    "price_of_cut",
    "quantile_cuts",
    "quantile_edges",
    "thresholds",
]
