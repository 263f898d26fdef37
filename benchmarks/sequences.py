"""Hidden Markov models: time and memory beside hmmlearn from the same start; letters of English text."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import induce
from benchmarks.measure import TIMES, Listing, Row, Section, in_child, run, speed
from induce.data.schema import Column, Schema
from induce.sequences import HiddenMarkovChain, MarkovParameters

SERVED = Path(__file__).parent / "peers" / "served" / "hidden_markov.py"
PEER = "hmmlearn"
STATES, SYMBOLS, ITERATIONS, REPEATS, TURNS = 5, 10, 20, 5, 2
SIZES = ((10_000, 1, 1.5), (10, 1_000, 5.0))
"""Length and number of the sequences, and how many times faster than the peer is asked for."""
WARM = 30
DECODED = (1_000, 10_000, 100_000)
NEWSGROUPS = "20-newsgroups.parquet"
LETTERS = 30_000
VOWELS = "aeiou"


def sequences(folder: Path | None, python: str | None, sizes: Any = SIZES) -> Iterator[Section | Listing]:
    """All comparisons; hmmlearn only if a Python that has it is given, letters only if there are data."""
    with tempfile.TemporaryDirectory() as made:
        for length, number, least in sizes:
            yield _speed(Path(made), length, number, least, python)
        if python is not None:
            yield decoding(Path(made), python)
    if folder is not None:
        posts = pl.read_parquet(folder / NEWSGROUPS)["text"].to_list()
        yield letters(" ".join(posts[:60])[: 4 * LETTERS])


def problem(kind: str, length: int, number: int, seed: int = 0) -> dict[str, Any]:
    """Sequences drawn from a random chain, and another random chain to start from."""
    rng = np.random.default_rng(seed)
    truth, start = _chain(kind, rng), _chain(kind, rng)
    if (
        kind == "numeric"
    ):  # a state that starts far from all points ends on one of them, where densities are infinite
        own = replace(start.parameters, means=truth.parameters.means + rng.normal(size=(STATES, 1, 2)))
        start = replace(start, parameters=own)
    drawn = truth.sample(length, rng, n_sequences=number)
    codes = (
        drawn["symbol"].to_physical().to_numpy() if kind == "nominal" else drawn.select("x", "y").to_numpy()
    )
    own = start.parameters
    shown = (
        {"table": own.tables[0]}
        if kind == "nominal"
        else {"means": own.means[:, 0], "variances": own.variances[:, 0]}
    )
    return {
        "X": np.asarray(codes).reshape(len(drawn), -1),
        "lengths": np.full(number, length),
        "start": own.start,
        "transitions": own.transitions,
        **shown,
    }


def _chain(kind: str, rng: np.random.Generator) -> HiddenMarkovChain:
    start = rng.dirichlet(np.ones(STATES))
    transitions = rng.dirichlet(np.ones(STATES), STATES) + 2 * np.eye(STATES)
    transitions /= transitions.sum(axis=1, keepdims=True)
    return started(
        {
            "start": start,
            "transitions": transitions,
            **(
                {"table": rng.dirichlet(np.ones(SYMBOLS), STATES)}
                if kind == "nominal"
                else {"means": 3 * rng.normal(size=(STATES, 2)), "variances": np.ones((STATES, 2))}
            ),
        }
    )


def started(given: Mapping[str, Any]) -> HiddenMarkovChain:
    """The chain with given parameters."""
    if "table" in given:
        tables: tuple[Any, ...] = (given["table"],)
        domain = tuple(map(str, range(given["table"].shape[1])))
        columns, means, variances = [Column("symbol", "nominal", domain)], *[np.empty((STATES, 1, 0))] * 2
    else:
        tables, columns = (), [Column("x"), Column("y")]
        means, variances = given["means"][:, np.newaxis], given["variances"][:, np.newaxis]
    parameters = MarkovParameters(
        given["start"], given["transitions"], tables, np.ones((STATES, 1)), means, variances
    )
    return HiddenMarkovChain(
        tuple(f"s{k}" for k in range(STATES)), Schema(tuple(columns)), parameters, parameters.n_free()
    )


def measured(path: str, iterations: int, repeats: int, status: Callable[[str], float]) -> dict[str, Any]:
    """Seconds of the processor for fitting and decoding in this process."""
    given = dict(np.load(path))
    initial = started(given)
    X = given["X"].astype(str) if "table" in given else given["X"]
    frame = pl.DataFrame(X, schema=list(initial.schema.names()), orient="row")
    if "table" in given:
        frame = frame.cast(pl.Enum(initial.schema.columns[0].domain))
    lengths = given["lengths"].tolist()
    learner = induce.HiddenMarkovModel(initial=initial, max_iter=iterations, tol=0.0)
    learner.fit(induce.Sequences.of(frame, lengths=lengths))  # loads what is compiled
    for _ in range(WARM):  # small loops are compiled when their work has added up
        learner.decode(induce.Sequences.of(frame, lengths=lengths))
    before, fits, paths = status("VmRSS"), [], []
    for _ in range(repeats):
        begin = time.process_time()
        learner.fit(induce.Sequences.of(frame, lengths=lengths))
        fits.append(time.process_time() - begin)
        read = induce.Sequences.of(frame, lengths=lengths)
        begin = time.process_time()
        learner.decode(read)
        paths.append(time.process_time() - begin)
    score = float(learner.score_samples(induce.Sequences.of(frame, lengths=lengths)).sum())
    found = {"fit": min(fits), "decode": min(paths), "score": score}
    return {**found, "before": before, "peak": status("VmHWM")}


def _speed(folder: Path, length: int, number: int, least: float, python: str | None) -> Section:
    rows: list[Row] = []
    for kind in ("nominal", "numeric"):
        path = folder / f"{kind}.npz"
        np.savez(path, **problem(kind, length, number))
        ours, theirs = _in_turn(path, python)
        what = f"{SYMBOLS} symbols" if kind == "nominal" else "two numeric columns, one Gaussian per state"
        if theirs is None:
            rows.append(Row(f"{what}: fit", f"{ours['fit']:.4f} s"))
            continue
        rows += [
            speed(f"{what}: fit", ours["fit"], PEER, theirs["fit"], least),
            speed(f"{what}: Viterbi", ours["decode"], PEER, theirs["decode"]),
            _memory(what, ours, theirs),
            _same(what, ours, theirs),
        ]
    count = "one sequence" if number == 1 else f"{number:,} sequences"
    return Section(
        f"Hidden Markov models: {STATES} states, {count} of {length:,} steps, {ITERATIONS} iterations",
        f"`HiddenMarkovModel` on a polars frame, compared with {PEER} 0.3 (`implementation='scaling'`) "
        f"on its arrays: the same initial parameters, {ITERATIONS} iterations of Baum-Welch each, one "
        f"thread. Every run is a separate process; the systems take turns, and the best of {TURNS} "
        f"{TIMES} {REPEATS} counts, by processor time. Memory is the increase in resident memory "
        "during fitting and decoding.",
        tuple(rows),
    )


def decoding(folder: Path, python: str, lengths: Sequence[int] = DECODED) -> Section:
    """The most probable path of one sequence, from short to long."""
    rows: list[Row] = []
    for kind in ("nominal", "numeric"):
        for length in lengths:
            path = folder / f"{kind}-{length}.npz"
            np.savez(path, **problem(kind, length, 1))
            ours, theirs = _in_turn(path, python, 1)
            what = f"{SYMBOLS} symbols" if kind == "nominal" else "two numbers"
            if theirs is not None:
                rows.append(speed(f"{what}, {length:,} steps", ours["decode"], PEER, theirs["decode"], 1.0))
    return Section(
        f"Viterbi: one sequence of {', '.join(f'{length:,}' for length in lengths)} steps, {STATES} states",
        f"`decode` of `Sequences` already read, with declared symbols, compared with {PEER} 0.3 on its "
        "arrays: our time includes encoding the symbols and naming the states. Every run is a "
        f"separate process on one thread, with the compiled loops already loaded; the best of {TURNS} "
        f"{TIMES} {REPEATS} counts, by processor time.",
        tuple(rows),
    )


def _in_turn(
    path: Path, python: str | None, iterations: int = ITERATIONS
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Run both systems several times; of times the best, of the rest the last."""
    found: dict[str, dict[str, Any]] = {}
    for _ in range(TURNS):
        for system in ("induce", PEER):
            if system == "induce":
                new = in_child("hidden_markov", path, iterations, REPEATS)
            elif python is not None:
                answer = run([python, str(SERVED), str(path), str(iterations), str(REPEATS)])
                new = json.loads(answer.stdout.splitlines()[-1])
            else:
                continue
            for name in ("fit", "decode"):
                new[name] = min(new[name], found.get(system, new)[name])
            found[system] = new
    return found["induce"], found.get(PEER)


