"""Constant numeric columns carry no information: variance 0, in learning and in every answer."""

import warnings

import numpy as np
import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.sequences.parameters import MarkovParameters, constants

VALUE = 0.1


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(0)
    states = np.repeat([0, 1, 0, 1], 15)
    varied = states * 3 + random.normal(size=len(states))
    return pl.DataFrame({"a": [VALUE] * len(states), "b": varied})


def fitted(frame, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return induce.HiddenMarkovModel(2, **settings).fit(frame)


def test_it_changes_nothing_but_the_report(frame):
    model, without = fitted(frame), fitted(frame.drop("a"))
    assert f"{VALUE} ± 0 " in str(model.hypothesis_)
    assert np.allclose(model.score_samples(frame), without.score_samples(frame.drop("a")), atol=1e-6)
    assert model.decode(frame).tolist() == without.decode(frame.drop("a")).tolist()
    assert model.bic_[2] == pytest.approx(without.bic_[2], rel=1e-4)
    assert model.hypothesis_.n_free == without.hypothesis_.n_free


@pytest.mark.parametrize("n_components", [1, 3])
def test_value_and_variance_are_exact_in_every_answer(frame, n_components, tmp_path):
    model = fitted(frame, n_components=n_components, max_iter=8)
    chain = model.hypothesis_
    parameters = chain.parameters
    assert (parameters.means[..., 0] == VALUE).all()
    assert (parameters.variances[..., 0] == 0).all()
    assert chain.sample(5, 0)["a"].to_list() == [VALUE] * 5
    normal = chain.predict_next(frame)[0].columns["a"]
    assert (normal.mean, normal.sd) == (VALUE, 0.0)
    assert len(chain.explain(frame)) == len(frame)
    assert "<svg" in str(chain.written("svg"))
    with pytest.warns(
        induce.Note, match="constant columns have no density and are left out of the network: a"
    ):
        network = chain.to_network(2)
    assert not any(node.name.startswith("a ") for node in network.schema)
    induce.save(model, tmp_path / "chain.induce")
    assert induce.load(tmp_path / "chain.induce").hypothesis_ == chain
    # another value later is no evidence either
    other = frame.with_columns(a=pl.lit(5.0))
    assert model.score_samples(other).tolist() == model.score_samples(frame).tolist()


def test_a_column_may_become_constant_or_varied(frame):
    chain = fitted(frame).hypothesis_
    varied = frame.with_columns(a=pl.Series(np.random.default_rng(1).normal(size=len(frame))))
    again = fitted(varied, initial=chain).hypothesis_
    assert (again.parameters.variances > 0).all()
    assert (fitted(frame, initial=again).hypothesis_.parameters.variances[..., 0] == 0).all()


def test_no_column_but_constant_ones(frame):
    model = fitted(frame.select("a"))
    assert abs(model.score_samples(frame.select("a"))).max() < 1e-9


def test_a_variance_of_0_holds_for_all_states_or_none():
    chain = fitted(pl.DataFrame({"a": [1.0, 2.0, 5.0, 7.0] * 3})).hypothesis_
    old = chain.parameters
    wrong = MarkovParameters(
        old.start, old.transitions, old.tables, old.weights, old.means, np.array([[[0.0]], [[1.0]]])
    )
    with pytest.raises(InputError, match="or of 0 in all states"):
        wrong.verify(chain.states, chain.schema)


def test_constants_are_columns_without_two_numbers():
    cells = [[0.1, 1.0, np.nan, 1e-200], [np.nan, 2.0, np.nan, 0.0]]
    assert np.array_equal(constants(np.array(cells)), [0.1, np.nan, np.nan, 0.0], equal_nan=True)
    assert np.isnan(constants(np.empty((0, 2)))).all()
