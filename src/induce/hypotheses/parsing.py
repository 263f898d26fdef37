"""Conditions and rules parsed from text, in their printed form or as typed by a user."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from induce.core.errors import InputError
from induce.core.values import Value, plain
from induce.data.names import unknown
from induce.data.schema import Column, Schema
from induce.hypotheses.conditions import Condition, Is, OneOf, interval, none_of
from induce.hypotheses.naming import value_text
from induce.hypotheses.rules import Rule

QUOTED = r'"(?:[^"\\]|\\.)*"'
# quoted or braced text is one token: an operator in it is part of a value
WHOLE = rf'{QUOTED}|\{{(?:{QUOTED}|[^"{{}}])*\}}'
OPERATOR = re.compile(rf"{WHOLE}|(?P<sign>!=|<>|<=|>=|==|[=<>≠≤≥]|(?<=[\s\"])(?:not\s+)?in(?=\s*\{{))", re.I)
AND = re.compile(rf"{WHOLE}|(?:^|\s)(?P<word>AND)(?=\s|$)", re.I)
THEN = re.compile(rf"{WHOLE}|(?:^|\s)(?P<word>THEN)(?=\s)", re.I)
IF = re.compile(r"\s*IF\s+", re.I)
ITEM = re.compile(rf'\s*({QUOTED}|[^",]*?)\s*(,|$)')
COUNTS = re.compile(r"\s*\([\d.]+/[\d.]+\)\s*$")
SIGNS = {"==": "=", "≠": "!=", "<>": "!=", "≤": "<=", "≥": ">="}
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}

ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")

Item = TypeVar("Item")
Read = TypeVar("Read")


def parse_condition(text: str, schema: Schema) -> Condition:
    """Parse a condition such as ``outlook != sunny`` or ``20 < age <= 30``.

    A nominal attribute is tested with ``=``, ``!=``, ``in {…}`` and ``not in {…}``, a numeric one with
    ``<=``, ``>``, ``<``, ``>=``, ``=`` and two-sided intervals. Stored thresholds are upper-inclusive, so
    ``age < 30`` means at most the largest float below 30, ``age >= 30`` above that float, and ``age = 30``
    the interval between the two; for floats this is exact. Names and values are in double quotes if they
    could be misread. Case matters only if several names or values differ in nothing else.

    Parameters
    ----------
    text : str
    schema : Schema
        Attributes and their possible values.

    Examples
    --------
    >>> schema = Schema((Column("outlook", "nominal", ("sunny", "rain", "fog")), Column("age")))
    >>> print(parse_condition("outlook not in {rain, fog}", schema))
    outlook not in {rain, fog}
    >>> print(parse_condition("30 >= AGE > 20", schema))
    20 < age <= 30
    >>> print(parse_condition("age < 30", schema))
    age < 30
    >>> parse_condition("outlok = sunny", schema)
    Traceback (most recent call last):
    induce.core.errors.InputError: there is no attribute 'outlok'; did you mean 'outlook'?
    """
    _check_text(text, "a condition")
    return _condition(text.strip(), schema)


def parse_rule(text: str, schema: Schema, classes: Sequence[Value]) -> Rule:
    """Parse a rule such as ``IF outlook = sunny AND age > 30 THEN no``.

    Conditions are written as in `parse_condition`; ``IF TRUE`` and ``IF`` with nothing after it mean no
    condition. The printed counts of a rule, as in ``(3/4)``, are ignored, since they do not give the classes
    of the misclassified rows. The counts are zero until a learner counts rows.

    Parameters
    ----------
    text : str
    schema : Schema
    classes : sequence
        Classes that a rule can predict.

    Examples
    --------
    >>> schema = Schema((Column("outlook", "nominal", ("sunny", "rain")), Column("age")))
    >>> print(parse_rule("if outlook = sunny and 20 < age <= 30 then no", schema, ["no", "yes"]))
    IF outlook = sunny AND 20 < age <= 30 THEN no (0/0)
    """
    _check_text(text, "a rule")
    text = text.strip()
    # str() prints keywords in capitals, and quotes text that could be mistaken for them
    cuts = [match for match in THEN.finditer(text) if match["word"]]
    cuts.sort(key=lambda match: match["word"] != "THEN")
    if not cuts:
        raise InputError(f"the rule {text!r} has no THEN; write IF … AND … THEN class")

    def read(cut: re.Match[str]) -> tuple[Value, tuple[Condition, ...]]:
        prediction = _class(text[cut.end("word") :].strip(), classes)
        return prediction, _premise(text[: cut.start("word")], schema)

    prediction, conditions = _first_that_reads(read, cuts)
    classes = tuple(classes)
    return Rule(conditions, prediction, (0.0,) * len(classes), classes)


def _check_text(text: str, what: str) -> None:
    if not isinstance(text, str):
        raise TypeError(f"{what} is parsed from text, not from a {type(text).__name__}")


def _premise(text: str, schema: Schema) -> tuple[Condition, ...]:
    told = IF.match(text)
    bodies = [text[told.end() :].strip(), text.strip()] if told else [text.strip()]
    if bodies[0].upper() in ("", "IF", "TRUE"):
        return ()
    return _first_that_reads(lambda body: _all(body, schema), bodies)


def _all(text: str, schema: Schema) -> tuple[Condition, ...]:
    """Parse conditions joined by AND, which printed names and values never contain outside quotes."""
    places = [match.span("word") for match in AND.finditer(text) if match["word"] == "AND"]
    ends = [0, *(place for span in places for place in span), len(text)]
    parts = [text[start:stop].strip() for start, stop in zip(ends[::2], ends[1::2], strict=True)]
    return tuple(condition for part in parts for condition in _some(part, schema))


def _some(text: str, schema: Schema) -> list[Condition]:
    """Parse conditions joined by `and`, which in lower case may also belong to a name or a value."""
    printed = [each for each in _readings(text, schema, []) if str(each) == text]
    if printed:
        return printed[:1]
    errors = []
    places = [match.span("word") for match in AND.finditer(text) if match["word"]]
    for stop, start in [*places, (len(text), len(text))]:
        try:
            head = _condition(text[:stop].strip(), schema)
            return [head, *(_some(text[start:].strip(), schema) if start < len(text) else [])]
        except InputError as error:
            errors.append(error)
    raise errors[0]


def _condition(text: str, schema: Schema) -> Condition:
    errors: list[InputError] = []
    readings = list(_readings(text, schema, errors))
    # several parses are possible if names look like numbers or operators; choose the one that prints as given
    for reading in readings:
        if str(reading) == text:
            return reading
    if readings:
        return readings[0]
    if errors:
        raise errors[0]
    raise InputError(
        f"{text!r} is not a condition; write one such as name = value, name in {{value, value}} or 20 < name <= 30"
    )


def _readings(text: str, schema: Schema, errors: list[InputError]) -> Iterator[Condition]:
    """Yield every parse of a text as a condition; the errors of the others go into `errors`."""
    signs = [match for match in OPERATOR.finditer(text) if match["sign"]]
    ways: list[Callable[[], Condition]] = []
    for place, first in enumerate(signs):
        left, right = text[: first.start()].strip(), text[first.end() :].strip()
        for last in signs[place + 1 :]:
            name, end = text[first.end() : last.start()].strip(), text[last.end() :].strip()
            if _is_number(left) and _is_number(end):
                ways.append(partial(_chain, left, _sign(first), name, _sign(last), end, schema))
        if left:
            ways.append(partial(_comparison, left, _sign(first), right, schema))
        if _is_number(left) and _sign(first) in TURNED:
            ways.append(partial(_comparison, right, TURNED[_sign(first)], left, schema))
    for way in ways:
        try:
            yield way()
        except InputError as error:
            errors.append(error)


def _sign(match: re.Match[str]) -> str:
    sign = " ".join(match["sign"].lower().split())
    return SIGNS.get(sign, sign)


def _chain(low: str, first: str, name: str, last: str, high: str, schema: Schema) -> Condition:
    if first[0] == last[0] == ">":
        low, first, last, high = high, TURNED[last], TURNED[first], low
    if not first[0] == last[0] == "<":
        raise InputError(
            f"'{low} {first} {name} {last} {high}' is not an interval; write it as 20 < {name} <= 30"
        )
    column = _column(name, schema)
    above = _comparison_of(column, TURNED[first], low)
    both = above.intersect(_comparison_of(column, last, high))
    if both is None:
        raise InputError(f"no number satisfies '{low} {first} {name} {last} {high}'; swap its ends")
    return both


def _comparison(name: str, sign: str, value: str, schema: Schema) -> Condition:
    return _comparison_of(_column(name, schema), sign, value)


def _comparison_of(column: Column, sign: str, text: str) -> Condition:
    if column.kind == "nominal":
        if sign in ("in", "not in"):
            values = tuple(dict.fromkeys(_value(item, column) for item in _items(text, column)))
            return OneOf(column.name, values) if sign == "in" else _excluding(column, values)
        if sign in ("=", "!="):
            value = _value(text, column)
            return Is(column.name, value) if sign == "=" else _excluding(column, (value,))
        raise InputError(
            f"column {column.name!r} is nominal, so {sign} does not apply; test it with =, !=, in or not in"
        )
    if sign not in TURNED:
        raise InputError(
            f"column {column.name!r} is numeric, so {sign} does not apply; test it with <=, >, <, >= or ="
        )
    threshold = _number(text, column)
    below = math.nextafter(threshold, -math.inf)
    if column.temporal and ISO_DATE.fullmatch(
        text
    ):  # a day is the interval between the neighbouring midpoints
        below, threshold = threshold - 0.5, threshold + 0.5
    low, high = {
        "<=": (-math.inf, threshold),
        ">": (threshold, math.inf),
        "<": (-math.inf, below),
        ">=": (below, math.inf),
        "=": (below, threshold),
    }[sign]
    condition = interval(column.name, low, high, column.counted)
    condition.check_column(column)
    return condition


def _excluding(column: Column, values: tuple[Value, ...]) -> Condition:
    if len(values) == len(column.domain):
        raise InputError(
            f"the condition on column {column.name!r} excludes all its values, so no row satisfies it"
        )
    return none_of(column, values)


def _items(text: str, column: Column) -> list[str]:
    if not (text.startswith("{") and text.endswith("}")):
        raise InputError(f"the values of column {column.name!r} after 'in' must be in braces, as in {{a, b}}")
    inside = text[1:-1].strip()
    items, place = [], 0
    while place < len(inside):
        match = ITEM.match(inside, place)
        if match is None:
            raise InputError(f"the values {text} of column {column.name!r} are not separated by commas")
        items.append(match[1])
        place = match.end()
    if not items:
        raise InputError(f"the condition on column {column.name!r} names no value between the braces")
    return items


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _number(text: str, column: Column) -> float:
    if column.temporal and not _is_number(text):
        try:
            since = datetime.fromisoformat(text).replace(tzinfo=None) - datetime(1970, 1, 1)
        except ValueError:
            raise InputError(
                f"column {column.name!r} holds dates, but is compared with {text!r}; write a date as "
                "2021-05-27"
            ) from None
        return since / timedelta(days=1)
    if column.unit and text.endswith(column.unit):
        text = text.removesuffix(column.unit).strip()
    if not _is_number(text) or not math.isfinite(float(text)):
        raise InputError(f"column {column.name!r} is compared with {text!r}, which is not a finite number")
    return float(text)


def _column(text: str, schema: Schema) -> Column:
    column = _known(text, schema.inputs().columns, lambda column: column.name)
    if column is not None:
        return column
    ignored = _known(text, schema.columns, lambda column: column.name)
    if ignored is not None:
        raise InputError(f"column {ignored.name!r} is not an input, so no condition can test it")
    raise unknown("attribute", _unquoted(text), schema.inputs().names())


def _value(text: str, column: Column) -> Value:
    index = _known(text, range(len(column.domain)), lambda place: column.domain[place])
    if index is None:
        raise unknown(f"value of column {column.name!r} called", _unquoted(text), map(str, column.domain))
    return column.domain[index]


def _class(text: str, classes: Sequence[Value]) -> Value:
    for tried in (COUNTS.sub("", text), text):
        index = _known(tried, range(len(classes)), lambda place: classes[place])
        if index is not None:
            value: Value = plain(classes[index])
            return value
    raise unknown("class", _unquoted(COUNTS.sub("", text)), map(str, classes))


def _known(text: str, items: Sequence[Item], called: Callable[[Item], Value]) -> Item | None:
    """Return the item named by a text: as printed, without quotes, or ignoring case if only one matches."""
    for item in items:
        if value_text(called(item)) == text:
            return item
    name = _unquoted(text)
    for item in items:
        if str(plain(called(item))) == name:
            return item
    alike = [item for item in items if str(plain(called(item))).lower() == name.lower()]
    if not alike and _is_number(name):
        alike = [item for item in items if not isinstance(called(item), str) and called(item) == float(name)]
    return alike[0] if len(alike) == 1 else None


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(text))
        except ValueError:
            return text[1:-1]
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text


def _first_that_reads(read: Callable[[Item], Read], ways: Sequence[Item]) -> Read:
    errors = []
    for way in ways:
        try:
            return read(way)
        except InputError as error:
            errors.append(error)
    raise errors[0]
