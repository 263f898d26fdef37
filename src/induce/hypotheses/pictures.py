"""Rule lists as pictures and as tables in notebooks."""

from __future__ import annotations

import textwrap
from html import escape
from typing import TYPE_CHECKING

from induce.hypotheses.naming import right_of_all, value_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.core.values import Value
    from induce.hypotheses.rules import Rule, RuleList

RIGHT = "#0072b2"
WRONG = "#d55e00"
LABEL_WIDTH = 64
MOST_LINES = 4
BAR = 1.0


def _lines(rules: RuleList) -> list[tuple[str, Value, tuple[float, ...]]]:
    """Return premise, prediction and counts of each rule, the default last."""
    fired = [(f"IF {rule.premise()}", rule.prediction, rule.counts) for rule in rules.rules]
    return [*fired, ("DEFAULT", rules.default, rules.default_counts)]


def html_of_rules(rules: RuleList) -> str:
    """Return a small table, one rule per row."""
    body = "".join(
        f'<tr><td style="text-align:left">{escape(premise)}</td>'
        f'<td style="text-align:left"><b>{escape(value_text(prediction))}</b></td>'
        f'<td style="text-align:right">{right_of_all(prediction, rules.classes, counts)}</td></tr>'
        for premise, prediction, counts in _lines(rules)
    )
    how = "" if rules.ordered else ", which vote"
    return (
        f"<table><caption>{escape(rules.size() + how)}</caption><thead><tr>"
        f'<th style="text-align:left">rule</th>'
        f'<th style="text-align:left">{escape(value_text(rules.target))}</th>'
        f'<th style="text-align:right">right/covered</th></tr></thead><tbody>{body}</tbody></table>'
    )


def draw_rules(rules: RuleList) -> Figure:
    """Draw one bar per rule: the training rows that it covers, right and wrong."""
    from matplotlib.figure import Figure

    lines = _lines(rules)
    labels = [_label(rule) for rule in rules.rules] + [f"DEFAULT {value_text(rules.default)}"]
    # every rule has the room of its label, so that long ones do not run into each other
    heights = [label.count("\n") + 1.7 for label in labels]
    middles = [sum(heights[:place]) + height / 2 for place, height in enumerate(heights)]
    right = [counts[rules.classes.index(prediction)] for _, prediction, counts in lines]
    wrong = [sum(counts) - good for (*_, counts), good in zip(lines, right, strict=True)]

    figure = Figure(figsize=(10, 1.0 + 0.17 * sum(heights)), layout="constrained")
    axes = figure.add_subplot()
    axes.barh(middles, right, BAR, color=RIGHT, label="right")
    axes.barh(middles, wrong, BAR, left=right, color=WRONG, label="wrong")
    for middle, (_, prediction, counts) in zip(middles, lines, strict=True):
        axes.annotate(
            right_of_all(prediction, rules.classes, counts),
            (sum(counts), middle),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    axes.set_yticks(middles, labels, fontsize=8, parse_math=False)
    axes.set_ylim(sum(heights), 0)
    axes.margins(x=0.12)
    axes.set_xlim(left=0)
    axes.set_xlabel("training rows covered")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    title = f"{rules.target}: {rules.size()}" + ("" if rules.ordered else ", which vote")
    axes.set_title(title, fontsize=10, loc="left", parse_math=False)
    if any(right) or any(wrong):
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, fontsize=8, frameon=False, borderpad=0)
    return figure


def _label(rule: Rule) -> str:
    # a space that does not break keeps each condition on one line
    parts = [str(condition).replace(" ", "\N{NO-BREAK SPACE}") for condition in rule.conditions] or ["TRUE"]
    premise = "IF " + " AND ".join(parts)
    lines = textwrap.wrap(premise, LABEL_WIDTH, max_lines=MOST_LINES, placeholder=" …")
    head = f"THEN {value_text(rule.prediction)}"
    if len(lines[-1]) + len(head) < LABEL_WIDTH:
        lines[-1] += " " + head
    else:
        lines.append(head)
    return "\n".join(lines)
