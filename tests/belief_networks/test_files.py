"""Files of networks: any name and value survives, and what is wrong is said with its place."""

import contextlib
import gzip

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from induce import InputError
from induce.belief_networks import BeliefNetwork, ConditionalTable
from induce.belief_networks.files.bif import read_bif, write_bif
from induce.belief_networks.files.xdsl import read_xdsl, write_xdsl
from induce.belief_networks.files.xmlbif import read_xmlbif, write_xmlbif
from induce.belief_networks.library import textbook_network, textbook_networks
from induce.core.notes import Note
from induce.data.schema import Column, Schema

from .conftest import random_network

FORMATS = {
    "bif": (write_bif, read_bif),
    "xmlbif": (write_xmlbif, lambda text: read_xmlbif(text.encode())),
    "xdsl": (write_xdsl, lambda text: read_xdsl(text.encode())),
}
TEXT = st.text(st.characters(blacklist_categories=("Cs",)), max_size=6)
VALUE = st.one_of(TEXT, st.booleans(), st.integers(-5, 5), st.sampled_from([0.5, 1.5]))


@given(
    st.lists(TEXT.filter(bool), min_size=3, max_size=3, unique=True),
    st.lists(VALUE, min_size=2, max_size=4, unique_by=lambda value: (value, str(value))),
    st.sampled_from(sorted(FORMATS)),
)
@settings(max_examples=25, deadline=None)
def test_any_name_and_any_value_survives(names, values, kind):
    values = tuple(dict.fromkeys(values))
    columns = tuple(Column(name, "nominal", values) for name in names)
    n, rng = len(values), np.random.default_rng(0)
    tables = [rng.dirichlet(np.ones(n), shape) for shape in ((), n, (n, n))]
    written = BeliefNetwork(Schema(columns), ((), (0,), (1, 0)), tuple(map(ConditionalTable, tables)))
    write, read = FORMATS[kind]
    again = read(write(written))
    assert again == written
    order = [again.nodes.index(name) for name in names]
    assert [again.column(name) for name in names] == list(columns)
    assert [type(v) for v in again.column(names[0]).domain] == [type(v) for v in values]
    for old, new in enumerate(order):
        assert [again.nodes[k] for k in again.parents[new]] == [names[k] for k in written.parents[old]]
        assert np.array_equal(again.conditionals[new].table(()), tables[old])


@pytest.mark.parametrize("kind", sorted(FORMATS))
@pytest.mark.parametrize("name", [name for name in textbook_networks() if name != "crop"])
def test_the_networks_that_are_shipped(kind, name, tmp_path):
    written = textbook_network(name)
    for path in (tmp_path / f"n.{kind}", tmp_path / f"n.{kind}.gz"):
        written.write(path)
        again = BeliefNetwork.read(path)
        assert again.query(written.nodes[-1]) == written.query(written.nodes[-1])
        if all(isinstance(conditional, ConditionalTable) for conditional in written.conditionals):
            assert again == written
        assert set(again.graph.arcs) == set(written.graph.arcs)
    with pytest.raises(InputError, match="node 'Harvest' is numeric, which this format does not support"):
        textbook_network("crop").write(tmp_path / f"crop.{kind}")


def test_values_that_need_no_quotes_in_the_repositories():
    found = read_bif(
        "network unknown {\n}\nvariable XRay {\n  type discrete [ 3 ] { Asy/Patch, <5, 12+ };\n}\n"
        "probability ( XRay ) {\n  table 0.2, 0.3, 0.5;\n}\n"
    )
    assert found.query("XRay")["Asy/Patch"] == 0.2
    assert "Asy/Patch" in write_bif(found)
    assert '"' not in write_bif(found)


def test_what_else_bif_knows():
    found = read_bif("""
    // a comment
    network "two dogs" { property author "me; you"; }
    variable "family-out" { type discrete[2] { "true" "false" }; property position = (1, 2); }
    variable dog { type discrete[2] { yes, no }; }
    /* another */
    probability ( "family-out" ) { table 0.15 0.85; }
    probability ( dog "family-out" ) { property made by hand; default 0.5 0.5; ("false") 0.25, 0.75; }
    """)
    assert found.name == "two dogs"
    assert found.query("dog", {"family-out": "true"})["yes"] == 0.5
    assert found.query("dog", {"family-out": "false"})["yes"] == 0.25
    slow = read_bif("""
    variable a { type discrete [2] { x, y }; }
    variable b { type discrete [2] { x, y }; }
    probability ( a ) { table 0.5, 0.5; }
    probability ( b | a ) { table 0.1, 0.2, 0.9, 0.8; }
    """)
    assert slow.query("b", {"a": "y"})["x"] == 0.2


START = "variable a {\n  type discrete [ 2 ] { x, y };\n}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: the file declares no variables"),
        ("vraiable a", "line 1, column 1: 'vraiable' is not 'network', 'variable' or 'probability'"),
        (
            "variable a {\n  type discrete [ 2 ] { x, x };\n}",
            "line 2, column 28: variable 'a' has the value",
        ),
        ("variable a {\n  type real;\n}", "line 2, column 8: variable 'a' has the type 'real'"),
        ("variable a {\n}", "variable 'a' has no type"),
        (START + START, "line 4, column 10: variable 'a' is declared twice"),
        (START + "probability ( b ) {\n}", "line 4, column 15: there is no variable 'b'"),
        (START + "probability ( a ) {\n  table 0.5, half;\n}", "line 5, column 14: 'half' is not a number"),
        (
            START + "probability ( a ) {\n  table 0.5;\n}",
            "line 5, column 3: the table of 'a' has 1 entries; 2",
        ),
        (START + "probability ( a ) {\n  table 0.5, 0.4;\n}", "the row of 'a' sums to 0.9"),
        (
            START + "probability ( a ) {\n  table 0.5, 0.5\n}",
            "line 5, column 9: '0.5' is not a row of numbers",
        ),
        (START + "probability ( a ) {\n}", "line 4, column 15: 'a' has no table"),
        (START + "probability ( a | a ) { table 0.5, 0.5; }", "'a' names a parent twice"),
        (START, "node 'a' has no probabilities"),
    ],
)
def test_bad_bif(text, message):
    with pytest.raises(InputError, match=message):
        read_bif(text)


