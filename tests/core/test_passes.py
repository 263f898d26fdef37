"""Progress of passes: a fraction that never decreases, and rows per second, on every engine."""

import pytest

import induce
from induce.core import passes as module
from induce.core.engines import each, total
from induce.core.passes import PassProgress, passes
from tests.estimators.test_scale import client, parted, table

pytestmark = pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
__all__ = ["client"]


class Rows:
    """A part with a number of rows."""

    def __init__(self, n_rows):
        self.n_rows = n_rows


def size(part):
    return part.n_rows


@pytest.fixture
def clock(monkeypatch):
    """A clock that advances by half a second each time it is read."""
    ticks = iter(range(1000))
    monkeypatch.setattr(module, "clock", lambda: next(ticks) / 2)


def heard(work):
    """Return the fractions and the lines that some work reports."""
    shares, lines = [], []
    with induce.progress(shares.append, lines.append):
        work()
    return shares, lines


def test_parts_count_by_their_rows(clock):
    shares, lines = heard(lambda: total(size, [Rows(100), Rows(300)]))
    assert shares == [0.25, 1.0]
    assert lines == ["100 of 400 rows, 200 rows/s", "400 of 400 rows, 400 rows/s"]


def test_parts_without_rows_count_alike():
    assert heard(lambda: each(str, range(4))) == ([0.25, 0.5, 0.75, 1.0], [])


@pytest.mark.parametrize("expected", [None, 1, 3, 5, 50])
def test_passes_of_unknown_number_never_go_back_and_end_at_one(expected):
    def work():
        with passes(expected):
            for _ in range(5):
                total(size, [Rows(10)] * 4)
            assert max(shares) < 1

    shares, lines = [], []
    with induce.progress(shares.append, lines.append):
        work()
    assert shares == sorted(set(shares))
    assert shares[-1] == 1
    assert lines[-1].startswith("pass 5: 40 of 40 rows, ")


def test_a_part_that_is_repeated_counts_once():
    shares, lines = [], []
    with induce.progress(shares.append, lines.append):
        one = PassProgress([Rows(10), Rows(10)])
        for place in (1, 1, 0, 1):
            one.done(place)
    assert shares == [0.5, 1.0]
    assert len(lines) == 2


@pytest.mark.parametrize("where", ["serial", "threads:2", "client"])
@pytest.mark.parametrize(
    "learner",
    [
        induce.NaiveBayes(),
        induce.DecisionTreeClassifier(max_depth=4),
        induce.RandomForest(n_estimators=3, max_depth=2),
        induce.AdaBoost(n_estimators=4),
        induce.LogisticRegression(penalty="l2", strength=0.1),
        induce.KMeans(3, random_state=0),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_learning_reports_rows_and_never_goes_back(client, learner, where):
    source = induce.scan(parted(table(1, 300), 5, 1), "y")

    def work():
        with induce.using(client if where == "client" else where):
            learner.fit(source)

    shares, lines = heard(work)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert len(set(shares)) >= 4
    assert sum(" of 300 rows" in line for line in lines) >= 2


def test_a_table_learned_in_memory_reports_reading_and_learning():
    source = induce.scan(parted(table(1, 300), 5, 1), "y")
    shares, lines = heard(lambda: induce.AdaBoost(n_estimators=8).fit(source))
    assert shares == sorted(shares)
    assert 0.5 in shares
    assert lines[-1].startswith("300 of 300 rows")


def test_rows_that_are_written_are_counted(tmp_path):
    table(1, 300).write_csv(tmp_path / "a.csv")
    _, lines = heard(lambda: induce.scan(tmp_path / "a.csv", "y", rows=100))
    assert [line.split(",")[0] for line in lines] == [
        *(f"{n} rows inspected" for n in (100, 200, 300)),
        *(f"{n} rows written" for n in (100, 200, 300)),
    ]


def test_describing_reports_rows():
    from induce.data.scan_description import describe_scan

    source = induce.scan(list(table(1, 300).iter_slices(100)), "y")
    shares, lines = heard(lambda: describe_scan(source))
    assert shares == pytest.approx([1 / 3, 2 / 3, 1])
    assert lines[-1].startswith("300 of 300 rows")
