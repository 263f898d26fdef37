"""What `induce.reinforcement` declares: its learners, the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import ENVIRONMENT, Declaration, Learner

DECLARATION = Declaration(
    learners=(
        Learner(
            "ApproximateQLearning",
            "learners.approximate_q_learning",
            "action values that generalise over states: tiles, linear features, networks, clusters",
            ENVIRONMENT,
            "ApproximatePolicy",
            "experience",
        ),
        Learner(
            "DynamicProgramming",
            "learners.dynamic_programming",
            "the best policy of a process whose model is known: value and policy iteration",
            ENVIRONMENT,
            "Policy",
            "experience",
        ),
    ),
    values={
        "ApproximatePolicy": "generalising.approximate_policy",
        "ApproximateState": "learners.approximate_q_learning",
        "Clusters": "generalising.models",
        "Coding": "generalising.features",
        "Divergence": "generalising.divergence",
        "LearnedWeights": "generalising.models",
        "LinearModel": "generalising.models",
        "Network": "generalising.models",
        "Numbers": "generalising.features",
        "Observations": "generalising.features",
        "Places": "generalising.features",
        "Policy": "policy",
        "PolicyReading": "reading.reading",
        "Solved": "solving.methods",
        "TileCoding": "generalising.features",
    },
    exports={
        "ApproximatePolicy": "generalising.approximate_policy",
        "ApproximateQLearning": "learners.approximate_q_learning",
        "ApproximateReasons": "generalising.approximate_policy",
        "Clusters": "generalising.models",
        "Divergence": "generalising.divergence",
        "DynamicProgramming": "learners.dynamic_programming",
        "Network": "generalising.models",
        "Numbers": "generalising.features",
        "Places": "generalising.features",
        "Policy": "policy",
        "PolicyReading": "reading.reading",
        "Reasons": "explanation",
        "Solved": "solving.methods",
        "TileCoding": "generalising.features",
        "steps_to_end": "solving.methods",
    },
)
