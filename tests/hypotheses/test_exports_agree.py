"""Whatever the rules, the names and the rows: SQL, Python, explanations and `predict` say the same."""

import sqlite3

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from induce.data.table import encode
from induce.hypotheses.writers.sql_text import sql_identifier


@settings(max_examples=25)
@given(st.data())
def test_sql_python_and_explanations_agree_with_predict(cases, frame, data):
    hypothesis, rows = data.draw(cases)
    hypothesis.check()
    X = frame(hypothesis, rows)
    expected = hypothesis.predict(X).tolist()

    names = ", ".join(map(sql_identifier, hypothesis.schema.names()))
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE data ({names})")
    connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(hypothesis.schema))})", rows)
    assert [row[-1] for row in connection.execute(hypothesis.to_sql())] == expected
    connection.close()

    space = {}
    exec(hypothesis.to_python("decide"), space)
    dicts = [dict(zip(hypothesis.schema.names(), row, strict=True)) for row in rows]
    assert [space["decide"](row) for row in dicts] == expected
    present = [{name: cell for name, cell in row.items() if cell is not None} for row in dicts]
    assert [space["decide"](row) for row in present] == expected

    likeliest = hypothesis.predict_proba(X)
    assert [hypothesis.classes[code] for code in likeliest.argmax(axis=1)] == expected
    np.testing.assert_allclose(likeliest.sum(axis=1), 1.0)

    table = encode(X, hypothesis.schema)
    covers = np.array([rule.covers(table) for rule in hypothesis.rules]).reshape(-1, len(rows))
    for row, explanation in enumerate(hypothesis.explain(X)):
        assert explanation.prediction == expected[row]
        fired = [rule for rule, covered in zip(hypothesis.rules, covers[:, row], strict=True) if covered]
        if hypothesis.ordered:
            assert explanation.rules == tuple(fired[:1])
            assert explanation.prediction == (fired[0].prediction if fired else hypothesis.default)
        else:
            assert explanation.rules == tuple(rule for rule in fired if any(rule.counts))
        assert str(explanation)
    assert len(str(hypothesis).split("\n")) == len(hypothesis.rules) + 1


@settings(max_examples=25)
@given(st.data())
def test_simplified_rules_cover_the_same_rows(cases, frame, data):
    hypothesis, rows = data.draw(cases)
    table = encode(frame(hypothesis, rows), hypothesis.schema)
    for rule in hypothesis.rules:
        shorter = rule.simplified()
        assert shorter.covers(table).tolist() == rule.covers(table).tolist()
        assert shorter.simplified() == shorter
        assert len(shorter.conditions) <= len(rule.conditions)
