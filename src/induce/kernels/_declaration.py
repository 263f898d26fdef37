"""Declaration of `induce.kernels`: its learners, the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import NUMBERS, TABLE, Declaration, Learner, Search

DECLARATION = Declaration(
    learners=(
        Learner(
            "KernelPerceptron",
            "learners.kernel_perceptron",
            "a perceptron in feature space, with counts of mistakes as coefficients",
            TABLE,
            "KernelMachine",
        ),
        Learner(
            "SVM",
            "learners.svm",
            "the maximum-margin separator in feature space (support vector machine)",
            TABLE,
            "KernelMachine",
        ),
        Learner(
            "SVR",
            "learners.svr",
            "regression by the flattest function within a tube around the targets (support vector "
            "regression)",
            NUMBERS,
            "KernelSum",
        ),
        Learner(
            "VirtualSVM",
            "learners.virtual_svm",
            "a support vector machine, retrained with transformed support vectors",
            TABLE,
            "KernelMachine",
        ),
        Learner(
            "VotedPerceptron",
            "learners.voted_perceptron",
            "a vote of all perceptrons of the run, weighted by survival time (Freund and Schapire)",
            TABLE,
            "KernelMachine",
        ),
    ),
    values={
        "ConstantKernel": "combinations:Constant",
        "FunctionKernel": "functions:Function",
        "GaussianKernel": "vectors:Gaussian",
        "KernelDistance": "distance",
        "KernelMachine": "machine",
        "KernelSum": "kernel_sum",
        "LinearKernel": "vectors:Linear",
        "LocalPolynomialKernel": "images:LocalPolynomial",
        "MixedKernel": "mixed:Mixed",
        "NormalisedKernel": "combinations:Normalised",
        "PolynomialKernel": "vectors:Polynomial",
        "ProductKernel": "combinations:Product",
        "Separator": "separator",
        "Shifts": "images",
        "SpectrumKernel": "strings:Spectrum",
        "SubsequenceKernel": "strings:Subsequence",
        "SubtreesKernel": "terms:Subtrees",
        "SumKernel": "combinations:Sum",
    },
    exports={
        "Constant": "combinations",
        "Function": "functions",
        "Gaussian": "vectors",
        "Kernel": "kernel",
        "KernelMachine": "machine",
        "KernelPerceptron": "learners.kernel_perceptron",
        "KernelSum": "kernel_sum",
        "Linear": "vectors",
        "LocalPolynomial": "images",
        "Mixed": "mixed",
        "Normalised": "combinations",
        "Polynomial": "vectors",
        "Product": "combinations",
        "SVM": "learners.svm",
        "SVR": "learners.svr",
        "Shifts": "images",
        "Spectrum": "strings",
        "Subsequence": "strings",
        "Subtrees": "terms",
        "Sum": "combinations",
        "VirtualSVM": "learners.virtual_svm",
        "VotedPerceptron": "learners.voted_perceptron",
        "cover_count": "separability",
        "kernel_distance": "distance",
        "mercer": "definiteness",
        "separable": "separability",
        "separable_labellings": "separability",
    },
    events={
        "mistake": "epoch row mistakes coefficients weights",
        "optimised": "iterations objective message? width?",
        "pair": "rows step gap objective",
    },
    searches={
        "KernelPerceptron": Search(
            "sums of kernels", "continuous: weights", "perceptron rule, incremental", "epochs · n · mistakes"
        ),
        "SVM": Search(
            "linear functions of kernel features",
            "continuous: weights",
            "sequential minimal optimisation: convex, one optimum",
            "between n² d and n³",
        ),
        "SVR": Search(
            "linear functions of kernel features",
            "continuous: weights",
            "sequential minimal optimisation: convex, one optimum",
            "between n² d and n³",
        ),
        "VirtualSVM": Search(
            "linear functions of kernel features",
            "continuous: weights",
            "SVM trained twice, the second time with copies of support vectors",
            "twice the cost of SVM",
        ),
        "VotedPerceptron": Search(
            "votes of sums of kernels",
            "continuous: weights",
            "perceptron rule, incremental",
            "epochs · n · mistakes",
        ),
    },
)
