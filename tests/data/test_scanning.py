"""Tables in partitions: what their columns are, which rows they have, and what is refused."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.core.hashing import hashed_rows, row_hashes, sampled_rows
from induce.core.notes import Note

pytestmark = pytest.mark.filterwarnings("ignore::induce.core.notes.Note")


def table(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "size": pl.Series(np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n))).fill_nan(None),
            "whole": rng.integers(0, 9, n),
            "colour": pl.Series(rng.choice(["red", "blue", "green", None], n), dtype=pl.String),
            "y": rng.choice(["no", "yes"], n),
        }
    )


def written(folder, frames, suffix=".parquet"):
    folder.mkdir(exist_ok=True)
    for number, frame in enumerate(frames):
        path = folder / f"part-{number}{suffix}"
        frame.write_parquet(path) if suffix == ".parquet" else frame.write_csv(path)
    return folder


def rows_of(source):
    frame = source.read().frame
    return frame.select(sorted(frame.columns)).with_columns(
        pl.col(pl.Enum).cast(pl.String), pl.col("whole").cast(pl.Float64)
    )


def expected(frame):
    return frame.select(sorted(frame.columns)).with_columns(pl.col("whole").cast(pl.Float64))


def test_every_kind_of_source_gives_the_same_rows(tmp_path):
    frame = table()
    halves = [frame[:25], frame[25:]]
    parquet, csv = written(tmp_path / "p", halves), written(tmp_path / "c", halves, ".csv")
    database = f"sqlite:///{tmp_path / 'rows.db'}"
    frame.write_database("rows", database, engine="sqlalchemy")
    sources = [
        induce.scan(parquet, "y"),
        induce.scan(f"{parquet}/*.parquet", "y", rows=7),
        induce.scan([parquet / "part-0.parquet", str(parquet / "part-1.parquet")], "y"),
        induce.scan(f"file://{parquet}/*.parquet", "y"),
        induce.scan(csv, "y", rows=11),
        induce.scan([csv / "part-0.csv", csv / "part-1.csv"], "y"),
        induce.scan(database, "y", table="rows", rows=13),
        induce.scan(database, "y", query="select * from rows"),
        induce.scan(frame.lazy(), "y"),
        induce.scan(frame, "y", rows=9),
        induce.scan(halves, "y"),
        induce.scan(frame.to_pandas(), "y"),
    ]
    first = sources[0]
    for source in sources:
        assert len(source) == 60
        assert source.classes == ("no", "yes")
        assert source.schema["colour"].domain == first.schema["colour"].domain
        assert source.schema.names() == first.schema.names()
        assert rows_of(source).equals(expected(frame)), repr(source)


def test_a_dask_dataframe(tmp_path):
    dask = pytest.importorskip("dask.dataframe")
    frame = table()
    source = induce.scan(dask.from_pandas(frame.to_pandas(), npartitions=3), "y")
    assert rows_of(source).equals(expected(frame))


def test_partitions_have_fixed_row_numbers(tmp_path):
    frame = table().with_columns(pl.when(pl.int_range(60) % 7 == 0).then(None).otherwise("y").alias("y"))
    source = induce.scan([frame[:20], frame[:0], frame[20:]], "y")
    numbers = np.concatenate([each.numbers() for each in source.partitions()])
    assert numbers.tolist() == list(range(len(source)))
    assert len(source) == frame["y"].count()
    assert len(source.partitions()) == 2


def test_other_orders_of_columns_and_kinds_of_numbers(tmp_path):
    frame = table()
    other = frame[30:].select("y", "colour", "whole", "size").with_columns(pl.col("whole").cast(pl.Float32))
    source = induce.scan(written(tmp_path / "p", [frame[:30], other]), "y")
    assert rows_of(source).equals(expected(frame))


def test_a_column_that_is_absent_is_named(tmp_path):
    frame = table()
    folder = written(tmp_path / "p", [frame[:30], frame[30:].drop("size")])
    source = induce.scan(folder, "y")
    with pytest.raises(
        InputError, match=r"part-1.parquet' has no column 'size', which the previous files have"
    ):
        source.read()
    with pytest.raises(InputError, match=r"part-1.parquet' has no column 'colour'"):
        induce.scan(written(tmp_path / "q", [frame[:30], frame[30:].drop("colour")]), "y")


def test_a_class_that_was_not_there_is_named():
    frame = table()
    source = induce.scan([frame[:30], frame[30:]], "y")
    part = source.partitions()[1]
    late = frame[30:].with_columns(pl.lit("maybe").alias("y"))
    object.__setattr__(part, "part", type(part.part)(late, 1))
    with pytest.raises(InputError, match="partition 2 has the class 'maybe', which is not among those"):
        part.rows()


def test_files_that_change_or_go_are_named(tmp_path):
    frame = table()
    folder = written(tmp_path / "p", [frame[:30], frame[30:]])
    source = induce.scan(folder, "y")
    frame[:31].write_parquet(folder / "part-1.parquet")
    with pytest.raises(InputError, match=r"part-1.parquet' has changed since it was scanned; scan it again"):
        source.read()
    (folder / "part-1.parquet").unlink()
    with pytest.raises(InputError, match=r"part-1.parquet' no longer exists"):
        source.read()


def test_damaged_files_are_found_where_pages_have_checksums(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "rows.parquet"
    parquet.write_table(
        table(4000).to_arrow(), path, write_page_checksum=True, use_dictionary=False, compression="none"
    )
    assert len(induce.scan(path, "y", verify=True)) == 4000
    data = bytearray(path.read_bytes())
    data[2000] ^= 0x10
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"rows.parquet' is damaged"):
        induce.scan(path, "y", verify=True)
    table().write_parquet(path)
    with pytest.warns(Note, match="have no page checksums"):
        induce.scan(path, "y", verify=True)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("no/such/*.parquet", "no file matches"),
        ([], "the list of files or frames is empty"),
        ([table().drop("y")], "'y'"),
    ],
)
def test_bad_sources(source, said):
    with pytest.raises(InputError, match=said):
        induce.scan(source, "y")


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 500), st.integers(0, 10**12), st.floats(0.01, 1.0))
def test_samples_do_not_depend_on_where_a_partition_begins(n, first, share):
    whole = set((first + hashed_rows(first, n, share)).tolist())
    cut = n // 3
    parts = {
        *(first + hashed_rows(first, cut, share)),
        *(first + cut + hashed_rows(first + cut, n - cut, share)),
    }
    assert whole == parts


def test_a_sample_has_about_as_many_rows_as_asked_for():
    assert abs(len(sampled_rows(1_000_000)) - 250_000) < 2_000
    assert len(sampled_rows(1000)) == 1000
    assert len(set(row_hashes(0, 10_000).tolist())) == 10_000


def test_rows_held_out_and_the_others_are_all_rows():
    source = induce.scan(table(400), "y", rows=90)
    train, test = source.held_out(0.25)
    numbers = [np.concatenate([part.numbers() for part in each.partitions()]) for each in (train, test)]
    assert sorted(np.concatenate(numbers).tolist()) == list(range(400))
    assert 60 < len(numbers[1]) < 140
    with pytest.raises(InputError, match=r"the share held out is 1.5"):
        source.held_out(1.5)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (pl.Series("size", ["high"]), "strings"),
        (pl.Series("size", [True]), "truth values"),
        (pl.Series("size", ["2020-01-01"]).str.to_date(), "dates"),
        (pl.Series("size", [5]).cast(pl.Duration("ms")), "durations"),
    ],
)
def test_a_column_of_another_kind_is_named_with_both_files(tmp_path, cells, said):
    frame = table()
    later = frame[30:31].with_columns(cells)
    folder = written(tmp_path / "p", [frame[:30], later])
    with pytest.raises(
        InputError, match=rf"column 'size' holds numbers in .*0.parquet', but {said} in .*1.parq"
    ):
        induce.scan(folder, "y")
    with pytest.raises(InputError, match=rf"'size' holds numbers in partition 1, but {said} in partition 2"):
        induce.scan([frame[:30], later], "y")
    assert "size" not in induce.scan(folder, "y", ignore=["size"]).schema.inputs().names()


def test_a_cell_that_is_no_number_is_named_with_its_file(tmp_path):
    frame = table()
    folder = written(tmp_path / "p", [frame[:30], frame[30:31].with_columns(pl.lit("high").alias("size"))])
    source = induce.scan(folder, "y", numeric=["size"])
    with pytest.raises(
        InputError, match=r"part-1.parquet': column 'size' is numeric but holds 'high' in row 1"
    ):
        source.read()


def test_a_column_that_is_entirely_null_in_a_part():
    frame = table()
    for null in (pl.lit(None), pl.lit(None, dtype=pl.Float64)):
        halves = [frame[:30], frame[30:].with_columns(null.alias("size"))]
        for parts in (halves, halves[::-1]):
            source = induce.scan(parts, "y")
            assert source.schema["size"].kind == "numeric"
            assert len(source.read()) == 60


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (pl.Series("odd", [[1, 2]]), r"List\(Int64\)"),
        (pl.Series("odd", [{"a": 1}]), "Struct"),
        (pl.Series("odd", [b"a"]), "Binary"),
        (pl.Series("odd", [0]).cast(pl.Time), "Time"),
    ],
)
def test_cells_that_no_learner_can_use_are_named(tmp_path, cells, said):
    frame = table(1).with_columns(cells)
    folder = written(tmp_path / "p", [frame])
    with pytest.raises(
        InputError, match=rf"column 'odd' holds {said}.* cells, which no learner can use; ignore"
    ):
        induce.scan(folder, "y")
    assert len(induce.scan(folder, "y", ignore=["odd"])) == 1


def test_kinds_of_columns_as_others_have_them(tmp_path):
    rng, n = np.random.default_rng(0), 600
    days = rng.integers(0, 900, n)
    label = rng.choice(["não", "ja ✓"], n)
    frame = pl.DataFrame(
        {
            "when": pl.Series(days).cast(pl.Date),
            "moment": pl.Series(days * 86_400_000_123).cast(pl.Datetime("us")),
            "took": pl.Series(days * 1000).cast(pl.Duration("ms")),
            "flag": rng.random(n) < 0.4,
            "price": pl.Series(days).cast(pl.Decimal(10, 2)) / 100,
            "straße 名": rng.choice(["größe", "日本", " a b "], n),
            "zip": [f"v{k % 250}" for k in range(n)],
            "kind": pl.Series(rng.choice(["a", "b"], n), dtype=pl.Categorical),
            "huge": pl.Series(days).cast(pl.UInt64) + 2**63,
            "none": pl.Series([None] * n, dtype=pl.Float64),
            "y": pl.Series([None if k % 9 == 0 else str(value) for k, value in enumerate(label)]),
        }
    )
    folder = written(tmp_path / "p", [frame[:250], frame[250:]])
    with pytest.warns(Note, match="'huge' holds numbers that a float cannot hold"):
        source = induce.scan(folder, "y")
    X, y = induce.read(folder, "y", numeric=["huge"])
    assert len(source) == len(y)
    learner = induce.NaiveBayes(numeric="normal", schema={"huge": "numeric"})
    expected = learner.fit(X, y).hypothesis_
    with induce.using("serial"):
        found = learner.fit(source).hypothesis_
    assert found.schema == expected.schema
    np.testing.assert_allclose(found.log_joint(X), expected.log_joint(X), rtol=1e-9)
