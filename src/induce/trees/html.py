"""Trees in notebooks as nested collapsible sections."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from induce.hypotheses.naming import plural, value_text

if TYPE_CHECKING:
    from induce.trees.structure import Structure

MOST_NODES = 2_000
OPEN_LEVELS = 3
INDENT = 'style="margin-left:1.2em"'


def html(tree: Structure) -> str:
    """Return a tree with collapsible branches, the first levels open.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> page = html(induce.ID3(max_depth=1).fit(X, y).hypothesis_)
    >>> page.count("<div "), page.count("<b>Yes</b> (4/4)")
    (3, 1)
    """
    caption = f"<div><b>{escape(value_text(tree.target))}</b>: {escape(tree.size())}"
    return f"{caption}{''.join(_parts(tree))}</div>"


def _parts(tree: Structure) -> Iterator[str]:
    if tree.n_nodes == 1:
        yield f"<div {INDENT}>{_says(tree, 0)}</div>"
        return
    open_levels: list[int] = []
    for number, (node, depth, condition) in enumerate(tree.walk()):
        while open_levels and open_levels[-1] >= depth:
            open_levels.pop()
            yield "</details>"
        if number == MOST_NODES:
            yield f"<div {INDENT}>… {plural(tree.n_nodes - 1 - number, 'more node')}</div>"
            break
        if condition is None:
            continue
        test = escape(str(condition))
        if tree.attribute[node] < 0:
            yield f"<div {INDENT}>{test}: {_says(tree, node)}</div>"
        else:
            shown = " open" if depth < OPEN_LEVELS else ""
            yield f"<details{shown} {INDENT}><summary>{test}</summary>"
            open_levels.append(depth)
    yield "</details>" * len(open_levels)


def _says(tree: Structure, node: int) -> str:
    says, _, note = tree.leaf_text(node).rpartition(" (")
    return f"<b>{escape(says)}</b> ({escape(note)}"
