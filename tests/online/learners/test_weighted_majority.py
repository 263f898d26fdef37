"""Halving, Weighted-Majority and its randomised form: oracles, bounds, batches, seeds."""

from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import induce
from induce.online import Halving, RandomizedWeightedMajority, WeightedMajority, _loops
from induce.online.bounds import no_regret_beta, regret_bound
from induce.online.studies.protocol import play

EXPERTS = {"a1": "110101", "a2": "000111", "a3": "101010", "a4": "011000", "a5": "011110"}
TRUTH = "100101"


def bits(text):
    return [int(character) for character in text]


def trace_table():
    return pl.DataFrame({name: bits(said) for name, said in EXPERTS.items()}), bits(TRUTH)


def sequences(max_classes=3):
    """Random experts and truth, of two classes or more."""
    shape = st.tuples(st.integers(1, 40), st.integers(1, 8), st.integers(2, max_classes))
    return st.tuples(shape, st.integers(0, 10**6)).map(
        lambda drawn: (
            np.random.default_rng(drawn[1]).integers(0, drawn[0][2], drawn[0][:2]),
            np.random.default_rng(drawn[1] + 1).integers(0, drawn[0][2], drawn[0][0]),
        )
    )


def test_trace_of_weighted_majority_as_derived():
    X, y = trace_table()
    with induce.trace(only="round") as events:
        learner = WeightedMajority().fit(X, y)
    votes = [(event["votes"][0], event["votes"][1]) for event in events]
    expected = [(3, 2), (1.5, 2), (1, 1.5), (0.625, 1.125), (0.5625, 0.875), (0.25, 0.75)]
    assert votes == expected
    assert [i + 1 for i, event in enumerate(events) if event["prediction"] != event["truth"]] == [1, 2, 3, 5]
    assert learner.mistakes_ == 4
    assert learner.expert_mistakes_.tolist() == [1, 2, 4, 5, 5]
    assert learner.hypothesis_.weights.tolist() == [0.5, 0.25, 0.0625, 0.03125, 0.03125]
    assert learner.bound_ == pytest.approx(8.004, abs=5e-4)
    untraced = WeightedMajority().fit(X, y)
    assert untraced.hypothesis_ == learner.hypothesis_
    assert untraced.history_.mistakes.tolist() == learner.history_.mistakes.tolist()


@pytest.mark.parametrize(
    ("beta", "expected", "weights", "bound"),
    [
        (0.5, 2.602381, [0.5, 0.0625, 0.0625], 3.583519),
        (0.75, 2.850706, [0.75, 0.316406, 0.316406], 5.545177),
    ],
)
def test_randomised_trace_as_constructed(beta, expected, weights, bound):
    X = [bits(row) for row in ("101", "110", "010", "111", "001", "100")]
    learner = RandomizedWeightedMajority(beta=beta).fit(X, [1, 1, 0, 0, 0, 1])
    assert learner.expected_mistakes_ == pytest.approx(expected, abs=5e-7)
    assert learner.hypothesis_.weights == pytest.approx(weights, abs=5e-7)
    assert learner.expert_mistakes_.tolist() == [1, 4, 4]
    assert learner.bound_ == pytest.approx(bound, abs=5e-7)
    assert learner.regret_ == pytest.approx(expected - 1, abs=5e-7)
    if beta == 0.5:
        chances = np.diff(learner.history_.expected, prepend=0)
        assert chances == pytest.approx([0.333333, 0.4, 0.25, 1, 0.285714, 0.333333], abs=5e-7)


def thresholds():
    return {f"t{t}": [i >= t for i in range(6)] for t in range(7)}


def test_halving_on_seven_thresholds():
    learner = Halving(thresholds())
    with induce.trace(only="round") as events:
        learner.fit([3, 5, 4], [False] * 3)
    assert [event["votes"] for event in events] == [
        {False: 3.0, True: 4.0},
        {False: 1.0, True: 2.0},
        {False: 1.0, True: 0.0},
    ]
    assert (learner.mistakes_, learner.bound_, learner.hypothesis_.left) == (2, 2.0, ("t6",))
    assert Halving(thresholds()).fit([5, 0, 4, 1, 3, 2], [i >= 3 for i in (5, 0, 4, 1, 3, 2)]).mistakes_ == 0


