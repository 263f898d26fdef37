"""Any learner in the mistake-bound protocol, and the pictures."""

import numpy as np
import pytest
from sklearn.linear_model import Perceptron
from sklearn.naive_bayes import BernoulliNB

import induce
from induce.online import RandomizedWeightedMajority, WeightedMajority
from induce.online.learners.winnow import Winnow
from induce.online.mistakes import History
from induce.online.studies.protocol import play


def stream(n=60):
    random = np.random.default_rng(0)
    X = random.integers(0, 2, (n, 6))
    return X, np.where(X[:, 0] + X[:, 1] > 0, "yes", "no")


@pytest.mark.filterwarnings("ignore::induce.Note")
@pytest.mark.parametrize("learner", [Perceptron(), BernoulliNB(), induce.IncrementalID3()])
def test_every_row_is_predicted_before_it_is_learned(learner):
    from sklearn.base import clone

    X, y = stream()
    again = clone(learner)
    played = play(learner, X, y)
    said = ["no"]
    again.partial_fit(X[:1], y[:1], classes=["no", "yes"])
    for row in range(1, len(X)):
        said.append(again.predict(X[row : row + 1])[0])
        again.partial_fit(X[row : row + 1], y[row : row + 1])
    assert played.predictions.tolist() == said
    assert played.mistakes == (np.array(said) != y).sum() == played.curve.mistakes[-1]
    assert played.wrong[played.last_mistake - 1]
    assert not played.wrong[played.last_mistake :].any()


@pytest.mark.filterwarnings("ignore::induce.Note")
def test_changing_learners_are_experts():
    """A pool of learning algorithms, as Mitchell's table 7.1 allows."""
    X, y = stream()
    pool = {
        type(learner).__name__: play(learner, X, y).predictions
        for learner in (Perceptron(), BernoulliNB(), induce.IncrementalID3())
    }
    import polars as pl

    learner = WeightedMajority().fit(pl.DataFrame(pool), y)
    assert learner.hypothesis_.names == tuple(pool)
    assert learner.mistakes_ <= learner.bound_
    assert learner.best_mistakes_ == min((said != y).sum() for said in pool.values())


def test_bad_input():
    X, y = stream()
    with pytest.raises(induce.InputError, match="give one class per row"):
        play(Perceptron(), X, y[:3])
    with pytest.raises(induce.InputError, match="there are no rounds"):
        play(Perceptron(), X[:0], y[:0])


def test_no_mistake_at_all():
    played = play(WeightedMajority(), [[1, 1], [0, 0]], [1, 0])
    assert (played.mistakes, played.last_mistake, str(played)) == (0, None, "0 mistakes in 2 rounds")


def test_pictures_have_the_bound_as_a_line():
    random = np.random.default_rng(0)
    X, y = random.integers(0, 2, (400, 6)), random.integers(0, 2, 400)
    randomised = ["mistakes", "expected mistakes", "best expert"]
    for learner, labels in (
        (WeightedMajority(), ["mistakes", "best expert", "bound for β = 0.5"]),
        (RandomizedWeightedMajority(), [*randomised, "bound for β = 0.5"]),
        (RandomizedWeightedMajority(beta="no-regret"), [*randomised, "no-regret bound"]),
    ):
        learner.fit(X, y)
        axes = learner.draw().axes[0]
        assert [line.get_label().split(":")[0] for line in axes.lines] == labels
        bound = axes.lines[-1].get_ydata()
        assert bound[-1] == pytest.approx(learner.bound_)
        assert axes.lines[0].get_ydata()[-1] == learner.mistakes_
        assert learner.hypothesis_.draw().axes[0].patches
    without = Winnow().fit(X.astype(bool).astype(object), y)
    assert [line.get_label().split(":")[0] for line in without.draw().axes[0].lines] == ["mistakes"]
    assert without.hypothesis_.draw().axes[0].patches
    from matplotlib.figure import Figure

    figure = Figure()
    assert without.draw(figure.add_subplot()) is figure


def test_history_is_thinned_evenly():
    history = History(1)
    history.add(np.arange(1.0, 10_001)[:, None])
    rounds, points = history.points()
    assert history.stride == 8
    assert rounds.tolist() == list(range(8, 10_001, 8))
    assert points[:, 0].tolist() == rounds.tolist()
    history.add(np.array([[10_001.0]]))
    assert history.points()[0][-1] == 10_001
