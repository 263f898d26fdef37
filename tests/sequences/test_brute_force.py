"""All paths of small models, one by one; the unrolled network; plain and compiled loops."""

import warnings
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core import loops
from induce.data.schema import Column, Schema
from induce.sequences import HiddenMarkovChain, MarkovParameters, _loops

SEEDS = st.integers(0, 10**6)


def random_chain(seed, n_states=3, n_components=1, zeros=False):
    """A chain with a nominal and two numeric columns."""
    rng = np.random.default_rng(seed)

    def rows(n, width):
        found = rng.dirichlet(np.ones(width), n)
        if zeros:
            found[np.arange(n), rng.integers(0, width, n)] = 0.0
            found[found.sum(axis=1) == 0] = 1.0
        return found / found.sum(axis=1, keepdims=True)

    shape = (n_states, n_components, 2)
    parameters = MarkovParameters(
        rows(1, n_states)[0],
        rows(n_states, n_states),
        (rows(n_states, 3),),
        rng.dirichlet(np.ones(n_components), n_states),
        rng.normal(size=shape),
        rng.uniform(0.3, 2.0, shape),
    )
    schema = Schema((Column("word", "nominal", ("a", "b", "c")), Column("x"), Column("y")))
    return HiddenMarkovChain(tuple(f"s{k}" for k in range(n_states)), schema, parameters, parameters.n_free())


def rows_of(seed, n=4):
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "word": rng.choice(["a", "b", "c"], n),
            "x": rng.normal(size=n),
            "y": rng.normal(size=n),
        }
    )
    return frame.with_columns(
        pl.when(pl.Series(rng.random(n) < 0.25)).then(None).otherwise(pl.col(name)).alias(name)
        for name in frame.columns
    )


