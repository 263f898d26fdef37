"""KBANN's network before training: Mitchell Table 12.2, with the numbers of the Cup theory and of exercise 12.1."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from induce.data.numeric_view import NumericView
from induce.data.schema import Column, Schema
from induce.data.table import encode
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.knowledge.encoding import Encoding, smallest_weight
from induce.neural.unit_rules import clauses
from tests.knowledge.cup import SCHEMA, X, theory

CREDIT = """
IF employed AND low_debt THEN good
IF NOT student THEN employed
IF NOT loan AND savings THEN low_debt
"""


def encoded(text_theory: ExpertRules, rows: np.ndarray, weight: float = 4.0, output: str = "") -> Encoding:
    view = NumericView.of(encode(rows, text_theory.schema))
    return Encoding(text_theory, view, (output or text_theory.target,), weight)


def truths(names: list[str]) -> Schema:
    return Schema(tuple(Column(name, "nominal", (False, True)) for name in names))


def all_rows(n: int) -> np.ndarray:
    return np.array(list(product([False, True], repeat=n)))


@pytest.fixture(scope="module")
def cup() -> Encoding:
    return encoded(theory(), X.to_numpy())


def test_weights_of_the_cup_network(cup: Encoding) -> None:
    units = {unit.name: unit for unit in cup.units}
    assert {name: 4 * unit.bias for name, unit in units.items()} == {
        "stable": -2.0,
        "graspable": -2.0,
        "liftable": -6.0,
        "open_vessel": -6.0,
        "cup": -10.0,
    }
    assert units["liftable"].units == [("graspable", 1.0)]
    assert len(units["liftable"].inputs) == 1


def test_outputs_of_the_cup_network(cup: Encoding) -> None:
    said = cup.network(cup.view.matrix(encode(X.to_numpy(), SCHEMA))).ravel()
    expected = [0.5819, 0.0964, 0.0964, 0.5819, 0.5819, 0.0032, 0.5819, 0.0025, 0.0031, 0.0025]
    assert said == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("weight", "lowest", "highest"),
    [
        (1.0, 0.3264, 0.3131),
        (2.0, 0.2997, 0.2137),
        (3.0, 0.3942, 0.1468),
        (3.5, 0.4808, 0.1196),
        (4.0, 0.5819, 0.0964),
        (5.0, 0.7696, 0.0616),
        (6.0, 0.8868, 0.0393),
        (8.0, 0.9720, 0.0160),
        (10.0, 0.9918, 0.0063),
    ],
)
def test_ranges_by_weight(weight: float, lowest: float, highest: float) -> None:
    found = {each.unit: each for each in encoded(theory(), X.to_numpy(), weight).verified()}["cup"]
    assert found.lowest_true == pytest.approx(lowest, abs=5e-5)
    assert found.highest_false == pytest.approx(highest, abs=5e-5)


def test_smallest_weight(cup: Encoding) -> None:
    assert smallest_weight(cup) == pytest.approx(3.5985, abs=2e-4)
    assert cup.complaint() == ""
    assert "'cup' may output 0.39" in encoded(theory(), X.to_numpy(), 3.0).complaint()
    assert "3.599" in encoded(theory(), X.to_numpy(), 3.0).complaint()


def test_clauses_of_five_concepts_need_more_than_four() -> None:
    """At W = 4 a clause with five derived antecedents is encoded wrongly, one with four is not."""
    for n, right in ((4, True), (5, False)):
        names = [f"a{k}" for k in range(n)]
        rules = "\n".join(f"IF {name} THEN c{k}" for k, name in enumerate(names))
        rules += "\nIF " + " AND ".join(f"c{k}" for k in range(n)) + " THEN top"
        found = encoded(ExpertRules(truths(names), rules, "top"), all_rows(n))
        assert found.verified()[-1].is_right is right
        said = found.network(found.view.matrix(encode(np.ones((1, n), bool), truths(names)))).item()
        assert said == pytest.approx({4: 0.5232, 5: 0.4051}[n], abs=5e-5)
        if n == 5:
            assert np.log(said / (1 - said)) == pytest.approx(-0.384, abs=5e-4)


def test_chains_never_cross_the_middle() -> None:
    rules = "IF a THEN c1\n" + "\n".join(f"IF c{k} THEN c{k + 1}" for k in range(1, 7))
    found = encoded(ExpertRules(truths(["a"]), rules), all_rows(1))
    on = found.network.states(found.view.matrix(encode(np.array([[True]]), truths(["a"]))))
    chain = [float(each[0, 0]) for each in on[1:]]
    assert chain == pytest.approx([0.8808, 0.8210, 0.7831, 0.7563, 0.7360, 0.7199, 0.7067], abs=5e-5)


def test_exercise_12_1() -> None:
    schema = truths(["loan", "savings", "student", "car"])
    found = encoded(ExpertRules(schema, CREDIT), all_rows(4))
    biases = {unit.name: 4 * unit.bias for unit in found.units}
    assert biases == {"employed": 2.0, "low_debt": -2.0, "good": -6.0}
    rows = np.array([[0, 1, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 1, 0]], bool)
    said = found.network(found.view.matrix(encode(rows, schema))).ravel()
    assert said == pytest.approx([0.7401, 0.1192, 0.1192, 0.0782, 0.0040], abs=5e-5)
    assert smallest_weight(found) == pytest.approx(2 * np.log(3), abs=2e-4)


def test_a_network_of_truths_is_not_fed_codes_in_between(cup: Encoding) -> None:
    """With 0.8 and 0.2 for true and false the first cup is no cup (12.B.4)."""
    first = cup.view.matrix(encode(X[:1].to_numpy(), SCHEMA))
    assert cup.network(np.where(first > 0.5, 0.8, 0.2)).item() == pytest.approx(0.0946, abs=5e-5)


def test_exercise_12_2() -> None:
    schema = truths(["dorm", "young", "studies"])
    found = encoded(ExpertRules(schema, "IF 2 OF (dorm, young, studies) THEN student"), all_rows(3))
    assert 4 * found.units[0].bias == -6.0
    assert len(clauses([4.0, 4.0, 4.0], -6.0, ["dorm", "young", "studies"])) == 3


def test_slopes_of_the_cup_network(cup: Encoding) -> None:
    """The derivatives by which EBNN would explain the first cup (spec 12.B.4)."""
    first = cup.view.matrix(encode(X[:1].to_numpy(), SCHEMA))
    slopes = dict(zip(cup.view.names, cup.network.input_gradients(first)[0, 0], strict=True))
    expected = {
        "BottomIsFlat": 0.40872,
        "ConcavityPointsUp": 0.40872,
        "HasConcavity": 0.40872,
        "HasHandle": 0.24025,
        "Light": 0.57206,
    }
    for name in X.columns:
        assert slopes[f"{name} = yes"] == pytest.approx(expected.get(name, 0.0), abs=5e-6)


def test_thresholds_become_units() -> None:
    schema = Schema((Column("age"), Column("income")))
    rules = "IF age > 30 AND income <= 1000 THEN risky\nIF 60 < age <= 70 THEN risky"
    found_theory = ExpertRules(schema, rules)
    rows = np.array([[40.0, 500.0], [20.0, 500.0], [40.0, 2000.0], [65.0, 5000.0], [80.0, 9000.0]])
    found = encoded(found_theory, rows, 8.0)
    assert (found.network(found.view.matrix(rows)).ravel() > 0.5).tolist() == found_theory.holds(
        rows
    ).tolist()
    assert found_theory.holds(rows).tolist() == [True, False, False, True, False]


def test_no_weight_encodes_what_always_holds() -> None:
    found = encoded(ExpertRules(truths(["a"]), "IF TRUE THEN c\nIF c AND a THEN top"), all_rows(1))
    assert found.verified()[0].lowest_true > 0.5


@st.composite
def theories(draw: st.DrawFn) -> tuple[ExpertRules, int]:
    """Draw a theory of two layers over truth values."""
    n = draw(st.integers(2, 5))
    literal = st.tuples(st.integers(0, n - 1), st.booleans())
    bodies = draw(st.lists(st.lists(literal, min_size=1, max_size=3), min_size=1, max_size=3))
    lines = []
    for k, body in enumerate(bodies):
        written = dict(body)
        lines.append(
            f"IF {' AND '.join(f'NOT x{i}' if no else f'x{i}' for i, no in written.items())} THEN c{k % 2}"
        )
    used = sorted({k % 2 for k in range(len(bodies))})
    signs = draw(st.lists(st.booleans(), min_size=len(used), max_size=len(used)))
    top = " AND ".join(f"NOT c{k}" if no else f"c{k}" for k, no in zip(used, signs, strict=True))
    return ExpertRules(
        truths([f"x{i}" for i in range(n)]), "\n".join([*lines, f"IF {top} THEN top"]), "top"
    ), n


@given(theories())
def test_network_equals_theory(drawn: tuple[ExpertRules, int]) -> None:
    """With a weight that is safe, the network says what the theory says of every row."""
    drawn_theory, n = drawn
    rows = all_rows(n)
    first = encoded(drawn_theory, rows, 4.0)
    found = encoded(drawn_theory, rows, smallest_weight(first) + 0.01)
    said = found.network(found.view.matrix(encode(rows, drawn_theory.schema))).ravel() > 0.5
    assert said.tolist() == drawn_theory.holds(rows).tolist()
