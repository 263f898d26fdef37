"""Declaration of `induce.rules`: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import TABLE, Declaration, Learner, Search

DECLARATION = Declaration(
    learners=(
        Learner(
            "AQ",
            "learners.aq",
            "conjunctions grown around seeds, class by class (Michalski's AQ)",
            TABLE,
            "RuleList",
        ),
        Learner(
            "CN2",
            "learners.cn2",
            "rules by beam search, evaluated by an estimate of their precision (Clark and Niblett)",
            TABLE,
            "RuleList",
        ),
        Learner(
            "PART", "learners.part", "rules from partial C4.5 trees (Frank and Witten)", TABLE, "RuleList"
        ),
        Learner("PRISM", "learners.prism", "exact rules, class by class (Cendrowska)", TABLE, "RuleList"),
        Learner(
            "RIPPER",
            "learners.ripper",
            "short rules, grown, pruned and optimised by description length (Cohen)",
            TABLE,
            "RuleList",
            knowledge=("initial hypothesis", "operators"),
        ),
        Learner(
            "RuleLearner",
            "learners.rule_learner",
            "rules by sequential covering, with the search, measure and knowledge you choose",
            TABLE,
            "RuleList",
            knowledge=("initial hypothesis", "operators"),
        ),
    ),
    events={
        "description length": "prediction bits least right covered added",
        "expand": "path counts entropy test",
        "optimised": "prediction position bits chosen",
        "replace": "path as_leaf as_tree replaced",
        "rule": "conditions prediction? counts? rows?",
        "rule grown": "prediction conditions gains",
        "rule pruned": "prediction conditions dropped worth",
    },
    searches={
        "AQ": Search(
            "rule sets, one per class",
            "general to specific within a rule",
            "sequential covering; beam around a seed",
            "rules · beam · n d",
        ),
        "CN2": Search(
            "rule sets that vote, or rule lists",
            "general to specific within a rule",
            "sequential covering; beam by an estimate of precision",
            "rules · conditions · beam · n d",
        ),
        "PART": Search(
            "rule lists",
            "simple to complex",
            "sequential covering by the best leaf of a partial tree",
            "rules · n d log n",
        ),
        "PRISM": Search(
            "rule sets, one per class",
            "general to specific within a rule",
            "sequential covering; greedy by precision",
            "rules · conditions · n d",
        ),
        "RIPPER": Search(
            "rule lists",
            "general to specific, then pruned",
            "sequential covering; growing, pruning and optimising by description length",
            "n log² n · d",
        ),
        "RuleLearner": Search(
            "rule lists",
            "either direction",
            "sequential covering with the chosen search and measure",
            "rules · conditions · beam · n d",
        ),
    },
)
