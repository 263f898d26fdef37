"""Trees as the books draw them: counts and gains at their nodes."""

import numpy as np

import induce
from induce.trees.book_pictures import MOST_NODES


def texts(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def test_counts_and_gains_of_figure_3_4():
    found = texts(induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_.draw(gains=True))
    assert {"Outlook\n[9+, 5-]\ngain 0.2467", "Humidity\n[2+, 3-]\ngain 0.9710", "Yes\n[4+, 0-]"} <= {*found}
    assert {"Sunny", "Overcast", "Rain", "High", "Normal", "Weak", "Strong"} <= {*found}


def test_more_classes_have_a_number_each():
    tree = induce.C45().fit(*induce.dataset("iris")).hypothesis_
    assert "[50, 50, 50]" in texts(tree.draw(gains=True))[2]


def test_of_a_large_tree_the_top_is_drawn():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(400, 3)), random.choice(["a", "b"], 400)
    tree = induce.ID3().fit(X, y).hypothesis_
    assert tree.n_nodes > MOST_NODES
    assert f"of {tree.n_nodes} nodes" in tree.draw(gains=True).axes[0].get_title()


def test_a_single_leaf():
    assert texts(induce.ID3().fit([[1], [2]], ["a", "a"]).hypothesis_.draw(gains=True))