def test_bad_rows_of_bif():
    two = START + START.replace(" a ", " b ")
    with pytest.raises(InputError, match=r"line 8, column 4: there is no value of 'a' 'z'; there are x, y"):
        read_bif(two + "probability ( b | a ) {\n  (z) 0.5, 0.5;\n}")
    with pytest.raises(InputError, match=r"the table of 'b' lacks the row \(y\)"):
        read_bif(two + "probability ( b | a ) {\n  (x) 0.5, 0.5;\n}")
    with pytest.raises(InputError, match="cycle"):
        read_bif(
            two + "probability ( b | a ) { default 0.5, 0.5; }\nprobability ( a | b ) { default 0.5, 0.5; }"
        )


def test_rounded_probabilities_are_scaled():
    with pytest.warns(Note, match="did not sum to 1 and were normalised: a"):
        found = read_bif(START + "probability ( a ) { table 0.33, 0.66; }")
    assert found.query("a")["x"] == pytest.approx(1 / 3)


BOMB = b"""<?xml version="1.0"?><!DOCTYPE BIF [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<BIF><NETWORK><NAME>&b;</NAME></NETWORK></BIF>"""


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (BOMB, "line 1, column .*: the file declares an entity, which is not allowed"),
        (
            b'<!DOCTYPE BIF SYSTEM "file:///etc/passwd" [<!ENTITY x SYSTEM "file:///etc/passwd">]><BIF/>',
            "entity",
        ),
        (b"<BIF><NETWORK>&x;</NETWORK></BIF>", "line 1, column 15: undefined entity"),
        (b"<a>" * 100 + b"</a>" * 100, "are nested more than 64 levels deep"),
        (b"<BIF><NETWORK></BIF>", "line 1, column 17: mismatched tag"),
        (b"<smile/>", "the root element is 'smile'"),
        (b"<BIF/>", "the root element is 'BIF'"),
        (b"<BIF><NETWORK><DEFINITION><FOR>x</FOR></DEFINITION></NETWORK></BIF>", "there is no variable 'x'"),
    ],
)
def test_hostile_and_broken_xml(document, message, tmp_path):
    (tmp_path / "n.xmlbif").write_bytes(document)
    with pytest.raises(InputError, match=message):
        BeliefNetwork.read(tmp_path / "n.xmlbif")
    with pytest.raises(InputError):
        read_xdsl(document)


def test_a_document_type_without_entities_is_welcome():
    """XMLBIF files carry their document type."""
    found = read_xmlbif(b"""<?xml version="1.0"?>
    <!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> <!ATTLIST BIF VERSION CDATA #REQUIRED> ]>
    <BIF VERSION="0.3"><NETWORK><NAME>dog</NAME>
    <VARIABLE TYPE="nature"><NAME>out</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
    <DEFINITION><FOR>out</FOR><TABLE>0.15 0.85</TABLE></DEFINITION></NETWORK></BIF>""")
    assert found.query("out")["yes"] == 0.15


def test_nodes_of_xdsl():
    found = read_xdsl(b"""<smile version="1.0" id="x"><nodes>
    <cpt id="a"><state id="s0"/><state id="s1"/><probabilities>0.25 0.75</probabilities></cpt>
    <deterministic id="b"><state id="s0"/><state id="s1"/><parents>a</parents>
    <resultingstates>s1 s0</resultingstates></deterministic></nodes></smile>""")
    assert found.query("b")["s1"] == 0.25
    with pytest.raises(InputError, match="node 'd' has the type decision; only cpt"):
        read_xdsl(b'<smile><nodes><decision id="d"/></nodes></smile>')


def test_bad_paths(tmp_path, fire):
    with pytest.raises(InputError, match=r"has no known extension; use \.bif, \.xmlbif"):
        fire.write(tmp_path / "n.txt")
    with pytest.raises(InputError, match="cannot read"):
        BeliefNetwork.read(tmp_path / "absent.bif")
    (tmp_path / "n.bif.gz").write_bytes(b"no gzip")
    with pytest.raises(InputError, match="cannot read"):
        BeliefNetwork.read(tmp_path / "n.bif.gz")
    (tmp_path / "cut.bif.gz").write_bytes(gzip.compress(write_bif(fire).encode())[:-20])
    with pytest.raises(InputError, match="cannot read"):
        BeliefNetwork.read(tmp_path / "cut.bif.gz")


@given(st.integers(0, 10**6), st.integers(0, 400), st.sampled_from(list(' {}();,|"xé\n0')))
@settings(max_examples=25, deadline=None)
@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_a_damaged_file_is_read_or_refused_in_words(seed, place, letter):
    text = write_bif(random_network(seed, nodes=3, zeros=False))
    place %= len(text)
    with contextlib.suppress(InputError):
        read_bif(text[:place] + letter + text[place + 1 :])
