"""Declaration of `induce.distances`: model-file values and exported names."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={
        "AttributeDistance": "attributes",
        "CosineDistance": "angle",
        "FunctionDistance": "function",
        "MahalanobisDistance": "covariance",
    },
    exports={
        "AttributeDistance": "attributes",
        "CosineDistance": "angle",
        "Distance": "base",
        "FunctionDistance": "function",
        "MahalanobisDistance": "covariance",
        "Rows": "rows",
        "cosine": "angle",
        "distance": "metrics",
        "hamming": "metrics",
        "heom": "metrics",
        "hvdm": "metrics",
        "mahalanobis": "covariance",
        "minkowski": "metrics",
        "vdm": "metrics",
    },
)
