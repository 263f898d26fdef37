"""What `induce.bayes` declares: the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={
        "Beta": "distributions.beta",
        "Dirichlet": "distributions.dirichlet",
        "LinearGaussian": "distributions.linear_gaussian",
        "NoisyOr": "distributions.noisy_or",
        "NormalGamma": "distributions.normal_gamma",
        "NormalWishart": "distributions.normal_wishart",
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
