"""Model report: one HTML page with the hypothesis and its evaluation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from induce.core.commands import command
from induce.core.errors import InputError
from induce.core.images import image
from induce.evaluation.assessment import Assessment
from induce.evaluation.by_group import GroupErrors, errors_by
from induce.evaluation.effects import Dependence, Importance, dependence, importances
from induce.evaluation.experiments._page import Html, boxed, element, page, picture, table
from induce.evaluation.losses.measure import score_text
from induce.hypotheses.naming import value_text
from induce.pictures.style import GREY, PALETTE, axes_for, tidy
from induce.statistics.verdict import p_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from induce.evaluation.estimating.results import Estimate

MOST_LETTERS = 20_000
MOST_PARTS = 150
"""Maximum number of parts of a drawn hypothesis; a larger picture would be unreadable."""
MOST_COLUMNS = 15
MOST_CURVES = 6
MOST_LINES = 4
MOST_GROUPINGS = 4
LEVEL = 0.05


@dataclass(frozen=True, eq=False)
class RowsTested:
    """Labelled rows and the model's results on them.

    Parameters
    ----------
    X : polars.DataFrame
        Input columns.
    assessed : Assessment
    name : str
        Name of the rows, such as their file name.
    beside : polars.DataFrame or None
        Additional columns for errors by group.
    """

    X: pl.DataFrame
    assessed: Assessment
    name: str
    beside: pl.DataFrame | None = None


@dataclass(frozen=True, eq=False)
class ModelReport:
    """Contents of a report.

    Parameters
    ----------
    hypothesis : Hypothesis
    provenance : dict
        Origin of the model, from its file.
    versions : dict
        Versions that wrote the file.
    file : str
        Name of the model file, for the usage examples.
    tested : RowsTested or None
    """

    hypothesis: Any
    provenance: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, Any] = field(default_factory=dict)
    file: str = "model.induce"
    tested: RowsTested | None = None

    def html(self) -> str:
        """Return the page.

        Examples
        --------
        >>> import induce
        >>> tree = induce.ID3().fit(*induce.dataset("play-tennis")).hypothesis_
        >>> page = ModelReport(tree).html()
        >>> page.startswith("<!doctype html>"), "PlayTennis" in page, "https://" in page
        (True, True, False)
        """
        sections = [
            ("learned", "Hypothesis", self._learned()),
            ("trust", "Quality", self._trust()),
            ("errors", "Errors", self._errors()),
            ("columns", "Effects of columns", self._columns()),
            ("groups", "Errors by group", self._groups()),
            ("sure", "Confidence of individual predictions", self._sure()),
            ("use", "Usage", self._use()),
            ("origin", "Provenance", self._origin()),
        ]
        shown = [(id, name, inside) for id, name, inside in sections if inside]
        return page(self._title(), shown, self._lead())

    def _title(self) -> str:
        learner = self.provenance.get("learner") or type(self.hypothesis).__name__
        target = ", ".join(self.hypothesis.targets())
        return f"{learner} model of {target}" if target else f"{learner} model"

    def _lead(self) -> Html:
        said, summary = [], self.provenance.get("summary") or {}
        if summary:
            rows = f"{summary.get('rows', 0):,} rows"
            said.append(f"Trained on {rows} of {self.provenance.get('data')} on {_day(self.provenance)}.")
        inputs = self.hypothesis.schema.inputs().names() if hasattr(self.hypothesis, "schema") else ()
        what = "a number" if self.hypothesis.answer == "number" else f"a {self.hypothesis.answer or 'value'}"
        if self.hypothesis.answer == "class":
            what = f"one of {len(self.hypothesis.classes)} classes"
        if inputs:
            said.append(f"It predicts {what} from {_many(len(inputs), 'column')}; {self.hypothesis.size()}.")
        return Html(element("p", " ".join(said)) + self._headline())

    def _headline(self) -> Html:
        """Return the headline metric with its baseline."""
        estimate = self.provenance.get("estimate")
        if self.tested is not None:
            found = self.tested.assessed.estimate
            text = _sentence(
                found.measure, found.value, found.interval.low, found.interval.high, found.method
            )
            beside = found.baseline
            said = "" if beside is None else f" {_capital(str(beside))}; {beside.verdict(found.interval)}."
            return element("p", element("strong", text), said)
        if estimate:
            interval = estimate["interval"]
            text = _sentence(
                estimate["measure"], estimate["value"], interval["low"], interval["high"], estimate["method"]
            )
            beside = estimate.get("baseline")
            said = (
                f" {_capital(beside['says'])}: {beside['measure']} {score_text(beside['value'])}."
                if beside
                else ""
            )
            return element("p", element("strong", text), said)
        return element("p", "The error is unknown: give labelled rows.", class_="worse")

    # --- sections ---------------------------------------------------------------------------------------------

    def _learned(self) -> Html:
        parts: list[Html] = []
        number = self.hypothesis.parts().number
        if self.hypothesis.can("svg") and (number is None or number <= MOST_PARTS):
            parts.append(self._picture())
        text = str(self.hypothesis)
        cut = text[:MOST_LETTERS] + f"\n… {len(text) - MOST_LETTERS:,} more letters" * (
            len(text) > MOST_LETTERS
        )
        opened = {} if parts else {"open": ""}
        inside = element("pre", cut, tabindex="0")
        parts.append(element("details", element("summary", "As text"), inside, **opened))
        return Html("".join(parts))

    def _picture(self) -> Html:
        """Return the figure on a white background, for which its colours were chosen."""
        try:
            figure = self.hypothesis.draw()
        except (InputError, TypeError, MemoryError):  # some drawings need rows
            return Html("")
        drawn = _svg(figure, type(self.hypothesis).__name__, str(self.hypothesis))
        return boxed(element("figure", drawn, style=PAPER), "The whole hypothesis.")

    def _trust(self) -> Html:
        rows = []
        known = self.provenance.get("estimate")
        if known:
            interval, beside = known["interval"], known.get("baseline")
            rows.append(
                (
                    f"at training time ({known['method']})",
                    f"{known['n']:,}",
                    known["measure"],
                    score_text(known["value"]),
                    f"[{interval['low']:.3f}, {interval['high']:.3f}]",
                    f"{score_text(beside['value'])} ({beside['says']})" if beside else "",
                )
            )
        if self.tested is not None:
            found: Estimate = self.tested.assessed.estimate
            beside = found.baseline
            rows.append(
                (
                    f"{self.tested.name} ({found.method})",
                    f"{found.n:,}",
                    found.measure,
                    score_text(found.value),
                    f"[{found.interval.low:.3f}, {found.interval.high:.3f}]",
                    f"{score_text(beside.value)} ({beside.says})" if beside is not None else "",
                )
            )
        if not rows:
            return Html("")
        header = ["tested on", "rows", "measure", "value", "95% interval", "baseline"]
        parts = [table("Error compared with the constant prediction.", header, rows)]
        for sentence in self.provenance.get("suspicions") or ():
            parts.append(element("p", f"Beware: {sentence}.".replace("?.", "?"), class_="worse"))
        caveat = "" if self.tested is None else self.tested.assessed.estimate.interval.preconditions
        parts += [element("p", f"{_capital(caveat)}.", class_="soft")] if caveat else []
        return Html("".join(parts))

    def _errors(self) -> Html:
        if self.tested is None:
            return Html("")
        matrix, estimate = self.tested.assessed.confusion, self.tested.assessed.estimate
        if matrix is None:
            figure = _draw_numbers(estimate)
            return picture(
                figure,
                "Predicted against true values",
                "Each dot is a row; on the line, the prediction is correct.",
            )
        header, rows = matrix.table()
        parts = [table(f"Rows of each class, and their predictions: {matrix.caption()}.", header, rows)]
        header, rows = matrix.quality_table()
        parts.append(table("Precision and recall of each class, with 95% intervals.", header, rows))
        return Html("".join(parts))

    def _columns(self) -> Html:
        if self.tested is None or len(self.tested.X.columns) < 1:
            return Html("")
        X, y = self.tested.X[np.unique(self.tested.assessed.estimate.rows)], self._answers()
        found = importances(self.hypothesis, X, y)
        what = "mean absolute error" if self.hypothesis.answer == "number" else "error"
        caption = f"Increase of the {what} when a column is shuffled, with 95% intervals."
        drawn = boxed(
            picture(_draw_importances(found[:MOST_COLUMNS], what), "Importance of each column", ""), caption
        )
        curves = [
            dependence(self.hypothesis, X, each.column) for each in found[:MOST_CURVES] if each.loss > 0
        ]
        most = _shown_outputs(curves, y)
        pictures = [
            picture(_draw_dependence(each, most), f"Partial dependence on {each.column}", each.column)
            for each in curves
        ]
        said = "the mean number" if self.hypothesis.answer == "number" else "the mean probability of a class"
        explained = f"Below: {said} when a column of all rows is set to each value, with 95% bands."
        left = len(found) - MOST_COLUMNS
        more = (
            [element("p", f"{left:,} less important columns are not shown.", class_="soft")]
            if left > 0
            else []
        )
        grid = element("div", *pictures, class_="grid")
        return Html(
            drawn + "".join(more) + (element("p", explained, class_="soft") + grid if pictures else "")
        )

    def _groups(self) -> Html:
        if self.tested is None:
            return Html("")
        estimate, X = self.tested.assessed.estimate, self.tested.X
        if self.hypothesis.answer == "number":
            losses = np.abs(estimate.predicted - estimate.actual)
        else:
            losses = (estimate.predicted != estimate.actual).astype(np.float64)
        asked = self.tested.beside
        frame = (
            X if asked is None else X.hstack([asked[name] for name in asked.columns if name not in X.columns])
        )
        frame = frame[estimate.rows]
        first = [] if asked is None else errors_by(frame, losses, asked.columns)
        rest = [each for each in errors_by(frame, losses) if each.column not in {one.column for one in first}]
        differing = [each for each in rest if each.p_value <= LEVEL][: max(MOST_GROUPINGS - len(first), 1)]
        if not first and not differing:
            return element(
                "p",
                "No column has groups with significantly different errors (Kruskal-Wallis test, "
                "Holm, 5% level).",
            )
        return Html("".join(_group_table(each, self.hypothesis.answer) for each in (*first, *differing)))

    def _sure(self) -> Html:
        if self.tested is None:
            return Html("")
        parts: list[Html] = []
        covered = self.tested.assessed.coverage
        if covered:
            sets = bool(covered[0].by_class)
            header = ["promised", "held", "95% interval", "classes in a set" if sets else "width"]
            rows = [
                (
                    f"{each.confidence:.0%}",
                    f"{each.share:.1%}",
                    f"[{each.interval.low:.2f}, {each.interval.high:.2f}]",
                    f"{each.size:.2f}" if sets else f"{each.size:.4g}",
                    *(f"{share:.0%}" for share in each.by_class.values()),
                )
                for each in covered
            ]
            header += [value_text(value) for value in covered[0].by_class]
            what = "Sets of classes" if sets else "Intervals"
            parts.append(table(f"{what} (conformal prediction): coverage of the true value.", header, rows))
        reliable = self.tested.assessed.calibration
        if reliable is not None:
            caption = (
                f"Calibration of the probabilities: {reliable.caption()}; "
                f"{reliable.remark().splitlines()[1]}."
            )
            drawn = _svg(reliable.draw(), "Observed frequency against predicted probability")
            inside = element("figure", drawn, style=PAPER)
            parts.append(boxed(inside, caption))
        return Html("".join(parts))

    def _use(self) -> Html:
        lines = [
            "# on the command line",
            command("predict", self.file, "new.csv", out="predicted.csv"),
            command("explain", self.file, "new.csv"),
            command("evaluate", self.file, "tested.csv"),
            "",
            "# in Python",
            "import induce",
            f"model = induce.load({self.file!r})",
            "model.predict(rows)          # a frame with the columns below",
        ]
        parts = [element("pre", "\n".join(lines), tabindex="0")]
        columns = getattr(self.hypothesis, "schema", None)
        if columns is not None:
            rows = [(column.name, column.kind, _values(column)) for column in columns.inputs()]
            listed = [(name, kind, element("td", values, class_="text")) for name, kind, values in rows[:200]]
            inside = table("Required columns.", ["column", "kind", "values"], listed)
            parts.append(
                element("details", element("summary", "Columns"), element("div", inside, class_="inside"))
            )
        for form, name in (("sql", "SQL"), ("python", "Python without induce"), ("prolog", "Prolog")):
            if self.hypothesis.can(form):
                parts += self._exported(form, name)
        return Html("".join(parts))

    def _exported(self, form: str, name: str) -> Iterable[Html]:
        try:
            text = str(self.hypothesis.written(form))
        except InputError:
            return
        if len(text) > MOST_LETTERS:
            written = command("show", self.file, **{"as": form})
            text = f"too long to be shown here; write it with: {written}"
        yield element("details", element("summary", name), element("pre", text, tabindex="0"))

    def _origin(self) -> Html:
        known = self.provenance
        if not known:
            return element("p", "The model file does not record its training data.")
        summary = known.get("summary") or {}
        facts = [
            ("data", f"{known.get('data')}, {summary.get('rows', 0):,} rows"),
            ("target", _target(summary)),
            ("left out", ", ".join(summary.get("left_out") or ())),
            ("learner", _learner(known)),
            ("options", ", ".join(f"{name} {value}" for name, value in (known.get("options") or {}).items())),
            ("seed", "" if known.get("seed") is None else str(known["seed"])),
            ("learned on", str(known.get("date", ""))),
            ("fingerprint of the data", known.get("digest") or ""),
            ("versions", ", ".join(f"{name} {number}" for name, number in self.versions.items())),
        ]
        shown = [(name, text) for name, text in facts if text]
        return element(
            "dl", *(part for name, text in shown for part in (element("dt", name), element("dd", text)))
        )

    def _answers(self) -> Any:
        assert self.tested is not None
        estimate = self.tested.assessed.estimate
        order = np.argsort(estimate.rows, kind="stable")
        return estimate.actual[order][np.unique(estimate.rows[order], return_index=True)[1]]


PAPER = "background:#fff;color:#1d2125;border-radius:.4rem;padding:.5rem"


def _svg(figure: Figure, title: str, description: str = "") -> Html:
    """Return a figure as an element of the page, without its metadata."""
    drawn = image(figure, "svg", title, description).decode()
    return Html(re.sub(r"<metadata>.*?</metadata>", "", drawn[drawn.index("<svg") :], flags=re.DOTALL))


def _sentence(measure: str, value: float, low: float, high: float, method: str) -> str:
    return f"{_capital(measure)} {score_text(value)}, 95% interval [{low:.3f}, {high:.3f}] ({method})."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _day(provenance: Mapping[str, Any]) -> str:
    return str(provenance.get("date", ""))[:10] or "an unknown day"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _learner(known: Mapping[str, Any]) -> str:
    given = ", ".join(f"{name}={value}" for name, value in (known.get("parameters") or {}).items())
    return f"{known.get('learner')}({given})"


def _target(summary: Mapping[str, Any]) -> str:
    if not summary.get("target"):
        return ""
    if "classes" in summary:
        shown = [f"{value} {rows:,}" for value, rows in list(summary["classes"].items())[:10]]
        return f"{summary['target']} ({', '.join(shown)}{', …' if len(summary['classes']) > 10 else ''})"
    low, high = summary.get("range", (None, None))
    return f"{summary['target']}, {low:.6g} to {high:.6g}" if low is not None else str(summary["target"])


def _values(column: Any) -> str:
    if column.kind != "nominal":
        return f"{column.temporal} since 1970-01-01" if column.temporal else column.unit
    shown = ", ".join(map(str, column.domain[:20]))
    return f"{shown}, … ({len(column.domain)})" if len(column.domain) > 20 else shown


def _group_table(found: GroupErrors, answer: str) -> Html:
    what = "mean absolute error" if answer == "number" else "error"
    rows = [
        (
            each.name,
            f"{each.n:,}",
            score_text(each.loss),
            f"[{each.interval.low:.3f}, {each.interval.high:.3f}]",
        )
        for each in found.groups
    ]
    verdict = "the groups differ" if found.p_value <= LEVEL else "no evidence of a difference"
    caption = f"By {found.column}: {verdict}, {p_text(found.p_value)} (Kruskal-Wallis, Holm)."
    return table(caption, [found.column, "rows", what, "95% interval"], rows)


def _shown_outputs(curves: list[Dependence], y: Any) -> list[str]:
    """Return the classes to draw: the second of two, or the most common of many; for regression, the target."""
    if not curves:
        return []
    outputs = curves[0].outputs
    if len(outputs) == 2:
        return [outputs[1]]
    values, counts = np.unique([str(value) for value in y], return_counts=True)
    rank = dict(zip(values.tolist(), counts.tolist(), strict=True))
    return sorted(outputs, key=lambda name: -rank.get(name, 0))[:MOST_LINES]


def _draw_importances(found: list[Importance], what: str) -> Figure:
    figure, axes = axes_for(None, 7.5, 0.9 + 0.32 * len(found))
    places = range(len(found))
    axes.barh(places, [max(each.loss, 0) for each in found], color=PALETTE[0], height=0.6)
    for place, each in enumerate(found):
        axes.plot([each.interval.low, each.interval.high], [place, place], color=PALETTE[5], lw=1.6)
    axes.axvline(0, color=GREY, lw=0.8)
    axes.set_yticks(places, [_short(each.column) for each in found], parse_math=False)
    axes.invert_yaxis()
    axes.set_xlabel(f"increase of the {what}")
    axes.tick_params(axis="y", length=0)
    tidy(axes, "x")
    return figure


def _draw_dependence(found: Dependence, outputs: list[str]) -> Figure:
    figure, axes = axes_for(None, 4.6, 3.1)
    ordered = all(isinstance(value, int | float) or hasattr(value, "year") for value in found.values)
    places: list[Any] = found.values if ordered else list(range(len(found.values)))
    for number, name in enumerate(outputs):
        k = found.outputs.index(name)
        mean, half, colour = found.means[:, k], found.half[:, k], PALETTE[number]
        if ordered:
            axes.plot(places, mean, color=colour, lw=1.8, marker="o", ms=3, label=name)
            axes.fill_between(places, mean - half, mean + half, color=colour, alpha=0.25, lw=0)
        else:
            shift = 0.12 * (number - (len(outputs) - 1) / 2)
            at = [place + shift for place in places]
            axes.errorbar(at, mean, yerr=half, color=colour, fmt="o", ms=5, capsize=3, label=name)
    if not ordered:
        letters = sum(len(str(value)) for value in found.values)
        turn: dict[str, Any] = {"rotation": 40, "ha": "right"} if letters > 40 else {}
        axes.set_xticks(places, [_short(str(value)) for value in found.values], parse_math=False, **turn)
    elif hasattr(found.values[0], "year"):
        figure.autofmt_xdate()
    axes.set_ylabel("prediction" if found.outputs == ("prediction",) else "probability")
    if len(outputs) > 1:
        axes.legend(frameon=False, fontsize=8, loc="best")
    elif found.outputs != ("prediction",):
        axes.set_ylabel(f"probability of {outputs[0]}", parse_math=False)
    tidy(axes)
    return figure


def _draw_numbers(estimate: Any) -> Figure:
    figure, axes = axes_for(None, 5.2, 4.6)
    actual, predicted = estimate.actual, estimate.predicted
    ends = [float(min(actual.min(), predicted.min())), float(max(actual.max(), predicted.max()))]
    axes.plot(ends, ends, color=GREY, lw=1, ls="--")
    axes.plot(actual, predicted, ls="", marker="o", ms=3, alpha=0.5, color=PALETTE[0])
    axes.set_xlabel("true")
    axes.set_ylabel("predicted")
    tidy(axes, "both")
    return figure


def _short(text: str) -> str:
    return text if len(text) <= 22 else text[:21] + "…"
