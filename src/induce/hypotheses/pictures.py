"""Drawings of rule lists, and their tables in notebooks."""

from __future__ import annotations

import math
import textwrap
from html import escape
from typing import TYPE_CHECKING

from induce.core.reports import shortened
from induce.hypotheses.conditions import Condition, NoneOf, NumericCondition, OneOf, interval
from induce.hypotheses.naming import plural, right_of_all, value_text
from induce.hypotheses.tables import RIGHT, WRONG, bar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.core.values import Value
    from induce.hypotheses.rules import Rule, RuleList

LABEL_WIDTH = 76
MOST_LINES = 4
# numbers of rules: up to the first, labels have any number of lines; up to the second, one line; beyond that,
# rules are omitted
MOST_WRAPPED = 30
MOST_RULES = 150
MOST_VALUES = 3
DIGITS = 5
BAR = 1.0


def _lines(rules: RuleList) -> list[tuple[str, Value, tuple[float, ...]]]:
    """Return premise, prediction and counts of each rule, the default last."""
    fired = [(f"IF {rule.premise()}", rule.prediction, rule.counts) for rule in rules.rules]
    return [*fired, ("DEFAULT", rules.default, rules.default_counts)]


def html_of_rules(rules: RuleList) -> str:
    """Return a small table, one rule per row, with a bar for the training rows that it covers."""
    lines = _lines(rules)
    most = sum(rules.class_counts) or max(sum(counts) for *_, counts in lines)
    body = "".join(
        f'<tr><td style="text-align:left">{escape(premise)}</td>'
        f'<td style="text-align:left"><b>{escape(value_text(prediction))}</b></td>'
        f'<td style="text-align:right">{right_of_all(prediction, rules.classes, counts)}</td>'
        f"<td>{bar(counts[rules.classes.index(prediction)], sum(counts), most)}</td></tr>"
        for premise, prediction, counts in lines
    )
    how = "" if rules.ordered else ", which vote"
    return (
        f"<table><caption>{escape(rules.size() + how)}</caption><thead><tr>"
        f'<th style="text-align:left">rule</th>'
        f'<th style="text-align:left">{escape(value_text(rules.target))}</th>'
        f'<th style="text-align:right">right/covered</th><th></th></tr></thead><tbody>{body}</tbody></table>'
    )


def draw_rules(rules: RuleList) -> Figure:
    """Draw one bar per rule: the training rows that it covers, correct and wrong.

    Thresholds are rounded, long sets of values and long premises are shortened, and only the first of very many
    rules are drawn; the printed list is complete.
    """
    from matplotlib.figure import Figure

    lines = _lines(rules)
    wrapped = len(rules.rules) <= MOST_WRAPPED
    labels = [_label(number, rule, wrapped) for number, rule in enumerate(rules.rules[:MOST_RULES], start=1)]
    left_out = len(rules.rules) - len(labels)
    if left_out:
        lines = [*lines[:MOST_RULES], ("", rules.default, (0.0,) * len(rules.classes)), lines[-1]]
        labels.append(f"… and {plural(left_out, 'more rule')}")
    labels.append(f"DEFAULT {value_text(rules.default)}")
    # the height of a rule is the height of its label, so that long labels do not overlap
    heights = [label.count("\n") + (1.7 if wrapped else 1.2) for label in labels]
    middles = [sum(heights[:place]) + height / 2 for place, height in enumerate(heights)]
    right = [counts[rules.classes.index(prediction)] for _, prediction, counts in lines]
    wrong = [sum(counts) - good for (*_, counts), good in zip(lines, right, strict=True)]

    figure = Figure(figsize=(11, 1.0 + 0.17 * sum(heights)), layout="constrained")
    axes = figure.add_subplot()
    axes.barh(middles, right, BAR if wrapped else 0.8 * BAR, color=RIGHT, label="right")
    axes.barh(middles, wrong, BAR if wrapped else 0.8 * BAR, left=right, color=WRONG, label="wrong")
    for place, (middle, (_, prediction, counts)) in enumerate(zip(middles, lines, strict=True)):
        if not (left_out and place == MOST_RULES):
            axes.annotate(
                right_of_all(prediction, rules.classes, counts),
                (sum(counts), middle),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
            )
    axes.set_yticks(middles, labels, fontsize=8, parse_math=False, multialignment="left")
    axes.set_ylim(sum(heights), 0)
    longest = max(good + bad for good, bad in zip(right, wrong, strict=True))
    axes.set_xlim(0, 1.12 * longest or 1.0)  # space for the counts to the right of the longest bar
    axes.set_xlabel("training rows covered")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    title = f"{rules.target}: {rules.size()}" + ("" if rules.ordered else ", which vote")
    axes.set_title(title, fontsize=10, loc="left", parse_math=False)
    if any(right) or any(wrong):
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, fontsize=8, frameon=False, borderpad=0)
    return figure


def _label(number: int, rule: Rule, wrapped: bool) -> str:
    """Write a rule next to its bar: on several lines that break between conditions, or on one truncated line."""
    head = f"THEN {textwrap.shorten(value_text(rule.prediction), LABEL_WIDTH // 2, placeholder='…')}"
    parts = [_short(condition) for condition in rule.conditions] or ["TRUE"]
    width, most = (LABEL_WIDTH, MOST_LINES) if wrapped else (LABEL_WIDTH - len(head), 1)
    lines = [f"{number}  IF {shortened(parts[0], width - 8)}"]
    for part in parts[1:]:
        part = f"AND {shortened(part, width - 8)}"
        if len(lines[-1]) + 1 + len(part) <= width:
            lines[-1] += f" {part}"
        elif len(lines) < most:
            lines.append(f"    {part}")
        else:
            lines[-1] = lines[-1].removesuffix("…").rstrip() + " …"
            break
    if len(lines[-1]) + len(head) < LABEL_WIDTH or not wrapped:
        lines[-1] += f" {head}"
    else:
        lines.append(f"    {head}")
    return "\n".join(lines)


def _short(condition: Condition) -> str:
    """Write a condition short enough for a picture.

    Examples
    --------
    >>> from induce.hypotheses.conditions import OneOf, interval
    >>> _short(interval("age", 0.1 + 0.2, 1 / 3)), _short(OneOf("size", tuple("abcdef")))
    ('0.3 < age <= 0.33333', 'size in {a, b, c, … 3 more}')
    """
    match condition:
        case NumericCondition(bounds=(low, high), unit=""):
            low, high = _rounded(low), _rounded(high)
            return str(interval(condition.attribute, low, high) if low < high else condition)
        case OneOf(values=values) | NoneOf(values=values) if len(values) > MOST_VALUES + 1:
            shown = ", ".join(map(value_text, values[:MOST_VALUES]))
            word = "in" if isinstance(condition, OneOf) else "not in"
            more = f"… {len(values) - MOST_VALUES} more"
            return f"{value_text(condition.attribute)} {word} {{{shown}, {more}}}"
    return str(condition)


def _rounded(number: float) -> float:
    return number if math.isinf(number) or number == int(number) else float(f"{number:.{DIGITS}g}")
