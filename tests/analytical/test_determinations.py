"""Knowledge-level learning (Mitchell §11.3.2 and §11.3.4; 05:11.B.4)."""

from __future__ import annotations

import polars as pl
import pytest

from induce.analytical import Determination, monotone_rules, propose_determinations
from induce.core.errors import InputError

JOE = pl.DataFrame(
    [{"name": "Joe", "age": 23, "hand": "left", "nationality": "Brazilian", "language": "Portuguese"}]
)


def test_nationality_determines_language():
    belief = Determination(("nationality",), "language")
    (rule,) = belief.deduce(JOE)
    assert str(rule) == "IF nationality = Brazilian THEN language = Portuguese"
    assert belief.irrelevant(JOE) == ("name", "age", "hand")


def test_two_rows_refute_it():
    other = JOE.with_columns(language=pl.lit("Guarani"))
    both = pl.concat([JOE, other])
    assert Determination("nationality", "language").refuted_by(both) == (0, 1)
    with pytest.raises(InputError, match="rows 1 and 2 agree in the former"):
        Determination("nationality", "language").deduce(both)


def test_missing_values_say_nothing():
    holes = pl.concat([JOE, JOE.with_columns(language=pl.lit(None, pl.String))])
    assert len(Determination("nationality", "language").deduce(holes)) == 1


def test_what_the_data_allow_is_proposed():
    table = pl.DataFrame({"a": ["x", "x", "y", "y"], "b": ["1", "2", "1", "2"], "t": ["p", "p", "q", "q"]})
    assert [str(one) for one in propose_determinations(table, "t")] == ["a determines t"]


def test_humidity():
    days = pl.DataFrame({"humidity": [0.3, 0.2, 0.9]})
    (rule,) = monotone_rules(days, ["yes", "yes", "no"], {"humidity": "decreasing"}, "yes")
    assert str(rule) == "IF humidity <= 0.3 THEN target = yes"
    assert rule.rows == (0, 1)
    with pytest.raises(InputError, match="row 1 is yes, but row 2 is not"):
        monotone_rules(days, ["yes", "no", "no"], {"humidity": "decreasing"}, "yes")
    with pytest.raises(InputError, match="column 'wind' is absent"):
        monotone_rules(days, ["yes", "no", "no"], {"wind": "increasing"}, "yes")


def test_bad_determinations():
    with pytest.raises(InputError, match="cannot determine itself"):
        Determination(("a", "t"), "t")
    with pytest.raises(InputError, match="column 'city' is absent"):
        Determination("city", "language").deduce(JOE)
