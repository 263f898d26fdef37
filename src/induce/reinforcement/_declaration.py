"""What `induce.reinforcement` declares: its learners, the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import ENVIRONMENT, Declaration, Learner

DECLARATION = Declaration(
    learners=(
        Learner(
            "DynamicProgramming",
            "learners.dynamic_programming",
            "the best policy of a process whose model is known: value and policy iteration",
            ENVIRONMENT,
            "Policy",
            "experience",
        ),
    ),
    values={"Policy": "policy", "PolicyReading": "reading.reading", "Solved": "solving.methods"},
    exports={
        "DynamicProgramming": "learners.dynamic_programming",
        "Policy": "policy",
        "PolicyReading": "reading.reading",
        "Reasons": "explanation",
        "Solved": "solving.methods",
        "steps_to_end": "solving.methods",
    },
)