def worst_mistakes(table, predict):
    """The most mistakes over all sequences of a learner that votes among the concepts left."""
    seen = {}

    def worst(alive):
        if alive not in seen:
            seen[alive] = 0
            for x in range(table.shape[1]):
                for label in (False, True):
                    left = frozenset(i for i in alive if table[i, x] == label)
                    if left and left != alive:
                        seen[alive] = max(seen[alive], (predict(alive, x) != label) + worst(left))
        return seen[alive]

    return worst(frozenset(range(len(table))))


def power_set(n):
    return np.array(list(product([False, True], repeat=n)))


def conjunctions(n):
    points = power_set(n)
    found = {
        tuple(all(want is None or point[i] == want for i, want in enumerate(literals)) for point in points)
        for literals in product([None, False, True], repeat=n)
    }
    return np.array(sorted(found))


@pytest.mark.parametrize(
    ("table", "most"),
    [
        *((power_set(n), n) for n in (1, 2, 3)),
        (np.eye(7, dtype=bool), 1),
        (np.array([[i >= t for i in range(7)] for t in range(8)]), 3),
        (conjunctions(2), 3),
        (
            np.array(
                [
                    *([0, *(x >= t for x in range(3)), *[0] * 5] for t in range(4)),
                    *([1, *[0] * 3, *(i == s for i in range(5))] for s in range(5)),
                ],
                dtype=bool,
            ),
            3,
        ),
    ],
)
def test_worst_sequences_for_halving(table, most):
    """The Halving column of the chain VC <= Opt <= Halving <= log2 |C|, by playing the learner itself."""

    def predict(alive, x):
        left = table[sorted(alive)]
        played = play(Halving(left), [x], [bool(left[0, x])], classes=[False, True])
        return bool(played.predictions[0])

    assert worst_mistakes(table, predict) == most <= np.log2(len(table)) + 1e-9


@given(sequences(4), st.sampled_from([0.0, 0.1, 0.5, 0.9, 0.999]))
def test_weighted_majority_never_errs_more_than_the_bound(rows, beta):
    X, y = rows
    learner = WeightedMajority(beta=beta, random_state=1).fit(X, y)
    assert learner.history_.within
    wrong = y[:, None] != X
    assert learner.expert_mistakes_.tolist() == wrong.sum(axis=0).tolist()
    assert learner.history_.best.tolist() == np.cumsum(wrong, axis=0).min(axis=1).tolist()


@given(st.integers(1, 9), st.integers(1, 60), st.integers(0, 10**6), st.sampled_from([0.0, 0.3, 0.5, 0.8]))
def test_bound_holds_against_an_adversary(n_experts, n_rounds, seed, beta):
    """The adversary always answers what the learner does not say."""
    random = np.random.default_rng(seed)
    learner = WeightedMajority(beta=beta, ties="first")
    for round_ in range(n_rounds):
        row = random.integers(0, 2, (1, n_experts))
        said = learner.predict(row)[0] if round_ else int(row.mean() > 0.5)
        learner.partial_fit(row, [1 - said], classes=[0, 1])
        assert learner.mistakes_ <= learner.bound_ + 1e-9
    assert learner.mistakes_ == n_rounds


@given(st.integers(1, 40), st.integers(1, 30), st.integers(2, 4), st.integers(0, 10**6))
def test_halving_never_errs_more_than_the_logarithm(n_experts, n_rounds, n_classes, seed):
    random = np.random.default_rng(seed)
    X = random.integers(0, n_classes, (n_rounds, n_experts))
    learner = Halving().fit(X, X[:, random.integers(n_experts)])
    assert learner.mistakes_ <= np.floor(np.log2(n_experts))
    assert learner.history_.within


def adversarial(n_rounds, n_experts, seed):
    """Each round those experts err that have erred least so far, a third to two thirds of them."""
    random = np.random.default_rng(seed)
    mistakes = np.zeros(n_experts)
    X, y = np.empty((n_rounds, n_experts), int), random.integers(0, 2, n_rounds)
    for t in range(n_rounds):
        order = np.argsort(mistakes + random.random(n_experts) / 2)
        wrong = np.zeros(n_experts, bool)
        wrong[order[: round(n_experts * random.uniform(1 / 3, 2 / 3))]] = True
        X[t] = np.where(wrong, 1 - y[t], y[t])
        mistakes += wrong
    return X, y


