import io
import warnings
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import induce
from induce.trees.pictures import MOST_ROWS, PALETTE, ROW, draw


@pytest.fixture(autouse=True)
def _nothing_to_warn_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def numbers(n_rows, max_depth=None):
    """Return a tree over random numbers."""
    rng = np.random.default_rng(1)
    X = pl.DataFrame({"first number": rng.normal(size=n_rows), "second": rng.normal(size=n_rows)})
    y = rng.choice(["red", "green", "blue"], n_rows)
    return induce.DecisionTreeClassifier(max_depth=max_depth).fit(X, y).hypothesis_


def branches(n):
    """Return a tree with one test of many values, of which the last has no example."""
    values = [f"value {j}" for j in range(n)]
    X = pl.DataFrame({"k": pl.Series(values[:-1] * 2, dtype=pl.Enum(values))})
    return induce.ID3().fit(X, (["no", "yes"] * n)[: n - 1] * 2).hypothesis_


def texts(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def saved(figure, kind):
    stream = io.BytesIO()
    figure.savefig(stream, format=kind)
    return stream.getvalue()


def boxes(figure):
    """Return the boxes of all texts in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    found = [
        text.get_window_extent(canvas.get_renderer()) for text in figure.axes[0].texts if text.get_text()
    ]
    return [
        (box.x0 / figure.dpi, box.x1 / figure.dpi, box.y0 / figure.dpi, box.y1 / figure.dpi) for box in found
    ]


def assert_readable(figure):
    width, height = figure.get_size_inches()
    assert 1 < width < 80
    assert 0.5 < height < 2 + ROW * MOST_ROWS
    found = boxes(figure)
    for x0, x1, y0, y1 in found:
        assert x0 >= 0
        assert x1 <= width
        assert y0 >= 0
        assert y1 <= height
    for i, (x0, x1, y0, y1) in enumerate(found):
        for a0, a1, b0, b1 in found[:i]:
            assert x1 <= a0 or a1 <= x0 or y1 <= b0 + 0.02 or b1 <= y0 + 0.02
    counts = [t for t in figure.axes[0].texts if t.get_text().startswith("(")]
    assert all(
        below - above >= ROW - 1e-9 for above, below in pairwise(sorted(t.get_position()[1] for t in counts))
    )


def test_iris_is_drawn_with_its_names_conditions_and_counts():
    X, y = induce.dataset("iris")
    figure = induce.CART(random_state=1).fit(X, y).hypothesis_.draw()
    assert_readable(figure)
    said = texts(figure)
    for text in ("<= 2.45", "> 2.45", "<= 1.75", "> 1.75", "(50/50)", "(49/54)", "(45/46)"):
        assert said.count(text) == 1
    for name in ("setosa", "versicolor", "virginica"):
        assert said.count(name) == 2  # at the leaf and in the legend
    picture = saved(figure, "svg").decode()
    for text in ("petal", "virginica", "(45/46)", PALETTE[0], PALETTE[2]):
        assert text in picture


@pytest.mark.parametrize(("kind", "magic"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_pictures_can_be_saved_in_common_formats(kind, magic):
    assert saved(numbers(20, 2).draw(), kind).startswith(magic)


def test_two_classes_need_no_legend():
    X, y = induce.dataset("play-tennis")
    figure = induce.ID3().fit(X, y).hypothesis_.draw()
    assert texts(figure).count("Yes") == 3
    assert_readable(figure)


def test_thirty_leaves_are_all_drawn_and_readable():
    tree = numbers(60)
    assert 28 <= tree.n_leaves <= MOST_ROWS
    figure = tree.draw()
    assert sum(text.startswith("(") for text in texts(figure)) == tree.n_leaves
    assert "below" not in "".join(texts(figure))
    assert_readable(figure)


def test_one_leaf_is_a_picture():
    figure = numbers(30, max_depth=0).draw()
    assert_readable(figure)
    assert texts(figure)[0] == "class: 1 node, 1 leaf, depth 0"


def test_of_a_large_tree_the_top_is_drawn_and_says_so():
    tree = numbers(500)
    assert tree.n_leaves > 200
    figure = tree.draw()
    assert_readable(figure)
    said = texts(figure)
    drawn = sum(text.startswith("(") for text in said)
    assert MOST_ROWS / 2 < drawn <= MOST_ROWS
    hidden = sum(int(text.split("… ")[1].split()[0]) for text in said if "more node" in text and "…" in text)
    assert said[0].endswith(f"\nthe top of the tree: {hidden} more nodes below")
    inner = drawn - 1
    assert drawn + inner + hidden == tree.n_nodes


def test_two_hundred_branches_are_counted():
    figure = branches(200).draw()
    assert_readable(figure)
    assert "… 170 more branches" in texts(figure)


def test_leaves_without_examples_are_grey():
    tree = branches(4)
    figure = tree.draw()
    place = texts(figure).index("(0/0)")
    assert figure.axes[0].texts[place].get_color() == "#8a8a8a"
    assert "value 3" in texts(figure)


def test_long_and_odd_names_fit():
    rng = np.random.default_rng(0)
    odd = [
        "$x_1$",
        "größe\n",
        "a <b>",
        "100 % of a long, long sentence that goes on and on",
        "\\frac",
        "_",
        "x",
        "y",
        "z",
    ]
    X = pl.DataFrame(
        {"costs $5 or $6 in the longest of all columns": rng.choice(odd, 300), "$n$": rng.normal(size=300)}
    )
    y = rng.choice(["$yes$ & more words than anybody wants to read", "no^2_3", "maybe"], 300)
    for learner in (induce.ID3(max_depth=2), induce.CART(ccp_alpha=0.0, max_depth=4)):
        tree = learner.fit(X, y).hypothesis_
        figure = draw(tree)
        assert_readable(figure)
        saved(figure, "svg")
        assert max(map(len, texts(figure)[1:])) <= 40
        assert any("…" in text for text in texts(figure))


def test_drawing_leaves_pyplot_alone():
    import matplotlib.pyplot as plt

    numbers(20).draw()
    assert plt.get_fignums() == []


class Outline(HTMLParser):
    """Check that elements are closed in order; collect the text."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.words = [], [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def outline(tree):
    parser = Outline()
    parser.feed(tree._repr_html_())
    assert parser.open == []
    return parser


def test_html_nests_and_escapes():
    X = pl.DataFrame({"<script>": ["a&b", "a&b", "<i>", "<i>"], "n": [1.0, 2.0, 1.0, 2.0]})
    page = outline(induce.ID3().fit(X, ["<p>", "q", "q", "q"]).hypothesis_)
    assert set(page.seen) == {"div", "details", "summary", "b"}
    assert "<script>" in "".join(page.words)
    assert page.words.count('"<p>"') == 1


def test_html_of_small_deep_and_large_trees():
    assert "1 leaf" in numbers(30, max_depth=0)._repr_html_()
    tree = numbers(300)
    page = outline(tree)
    assert page.seen.count("details") == tree.n_nodes - tree.n_leaves - 1
    assert "…" not in "".join(page.words)
    assert "… 1001 more nodes" in "".join(outline(branches(3001)).words)
