"""Learning from sequences: labels, masks, ties, holes, restarts, number of states, bad input."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import induce
from induce import HiddenMarkovModel, InputError, Sequences
from induce.belief_networks import Normal
from induce.core.notes import Note
from induce.data.schema import Column, Schema
from induce.sequences import HiddenMarkovChain
from induce.sequences.parameters import MarkovParameters

DICE = HiddenMarkovChain.of(
    {"fair": 0.5, "loaded": 0.5},
    {"fair": {"fair": 0.95, "loaded": 0.05}, "loaded": {"fair": 0.1, "loaded": 0.9}},
    {
        "roll": {
            "fair": dict.fromkeys("123456", 1 / 6),
            "loaded": {**dict.fromkeys("12345", 0.1), "6": 0.5},
        }
    },
)
WEATHER = HiddenMarkovChain.of(
    {"cold": 0.5, "hot": 0.5},
    {"cold": {"cold": 0.9, "hot": 0.1}, "hot": {"cold": 0.2, "hot": 0.8}},
    {
        "degrees": {"cold": Normal(0, 2), "hot": Normal(20, 3)},
        "sky": {"cold": {"grey": 0.8, "blue": 0.2}, "hot": {"grey": 0.1, "blue": 0.9}},
    },
)


# --- what is learned ---------------------------------------------------------------------------------------------


def test_known_states_are_counted():
    drawn = DICE.sample(50, random_state=0, n_sequences=4)
    found = HiddenMarkovModel().fit(Sequences.of(drawn, sequence="sequence", state="state")).hypothesis_
    assert found.states == ("fair", "loaded")
    states = drawn["state"].to_numpy().reshape(4, 50) == "loaded"
    stays = (states[:, :-1] & states[:, 1:]).sum() / states[:, :-1].sum()
    assert found.parameters.transitions[1, 1] == pytest.approx(stays)
    sixes = (drawn["roll"].to_numpy().reshape(4, 50)[states] == "6").mean()
    assert found.parameters.tables[0][1, 5] == pytest.approx(sixes)
    assert found.parameters.start[1] == pytest.approx(states[:, 0].mean())


def test_some_known_states_name_the_others():
    drawn = WEATHER.sample(120, random_state=1)
    states = [state if place % 10 == 0 else None for place, state in enumerate(drawn["state"])]
    found = HiddenMarkovModel(n_init=1).fit(Sequences.of(drawn.drop("state"), state=states)).hypothesis_
    assert found.states == ("cold", "hot")
    assert found.parameters.means[:, 0, 0] == pytest.approx([0, 20], abs=1.5)
    assert (found.decode(drawn) == drawn["state"].to_numpy()).mean() > 0.97


def test_holes_are_no_obstacle():
    drawn = WEATHER.sample(200, random_state=2)
    rng = np.random.default_rng(0)
    holes = drawn.with_columns(
        pl.when(pl.Series(rng.random(200) < 0.4)).then(None).otherwise(pl.col(name)).alias(name)
        for name in ("degrees", "sky")
    )
    found = HiddenMarkovModel(2, n_init=1).fit(holes.drop("state")).hypothesis_
    hot = int(found.parameters.means[:, 0, 0].argmax())
    assert found.parameters.means[hot, 0, 0] == pytest.approx(20, abs=1.5)
    decoded = np.where(found.decode(holes) == found.states[hot], "hot", "cold")
    assert (decoded == drawn["state"].to_numpy()).mean() > 0.9


def test_several_gaussians_of_a_state():
    rng = np.random.default_rng(0)
    state = np.repeat([0, 1, 0, 1], 30)
    numbers = np.where(state == 0, rng.choice([-5.0, 5.0], 120), 0.0) + rng.normal(0, 0.5, 120)
    sequences = Sequences.of(numbers, state=["two" if each == 0 else "one" for each in state])
    found = HiddenMarkovModel(n_components=2, max_iter=15).fit(sequences).hypothesis_
    assert np.sort(found.parameters.means[1, :, 0]) == pytest.approx([-5, 5], abs=0.3)
    assert "share" in str(found)
    assert (found.decode(numbers) == np.where(state == 0, "two", "one")).all()


def test_left_to_right():
    rng = np.random.default_rng(0)
    runs = [np.concatenate([rng.normal(m, 1, rng.integers(4, 9)) for m in (0, 6, 3)]) for _ in range(8)]
    found = HiddenMarkovModel(3, allowed="left-to-right").fit(runs).hypothesis_
    assert found.parameters.start.tolist() == [1, 0, 0]
    assert (np.tril(found.parameters.transitions, -1) == 0).all()
    assert found.parameters.means[:, 0, 0] == pytest.approx([0, 6, 3], abs=0.6)
    assert found.n_free == 0 + 3 + 6


def test_masks_stay_and_ties_hold():
    allowed = [[1, 1, 0], [0, 1, 1], [1, 0, 1]]
    learner = HiddenMarkovModel(3, allowed=allowed, tied=[(0, 2)], smoothing=0.1, n_init=1, max_iter=10)
    found = learner.fit(DICE.sample(150, random_state=1)["roll"].to_list()).hypothesis_
    assert ((found.parameters.transitions > 0) == np.array(allowed, bool)).all()
    assert found.parameters.tables[0][0] == pytest.approx(found.parameters.tables[0][2])
    assert found.n_free == 2 + 3 + 2 * 5


def test_the_number_of_states_by_bic():
    learner = HiddenMarkovModel([1, 2, 3], n_init=1).fit(WEATHER.sample(150, random_state=3).drop("state"))
    assert len(learner.hypothesis_.states) == 2
    assert min(learner.bic_, key=learner.bic_.get) == 2
    assert set(learner.bic_) == {1, 2, 3}


def test_a_state_without_observations_is_restarted():
    """A start in which the second state explains nothing."""
    numbers = np.concatenate([np.zeros(30), np.full(30, 8.0)]) + np.random.default_rng(0).normal(0, 1, 60)
    parameters = MarkovParameters(
        np.array([1.0, 0.0]),
        np.array([[1 - 1e-200, 1e-200], [0.5, 0.5]]),
        (),
        np.ones((2, 1)),
        np.array([[[4.0]], [[1e6]]]),
        np.array([[[20.0]], [[1.0]]]),
    )
    start = HiddenMarkovChain(("a", "b"), Schema((Column("x0"),)), parameters, 6)
    with induce.trace(only="restart") as events, pytest.warns(induce.Note, match="lost all observations"):
        found = HiddenMarkovModel(initial=start).fit(numbers).hypothesis_
    assert found.restarted == ("b",)
    assert events[0]["after"] > events[0]["before"]
    assert sorted(found.parameters.means.ravel()) == pytest.approx([0, 8], abs=0.6)
    assert "restarted: b" in str(found)


def test_more_states_than_the_data_hold_is_said_not_nan():
    with warnings.catch_warnings(action="ignore"):
        found = HiddenMarkovModel(4).fit([[1.0, 1.0, 1.0], [1.0]]).hypothesis_
    for part in (found.parameters.means, found.parameters.variances, found.parameters.transitions):
        assert np.isfinite(part).all()
    assert np.isfinite(found.log_likelihood([[1.0, 1.0]])).all()


def test_the_same_seed_gives_the_same_and_a_trace_changes_nothing():
    drawn = DICE.sample(60, random_state=0)["roll"].to_list()
    learner = HiddenMarkovModel(2, n_init=2, max_iter=5)
    first = learner.fit(drawn).hypothesis_
    with induce.trace() as events:
        second = clone(learner).fit(drawn).hypothesis_
    assert first == second
    assert {event.kind for event in events} >= {"em", "states"}
    assert first != HiddenMarkovModel(2, n_init=2, max_iter=5, random_state=1).fit(drawn).hypothesis_


# --- sequences ---------------------------------------------------------------------------------------------------


def test_answers_stand_in_the_rows_that_were_given():
    drawn = WEATHER.sample(8, random_state=0, n_sequences=3).with_columns(
        hour=pl.int_range(8).over("sequence")
    )
    mixed = drawn.sample(fraction=1, shuffle=True, seed=5)
    learner = HiddenMarkovModel(2).fit(Sequences.of(drawn.drop("state"), sequence="sequence", order="hour"))
    model = learner.hypothesis_
    back = drawn.join(
        mixed.with_columns(
            decoded=pl.Series(model.decode(mixed)), score=pl.Series(model.score_samples(mixed))
        ),
        on=["sequence", "hour"],
        maintain_order="left",
    )
    assert back["decoded"].to_list() == model.decode(drawn).tolist()
    assert back["score"].to_list() == pytest.approx(model.score_samples(drawn).tolist())
    assert model.log_likelihood(drawn).sum() == pytest.approx(model.score_samples(mixed).sum())


def test_frames_lists_and_lengths_are_the_same_sequences():
    lists = [["a", "b"], ["b", None, "a"]]
    frame = pl.DataFrame({"s": [1, 1, 2, 2, 2], "x0": ["a", "b", "b", None, "a"]})
    makings = [
        Sequences.of(lists),
        Sequences.of(frame, sequence="s"),
        Sequences.of(frame.to_pandas(), sequence="s"),
        Sequences.of(frame.drop("s"), lengths=[2, 3]),
    ]
    learners = [HiddenMarkovModel(2, n_init=1, max_iter=3).fit(each).hypothesis_ for each in makings]
    assert all(each.parameters == learners[0].parameters for each in learners)
    assert [list(map(len, each)) for each in makings] == [[2, 3]] * 4


def test_rows_of_several_numbers():
    runs = [np.zeros((4, 2)), np.ones((2, 2))]
    assert repr(Sequences.of(runs)) == "Sequences(2 sequences, 6 steps of x0, x1)"
    assert repr(Sequences.of([[(1.0, "a")], [(2.0, "b"), (0.5, "a")]])).endswith("3 steps of x0, x1)")


def test_a_word_that_was_not_learned_says_nothing():
    with pytest.warns(induce.Note, match="1 step with a value of 'roll' not seen in training"):
        assert DICE.log_likelihood(["1", "7", "6"])[0] == pytest.approx(
            DICE.log_likelihood(["1", None, "6"])[0]
        )


def test_long_sequences_and_many_columns_do_not_underflow():
    numbers = np.tile([0.0, 1.0], 1000)[:, np.newaxis]
    frame = pl.DataFrame({f"c{k}": ["a", "b"] * 20 for k in range(400)})
    with warnings.catch_warnings(action="ignore"):
        found = HiddenMarkovModel(2, smoothing=1e-3, n_init=1, max_iter=3).fit(frame).hypothesis_
    assert np.isfinite(found.log_likelihood(frame)).all()
    assert found.smooth(frame).sum(axis=1) == pytest.approx(1)
    far = HiddenMarkovChain.of(
        {"a": 1.0, "b": 0.0},
        {"a": {"a": 1.0}, "b": {"b": 1.0}},
        {"x0": {"a": Normal(1e5, 1), "b": Normal(0, 1)}},
    )
    assert far.smooth(numbers)[:, 0] == pytest.approx(1)
    assert np.isfinite(far.log_likelihood(numbers)).all()


# --- bad input ---------------------------------------------------------------------------------------------------

GOOD = pl.DataFrame({"day": ["a", "a", "b"], "hour": [1, 2, 1], "sky": ["grey", "blue", "grey"]})


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Sequences.of([]), "there are no sequences"),
        (lambda: Sequences.of([[1], []]), "sequence 2 is empty"),
        (lambda: Sequences.of([[1], 2]), "sequence 2 is 2, not a list"),
        (lambda: Sequences.of([1, 2], lengths=[2, 0]), "sequence 2 is empty"),
        (lambda: Sequences.of([1, 2], lengths=[1]), "lengths sum to 1, but there are 2 rows"),
        (lambda: Sequences.of([1, 2], lengths=["a"]), "not a whole number"),
        (lambda: Sequences.of(GOOD[:0]), "the sequence is empty"),
        (lambda: Sequences.of(GOOD, sequence="dy"), "no column 'dy'; did you mean 'day'"),
        (lambda: Sequences.of(GOOD, order="day"), "rows 1 and 2 have the same 'day'"),
        (lambda: Sequences.of(GOOD, sequence="day", lengths=[3]), "give only one of the two"),
        (
            lambda: Sequences.of(GOOD.with_columns(hour=pl.Series([1, None, 1])), order="hour"),
            "'hour' is missing in row 2",
        ),
        (
            lambda: Sequences.of(GOOD.select("day", "hour"), sequence="day", order="hour"),
            "no column of observ",
        ),
        (lambda: Sequences.of([1, 2], state=["a"]), "1 states for 2 steps"),
    ],
)
def test_what_is_no_sequence(make, sentence):
    with pytest.raises(InputError, match=sentence):
        make()


@pytest.mark.parametrize(
    ("parameters", "X", "sentence"),
    [
        ({"n_states": 0}, [1.0, 2.0], "n_states is 0"),
        ({"n_states": []}, [1.0, 2.0], "n_states is empty"),
        ({"n_components": 0}, [1.0, 2.0], "n_components is 0"),
        ({"smoothing": -1}, [1.0, 2.0], "smoothing is -1"),
        ({"allowed": "right-to-left"}, [1.0, 2.0], "it can be 'left-to-right'"),
        ({"allowed": [[1, 0]]}, [1.0, 2.0], "give 'left-to-right'"),
        ({"allowed": [[1, 0], [0, 0]]}, [1.0, 2.0], "without any transition"),
        ({"tied": [["x"]]}, [1.0, 2.0], "no state 'x'"),
        ({"tied": [[0, 1], [1]]}, [1.0, 2.0], "two groups"),
        ({"update": ["sensor"]}, [1.0, 2.0], r"update is \['sensor'\]; it can be 'start'"),
        ({"initial": 3}, [1.0, 2.0], "initial is 3"),
        ({"states": ["a", "b"], "n_states": 1}, [1.0, 2.0], "n_states is 1, but there are 2 states"),
        ({}, [1.0, np.inf], "holds infinity"),
        ({}, [1.0, 1e200], "beyond 1e\\+100"),
        ({}, [None, None], "all are empty"),
        (
            {"states": ["rain", "dry"]},
            Sequences.of([1.0], state=["rian"]),
            "no state 'rian'; did you mean 'rain'",
        ),
    ],
)
def test_what_cannot_be_learned(parameters, X, sentence):
    learner = HiddenMarkovModel(**parameters)
    with warnings.catch_warnings(action="ignore"), pytest.raises(InputError, match=sentence) as caught:
        learner.fit(X)
    assert "\n" not in str(caught.value)
    with pytest.raises(NotFittedError):
        learner.decode([1.0])


def test_a_column_without_values_is_ignored():
    frame = pl.DataFrame({"a": ["x", "y", "x"], "b": pl.Series([None] * 3, dtype=pl.Float64)})
    with pytest.warns(induce.Note, match="column 'b' has no values"):
        found = HiddenMarkovModel(2).fit(frame).hypothesis_
    assert found.schema.inputs().names() == ("a",)
    assert len(found.decode(frame)) == 3


def test_one_step_sequences_and_one_state():
    with warnings.catch_warnings(action="ignore"):
        found = HiddenMarkovModel(2, n_init=1).fit([["a"], ["b"], ["a"]]).hypothesis_
    assert np.isfinite(found.parameters.transitions).all()
    alone = HiddenMarkovModel(1).fit([["a"], ["b"], ["a"]])
    assert alone.score([["a"]]) == pytest.approx(np.log(2 / 3))
    assert alone.explain([["a"]])[0].other is None


def test_huge_and_tiny_numbers():
    for scale in (1e90, 1e-40):
        found = HiddenMarkovModel(2, n_init=1).fit(scale * np.array([0.0, 1, 0, 9, 10, 9, 10])).hypothesis_
        assert np.isfinite(found.log_likelihoods).all()
        assert np.isfinite(found.parameters.variances).all()


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (({"a": 0.9}, {"a": {"a": 1.0}}, {}), "the first state sum to 0.9"),
        (({"a": 1.0}, {"a": {"a": 0.5}}, {}), "transitions in state 'a' sum to 0.5"),
        (({"a": 1.0}, {"a": {"a": 1.0}}, {"x": {"a": {"u": 1.5, "v": -0.5}}}), "contain -0.5"),
        (({"a": 1.0}, {"a": {"b": 1.0}}, {}), "no state 'b'"),
        (({"a": 1.0}, {}, {}), "lack state 'a'"),
        (
            (
                {"a": 1.0},
                {"a": {"b": 1.0}, "b": {"a": 1.0}},
                {"x": {"a": Normal(0, 0), "b": Normal(1, 0)}},
            ),
            "variances above 0",
        ),
        (({"a": 1.0}, {"a": {"a": 1.0}}, {"x": {"a": 3}}), "the emissions of 'x' are invalid"),
        (({}, {}, {}), "give each its own name"),
    ],
)
def test_chains_that_are_none(parts, sentence):
    with pytest.raises(InputError, match=sentence):
        HiddenMarkovChain.of(*parts)


def test_an_impossible_step_is_named():
    chain = HiddenMarkovChain.of({"a": 1.0}, {"a": {"a": 1.0}}, {"x0": {"a": {"u": 1.0, "v": 0.0}}})
    with pytest.raises(InputError, match="step 2 of sequence 1 is impossible"):
        chain.decode([["u", "v"], ["u"]])
    assert chain.log_likelihood([["u", "v"], ["u"]]).tolist() == [-np.inf, 0.0]


# --- files, pictures, print --------------------------------------------------------------------------------------


def test_saved_and_loaded(tmp_path):
    learner = HiddenMarkovModel(2, n_init=1, max_iter=3, initial=WEATHER).fit(WEATHER.sample(30, 0))
    induce.save(learner, tmp_path / "weather.induce")
    again = induce.load(tmp_path / "weather.induce")
    assert again.hypothesis_ == learner.hypothesis_
    assert again.get_params()["initial"] == WEATHER
    assert str(again.hypothesis_) == str(learner.hypothesis_)


def test_pictures():
    drawn = WEATHER.sample(40, random_state=0)
    texts = [text.get_text() for text in WEATHER.draw().axes[0].texts]
    assert {"cold", "hot", "0.9", "0.1", "0.2", "0.8", "start 0.5"} <= set(texts)
    figure = WEATHER.draw_path(drawn)
    assert [axes.get_ylabel() for axes in figure.axes] == ["degrees", "sky", "path", "P(state)"]
    assert DICE.draw_path(["1", "6", None]).axes[0].texts[2].get_text() == "?"
    learned = HiddenMarkovModel(2, n_init=1, max_iter=4).fit(drawn.drop("state")).hypothesis_
    line = learned.draw_learning().axes[0].lines[0]
    assert line.get_ydata().tolist() == list(learned.log_likelihoods)
    with pytest.raises(InputError, match="give an index below 1"):
        WEATHER.draw_path(drawn, 1)
    with pytest.raises(InputError, match="not learned by EM"):
        WEATHER.draw_learning()


def test_names_of_states():
    renamed = WEATHER.renamed({"hot": "summer"})
    assert renamed.states == ("cold", "summer")
    assert set(WEATHER.renamed(["a", "b"]).decode(WEATHER.sample(9, 0)).tolist()) <= {"a", "b"}
    for names, sentence in [({"x": "y"}, "no state 'x'"), (["a"], "1 names for 2 states")]:
        with pytest.raises(InputError, match=sentence):
            WEATHER.renamed(names)


def test_samples_follow_the_chain():
    drawn = WEATHER.sample(3000, random_state=0)
    states = drawn["state"].to_numpy()
    assert (states == "cold").mean() == pytest.approx(2 / 3, abs=0.06)
    assert drawn.filter(state="hot")["degrees"].mean() == pytest.approx(20, abs=0.4)
    assert WEATHER.sample(2, 0, n_sequences=2)["sequence"].to_list() == [1, 1, 2, 2]
    assert pd.DataFrame(WEATHER.sample(0).to_dict()).empty


def test_a_constant_column_says_nothing():
    """Its standard deviation became 1e-50, and the log-likelihood 2,232."""
    rng = np.random.default_rng(0)
    numbers = np.repeat([0.0, 5.0], 20) + rng.normal(size=40)
    alone = induce.HiddenMarkovModel(n_states=2, random_state=0).fit(pl.DataFrame({"x": numbers}))
    with pytest.warns(Note, match="column 'same' is constant and carries no information about the states"):
        both = induce.HiddenMarkovModel(n_states=2, random_state=0).fit(
            pl.DataFrame({"x": numbers, "same": [3.0] * 40})
        )
    X = pl.DataFrame({"x": numbers, "same": [3.0] * 40})
    assert both.decode(X).tolist() == alone.decode(X.select("x")).tolist()
    assert both.score(X) == pytest.approx(alone.score(X.select("x")))