@pytest.mark.parametrize("beta", [0.3, 0.5, 0.9, "no-regret"])
def test_mean_mistakes_of_the_randomised_learner_stay_below_the_bound(beta):
    X, y = adversarial(300, 8, 0)
    runs = [RandomizedWeightedMajority(beta=beta, random_state=run).fit(X, y) for run in range(60)]
    made = np.array([run.mistakes_ for run in runs])
    expected = runs[0].expected_mistakes_
    assert {run.expected_mistakes_ for run in runs} == {expected}
    assert runs[0].history_.within
    assert made.mean() <= runs[0].bound_
    assert abs(made.mean() - expected) < 4 * np.sqrt(expected / len(runs))


@given(sequences(2))
def test_expected_mistakes_never_exceed_either_bound(rows):
    X, y = rows
    for beta in (0.2, 0.5, 0.9, "no-regret"):
        assert RandomizedWeightedMajority(beta=beta).fit(X, y).history_.within
    known = RandomizedWeightedMajority(beta=no_regret_beta(X.shape[1], len(X))).fit(X, y)
    assert known.regret_ <= regret_bound(X.shape[1], len(X)) + 1e-9


@given(sequences(3), st.integers(1, 7))
def test_batches_equal_row_by_row(rows, size):
    X, y = rows
    for learner in (
        lambda: WeightedMajority(beta=0.7),
        lambda: RandomizedWeightedMajority(beta=0.7),
        lambda: RandomizedWeightedMajority(beta="no-regret"),
    ):
        whole, batches = learner(), learner()
        whole.partial_fit(X, y, classes=[0, 1, 2])
        for start in range(0, len(X), size):
            batches.partial_fit(X[start : start + size], y[start : start + size], classes=[0, 1, 2])
        assert whole.hypothesis_ == batches.hypothesis_
        assert whole.history_.rounds.tolist() == batches.history_.rounds.tolist()
        assert whole.history_.mistakes.tolist() == batches.history_.mistakes.tolist()
        assert whole.regret_ == batches.regret_


def test_history_of_a_long_run_is_bounded_and_the_same_in_batches():
    random = np.random.default_rng(3)
    X, y = random.integers(0, 2, (9000, 3)), random.integers(0, 2, 9000)
    whole = WeightedMajority().fit(X, y).history_
    batches = WeightedMajority()
    for start in range(0, 9000, 700):
        batches.partial_fit(X[start : start + 700], y[start : start + 700])
    assert len(whole.rounds) <= 2001
    assert whole.rounds[-1] == 9000
    assert whole.rounds.tolist() == batches.history_.rounds.tolist()
    assert whole.mistakes.tolist() == batches.history_.mistakes.tolist()


def test_same_seed_same_result_and_other_seeds_differ():
    random = np.random.default_rng(0)
    X, y = random.integers(0, 2, (200, 4)), random.integers(0, 2, 200)
    for learner in (WeightedMajority, RandomizedWeightedMajority):
        made = [learner(random_state=seed).fit(X, y).mistakes_ for seed in (5, 5, 6, 7, 8)]
        assert made[0] == made[1]
        assert len(set(made)) > 1


def test_beta_zero_is_halving_until_all_have_erred():
    random = np.random.default_rng(1)
    X = random.integers(0, 2, (30, 20))
    y = X[:, 7]
    halving = Halving().fit(X, y)
    majority = WeightedMajority(beta=0, ties="first").fit(X, y)
    assert majority.history_.mistakes.tolist() == halving.history_.mistakes.tolist()
    noisy = WeightedMajority(beta=0, ties="first").fit(np.vstack([X, X[:1]]), np.append(y, 1 - y[0]))
    assert noisy.hypothesis_.weights[7] == 0
    assert noisy.hypothesis_.shares.sum() == pytest.approx(1)


def test_an_expert_far_behind_can_come_back():
    """Weights of very long runs must not vanish for good."""
    n = 3000
    y = np.zeros(4 * n, int)
    X = np.zeros((4 * n, 2), int)
    X[:n, 1] = 1
    X[n:, 0] = 1
    learner = WeightedMajority().fit(X, y)
    assert learner.history_.within
    assert learner.mistakes_ == pytest.approx(n, abs=2)
    assert learner.predict([[1, 0]])[0] == 0


