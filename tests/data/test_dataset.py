import polars as pl
import pytest

from induce.data.catalogue import dataset
from induce.data.dataset import Dataset
from induce.data.reading import read


def test_a_dataset_unpacks_counts_and_prints():
    data = dataset("enjoy-sport")
    X, y = data
    assert len(data) == X.height == len(y) == 4
    assert repr(data).splitlines()[:3] == [
        "enjoy-sport: 4 rows, 8 columns, target 'EnjoySport'",
        "  id: nominal (id)",
        "  Sky: nominal {Sunny, Cloudy, Rainy}",
    ]
    assert "<table" in data._repr_html_()
    assert "table 2.1" in data._repr_html_()


def test_the_domain_survives_a_split():
    X, _ = dataset("enjoy-sport")
    assert X[:1]["Sky"].dtype == pl.Enum(["Sunny", "Cloudy", "Rainy"])


def test_the_schema_of_x_leaves_out_target_and_what_is_set_aside():
    data = dataset("play-tennis")
    assert data.input_schema.names() == tuple(data.X.columns)
    assert data.schema["PlayTennis"].role == "target"


def test_without_target_and_frozen():
    data = read(pl.DataFrame({"a": [1, 2]}))
    assert data.y is None
    assert "no target" in repr(data)
    assert isinstance(data, Dataset)
    with pytest.raises(AttributeError):
        data.target = "a"


def test_names_are_escaped_in_html():
    assert "<script>" not in read(pl.DataFrame({"a": [1]}), name="<script>")._repr_html_()
