"""Kinds of event: declared by the package that tells them, with their fields; heard live; bounded."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import induce
from induce.core.declarations import event_kinds
from induce.core.trace import emit

SOURCES = Path(induce.__file__).parent
TOLD_BY_A_NAME = {("rules", "ripper/growth.py"), ("trees", "learners/epam.py")}
"""Where the kind is a variable."""


def calls():
    """Yield the package, the file, the kind and the fields of each event in the sources; None stands for others."""
    for path in sorted(SOURCES.rglob("*.py")):
        package, _, rest = path.relative_to(SOURCES).as_posix().partition("/")
        if package in ("core", "textbook"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            owner = getattr(getattr(node.func, "value", None), "id", "trace")
            if name == "emit" and owner == "trace" and node.args:
                kind = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
                yield package, rest, kind, [keyword.arg for keyword in node.keywords]


def test_every_event_has_the_fields_that_its_package_declares():
    declared, used = event_kinds(), set()
    for package, path, kind, fields in calls():
        if kind is None:
            assert (package, path) in TOLD_BY_A_NAME
            continue
        used.add((package, kind))
        known = declared[package][kind]
        named = [field for field in fields if field is not None]
        assert {*named} <= {field.rstrip("?") for field in known}, (package, kind, named)
        if None not in fields:
            assert {field for field in known if not field.endswith("?")} <= {*named}, (package, kind, named)
    by_name = {"rule grown", "rule pruned", "memorise", "discriminate", "familiarise", "wrong"}
    assert {kind for kinds in declared.values() for kind in kinds} == {kind for _, kind in used} | by_name


def fits(event):
    """Say whether an event is as some package declares it."""
    for kinds in event_kinds().values():
        fields = kinds.get(event.kind)
        if fields is not None:
            allowed = {field.rstrip("?") for field in fields}
            needed = {field for field in fields if not field.endswith("?")}
            if needed <= {*event.data} <= allowed:
                return True
    return False


@pytest.mark.parametrize(
    "learner",
    [induce.C45(), induce.CART(), induce.KMeans(), induce.GaussianMixture(2), induce.RIPPER(), induce.PART()],
    ids=lambda learner: type(learner).__name__,
)
def test_events_that_are_told_are_declared(learner):
    X, y = induce.dataset("iris")
    with induce.trace() as events:
        learner.fit(X, y)
    assert len(events)
    assert all(fits(event) for event in events)


def test_a_listener_hears_events_as_they_happen_and_beyond_the_limit():
    heard = []
    with induce.trace(limit=0, listener=heard.append) as events:
        emit("step", value=1)
        assert [event["value"] for event in heard] == [1]
        emit("step", value=2)
    assert (len(heard), len(events), events.dropped) == (2, 0, 2)


def test_folds_descriptions_and_references_are_parts_that_can_be_left_out():
    X, y = induce.dataset("iris")
    with induce.trace("split") as events:
        tree = induce.CART().fit(X, y).hypothesis_
    assert {event.scope for event in events} == {(), *(("CART", f"fold {k}") for k in range(1, 11))}
    with induce.trace(["split", "pruned"], inner=False) as own:
        assert induce.CART().fit(X, y).hypothesis_ == tree
    assert len([event for event in own if event.kind == "split"]) == sum(not event.scope for event in events)
    assert len(own[-1]["nodes"]) == tree.n_nodes
    with induce.trace() as events:
        induce.KMeans(3).fit(X)
    assert {event.scope[:2] for event in events} == {(), ("KMeans", "description")}
    with induce.trace() as events:
        induce.QLearning(2, 0.9, alpha=1).learn("mitchell-13.2")
    assert {event.scope for event in events if event.kind == "sweep"} == {("QLearning", "reference")}
    assert {event.scope for event in events if event.kind == "update"} == {()}


def test_pruned_nodes_are_those_of_the_splits():
    X, y = induce.dataset("breast-cancer")
    with induce.trace(["split", "prune", "pruned"]) as events:
        tree = induce.C45().fit(X, y).hypothesis_
    grown = {event["node"]: event for event in events if event.kind == "split"}
    numbers = events[-1]["nodes"]
    assert len(numbers) == tree.n_nodes
    cut = {event["node"] for event in events if event.kind == "prune"}
    for node, number in enumerate(numbers):
        if tree.attribute[node] >= 0:
            assert grown[number]["counts"] == tuple(tree.counts[node].tolist())
        else:
            assert number not in grown or number in cut
    assert cut


def test_the_last_step_of_k_means_is_the_hypothesis_in_the_units_of_the_table():
    X, _ = induce.dataset("iris")
    with induce.trace("k-means") as events:
        found = induce.KMeans(3, n_init=1).fit(X).hypothesis_
    assert found == induce.KMeans(3, n_init=1).fit(X).hypothesis_
    means = [[record[name] for name in X.columns] for record in events[-1]["means"]]
    assert np.allclose(np.sort(means, axis=0), np.sort(found.centres, axis=0))
    inertia = [event["inertia"] for event in events]
    assert inertia == sorted(inertia, reverse=True)


def test_em_ends_with_the_hypothesis_in_the_units_of_the_table():
    X, _ = induce.dataset("iris")
    with induce.trace("em") as events:
        found = induce.GaussianMixture(2, n_init=1, prior=0, rules=False).fit(X).hypothesis_
    means = [[record[name] for name in X.columns] for record in events[-1]["hypothesis"]]
    assert np.allclose(np.sort(means, axis=0), np.sort(found.centres, axis=0))
    assert np.isclose(events[-1]["objective"], found.log_likelihood)
    assert np.allclose(
        sorted(np.trace(c) for c in events[-1]["covariances"]), sorted(map(np.trace, found.matrices()))
    )


def test_perceptrons_tell_their_weights():
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), ["-", "-", "-", "+"]
    with induce.trace("mistake") as events:
        induce.KernelPerceptron(kernel="linear", scale=None).fit(X, y)
    for event in events:
        rows, times = np.array([*event["coefficients"]], int), np.array([*event["coefficients"].values()])
        assert np.allclose(event["weights"], [times.sum(), *(X[rows].T @ times)])


def test_prioritized_sweeping_tells_every_update():
    with induce.trace("backup") as events:
        learner = induce.DynamicProgramming(0.9, method="prioritized-sweeping").learn("mitchell-13.2")
    values = {event["state"]: event["value"] for event in events}
    assert max(values.values()) == 100
    assert (
        learner.hypothesis_
        == induce.DynamicProgramming(0.9, method="prioritized-sweeping").learn("mitchell-13.2").hypothesis_
    )
