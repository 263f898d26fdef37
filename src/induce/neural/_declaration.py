"""What `induce.neural` declares: its learners, the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import NUMBERS, TABLE, Declaration, Learner

DECLARATION = Declaration(
    learners=(
        Learner(
            "NeuralNetworkClassifier",
            "learners.neural_network_classifier",
            "a network of units, trained by back-propagation to predict a class",
            TABLE,
            "NeuralClassNetwork",
        ),
        Learner(
            "NeuralNetworkRegressor",
            "learners.neural_network_regressor",
            "a network of units, trained by back-propagation to predict one number or several",
            NUMBERS,
            "NeuralNetwork",
        ),
    ),
    values={
        "NeuralClassNetwork": "hypothesis",
        "NeuralNetwork": "hypothesis",
        "TrainingRecord": "record",
        "UnitGroup": "network:Group",
        "UnitLink": "network:Link",
        "UnitNetwork": "network:Network",
    },
    exports={
        "GradientCheck": "gradients",
        "Group": "network",
        "Link": "network",
        "Network": "network",
        "NetworkObjective": "objective",
        "NeuralClassNetwork": "hypothesis",
        "NeuralNetwork": "hypothesis",
        "NeuralNetworkClassifier": "learners.neural_network_classifier",
        "NeuralNetworkRegressor": "learners.neural_network_regressor",
        "TrainingRecord": "record",
        "collapse": "network",
        "gradient_check": "gradients",
    },
)
