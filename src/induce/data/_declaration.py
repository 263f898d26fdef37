"""What `induce.data` declares: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={
        "Column": "schema",
        "NumericView": "numeric_view",
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
        "scan": "scanning",
    },
)
