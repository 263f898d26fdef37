"""What `induce.hypotheses` declares: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={
        "Above": "conditions",
        "AtMost": "conditions",
        "Between": "conditions",
        "ExpertRules": "expert_rules.theory",
        "ClauseList": "clause_list",
        "Is": "conditions",
        "NoneOf": "conditions",
        "OneOf": "conditions",
        "Rule": "rules",
        "RuleList": "rules",
        "Theory": "theory",
    },
    public={
        "ExpertRules": "expert_rules.theory",
        "ClauseList": "clause_list",
        "Rule": "rules",
        "RuleList": "rules",
        "Theory": "theory",
    },
)
