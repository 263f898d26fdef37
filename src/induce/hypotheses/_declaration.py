"""Declaration of `induce.hypotheses`: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={
        "Above": "conditions",
        "AtMost": "conditions",
        "Between": "conditions",
        "ExpertClassifier": "expert_rules.classifier",
        "ExpertRules": "expert_rules.theory",
        "ClauseList": "clause_list",
        "GuidedModel": "guided",
        "Is": "conditions",
        "Knowledge": "knowledge",
        "NoneOf": "conditions",
        "OneOf": "conditions",
        "Rule": "rules",
        "RuleList": "rules",
        "Theory": "theory",
    },
    public={
        "GuidedModel": "guided",
        "Knowledge": "knowledge",
        "ExpertClassifier": "expert_rules.classifier",
        "ExpertRules": "expert_rules.theory",
        "ClauseList": "clause_list",
        "Rule": "rules",
        "RuleList": "rules",
        "Theory": "theory",
    },
)