@pytest.mark.compiled
def test_a_million_rounds_of_a_hundred_experts():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 1_000_000, dtype=np.int8)
    X = random.integers(0, 2, (1_000_000, 100), dtype=np.int8)
    WeightedMajority().fit(X[:10], y[:10])
    learner = WeightedMajority().fit(X, y)
    assert learner.rounds_ == 1_000_000
    assert learner.history_.within


def test_experts_are_estimators_hypotheses_and_functions():
    data = induce.dataset("iris")
    X, y = data.X.to_pandas(), data.y.to_numpy()
    tree = induce.ID3().fit(X[::2], y[::2])
    experts = {
        "sklearn": DecisionTreeClassifier(random_state=0).fit(X[::2], y[::2]),
        "bayes": GaussianNB().fit(X[::2], y[::2]),
        "hypothesis": tree.hypothesis_,
        "rule": lambda rows: np.where(rows["petal width"] < 0.8, y[0], y[-1]),
    }
    learner = WeightedMajority(experts).fit(X[1::2], y[1::2])
    rows = np.column_stack([experts[name].predict(X[1::2]) for name in ("sklearn", "bayes", "hypothesis")])
    assert learner.expert_mistakes_[:3].tolist() == (rows != y[1::2, None]).sum(axis=0).tolist()
    assert learner.score(X[1::2], y[1::2]) > 0.9
    assert np.allclose(learner.predict_proba(X).sum(axis=1), 1)
    assert learner.predict(X).tolist() == learner.classes_[learner.predict_proba(X).argmax(axis=1)].tolist()
    assert str(learner.explain(X[:1])[0]).startswith(f"{y[0]} by 1 of the weight (")


@pytest.mark.parametrize("kind", ["list", "object", "pandas", "polars", "pyarrow"])
def test_predictions_as_text_in_any_frame(kind):
    X, y = trace_table()
    words = {"a": ["no" if cell == 0 else "yes" for cell in X["a1"]], "b": ["yes"] * 6}
    rows = list(zip(*words.values(), strict=True))
    frame = {
        "list": rows,
        "object": np.array(rows, dtype=object),
        "pandas": pd.DataFrame(words),
        "polars": pl.DataFrame(words, schema={"a": pl.Enum(["yes", "no"]), "b": pl.String}),
        "pyarrow": pl.DataFrame(words).to_arrow(),
    }[kind]
    learner = WeightedMajority(ties="first").fit(frame, ["yes" if cell else "no" for cell in y])
    assert learner.expert_mistakes_.tolist() == [1, 3]
    assert learner.classes_.tolist() == ["no", "yes"]
    assert learner.hypothesis_.names == (
        ("a", "b") if kind in ("pandas", "polars", "pyarrow") else ("x0", "x1")
    )
    assert learner.predict(frame).tolist() == [row[0] for row in rows]


def test_ties_go_to_the_class_declared_first():
    y = pl.Series(["+", "-"], dtype=pl.Enum(["-", "+"]))
    played = play(Halving(), [["+", "-"], ["-", "-"]], y)
    assert played.predictions.tolist() == ["-", "-"]
    assert WeightedMajority().fit([["+", "-"]], y[:1]).predict([["+", "-"]]).tolist() == ["+"]


@pytest.mark.parametrize(("below", "expected"), [(0.5, [0, 1]), (1.0, [0, 1]), (2.0, [1, 1])])
def test_votes_tie_up_to_the_tolerance(below, expected):
    codes = np.array([[0, 1], [0, 1]], dtype=np.uint8)  # each round the experts vote for classes 0 and 1
    predicted = np.full(2, -1)
    _loops.vote(
        codes,
        truth=np.zeros(2, np.int64),
        uniform=np.array([0.0, 0.99]),
        at_random=True,
        beta=1.0,
        base=np.zeros(2, np.int64),
        total=np.zeros(2, np.int64),
        weights=np.array([1.0 - below * _loops.TIE, 1.0]),
        n_classes=3,
        predicted=predicted,
        best=np.zeros(2, np.int64),
    )
    assert predicted.tolist() == expected


