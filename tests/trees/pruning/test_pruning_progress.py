"""Pruning says how far it has come."""

import numpy as np

import induce
from induce.core.progress import current_phase, progress
from induce.trees.pruning import errors


def test_pruning_reports_between_its_steps(monkeypatch):
    monkeypatch.setattr(errors, "STEP", 20)
    random = np.random.default_rng(0)
    X = random.normal(size=(120, 3))
    y = np.where(X[:, 0] + random.normal(size=120) > 0, "a", "b")
    seen = []
    with progress(lambda share: seen.append((current_phase(), share))):
        tree = induce.C45().fit(X, y)
    shares = [share for _, share in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    while_pruning = [share for doing, share in seen if doing == "pruning"]
    assert len(while_pruning) > 3
    monkeypatch.undo()
    assert tree.hypothesis_ == induce.C45().fit(X, y).hypothesis_
