"""Declaration of `induce.search`: model-file values and exported names."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={
        "SearchHistory": "history:History",
        "SearchRow": "history:Row",
    },
    exports={
        "History": "history",
        "Row": "history",
        "Searched": "climbing",
        "anneal": "climbing",
        "draw_histories": "history",
        "hill_climb": "climbing",
        "random_search": "climbing",
        "searches": "climbing",
        "side_by_side": "history",
    },
)
