"""What `induce.neural` declares: its learners, the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import NUMBERS, TABLE, Declaration, Learner

DECLARATION = Declaration(
    learners=(
        Learner(
            "CascadeCorrelation",
            "learners.cascade_correlation",
            "a network that grows unit by unit (Fahlman and Lebiere)",
            TABLE,
            "NeuralClassNetwork",
        ),
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
        "BoltzmannMachine": "boltzmann",
        "HopfieldNetwork": "hopfield",
        "NeuralClassNetwork": "hypothesis",
        "NeuralNetwork": "hypothesis",
        "TrainingRecord": "record",
        "RecurrentNetwork": "recurrent",
        "UnitGroup": "network:Group",
        "UnitLink": "network:Link",
        "UnitNetwork": "network:Network",
    },
    exports={
        "BoltzmannMachine": "boltzmann",
        "CascadeCorrelation": "learners.cascade_correlation",
        "GradientCheck": "gradients",
        "Group": "network",
        "HopfieldNetwork": "hopfield",
        "Link": "network",
        "Network": "network",
        "NetworkObjective": "objective",
        "NeuralClassNetwork": "hypothesis",
        "NeuralNetwork": "hypothesis",
        "NeuralNetworkClassifier": "learners.neural_network_classifier",
        "NeuralNetworkRegressor": "learners.neural_network_regressor",
        "Pruned": "pruning",
        "Recall": "hopfield",
        "RecurrentNetwork": "recurrent",
        "Settled": "recurrent",
        "Tiled": "tiling",
        "TrainingRecord": "record",
        "capacity_curve": "hopfield",
        "collapse": "network",
        "gradient_check": "gradients",
        "hessian_diagonal": "pruning",
        "optimal_brain_damage": "pruning",
        "prune": "pruning",
        "real_time_gradient": "recurrent",
        "saliencies": "pruning",
        "settle": "recurrent",
        "tile": "tiling",
        "without": "pruning",
    },
)
