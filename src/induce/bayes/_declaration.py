"""What `induce.bayes` declares: the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    exports={
        "Audit": "posterior",
        "ConceptSet": "concept_set",
        "Decision": "decisions",
        "Evolution": "evolution",
        "FiniteBags": "bags",
        "HypothesisSet": "hypothesis_set",
        "LabelledSet": "labelled_set",
        "Posterior": "posterior",
        "Prediction": "prediction",
        "bayes_theorem": "probability",
        "product_rule": "probability",
        "sum_rule": "probability",
        "total_probability": "probability",
    },
)
