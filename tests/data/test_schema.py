"""Columns with hierarchies of values: how they are told, kept, saved and refused."""

import json

import polars as pl
import pytest

import induce
from induce.core import registry
from induce.core.codec import Decoder, Encoder
from induce.core.errors import InputError
from induce.data.reading import read
from induce.data.schema import Column, Schema

SHAPES = ("circle", "ellipse", "square", "triangle")
GROUPS = {"round": ["circle", "ellipse"], "polygon": ["square", "triangle"]}
KEPT = (("round", ("circle", "ellipse")), ("polygon", ("square", "triangle")))


def test_a_taxonomy_is_told_in_a_dict_and_kept_in_tuples():
    schema = Schema((Column("shape", "nominal", SHAPES),)).override({"shape": {"taxonomy": GROUPS}})
    assert schema["shape"].taxonomy == KEPT
    assert schema["shape"].groups() == dict(KEPT)
    assert hash(schema["shape"]) == hash(Column("shape", "nominal", SHAPES, taxonomy=KEPT))
    assert (
        Schema((Column("shape", "text"),)).override({"shape": {"taxonomy": GROUPS}})["shape"].kind
        == "nominal"
    )
    assert schema.override({"shape": {"taxonomy": ()}})["shape"].taxonomy == ()


@pytest.mark.parametrize("suffix", [".json", ".toml"])
def test_schema_files(tmp_path, suffix):
    said = {
        "shape": {"domain": list(SHAPES), "taxonomy": GROUPS},
        "size": {"domain": [1, 2, 3], "taxonomy": {"few": [1, 2]}},
    }
    text = json.dumps(said)
    if suffix == ".toml":
        text = (
            f"[shape]\ndomain = {list(SHAPES)}\n[shape.taxonomy]\nround = ['circle', 'ellipse']\n"
            "polygon = ['square', 'triangle']\n[size]\ndomain = [1, 2, 3]\ntaxonomy = {few = [1, 2]}\n"
        )
    (tmp_path / f"schema{suffix}").write_text(text, encoding="utf-8")
    table = pl.DataFrame({"shape": ["circle", "square"], "size": [1, 3], "y": ["a", "b"]})
    data = read(table, "y", schema=tmp_path / f"schema{suffix}")
    assert data.schema["shape"].taxonomy == KEPT
    # values are text in a table that was read, and so they are in the groups
    assert data.schema["size"].domain == ("1", "2", "3")
    assert data.schema["size"].taxonomy == (("few", ("1", "2")),)
    assert read(table, "y", schema=data.schema).schema == data.schema


def test_a_taxonomy_survives_a_model_file_and_an_old_file_has_none(tmp_path):
    column = Column("shape", "nominal", SHAPES, taxonomy=KEPT)
    document = Encoder("field", "leave it out", []).encode(column, "column")
    assert Decoder([].__getitem__).decode(json.loads(json.dumps(document))) == column
    del document["fields"]["taxonomy"]
    assert Decoder([].__getitem__).decode(document) == Column("shape", "nominal", SHAPES)
    assert "Column" in registry.VALUES
    frame = pl.DataFrame({"shape": ["circle", "ellipse", "square"]})
    schema = {"shape": {"domain": SHAPES, "taxonomy": GROUPS}}
    tree = induce.ID3(schema=schema).fit(frame, ["+", "+", "-"])
    induce.save(tree, tmp_path / "tree.induce")
    assert induce.load(tmp_path / "tree.induce").hypothesis_.schema["shape"].taxonomy == KEPT


@pytest.mark.parametrize(
    ("taxonomy", "words"),
    [
        ({"round": ["circle", "sphere"]}, "names 'sphere', which is neither a value nor a group"),
        ({"a": ["circle"], "b": ["circle"]}, "puts 'circle' into two groups"),
        ({"a": ["b"], "b": ["a"]}, "puts 'a' into itself"),
        ({"a": ["a", "circle"]}, "puts 'a' into itself"),
        ({"a": "circle"}, "gives 'circle' for 'a'; give the list of its members"),
        ({"a": []}, "gives 'a' no members"),
        ({"circle": ["square"]}, "has a group 'circle', which is also a value"),
        ({"a": [["circle"]]}, "give the members of each group by its name"),
        ({1: ["circle"]}, "give the members of each group by its name"),
        (["circle"], "give a dict from the name of each group"),
        ("round", "give a dict from the name of each group"),
    ],
)
def test_taxonomies_that_are_none(taxonomy, words):
    with pytest.raises(InputError, match=words) as caught:
        Schema((Column("shape", "nominal", SHAPES),)).override({"shape": {"taxonomy": taxonomy}})
    assert "'shape'" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_which_columns_can_have_one():
    with pytest.raises(InputError, match="column 'size' has a taxonomy but is ordered"):
        Column("size", "nominal", ("s", "m", "l"), ordered=True, taxonomy=(("small", ("s", "m")),))
    with pytest.raises(InputError, match="column 'size' has a taxonomy but is numeric"):
        Column("size", taxonomy=(("small", ("s", "m")),))
    # before the domain is known its values cannot be checked
    assert Column("size", "nominal", taxonomy=(("small", ("s", "m")),)).domain == ()
