"""Tables in an object store: the same rows and hypotheses as from files, and errors that name the address."""

import io

import polars as pl
import pytest

import induce
from induce.core.errors import InputError
from induce.data.object_stores import is_address, shown
from tests.data.object_store import served
from tests.data.test_scanning import expected, rows_of, table

pytestmark = pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
FRAME = table(400)


def parquet(frame):
    stream = io.BytesIO()
    frame.write_parquet(stream)
    return stream.getvalue()


@pytest.fixture
def buckets():
    return {
        "shop": {
            "visits/part-0.parquet": parquet(FRAME[:150]),
            "visits/part-1.parquet": parquet(FRAME[150:]),
            "visits/readme.txt": b"not a table",
            "other/part-0.parquet": parquet(FRAME[:9]),
        }
    }


@pytest.fixture
def options(buckets):
    with served(buckets) as found:
        yield found


@pytest.mark.parametrize(
    "address",
    [
        "s3://shop/visits/*.parquet",
        "s3://shop/visits/",
        "s3://shop/visits",
        "s3://shop/v*/part-*.parquet",
        ["s3://shop/visits/part-0.parquet", "s3://shop/visits/part-1.parquet"],
    ],
)
def test_addresses_give_the_same_rows_as_files(options, address):
    source = induce.scan(address, "y", storage_options=options)
    assert [part.path for part in source.parts] == [f"s3://shop/visits/part-{k}.parquet" for k in (0, 1)]
    assert rows_of(source).equals(expected(FRAME))


def test_objects_are_split_into_partitions(options):
    source = induce.scan("s3://shop/visits/part-1.parquet", "y", rows=100, storage_options=options)
    assert [part.n_rows for part in source.parts] == [84, 84, 82]
    assert rows_of(source).equals(expected(FRAME[150:]))


@pytest.mark.parametrize(
    "learner",
    [induce.NaiveBayes(), induce.DecisionTreeClassifier(bins=20)],
    ids=lambda each: type(each).__name__,
)
def test_learners_find_the_hypothesis_of_memory(options, learner):
    source = induce.scan("s3://shop/visits/*.parquet", "y", storage_options=options)
    here = induce.scan([FRAME[:150], FRAME[150:]], "y")
    with induce.using("threads:2"):
        assert learner.fit(source).hypothesis_ == learner.fit(here).hypothesis_


def test_secrets_are_not_shown(options):
    source = induce.scan("s3://shop/visits/*.parquet", "y", storage_options=options)
    assert "secret" not in repr(source.parts) + repr(source)
    assert "secret" not in repr([part.identity() for part in source.partitions()])


@pytest.mark.parametrize(
    ("address", "changed", "said"),
    [
        ("s3://shop/none/*.parquet", {}, "no Parquet file with rows matches 's3://shop/none/*.parquet'"),
        ("s3://shop/none.parquet", {}, "'s3://shop/none.parquet' cannot be read: there is no such object"),
        ("s3://gone/*.parquet", {}, "'s3://gone/*.parquet' cannot be read: the bucket does not exist"),
        ("s3://gone/a.parquet", {}, "'s3://gone/a.parquet' cannot be read: the bucket does not exist"),
        (
            "s3://shop/visits/*.parquet",
            {"aws_access_key_id": "stranger"},
            "'s3://shop/visits/*.parquet' cannot be read: access was denied, or there are no credentials; give them",
        ),
        (
            "s3://shop/visits/*.parquet",
            {"aws_endpoint_url": "http://127.0.0.1:1"},
            "'s3://shop/visits/*.parquet' cannot be read: the server does not answer",
        ),
        ("s3://shop/visits/readme.txt", {}, "'s3://shop/visits/readme.txt' is not Parquet, and other files"),
        (
            "s3://shop/visits",
            {"nonsense": 1},
            "storage_options are not understood (invalid value for 'nonsense'",
        ),
    ],
)
def test_errors_name_the_address(options, address, changed, said):
    with pytest.raises(InputError) as caught:
        induce.scan(address, "y", storage_options=options | changed)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_object_that_changes_or_goes_is_named(options, buckets):
    source = induce.scan("s3://shop/visits/*.parquet", "y", storage_options=options)
    buckets["shop"]["visits/part-1.parquet"] = parquet(FRAME[:20])
    with pytest.raises(
        InputError, match=r"'s3://shop/visits/part-1.parquet' has changed since it was scanned"
    ):
        source.read()
    del buckets["shop"]["visits/part-1.parquet"]
    with pytest.raises(InputError, match=r"'s3://shop/visits/part-1.parquet' no longer exists; restore it"):
        source.read()
    buckets["shop"]["visits/part-1.parquet"] = b"PAR1 and no more"
    with pytest.raises(InputError, match=r"'s3://shop/visits/part-1.parquet' cannot be read as Parquet"):
        source.read()


def test_a_server_that_goes_between_passes(buckets):
    with served(buckets) as options:
        source = induce.scan("s3://shop/visits/*.parquet", "y", storage_options=options)
    with pytest.raises(InputError, match=r"part-0.parquet' cannot be read: the server does not answer"):
        source.read()


def test_options_are_for_addresses(tmp_path):
    FRAME.write_parquet(tmp_path / "a.parquet")
    with pytest.raises(InputError, match="storage_options are for an address in an object store"):
        induce.scan(tmp_path / "a.parquet", "y", storage_options={"aws_region": "us-east-1"})
    with pytest.raises(
        InputError, match=r"'sqlite://…' is not a file or an object store; for a database give"
    ):
        induce.scan("sqlite:///shop.db", "y")


def test_reading_by_environment_variables(options, monkeypatch):
    for name, value in options.items():
        monkeypatch.setenv(name.upper(), str(value))
    X, y = induce.read("s3://shop/visits/*.parquet", "y")
    assert X.equals(induce.read(FRAME, "y").X)
    assert y.to_list() == FRAME["y"].to_list()


def test_what_is_an_address():
    assert is_address("S3://shop/a.parquet")
    assert not is_address(pl.DataFrame())
    assert not is_address("postgresql://host/shop")
    assert shown("https://me:word@host/a.parquet") == "'https://host/a.parquet'"
