"""Suspicious columns, each in one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from induce.core.commands import option
from induce.data.schema import Column

if TYPE_CHECKING:
    import polars as pl

    from induce.data.dataset import Dataset

ALMOST_ALL = 0.9
MOSTLY_NUMBERS = 0.7
FEW_ROWS = 10
MANY_VALUES = 20
ROWS_PER_VALUE = 5
RARE = 5
MOST_SAID = 5
GIVEN_AWAY = 0.99
NEARLY_THE_SAME = 0.9995
STANDS_FOR_MISSING = "if that means a missing value, declare it"
SENTINELS = (-1.0, -9.0, -99.0, -999.0, -9999.0, -99999.0, 99.0, 999.0, 9999.0, 99999.0, 999999.0)


def is_name_like(distinct: int, known: int) -> bool:
    """Return whether a nominal column identifies rows rather than describing them.

    Such a column (a zip code, a customer, a name) has more than 20 values, each in fewer than 5 rows on average: a
    test on it fits the training rows by chance, and the values of new rows are mostly unseen.

    Examples
    --------
    >>> is_name_like(300, 690), is_name_like(22, 205), is_name_like(12, 14)
    (True, False, False)
    """
    return distinct > MANY_VALUES and known < ROWS_PER_VALUE * distinct


@dataclass(frozen=True)
class Suspicion:
    """A suspicious column, and a remedy.

    Parameters
    ----------
    column : str
    text : str
        Description in one sentence.
    remedy : dict
        Arguments for `read`, such as ``{"ignore": "id"}`` or ``{"missing": "-999"}``; empty if the user must
        decide.
    """

    column: str
    text: str
    remedy: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.column!r} {self.text}"


Doubts = Iterator[tuple[str, Mapping[str, str]]]
"""Sentences without their subject, each with its remedy."""


def of(data: Dataset) -> tuple[str, ...]:
    """Return one sentence per suspicious property of the columns of a dataset."""
    return tuple(map(str, suspected(data)))


def suspected(data: Dataset) -> tuple[Suspicion, ...]:
    """Return each suspicious property of the columns of a dataset, with its remedy.

    Examples
    --------
    >>> from induce.data.reading import read
    >>> import polars as pl
    >>> table = read(pl.DataFrame({"size": [1.5, 2.5, 3.0] * 4, "number": range(1, 13)}))
    >>> found = suspected(table)[0]
    >>> print(found, found.remedy)
    'number' counts the rows from 1 to 12, so it is not informative {'ignore': 'number'}
    """
    import polars as pl

    if data.grid is not None:
        return ()  # single pixels are never suspicious: many are always 0, and neighbours are similar
    found: list[Suspicion] = []
    for column in data.schema:
        if column.role == "ignore":
            continue
        cells = data.frame.get_column(column.name)
        if isinstance(cells.dtype, pl.List | pl.Struct | pl.Array | pl.Object):
            continue
        found += [Suspicion(column.name, *doubt) for doubt in _about(cells, column, data)]
    return (*found, *_twins(data))


def while_learning(data: Dataset) -> list[str]:
    """Return the remarks relevant to learning or testing, at most a few sentences.

    Columns that are set aside anyway, such as identifiers, are not mentioned.
    """
    inputs = set(data.input_schema.inputs().names())
    aside = tuple(f"{column.name!r} " for column in data.schema if column.name not in {*inputs, data.target})
    found = [
        sentence
        for sentence in of(data)
        if not (aside and sentence.startswith(aside)) or STANDS_FOR_MISSING in sentence
    ]
    # columns that reveal the target come first, because they matter most
    found.sort(key=lambda sentence: "known before the target" not in sentence)
    found += rare_classes(data) if len(data) >= 2 * FEW_ROWS else ()
    if len(found) <= MOST_SAID:
        return found
    return [
        *found[:MOST_SAID],
        f"{len(found) - MOST_SAID} more remarks on the columns; `induce data` lists them all",
    ]


def _about(cells: pl.Series, column: Column, data: Dataset) -> Doubts:
    known = cells.drop_nulls()
    if not len(known):
        yield "has no value in any row", {"ignore": column.name}
        return
    distinct = known.n_unique()
    if distinct == 1 and len(cells) > 1 and not cells.null_count():
        yield f"is {known[0]} in every row, so nothing can be learned from it", {"ignore": column.name}
    if cells.null_count() >= ALMOST_ALL * len(cells):
        yield f"is missing in {cells.null_count():,} of {len(cells):,} rows", {"ignore": column.name}
    many = f"has {distinct:,} different values in {len(known):,} rows: a name rather than a property"
    if column.role == "id":
        if column.kind == "nominal" and distinct < len(known) and is_name_like(distinct, len(known)):
            yield f"{many}; learners set it aside unless it is declared nominal", {"nominal": column.name}
        else:
            yield "looks like an identifier and will be ignored", {column.kind: column.name}
        if column.kind == "nominal":
            yield from _mixed(known)
        return
    if column.kind == "nominal":
        if is_name_like(distinct, len(known)) or (len(known) >= FEW_ROWS and distinct > len(known) / 2):
            yield many, {"ignore": column.name}
        yield from _mixed(known)
        yield from _spellings(known)
    elif cells.dtype.is_numeric():
        yield from _sentinels(known)
        yield from _days_as_numbers(known)
        yield from _running_number(cells, column.name)
    if column.role == "input" and data.target is not None:
        yield from _leak(data, column.name, distinct)


def _mixed(known: pl.Series) -> Doubts:
    import polars as pl

    if known.dtype == pl.Boolean:
        return
    counts = known.cast(pl.String).alias("value").value_counts(name="rows")
    numeric = pl.col("value").cast(pl.Float64, strict=False).is_not_null()
    rest = counts.filter(~numeric).sort("rows", "value", descending=[True, False])
    share = counts.filter(numeric)["rows"].sum() / len(known)
    if MOSTLY_NUMBERS <= share < 1:
        yield (
            f"holds numbers in {share:.1%} of its cells, but also {rest['value'][0]!r}; "
            f"{STANDS_FOR_MISSING} ({option('missing', rest['value'][0])})",
            {"missing": rest["value"][0]},
        )


def _spellings(known: pl.Series) -> Doubts:
    """Yield a sentence if words differ only in case.

    Single letters are skipped, since they may be codes, such as alleles.
    """
    import polars as pl

    if known.dtype == pl.Boolean:
        return
    words = known.cast(pl.String).unique().sort()
    spelled = pl.DataFrame({"word": words, "lower": words.str.to_lowercase()})
    spelled = spelled.filter(pl.col("word").str.len_chars() > 1)
    alike = spelled.group_by("lower", maintain_order=True).agg("word").filter(pl.col("word").list.len() > 1)
    if alike.height:
        shown = " and ".join(map(repr, alike["word"][0].to_list()))
        more = f", and {alike.height - 1} more" if alike.height > 1 else ""
        yield f"holds {shown}, which differ only in case{more}; if they are one value, spell them alike", {}


def _days_as_numbers(known: pl.Series) -> Doubts:
    """Yield a sentence if whole numbers are dates without separators, such as 20220131."""
    import polars as pl

    if not known.dtype.is_integer() or known.n_unique() < 3:
        return
    low, high = known.cast(pl.Int64).min(), known.cast(pl.Int64).max()
    assert isinstance(low, int)
    assert isinstance(high, int)
    within = low >= 19_000_101 and high <= 21_001_231
    if within and known.cast(pl.String).str.to_date("%Y%m%d", strict=False).null_count() == 0:
        sentence = f"holds numbers such as {known[0]}, which may be dates; --dates %Y%m%d reads them so"
        yield sentence, {"dates": "%Y%m%d"}


def _running_number(cells: pl.Series, name: str) -> Doubts:
    """Yield a sentence if integers number the rows consecutively."""
    from induce.data.table import counts_rows

    if counts_rows(cells):
        yield (
            f"counts the rows from {cells[0]} to {cells[-1]:,}, so it is not informative",
            {"ignore": name},
        )


def _sentinels(known: pl.Series) -> Doubts:
    import polars as pl

    values = known.cast(pl.Float64).unique().sort()
    if len(values) < 3:
        return
    # all digits are 9, far from all other values: a measured extreme rarely looks like that
    for extreme, rest in ((values[0], values[1:]), (values[-1], values[:-1])):
        gap = min(abs(extreme - rest[0]), abs(extreme - rest[-1]))
        if extreme in SENTINELS and gap > max(rest[-1] - rest[0], 1.0):
            count = int((known.cast(pl.Float64) == extreme).sum())
            yield (
                f"is {extreme:g} in {count:,} rows, far from its other values ({rest[0]:g} to {rest[-1]:g}); "
                f"{STANDS_FOR_MISSING} ({option('missing', f'{extreme:g}')})",
                {"missing": f"{extreme:g}"},
            )


def rare_classes(data: Dataset) -> Iterator[str]:
    """Yield a sentence if some classes have too few rows to learn or to test."""
    if data.target is None or data.schema[data.target].kind != "nominal" or not len(data):
        return
    counts = data.y.drop_nulls().alias("class").value_counts(name="rows").sort("rows", "class")
    rare = [(str(value), rows) for value, rows in counts.rows() if rows < RARE]
    if not rare or len(rare) == counts.height:
        return
    shown = ", ".join(f"{value!r} {rows}" for value, rows in rare[:3])
    more = f" and {len(rare) - 3} more" if len(rare) > 3 else ""
    yield f"{data.target!r} has classes of fewer than {RARE} rows ({shown}{more}), too few to learn from"


def _leak(data: Dataset, name: str, distinct: int) -> Doubts:
    """Yield a sentence if a column alone determines the target in all or almost all rows."""
    target = data.target or ""
    known = data.frame.select(name, target).drop_nulls()
    if known.height < FEW_ROWS or known[target].n_unique() < 2:
        return
    known_before = "is it known before the target is?"
    if distinct <= known.height / 2 and known.n_unique() == known[name].n_unique():
        yield f"alone decides {target!r} in every row; {known_before}", {"ignore": name}
    elif data.schema[target].kind == "nominal":
        share, baseline = _decided(known, name, target)
        if share >= GIVEN_AWAY and 1 - share <= (1 - baseline) / 10:
            where = "every row" if share == 1 else f"{share:.1%} of the rows"
            yield f"alone decides {target!r} in {where}; {known_before}", {"ignore": name}
    elif known[name].dtype.is_numeric() and known[target].dtype.is_numeric():
        import polars as pl

        alike = known.select(pl.corr(name, target, method="pearson").abs()).item()
        if alike is not None and alike >= NEARLY_THE_SAME:
            sentence = f"is {target!r} in another unit, or almost (correlation {alike:.4f}); {known_before}"
            yield sentence, {"ignore": name}


def _decided(known: pl.DataFrame, name: str, target: str) -> tuple[float, float]:
    """Return the fraction of rows whose class a column determines, by its values or by a few thresholds, and
    the majority fraction.
    """
    import polars as pl

    n = known.height
    baseline = known[target].value_counts(name="__rows__")["__rows__"].max()
    assert isinstance(baseline, int)
    classes = known[target].n_unique()
    if not known[name].dtype.is_numeric():
        if known[name].n_unique() > n / ROWS_PER_VALUE:
            return 0.0, baseline / n
        counts = known.group_by(name, target).agg(pl.len().alias("__rows__"))
        right = counts.group_by(name).agg(pl.col("__rows__").max())["__rows__"].sum()
        return float(right) / n, baseline / n
    # one interval per class: the rows before each change of class, if no value has two classes
    ordered = known.sort(name)
    changes = (ordered[target] != ordered[target].shift(1)).fill_null(True)
    values = ordered[name]
    within = (changes & (values == values.shift(1)).fill_null(False)).any()
    return (1.0 if int(changes.sum()) == classes and not within else 0.0), baseline / n


def _twins(data: Dataset) -> Iterator[Suspicion]:
    """Yield a suspicion for each column that duplicates an earlier one."""
    import polars as pl

    if len(data) < 2:
        return
    seen: dict[int, list[str]] = {}
    for column in data.schema.inputs():
        cells = data.frame.get_column(column.name)
        if isinstance(cells.dtype, pl.List | pl.Struct | pl.Array | pl.Object) or cells.n_unique() < 2:
            continue
        written = cells.cast(pl.String)
        key = hash(written.hash(seed=0).to_numpy().tobytes())
        for earlier in seen.get(key, []):
            if data.frame.get_column(earlier).cast(pl.String).equals(written, check_names=False):
                sentence = f"is the same in every row as {earlier!r}"
                yield Suspicion(column.name, sentence, {"ignore": column.name})
                break
        else:
            seen.setdefault(key, []).append(column.name)
