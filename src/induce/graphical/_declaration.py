"""What `induce.graphical` declares: the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={
        "BeliefNetwork": "network",
        "ConditionalTable": "conditionals.table",
        "GaussianConditional": "conditionals.gaussian",
        "LogisticConditional": "conditionals.logistic",
        "NoisyOrConditional": "conditionals.noisy_or",
    },
    public={"BeliefNetwork": "network"},
    exports={
        "BeliefNetwork": "network",
        "ConditionalTable": "conditionals.table",
        "Dag": "graphs.dag",
        "Factors": "factors",
        "GaussianConditional": "conditionals.gaussian",
        "Independence": "graphs.dag",
        "LogisticConditional": "conditionals.logistic",
        "NoisyOrConditional": "conditionals.noisy_or",
        "Normal": "building",
        "PartialGraph": "graphs.partial",
        "noisy_or": "conditionals.noisy_or",
    },
)
