"""Memory of the coverage of clauses: little memory gives the same theory."""

import random

import pytest

import induce
from induce.relational import Relations
from induce.relational.progol import cover


def molecules(n):
    rng = random.Random(3)
    facts, rows, labels = [], [], []
    for m in range(n):
        elements = [rng.choice("cccno") for _ in range(8)]
        facts += [f"atom(m{m}, a{m}_{k}, {element})." for k, element in enumerate(elements)]
        bonds = [(k, rng.randrange(k)) for k in range(1, 8)]
        facts += [f"bond(m{m}, a{m}_{i}, a{m}_{j}). bond(m{m}, a{m}_{j}, a{m}_{i})." for i, j in bonds]
        active = any({elements[i], elements[j]} == {"n", "o"} for i, j in bonds)
        rows.append((f"m{m}",))
        labels.append(active if rng.random() > 0.1 else not active)
    return Relations(program=" ".join(facts)), rows, labels


@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_little_memory_gives_the_same_theory(monkeypatch):
    background, rows, labels = molecules(40)
    kept, dropped = [], []
    remember, clear = cover.Evaluation.table, cover.Evaluation.forget

    def table(self, makers):
        found = remember(self, makers)
        kept.append(self._kept)
        return found

    def forget(self):
        before = len(self._covered)
        clear(self)
        dropped.append(before - len(self._covered))

    monkeypatch.setattr(cover.Evaluation, "table", table)
    monkeypatch.setattr(cover.Evaluation, "forget", forget)
    learned = []
    for most in (cover.MOST_BYTES, 60_000):
        monkeypatch.setattr(cover, "MOST_BYTES", most)
        kept.clear()
        dropped.clear()
        progol = induce.Progol(background, "active", max_nodes=300).fit(rows, labels)
        learned.append((str(progol.hypothesis_), progol.n_nodes_))
    assert learned[0] == learned[1]
    assert max(kept) < 200_000
    assert any(dropped)
