"""Declaration of `induce.mixtures`: model-file values and exported names."""

from __future__ import annotations

from induce.core.declarations import ROWS, Declaration, Learner, Search

DECLARATION = Declaration(
    learners=(
        Learner(
            "GaussianMixture",
            "learners.gaussian_mixture",
            "Gaussian clusters, by EM",
            ROWS,
            "Mixture",
        ),
        Learner(
            "KMeans",
            "learners.k_means",
            "clusters around means",
            ROWS,
            "KMeansClusters",
        ),
        Learner(
            "MixtureModel",
            "learners.mixture_model",
            "hidden classes of rows and their number (AUTOCLASS)",
            ROWS,
            "Mixture",
        ),
    ),
    values={
        "KMeansClusters": "clusters",
        "Mixture": "hypothesis",
        "NumberChoice": "number",
    },
    exports={
        "Mixture": "hypothesis",
    },
    events={
        "k-means": "clusters start iteration moved inertia means",
        "number": "clusters criterion score",
        "restart": "component why",
    },
    searches={
        "GaussianMixture": Search(
            "mixtures of Gaussians",
            "continuous: parameters",
            "EM from several starts",
            "starts · steps · n k d²",
        ),
        "KMeans": Search(
            "k centres", "continuous: centres", "Lloyd's steps from several starts", "starts · steps · n k d"
        ),
        "MixtureModel": Search(
            "mixtures of one-column distributions",
            "continuous: parameters",
            "EM; number of clusters by score",
            "starts · steps · n k d",
        ),
    },
)
