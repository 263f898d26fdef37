"""Comparisons over data sets: a published example, second opinions, pictures that can be read, bad input."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from sklearn.datasets import load_wine
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from statsmodels.stats.multitest import multipletests

import induce
from induce.core.errors import InputError
from induce.evaluation.comparing.datasets import compare_over, rank_over

# areas under the curve of C4.5 and three variants on 14 data sets (Demšar 2006, table 6)
NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
AREAS = """0.763 0.768 0.771 0.798
0.599 0.591 0.590 0.569
0.954 0.971 0.968 0.967
0.628 0.661 0.654 0.657
0.882 0.888 0.886 0.898
0.936 0.931 0.916 0.931
0.661 0.668 0.609 0.685
0.583 0.583 0.563 0.625
0.775 0.838 0.866 0.875
1.000 1.000 1.000 1.000
0.940 0.962 0.965 0.962
0.619 0.666 0.614 0.669
0.972 0.981 0.975 0.975
0.957 0.978 0.946 0.970"""
TABLE = np.array([[float(cell) for cell in line.split()] for line in AREAS.splitlines()])
TABLE[12, 2] += 1e-4  # the paper ranks this one above its neighbour: they differ beyond the printed digits
X, Y = load_wine(return_X_y=True)
pytestmark = pytest.mark.filterwarnings("ignore::induce.Note")


def test_a_published_comparison():
    found = rank_over(TABLE, NAMES, higher=True)
    assert found.ranking.mean_ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=0.0005)
    assert found.ranking.critical_difference(0.05) == pytest.approx(1.25, abs=0.005)
    assert found.ranking.critical_difference(0.10) == pytest.approx(1.12, abs=0.005)
    assert found.ranking.p_value < 0.05
    assert found.wins("C4.5", "C4.5+m") == (2, 2, 10)


def test_pairs_are_those_of_scipy_and_statsmodels():
    table = np.random.default_rng(0).normal(size=(20, 3)) + np.array([0, 0.4, 1])
    found = rank_over(table, ["a", "b", "c"])
    pairs = [(0, 1), (0, 2), (1, 2)]
    raw = [stats.wilcoxon(table[:, i] - table[:, j], method="exact").pvalue for i, j in pairs]
    assert [pair.verdict.p_value for pair in found.pairs] == pytest.approx(raw)
    assert [pair.p_value for pair in found.pairs] == pytest.approx(multipletests(raw, method="holm")[1])
    assert found.ranking.chi_square == pytest.approx(stats.friedmanchisquare(*table.T).statistic)
    signs = rank_over(table, ["a", "b", "c"], test="sign")
    better = int((table[:, 0] > table[:, 1]).sum())
    assert signs.pairs[0].verdict.p_value == pytest.approx(stats.binomtest(better, 20).pvalue)


def test_learners_on_tables():
    tables = {"wine": (X, Y), "half": (X[::2], Y[::2]), "two": (X[Y < 2], Y[Y < 2])}
    learners = {
        "bayes": GaussianNB(),
        "stump": DecisionTreeClassifier(max_depth=1),
        "most": DummyClassifier(),
    }
    found = compare_over(learners, tables, cv=4, random_state=7)
    folds = StratifiedKFold(4, shuffle=True, random_state=7)
    for row, (rows, classes) in zip(found.scores, tables.values(), strict=True):
        expected = 1 - cross_val_score(GaussianNB(), rows, classes, cv=folds).mean()
        assert row[0] == pytest.approx(expected)
    assert found.datasets == ("wine", "half", "two")
    assert found.ranking.mean_ranks.tolist() == [1, 2, 3]
    assert "4-fold cross-validation" in str(found)
    again = compare_over(learners, tables, cv=4, random_state=7, n_jobs=2)
    assert (again.scores == found.scores).all()


def test_two_learners_have_pairs_only():
    tables = [induce.dataset(name) for name in ("iris", "restaurant")]
    found = compare_over([induce.C45(), induce.DecisionStump()], tables, cv=3)
    assert found.datasets == ("iris", "restaurant")
    assert found.ranking is None
    assert "won" in str(found)
    with pytest.raises(InputError, match="a critical-difference diagram needs at least three learners"):
        found.draw()


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, dict])
def test_ready_scores_of_any_make(kind):
    found = rank_over(kind({"a": [1.0, 2, 3], "b": [2.0, 3, 1], "c": [3.0, 4, 5]}), datasets="xyz")
    assert found.names == ("a", "b", "c")
    assert found.datasets == ("x", "y", "z")
    assert found.ranking.mean_ranks == pytest.approx([4 / 3, 5 / 3, 3])


@given(arrays(np.float64, (6, 4), elements=st.integers(0, 9).map(float)))
def test_ranks_do_not_depend_on_the_scale(scores):
    plain, scaled = rank_over(scores), rank_over(np.exp(scores))
    assert plain.ranking.mean_ranks == pytest.approx(scaled.ranking.mean_ranks)
    assert plain.ranking.mean_ranks.sum() == pytest.approx(10)
    turned = rank_over(-scores, higher=True)
    assert turned.ranking.mean_ranks == pytest.approx(plain.ranking.mean_ranks)


@pytest.mark.parametrize("k", [3, 8, 15])
def test_no_label_of_the_picture_covers_another(k):
    random = np.random.default_rng(1)
    names = [f"learner number {place} with a long name"[: 9 + 5 * place].strip() for place in range(k)]
    figure = rank_over(random.normal(size=(25, k)) + 0.3 * np.arange(k), names).draw()
    figure.draw_without_rendering()
    texts = figure.axes[0].texts
    shown = {text.get_text().split("  ")[0] for text in texts}
    assert set(names) <= shown
    boxes = [text.get_window_extent() for text in texts]
    for place, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:place]), texts[place].get_text()
        assert box.x0 >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y0 >= 0
        assert box.y1 <= figure.bbox.height


def test_the_bars_are_over_what_is_not_told_apart():
    found = rank_over(np.arange(3.0) + np.zeros((40, 3)), ["a", "b", "c"])
    assert found.ranking.groups() == ()
    figure = found.draw()
    assert found.draw(figure.add_subplot()) is figure
    assert "&lt;a&gt;" in rank_over({"<a>": [1, 2], "b": [3, 4]})._repr_html_()


@pytest.mark.parametrize(
    ("scores", "options", "sentence"),
    [
        ([[1, 2, 3]], {}, "one data set does not allow conclusions about others; give two or more"),
        (
            [[1, 2, np.nan], [1, 2, 3]],
            {"names": "abc"},
            "scores has nan for c on data set 1; leave that data",
        ),
        (
            [1, 2, 3],
            {},
            "scores has the shape (3,); give one row per data set and one column for each of two or more learners",
        ),
        ([["a", "b"], ["c", "d"]], {}, "scores must be numbers"),
        (TABLE, {"names": ["a"]}, "names has 1 names, but scores has 4; give one name each"),
        (TABLE, {"names": "abca"}, "names contains a name twice"),
        (TABLE, {"test": "t"}, "test is 't'; it can be 'wilcoxon', 'sign'"),
        (TABLE, {"confidence": 2}, "confidence is 2; it must be a number between 0 and 1"),
    ],
)
def test_bad_scores(scores, options, sentence):
    with pytest.raises(InputError) as caught:
        rank_over(scores, **options)
    assert sentence in str(caught.value)


def test_bad_data_sets():
    pair = [GaussianNB(), DummyClassifier()]
    with pytest.raises(
        InputError, match="data set few: cv is 10; give a number of folds from 2 to the number of rows, 6"
    ):
        compare_over(pair, {"wine": (X, Y), "few": (X[::30], Y[::30])})
    with pytest.raises(TypeError, match="datasets must be a dict from names to pairs"):
        compare_over(pair, [(X, Y)])
    with pytest.raises(TypeError, match="data set a must be a pair"):
        compare_over(pair, {"a": 3})
    with pytest.raises(InputError, match="two data sets are called iris"):
        compare_over(pair, [induce.dataset("iris")] * 2)
    with pytest.raises(InputError, match="GaussianNB predicts classes and Ridge predicts numbers"):
        compare_over([GaussianNB(), Ridge()], {"wine": (X, Y)})
