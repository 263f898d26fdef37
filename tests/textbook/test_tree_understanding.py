"""A result about what trees can say does not come out if the tree is another."""

from induce.textbook.tree_understanding import RESULTS


def test_a_changed_tree_is_noticed(monkeypatch):
    import induce
    from induce.trees.learners.id3 import ID3

    monkeypatch.setattr(induce, "ID3", lambda: ID3(max_depth=1), raising=False)
    by_id = {result.id: result for result in RESULTS}
    for name in ("aima-18.3.3-agreement", "mitchell-3.7.1-noisy-functions", "aima-18.3.3-ties"):
        assert not by_id[name].run().agrees
