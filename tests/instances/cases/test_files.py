"""Libraries and specifications as JSON files: the same after writing and reading, and refused in one sentence."""

import json

import pytest

from induce import InputError
from induce.instances.cases import function_graph, read_cases, read_specification

PIPE = {"name": "pipe", "structure": "a pipe", "function": ["Q1 -> + Q2"]}
SMALL = {"types": {"Q": "flow"}, "cases": [PIPE]}


@pytest.fixture
def file(tmp_path):
    def write(document):
        path = tmp_path / "cases.json"
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return path

    return write


def test_writing_and_reading_again(tmp_path):
    devices, path = read_cases("devices"), tmp_path / "mine.json"
    query = function_graph("handle -> + Q_1", {"handle": "C"})
    told = devices.feedback(query, "valve", useful=False).feedback(query, "oil valve", useful=True)
    told.write(path)
    again = read_cases(path)
    assert again == told
    assert [match.case.name for match in again.retrieve(query)] == ["oil valve"]


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    with pytest.raises(InputError, match="cannot write"):
        read_cases("devices").write(tmp_path / "no folder" / "mine.json")
    assert list(tmp_path.iterdir()) == []


def test_a_library_is_called_after_its_file(file):
    assert str(read_cases(file(SMALL))) == "cases: 1 cases; variables: Q flow"


def with_case(**changes):
    return SMALL | {"cases": [{key: value for key, value in (PIPE | changes).items() if value is not None}]}


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (json.dumps(SMALL)[:-20], "is not a complete JSON document .* it may be truncated"),
        ("", "is not a complete JSON document"),
        ("[" * 100_000, "cases.json'"),
        ([], "does not contain a JSON object"),
        ({"cases": []}, "has no 'types'"),
        ({"types": {"Q": "flow"}}, "has no 'cases'"),
        (SMALL | {"case": []}, "has the unknown key 'case'; use types, cases, format"),
        (SMALL | {"format": 2}, "has format 2; give a file in format 1"),
        (SMALL | {"types": ["Q"]}, "'types' in .* is not a JSON object"),
        (SMALL | {"cases": {"pipe": PIPE}}, "'cases' in .* is not a list"),
        (SMALL | {"cases": ["pipe"]}, "case 1 of .* is not a JSON object"),
        (SMALL | {"cases": [PIPE, PIPE]}, "two cases of 'cases' are called 'pipe'"),
        (with_case(structure=None), "case 'pipe' has no 'structure'; add it"),
        (with_case(function="Q1 -> + Q2"), "'function' in case 'pipe' is not a list of edges"),
        (with_case(function=["Q1 -> ? Q2"]), "case 'pipe': the edge 'Q1 -> \\? Q2' has the unknown sign"),
        (with_case(function=["Q1 -> + T2"]), "variable 'T2' of case 'pipe' has the unknown type 'T'"),
        (with_case(variables={"Q1": "Z"}), "variable 'Q1' of case 'pipe' has the unknown type 'Z'"),
        (with_case(properties="water"), "'properties' in case 'pipe' is not a JSON object"),
        (
            SMALL | {"feedback": [{"case": "tube", "useful": True, "function": ["Q1 -> + Q2"]}]},
            "there is no case 'tube'",
        ),
        (
            SMALL | {"feedback": [{"case": "pipe", "useful": "no", "function": ["Q1 -> + Q2"]}]},
            "'useful' in feedback 1 of .* is 'no'; give true or false",
        ),
    ],
)
def test_refused(file, document, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        read_cases(file(document))
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(
        InputError, match=r"there is no file 'nowhere\.json'; give a JSON file, or the included library"
    ):
        read_cases("nowhere.json")
    with pytest.raises(InputError, match="or the included specification: faucet"):
        read_specification("nowhere")
    with pytest.raises(InputError, match="cannot read"):
        read_cases(tmp_path)
    (tmp_path / "latin").write_bytes(b'{"types": "\xe9"}')
    with pytest.raises(InputError, match="is not UTF-8 text"):
        read_cases(tmp_path / "latin")


def test_specifications(file):
    assert read_specification("C_f -> + Q_m") == function_graph("C_f -> + Q_m")
    path = file({"function": ["tap -> + Q_m"], "variables": {"tap": "C"}, "remark": "mine"})
    assert read_specification(path).type_of == {"tap": "C", "Q_m": "Q"}
    assert read_specification(str(path)) == read_specification(path)


def test_the_faucet_says_that_it_is_a_reconstruction():
    from induce.instances.cases.files import SHIPPED

    document = json.loads((SHIPPED / "specification" / "faucet.json").read_text(encoding="utf-8"))
    assert "reconstruction" in document["remark"]
