"""Declaration of `induce.sequences`: model-file values and exported names."""

from __future__ import annotations

from induce.core.declarations import SEQUENCES, Declaration, Learner, Search

DECLARATION = Declaration(
    learners=(
        Learner(
            "HiddenMarkovModel",
            "learners.hidden_markov_model",
            "a hidden Markov model, by Baum-Welch",
            SEQUENCES,
            "HiddenMarkovChain",
            "sequences",
        ),
    ),
    values={
        "HiddenMarkovChain": "hypothesis",
        "MarkovParameters": "parameters",
    },
    public={
        "Sequences": "sequences",
    },
    exports={
        "Forecast": "answers",
        "HiddenMarkovChain": "hypothesis",
        "MarkovParameters": "parameters",
        "Path": "answers",
        "StepExplanation": "explanation",
    },
    events={
        "restart": "state before after",
        "states": "n_states log_likelihood bic",
    },
    searches={
        "HiddenMarkovModel": Search(
            "hidden Markov models",
            "continuous: probabilities",
            "counts, or Baum-Welch steps",
            "steps · length · states²",
        ),
    },
)
