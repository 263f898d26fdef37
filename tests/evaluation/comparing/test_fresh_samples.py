"""Fresh samples: independent differences of learners on rows that are drawn anew."""

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeRegressor

import induce
from induce.core.errors import InputError
from induce.core.progress import progress
from induce.data.generate import loans
from induce.evaluation.comparing.fresh_samples import compare_on_fresh_samples

PAIR = {"bayes": GaussianNB(), "most": DummyClassifier(strategy="constant", constant=1)}


def draw(n, random):
    classes = random.integers(2, size=n)
    return random.normal(size=(n, 2)) + classes[:, None], classes


def test_the_errors_are_the_true_ones():
    found = compare_on_fresh_samples(PAIR, draw, 100, 2000, 20)
    bayes = stats.norm.sf(np.sqrt(2) / 2)  # the error of the best there can be, for classes so far apart
    assert found.means["bayes"] == pytest.approx(bayes, abs=0.02)
    assert found.means["most"] == pytest.approx(0.5, abs=0.01)
    assert found.remarks == ()
    expected = stats.ttest_rel(*found.scores.T)
    assert found.pairs[0].verdict.statistic == pytest.approx(expected.statistic)
    assert found.method == "20 fresh samples of 100 training rows and 2000 test rows"


def test_samples_differ_and_the_seed_decides():
    one, same, other = (
        compare_on_fresh_samples(PAIR, draw, 30, 100, 4, n_jobs=n, random_state=seed).scores
        for n, seed in ((1, 0), (2, 0), (1, 1))
    )
    assert (one == same).all()
    assert not (one == other).all()
    assert len(np.unique(one[:, 0])) > 1


def test_generated_tables_and_other_tests():
    found = compare_on_fresh_samples([induce.C45(), induce.DecisionStump()], loans, 200, 200, 6, test="sign")
    assert found.pairs[0].verdict.method == "sign"
    assert found.n_rows == 6 * 400


def test_regressors():
    def line(n, random):
        rows = random.normal(size=(n, 1))
        return rows, rows[:, 0] + random.normal(size=n) / 10

    found = compare_on_fresh_samples([LinearRegression(), DecisionTreeRegressor()], line, 50, 100, 5)
    assert found.pairs[0].says().startswith("LinearRegression has the lower mean absolute error")


def test_progress_is_that_of_the_samples():
    seen = []
    with progress(seen.append):
        compare_on_fresh_samples(PAIR, draw, 20, 30, 4)
    assert seen == [0.25, 0.5, 0.75, 1.0]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"k": 1}, "k is 1; it must be a whole number of at least 2"),
        ({"n_train": 1}, "n_train is 1; it must be a whole number of at least 2"),
        ({"test": "corrected t"}, "test is 'corrected t'; it can be 'paired t', 'sign', 'wilcoxon'"),
        (
            {"sampler": lambda n, random: draw(n - 1, random)},
            "sampler returned 69 rows instead of 70; it must return the requested number",
        ),
        ({"sampler": lambda n, random: (np.zeros((n, 1)), np.zeros(n))}, "y has only one class, 0"),
    ],
)
def test_bad_input(options, sentence):
    given = {"sampler": draw, "n_train": 20, "n_test": 50, "k": 3, **options}
    with pytest.raises(InputError) as caught:
        compare_on_fresh_samples(PAIR, **given)
    assert sentence in str(caught.value)
