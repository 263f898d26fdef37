"""The simulated mistakes of tests lie where they should; the long version is in docs/comparing.md."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.tree import DecisionTreeClassifier

from induce.core.errors import InputError
from induce.evaluation.comparing.null_simulation import LEARNERS, _rows, type_one_error, type_one_errors
from induce.statistics import wilson

OTHERS = {
    "nearest mean": NearestCentroid(),
    "nearest row": KNeighborsClassifier(1),
    "stump": DecisionTreeClassifier(max_depth=1, criterion="gini"),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_the_learners_are_those_of_scikit_learn(name):
    classes, (columns, _) = _rows(200, np.random.default_rng(0))
    said = LEARNERS[name](columns[:150], classes[:150] == 1, columns[150:])
    other = OTHERS[name].fit(columns[:150], classes[:150]).predict(columns[150:])
    assert (said == other).mean() >= (0.8 if name == "stump" else 1)


def test_both_learners_are_equally_good():
    classes, halves = _rows(20_000, np.random.default_rng(1))
    errors = [
        np.mean(
            LEARNERS["nearest mean"](half[:10_000], classes[:10_000] == 1, half[10_000:]) != classes[10_000:]
        )
        for half in halves
    ]
    assert errors[0] == pytest.approx(errors[1], abs=0.015)
    assert 0.1 < errors[0] < 0.3


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("options", "least", "most"),
    [
        ({"test": "paired t", "test_size": 1 / 3, "repeats": 30, "learner": "nearest mean"}, 0.40, 0.80),
        ({"test": "paired t", "learner": "stump"}, 0.12, 0.32),
        ({"learner": "stump"}, 0.03, 0.16),
        ({"learner": "nearest mean"}, 0.0, 0.05),
        ({"test": "5x2cv", "learner": "nearest mean"}, 0.0, 0.07),
        ({"test": "mcnemar", "test_size": 1 / 3, "learner": "nearest row"}, 0.0, 0.09),
    ],
)
def test_how_often_tests_find_what_is_not_there(options, least, most):
    found = type_one_error(**options, simulations=120)
    assert least <= found.rate <= most
    assert found.interval == wilson(found.found, 120)


@pytest.mark.compiled
def test_the_default_is_more_honest_than_the_plain_test():
    plain, corrected = (
        type_one_error(test, learner="stump", simulations=150) for test in ("paired t", "corrected t")
    )
    assert corrected.found < plain.found
    assert not plain.honest


def test_the_seed_decides():
    one, same, other = (
        type_one_error("sign", simulations=40, n_jobs=n, random_state=seed)
        for n, seed in ((1, 0), (2, 0), (1, 5))
    )
    assert one == same
    assert one != other


def test_what_is_shown():
    found = type_one_errors(3, n_rows=40)
    lines = str(found).splitlines()
    assert lines[0].split("  ")[-3:] == ["nearest mean", "nearest row", "stump"]
    assert len(lines) == 15
    assert lines[1].startswith("paired t, 30 random hold-outs")
    figure = found.draw()
    assert len(figure.axes[0].get_yticklabels()) == 14
    assert found.draw(figure.add_subplot()) is figure
    assert found._repr_html_().count("<tr>") == 15
    assert "at the level 0.05" in str(found.errors[0])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"test": "t"}, "test is 't'; it can be"),
        ({"learner": "oracle"}, "learner is 'oracle'; it can be 'nearest mean', 'nearest row', 'stump'"),
        ({"simulations": 0}, "simulations is 0; it must be a whole number of at least 1"),
        ({"n_rows": 5}, "n_rows is 5; it must be a whole number of at least 20"),
        ({"alpha": 5}, "alpha is 5; it must be a number between 0 and 1"),
        ({"cv": None}, "cv is None, which leaves nothing to train on"),
    ],
)
def test_bad_input(options, sentence):
    with pytest.raises(InputError) as caught:
        type_one_error(**options)
    assert sentence in str(caught.value)
