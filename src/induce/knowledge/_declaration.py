"""What `induce.knowledge` declares: its learners, the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import TABLE, Declaration, Learner

DECLARATION = Declaration(
    learners=(
        Learner(
            "KBANN",
            "learners.kbann",
            "a network that begins as the rules of an expert and is refined by examples (Towell and Shavlik)",
            TABLE,
            "NeuralClassNetwork",
        ),
    ),
    values={"KnowledgeNetwork": "hypothesis"},
    exports={
        "Encoding": "encoding",
        "KBANN": "learners.kbann",
        "KnowledgeNetwork": "hypothesis",
        "Refinement": "refinement",
        "refinement": "refinement",
        "smallest_weight": "encoding",
    },
)
