"""Declaration of `induce.data`: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={
        "Centre": "images.transformations",
        "Coarsen": "images.transformations",
        "Column": "schema",
        "Crop": "images.transformations",
        "Deslant": "images.transformations",
        "Edges": "images.transformations",
        "NumericView": "numeric_view",
        "Resize": "images.transformations",
        "Scale": "images.transformations",
        "Schema": "schema",
        "Tokeniser": "text",
    },
    public={
        "Column": "schema",
        "Dataset": "dataset",
        "Scan": "scanning",
        "Schema": "schema",
        "dataset": "catalogue",
        "datasets": "catalogue",
        "describe": "describe",
        "read": "reading",
        "read_images": "images.reading",
        "scan": "scanning",
    },
)
