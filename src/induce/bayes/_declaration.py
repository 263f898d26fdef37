"""What `induce.bayes` declares: the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import Declaration, Learner

MIXED = "a table of nominal, numeric and text columns, values may be missing; two classes or more"

DECLARATION = Declaration(
    learners=(
        Learner(
            "NaiveBayes",
            "naive_bayes.learner",
            "the most probable class if columns are independent given the class",
            MIXED,
            "NaiveBayesModel",
        ),
    ),
    values={
        "Beta": "distributions.beta",
        "Dirichlet": "distributions.dirichlet",
        "IntervalColumn": "naive_bayes.nominal",
        "KernelColumn": "naive_bayes.numeric",
        "LinearGaussian": "distributions.linear_gaussian",
        "NaiveBayesModel": "naive_bayes.hypothesis",
        "NoisyOr": "distributions.noisy_or",
        "NominalColumn": "naive_bayes.nominal",
        "NormalColumn": "naive_bayes.numeric",
        "NormalGamma": "distributions.normal_gamma",
        "NormalWishart": "distributions.normal_wishart",
        "Smoothing": "naive_bayes.smoothing",
        "WordsColumn": "naive_bayes.words",
    },
    exports={
        "Ascent": "cross_entropy",
        "Audit": "posterior",
        "Beta": "distributions.beta",
        "ConceptSet": "concept_set",
        "CredibleInterval": "distributions.credible",
        "Decision": "decisions",
        "Dirichlet": "distributions.dirichlet",
        "Evolution": "evolution",
        "FiniteBags": "bags",
        "FittedLine": "lines",
        "HypothesisSet": "hypothesis_set",
        "LabelledSet": "labelled_set",
        "LinearGaussian": "distributions.linear_gaussian",
        "MaximumLikelihood": "maximum_likelihood",
        "NaiveBayes": "naive_bayes.learner",
        "NaiveBayesModel": "naive_bayes.hypothesis",
        "NoisyOr": "distributions.noisy_or",
        "NormalGamma": "distributions.normal_gamma",
        "NormalWishart": "distributions.normal_wishart",
        "OptimalCode": "codes",
        "Posterior": "posterior",
        "Prediction": "prediction",
        "bayes_theorem": "probability",
        "bernoulli_log_likelihood": "cross_entropy",
        "empirical_density": "maximum_likelihood",
        "errors_log_likelihood": "lines",
        "fit_line": "lines",
        "fit_normal": "maximum_likelihood",
        "maximise_likelihood": "maximum_likelihood",
        "observed_frequencies": "cross_entropy",
        "optimal_code": "codes",
        "product_rule": "probability",
        "sigmoid_ascent": "cross_entropy",
        "sum_rule": "probability",
        "total_probability": "probability",
    },
)
