"""Declaration of `induce.bayes`: the values of model files and the names it exports."""

from __future__ import annotations

from induce.core.declarations import TEXTS, Declaration, Learner, Search

MIXED = "a table of nominal, numeric and text columns; values may be missing; two or more classes"

DECLARATION = Declaration(
    learners=(
        Learner(
            "NaiveBayes",
            "learners.naive_bayes",
            "the most probable class if columns are independent given the class",
            MIXED,
            "NaiveBayesModel",
        ),
        Learner(
            "Rocchio",
            "learners.rocchio",
            "the class whose prototype of word weights has the largest cosine with the text (Rocchio)",
            TEXTS,
            "Prototypes",
        ),
        Learner(
            "SelfTraining",
            "learners.self_training",
            "a classifier that labels unlabelled rows if it is confident, and is retrained",
            MIXED,
            "NaiveBayesModel",
        ),
        Learner(
            "TextNaiveBayes",
            "learners.text_naive_bayes",
            "the most probable class of a text by its words (Mitchell, table 6.2)",
            TEXTS,
            "TextNaiveBayesModel",
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
        "Prototypes": "text.prototypes",
        "Smoothing": "naive_bayes.smoothing",
        "TextNaiveBayesModel": "text.hypothesis",
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
        "IndependenceCheck": "naive_bayes.independence",
        "LabelledSet": "labelled_set",
        "LinearGaussian": "distributions.linear_gaussian",
        "MaximumLikelihood": "maximum_likelihood",
        "NaiveBayes": "learners.naive_bayes",
        "NaiveBayesModel": "naive_bayes.hypothesis",
        "NoisyOr": "distributions.noisy_or",
        "NormalGamma": "distributions.normal_gamma",
        "NormalWishart": "distributions.normal_wishart",
        "OptimalCode": "codes",
        "Posterior": "posterior",
        "Prediction": "prediction",
        "Prototypes": "text.prototypes",
        "Rocchio": "learners.rocchio",
        "SelfTraining": "learners.self_training",
        "TextNaiveBayes": "learners.text_naive_bayes",
        "TextNaiveBayesModel": "text.hypothesis",
        "bayes_theorem": "probability",
        "bernoulli_log_likelihood": "cross_entropy",
        "check_independence": "naive_bayes.independence",
        "empirical_density": "maximum_likelihood",
        "errors_log_likelihood": "lines",
        "fit_line": "lines",
        "fit_normal": "maximum_likelihood",
        "learn_stream": "learners.stream",
        "maximise_likelihood": "maximum_likelihood",
        "observed_frequencies": "cross_entropy",
        "optimal_code": "codes",
        "product_rule": "probability",
        "sigmoid_ascent": "cross_entropy",
        "sum_rule": "probability",
        "text_terms": "text.sizes",
        "total_probability": "probability",
    },
    events={
        "class": "of documents prior positions vocabulary words",
        "self-training": "round labelled left",
    },
    searches={
        "NaiveBayes": Search("products of one-column distributions", "none", "closed form: counts", "n d"),
        "Rocchio": Search(
            "prototypes of classes", "none", "closed form: means", "number of words in all texts"
        ),
        "SelfTraining": Search(
            "hypothesis space of the base classifier",
            "none",
            "repeated fits with confidently labelled rows",
            "rounds · cost of the base classifier",
        ),
        "TextNaiveBayes": Search(
            "unigram models of classes", "none", "closed form: counts", "number of words in all texts"
        ),
    },
)
