"""What `induce.hypotheses` declares: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={
        "Above": "conditions",
        "AtMost": "conditions",
        "Between": "conditions",
        "ColumnTheory": "column_theories.theory",
        "Is": "conditions",
        "NoneOf": "conditions",
        "OneOf": "conditions",
        "Rule": "rules",
        "RuleList": "rules",
        "Theory": "theory",
    },
    public={
        "ColumnTheory": "column_theories.theory",
        "Rule": "rules",
        "RuleList": "rules",
        "Theory": "theory",
    },
)