def _memory(what: str, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Row:
    added = [each["peak"] - each["before"] for each in (ours, theirs)]
    return Row(f"{what}: memory added", f"{added[0]:.1f} MB", f"{PEER} {added[1]:.1f} MB")


def _same(what: str, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Row:
    same = abs(ours["score"] - theirs["score"]) <= 1e-5 * abs(theirs["score"])
    return Row(
        f"{what}: log likelihood after fitting",
        f"{ours['score']:.3f}",
        f"{PEER} {theirs['score']:.3f}",
        target="the same",
        holds=same,
    )


def letters(text: str, n_states: int = 2, n_starts: int = 5) -> Listing:
    """What two states make of the letters of a text, of which they are told nothing."""
    small = [letter for letter in text.lower() if letter == " " or "a" <= letter <= "z"]
    kept = [letter for k, letter in enumerate(small) if letter != " " or k == 0 or small[k - 1] != " "][
        :LETTERS
    ]
    model = induce.HiddenMarkovModel(n_states, n_init=n_starts, random_state=0).fit(kept).hypothesis_
    table = model.parameters.tables[0]
    home = int(table[:, model.schema.columns[0].domain.index("e")].argmax())
    shown = {
        value: chances / chances.sum()
        for value, chances in zip(model.schema.columns[0].domain, table.T, strict=True)
    }
    mine = [value for value, shares in shown.items() if shares[home] > 0.5]
    found = "".join("␣" if value == " " else str(value) for value in mine)
    others = "".join("␣" if value == " " else str(value) for value in shown if value not in mine)
    stays = model.parameters.transitions[home, home]
    return Listing(
        f"Two states over {len(kept):,} letters of English text",
        "`HiddenMarkovModel(2)` on the letters and spaces (␣) of the first posts of 20 Newsgroups, "
        f"one sequence; the best of {n_starts} random starts. Each letter is listed with the state "
        "that emits it more often.",
        ("state", "letters", "probability of staying"),
        (
            ("the state that emits e", found, f"{stays:.3f}"),
            ("the other", others, f"{model.parameters.transitions[1 - home, 1 - home]:.3f}"),
        ),
        f"All five vowels stand together in one state: {'yes' if set(VOWELS) <= set(mine) else 'no'}; the space too: "
        f"{'yes' if ' ' in mine else 'no'}.",
    )