def density(chain, state, row):
    """P(row | state), as the docstring says."""
    p = chain.parameters
    found = 1.0 if row["word"] is None else p.tables[0][state, "abc".index(row["word"])]
    mixed = 0.0
    for share, means, variances in zip(p.weights[state], p.means[state], p.variances[state], strict=True):
        for cell, mean, variance in zip((row["x"], row["y"]), means, variances, strict=True):
            if cell is not None:
                share *= np.exp(-((cell - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
        mixed += share
    return found * mixed


def all_paths(chain, frame):
    """Every path with its probability together with the observations."""
    p, rows = chain.parameters, frame.rows(named=True)
    for path in product(range(len(chain.states)), repeat=len(rows)):
        chance = p.start[path[0]]
        for t, (state, row) in enumerate(zip(path, rows, strict=True)):
            chance *= density(chain, state, row) * (p.transitions[path[t - 1], state] if t else 1.0)
        yield path, chance


@settings(max_examples=15)
@given(SEEDS, st.sampled_from([1, 2]), st.booleans())
def test_every_answer_is_the_sum_over_all_paths(seed, n_components, zeros):
    chain, frame = random_chain(seed, 3, n_components, zeros), rows_of(seed)
    paths = sorted(all_paths(chain, frame), key=lambda each: -each[1])
    total = sum(chance for _, chance in paths)
    assert np.exp(chain.log_likelihood(frame)[0]) == pytest.approx(total)
    if total == 0:
        with pytest.raises(induce.InputError, match="impossible"):
            chain.decode(frame)
        return
    smoothed = np.zeros((len(frame), 3))
    for path, chance in paths:
        smoothed[np.arange(len(frame)), path] += chance / total
    assert chain.smooth(frame) == pytest.approx(smoothed)
    possible = [chance for _, chance in paths if chance > 0]
    found = chain.best_paths(frame, 5)[0]
    assert [path.probability for path in found] == pytest.approx(possible[:5])
    assert len({path.states for path in found}) == min(5, len(possible))
    assert chain.decode(frame).tolist() == list(found[0].states)
    assert chain.best_paths(frame)[0][0].states == found[0].states
    for path in found:
        codes = tuple(chain.states.index(state) for state in path.states)
        assert dict(paths)[codes] == pytest.approx(path.probability)
    for t in range(1, len(frame) + 1):
        assert chain.filter(frame[:t])[-1] == pytest.approx(chain.smooth(frame[:t])[-1])
        assert chain.filter(frame)[t - 1] == pytest.approx(chain.filter(frame[:t])[-1])


@settings(max_examples=8)
@given(SEEDS, st.sampled_from([1, 2]))
def test_the_unrolled_network_gives_the_same_answers(seed, n_components):
    chain, frame = random_chain(seed, 2, n_components), rows_of(seed, 3)
    network = chain.to_network(4)
    seen = {
        f"{name} {t}": cell
        for t, row in enumerate(frame.rows(named=True), start=1)
        for name, cell in row.items()
        if cell is not None
    }
    assert np.log(network.probability(seen)) == pytest.approx(chain.log_likelihood(frame)[0])
    for t, row in enumerate(chain.smooth(frame), start=1):
        answer = network.query(f"state {t}", seen)
        assert [answer[state] for state in chain.states] == pytest.approx(row.tolist())
    ahead = chain.predict_next(frame)[0]
    answer = network.query("word 4", seen)
    assert [answer[word] for word in "abc"] == pytest.approx(list(ahead.columns["word"].values()))
    number = network.query("x 4", seen)
    assert number.mean == pytest.approx(ahead.columns["x"].mean)
    assert number.sd == pytest.approx(ahead.columns["x"].sd)


def test_the_most_probable_path_is_that_of_the_network():
    chain = random_chain(3, 2)
    parameters = chain.parameters
    words = MarkovParameters(
        parameters.start,
        parameters.transitions,
        parameters.tables,
        np.ones((2, 1)),
        *[np.empty((2, 1, 0))] * 2,
    )
    nominal = HiddenMarkovChain(chain.states, Schema(chain.schema.columns[:1]), words, words.n_free())
    seen = [["a", "c", "b", "a"]]
    found = nominal.to_network(4).most_probable({f"word {t}": v for t, v in enumerate(seen[0], start=1)})
    (best,) = nominal.best_paths(seen)[0]
    assert [found[f"state {t}"] for t in range(1, 5)] == list(best.states)
    assert found.probability == pytest.approx(best.probability)


@settings(max_examples=10)
@given(SEEDS)
def test_explanations_add_up_to_the_odds(seed):
    chain, frame = random_chain(seed, 3, 2), rows_of(seed)
    smoothed = chain.smooth(frame)
    for row, why in zip(smoothed, chain.explain(frame), strict=True):
        odds = row[chain.states.index(why.state)] / row[chain.states.index(why.other)]
        assert why.decibans == pytest.approx(10 * np.log10(odds))


@settings(max_examples=10)
@given(SEEDS, st.sampled_from([1, 2]), st.sampled_from([0.0, 0.5]))
def test_em_never_falls_whatever_is_missing(seed, n_components, smoothing):
    """`maximise` refuses an objective that falls."""
    frames = [rows_of(seed + k, 6) for k in range(3)]
    learner = induce.HiddenMarkovModel(
        2, n_components=n_components, smoothing=smoothing, n_init=1, max_iter=15, tol=0
    )
    with warnings.catch_warnings(action="ignore", category=induce.Note):
        found = learner.fit(induce.Sequences.of(pl.concat(frames), lengths=[6, 6, 6])).hypothesis_
    for part in (*found.parameters.tables, found.parameters.means, found.parameters.variances):
        assert np.isfinite(part).all()


@pytest.mark.compiled
def test_plain_and_compiled_loops_agree(monkeypatch):
    chain = random_chain(1, 3, 2)
    drawn = chain.sample(30, random_state=0, n_sequences=3)
    sequences = induce.Sequences.of(drawn.drop("state"), sequence="sequence")
    found = []
    for most in (np.inf, -1):
        monkeypatch.setattr(loops, "PLAIN_WORK", most)
        learned = induce.HiddenMarkovModel(3, n_components=2, max_iter=5, n_init=1).fit(sequences)
        paths = chain.best_paths(sequences, 3)
        decoded = chain.decode(sequences).tolist()
        found.append((learned.hypothesis_, chain.smooth(sequences), paths, decoded))
    (one, smooth, paths, decoded), (other, compiled_smooth, compiled_paths, compiled_decoded) = found
    assert _loops.__name__ in loops._compiled
    assert np.array_equal(smooth, compiled_smooth)
    assert decoded == compiled_decoded
    assert [[path.states for path in each] for each in paths] == [
        [path.states for path in each] for each in compiled_paths
    ]
    assert np.array_equal(one.parameters.means, other.parameters.means)
    assert one.log_likelihoods == other.log_likelihoods


def test_exponentials_are_those_of_numpy():
    x = np.concatenate([np.linspace(_loops.LOWEST, 0.0, 2001), [-1e-300, -1e-17]])
    found, powers = x.copy(), np.empty(len(x))
    _loops.exponentials(found, powers, powers.view(np.int64))
    assert found[0] == 0.0
    assert found[1:] == pytest.approx(np.exp(x[1:]), rel=5e-16)
