"""Declaration of `induce.em`: its trace events and exported names."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    exports={
        "GaussianMeans": "means_of_gaussians",
        "Maximised": "driver",
        "gaussian_means": "means_of_gaussians",
        "maximise": "driver",
    },
    events={
        "em": "start iteration objective hypothesis covariances?",
    },
)
