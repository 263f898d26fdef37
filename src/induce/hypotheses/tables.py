"""The statistics of rules as text and as tables in notebooks."""

from __future__ import annotations

import math
import textwrap
from html import escape
from typing import TYPE_CHECKING

from induce.hypotheses.naming import count_text, value_text
from induce.pictures.style import PALETTE

if TYPE_CHECKING:
    from induce.hypotheses.rule_statistics import RuleStatistics, RuleTable

PREMISE_WIDTH = 56
RIGHT, WRONG = PALETTE[0], PALETTE[5]
BAR_WIDTH = 80


def sentence_of_statistics(statistics: RuleStatistics) -> str:
    """Return a one-line summary of a rule's statistics."""
    interval = f", {statistics.interval}" if statistics.interval else ""
    return (
        f"{statistics.premise} THEN {value_text(statistics.prediction)}: "
        f"covers {count_text(statistics.covered)} rows ({_share(statistics.coverage)}), "
        f"precision {_decimal(statistics.precision)}{interval}, lift {_decimal(statistics.lift)}, "
        f"significance {_decimal(statistics.significance)} (p {_p_text(statistics.p_value, '= ')})"
    )


def text_of_statistics(table: RuleTable) -> str:
    """Return a text table, one rule per row and the default last, followed by the basis of the numbers."""
    rows = [_header(table)]
    for number, each in enumerate((*table.rules, table.default), start=1):
        first, *more = textwrap.wrap(each.premise, PREMISE_WIDTH, subsequent_indent="  ")
        rows.append([str(number) if number <= len(table.rules) else "", first, *_cells(each)])
        rows += [["", line, *[""] * (len(rows[0]) - 2)] for line in more]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    left = (1, 2)  # the rule and its class are text, the other columns are numbers
    lines = [
        "  ".join(
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([*lines, *textwrap.wrap(table.note, 110)])


def html_of_statistics(table: RuleTable) -> str:
    """Return a table for notebooks, one rule per row, with a bar for the rows that it covers."""
    number, rule, target, *others = _header(table)
    head = (
        f"<th>{number}</th>{_th(rule, 'left')}{_th(target, 'left')}{_th('', 'left')}"
        f"{''.join(_th(name) for name in others)}"
    )
    whole = sum(table.class_counts)
    body = []
    for place, each in enumerate((*table.rules, table.default), start=1):
        says, *cells = _cells(each)
        body.append(
            f"<tr><td>{place if place <= len(table.rules) else ''}</td>"
            f'<td style="text-align:left">{escape(each.premise)}</td>'
            f'<td style="text-align:left"><b>{escape(says)}</b></td>'
            f"<td>{bar(each.correct, each.covered, whole)}</td>"
            + "".join(f'<td style="text-align:right">{escape(cell)}</td>' for cell in cells)
            + "</tr>"
        )
    return (
        f"<table><caption>{escape(table.note)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table>"
    )


def bar(correct: float, covered: float, whole: float) -> str:
    """Return a small bar: the covered fraction of all rows, correct and wrong.

    Examples
    --------
    >>> bar(0, 0, 0).count("<span")
    1
    """
    parts = [(RIGHT, correct), (WRONG, covered - correct)]
    # rules that count rows more than once may cover more rows than there are
    scale = BAR_WIDTH / max(whole, covered, 1e-300)
    drawn = "".join(
        f'<span style="display:inline-block;height:0.8em;width:{amount * scale:.1f}px;background:{colour}"></span>'
        for colour, amount in parts
        if amount > 0
    )
    return f'<span style="display:inline-block;width:{BAR_WIDTH}px;white-space:nowrap;text-align:left">{drawn}</span>'


def _header(table: RuleTable) -> list[str]:
    known = next((each.interval for each in (*table.rules, table.default) if each.interval), None)
    interval = f"{100 * known.confidence:.10g}% interval" if known else "interval"
    return ["", "rule", "class", "right/covered", "share", "precision", interval, "lift", "significance", "p"]


def _cells(each: RuleStatistics) -> list[str]:
    interval = f"[{each.interval.low:.2f}, {each.interval.high:.2f}]" if each.interval else "-"
    return [
        value_text(each.prediction),
        f"{count_text(each.correct)}/{count_text(each.covered)}",
        _share(each.coverage),
        _decimal(each.precision),
        interval,
        _decimal(each.lift),
        _decimal(each.significance),
        _p_text(each.p_value),
    ]


def _th(name: str, side: str = "right") -> str:
    return f'<th style="text-align:{side}">{escape(name)}</th>'


def _share(share: float) -> str:
    return "-" if math.isnan(share) else f"{100 * share:.1f}%"


def _decimal(number: float) -> str:
    return "-" if math.isnan(number) else f"{number:.2f}"


def _p_text(p_value: float, equals: str = "") -> str:
    return "< 0.0001" if p_value < 0.0001 else f"{equals}{p_value:.4f}"