def test_many_classes_need_wider_codes():
    random = np.random.default_rng(0)
    y = random.integers(0, 400, 2000)
    X = np.column_stack([y, random.integers(0, 400, 2000), random.integers(0, 400, 2000)])
    learner = WeightedMajority().fit(X, y)
    assert learner.expert_mistakes_[0] == 0
    assert learner.history_.within


def test_printing():
    X, y = trace_table()
    learner = RandomizedWeightedMajority().fit(X, y)
    assert "expected) in 6 rounds, at most 4.6 by theory (the best expert erred 1 time)" in str(
        learner.history_
    )
    assert str(Halving(thresholds()).fit([5], [True]).hypothesis_) == (
        "6 of 7 experts left after 1 round: t0, t1, t2, t3, t4, t5"
    )
    long = WeightedMajority().fit(np.ones((5000, 25), int), np.zeros(5000, int))
    assert "share  mistakes" in str(long.hypothesis_)
    assert "and 5 more" in str(long.hypothesis_)
    assert "<pre>" in learner.hypothesis_._repr_html_()


@pytest.mark.parametrize("pool", [list, dict])
def test_copies_keep_the_experts_as_they_have_learned(pool):
    X, y = induce.dataset("iris")
    fitted = {"tree": induce.C45().fit(X, y), "stump": induce.DecisionStump().fit(X, y)}
    experts = fitted if pool is dict else list(fitted.values())
    learner = WeightedMajority(experts, beta=0.7).fit(X, y)
    again = clone(learner)
    assert again.beta == 0.7
    assert not hasattr(again, "hypothesis_")
    assert again.fit(X, y).hypothesis_ == learner.hypothesis_
    assert cross_val_score(learner, X, y.to_numpy(), cv=3).min() > 0.9
    assert induce.evaluate(learner, X, y, cv=3).errors < 10


def test_weights_that_restart_are_equal_in_trace_and_hypothesis():
    """The rounds 1, 2-3, 4-7, … have weights of their own."""
    random = np.random.default_rng(0)
    X, y = random.integers(0, 2, (8, 4)), random.integers(0, 2, 8)
    learner = RandomizedWeightedMajority(beta="no-regret")
    with induce.trace(only="round") as events:
        learner.fit(X, y)
    assert [sum(events[t]["votes"].values()) for t in (0, 1, 3, 7)] == [4.0] * 4
    assert [events[t]["weights"].tolist() for t in (0, 2, 6)] == [[1.0] * 4] * 3
    beta = no_regret_beta(4, 4)
    wrong = X[3:5] != y[3:5, None]
    assert events[4]["weights"] == pytest.approx(beta ** wrong.sum(axis=0))
    assert learner.hypothesis_.weights == pytest.approx(no_regret_beta(4, 8) ** (X[7] != y[7]))


def test_regret_and_its_picture():
    X, y = adversarial(300, 8, 0)
    for learner in (WeightedMajority(), RandomizedWeightedMajority(beta="no-regret")):
        curve = learner.fit(X, y).history_
        assert curve.regret[-1] == pytest.approx(learner.regret_)
        lines = learner.history_.draw_regret().axes[0].lines
        assert lines[0].get_ydata()[-1] == pytest.approx(learner.regret_)
        assert lines[1].get_ydata()[-1] == pytest.approx(learner.bound_ - learner.best_mistakes_)
    from induce.online.learners.winnow import Winnow

    with pytest.raises(induce.InputError, match="Winnow has no experts to compare with"):
        _ = Winnow().fit([["a"], ["b"]], [0, 1]).history_.regret


def test_what_was_learned_before_an_interruption_counts(monkeypatch):
    from induce.online.learners import rounds

    def interrupt(share):
        if share > 0.5:
            raise KeyboardInterrupt

    monkeypatch.setattr(rounds, "BLOCK", 40)
    monkeypatch.setattr(rounds, "report", interrupt)
    X, y = adversarial(100, 4, 0)
    learner = WeightedMajority()
    with pytest.raises(KeyboardInterrupt):
        learner.fit(X, y)
    assert learner.rounds_ == learner.hypothesis_.rounds == 60
    assert learner.expert_mistakes_.tolist() == (X[:60] != y[:60, None]).sum(axis=0).tolist()
