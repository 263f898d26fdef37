"""What `induce.graphical` declares: the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import EITHER, ROWS, Declaration, Learner

DECLARATION = Declaration(
    learners=(
        Learner(
            "GaussianMixture",
            "mixtures.learners.gaussian_mixture",
            "clusters as Gaussians, by EM",
            ROWS,
            "Mixture",
        ),
        Learner(
            "KMeans",
            "mixtures.learners.k_means",
            "clusters around means",
            ROWS,
            "KMeansClusters",
        ),
        Learner(
            "MixtureModel",
            "mixtures.learners.mixture_model",
            "hidden classes of rows, and their number (AUTOCLASS)",
            ROWS,
            "Mixture",
        ),
        Learner(
            "NetworkParameters",
            "learners.parameters",
            "the probabilities of a belief network whose arcs are known",
            EITHER,
            "NetworkClassifier",
        ),
    ),
    values={
        "BeliefNetwork": "network",
        "ConditionalTable": "conditionals.table",
        "GaussianConditional": "conditionals.gaussian",
        "KMeansClusters": "mixtures.k_means",
        "LogisticConditional": "conditionals.logistic",
        "Mixture": "mixtures.hypothesis",
        "NetworkClassifier": "classifier",
        "NoisyOrConditional": "conditionals.noisy_or",
        "NumberChoice": "mixtures.number",
    },
    public={"BeliefNetwork": "network"},
    exports={
        "Answer": "inference.answers",
        "BeliefNetwork": "network",
        "Cases": "cases",
        "ConditionalTable": "conditionals.table",
        "Dag": "graphs.dag",
        "Explanation": "inference.answers",
        "Factors": "factors",
        "Finding": "explanation",
        "Findings": "explanation",
        "GaussianConditional": "conditionals.gaussian",
        "Independence": "graphs.dag",
        "Jeffrey": "inference.evidence",
        "JunctionTree": "inference.junction_tree",
        "LogisticConditional": "conditionals.logistic",
        "Mixture": "mixtures.hypothesis",
        "NetworkClassifier": "classifier",
        "NetworkParameters": "learners.parameters",
        "NoisyOrConditional": "conditionals.noisy_or",
        "Normal": "building",
        "NumberAnswer": "inference.answers",
        "Observation": "inference.value_of_information",
        "PartialGraph": "graphs.partial",
        "Virtual": "inference.evidence",
        "dependence": "inference.dependence",
        "textbook_network": "library",
        "textbook_networks": "library",
        "noisy_or": "conditionals.noisy_or",
    },
)
