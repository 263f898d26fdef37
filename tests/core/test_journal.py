"""Finished passes on disk: data that no one can turn into code, refused when damaged."""

import pickle
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl
import pytest

import induce
from induce.core import journal, pass_files
from induce.core.engines import each, total
from induce.core.errors import InputError, ModelFileError
from induce.core.notes import Note
from induce.core.pass_files import packed, unpacked
from induce.data import partitions  # noqa: F401 - it allows frames in passes

calls = []


def counted(number):
    calls.append(number)
    return np.arange(3) + number


def cut_short(folder, work):
    """Run some passes and stop before the end, so that the folder stays."""
    with suppress(ZeroDivisionError), induce.using("serial", resume=folder):
        work()
        _ = 1 / 0


@pytest.fixture
def folder(tmp_path):
    """A folder with one finished pass."""
    cut_short(tmp_path / "passes", lambda: total(counted, [1, 2, 3]))
    calls.clear()
    return tmp_path / "passes"


def resumed(folder, numbers=(1, 2, 3)):
    with induce.using("serial", resume=folder):
        return total(counted, list(numbers)).tolist()


def test_a_finished_pass_is_not_repeated(folder):
    with pytest.warns(Note, match="finished passes of an earlier run are read from"):
        assert resumed(folder) == [6, 9, 12]
    assert calls == []
    assert not folder.exists()


class Hostile:
    """What a pickle from somebody else can do."""

    def __reduce__(self):
        return calls.append, ("executed",)


def test_a_pickle_is_refused_and_not_executed(folder):
    (file,) = folder.glob("*.pass")
    file.write_bytes(pickle.dumps(Hostile()))
    with pytest.raises(
        ModelFileError, match=r"does not hold a finished pass .*; delete the folder '.*passes'"
    ):
        resumed(folder)
    assert calls == []


def test_an_array_of_objects_is_refused_and_not_executed(folder):
    (file,) = folder.glob("*.pass")
    array = np.empty(1, object)
    array[0] = Hostile()
    document = zipfile.ZipFile(file).read("model.json")
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("model.json", document)
        with archive.open("arrays/0.npy", "w") as stream:
            np.lib.format.write_array(stream, array, allow_pickle=True)
    with pytest.raises(ModelFileError, match="an array in it has an invalid header"):
        resumed(folder)
    assert calls == []


@pytest.mark.parametrize("length", [0, 1, 100, -1])
def test_a_truncated_file_is_refused(folder, length):
    (file,) = folder.glob("*.pass")
    file.write_bytes(file.read_bytes()[:length])
    with pytest.raises(ModelFileError, match=r"'.*\.pass' does not hold a finished pass \(it is not a file"):
        resumed(folder)


def test_flipped_bytes_are_refused_or_harmless(folder):
    (file,) = folder.glob("*.pass")
    whole, random = file.read_bytes(), np.random.default_rng(0)
    for place in random.integers(0, len(whole), 60).tolist():
        changed = bytearray(whole)
        changed[place] ^= int(random.integers(1, 256))
        with suppress(ModelFileError):
            assert unpacked(bytes(changed)).tolist() == [6, 9, 12]


def test_other_parts_and_another_version_are_learned_anew(folder, monkeypatch):
    assert resumed(folder, (1, 2)) == [3, 5, 7]
    assert calls == [1, 2]
    cut_short(folder, lambda: total(counted, [1, 2, 3]))
    calls.clear()
    monkeypatch.setattr(journal, "version", lambda package: "0.0.1")
    assert resumed(folder) == [6, 9, 12]
    assert calls == [1, 2, 3]


def test_a_file_of_another_format_is_refused(folder, monkeypatch):
    monkeypatch.setattr(pass_files, "FORMAT", 2)
    with pytest.raises(ModelFileError, match=r"it has format version 1, not 2\); delete the folder"):
        resumed(folder)


@dataclass
class Unlisted:
    """A class that no module has listed."""

    rows: int


def test_only_listed_classes_are_made():
    with pytest.raises(InputError, match="result 'pass' is an Unlisted"):
        packed(Unlisted(3))
    hostile = pass_files.pack({"pass": 1, "versions": {}, "result": {"value": "os:system", "fields": {}}}, [])
    with pytest.raises(ModelFileError, match="it holds a 'os:system', which this version of induce does not"):
        unpacked(hostile)
    learner = {"learner": "C45", "parameters": {}}
    with pytest.raises(ModelFileError, match="it holds a learner"):
        unpacked(pass_files.pack({"pass": 1, "versions": {}, "result": learner}, []))


def unlisted(number):
    return Unlisted(number)


def test_a_result_that_is_not_data_is_computed_again(tmp_path):
    with pytest.warns(Note, match="a finished pass cannot be stored, so it would be repeated after a stop"):
        cut_short(tmp_path / "passes", lambda: each(unlisted, [1, 2]))
    assert not list((tmp_path / "passes").glob("*.pass"))


def test_arguments_that_are_not_data(tmp_path):
    with pytest.warns(Note, match="its arguments are not data"):
        cut_short(tmp_path / "passes", lambda: each(lambda number: number, [1, 2]))


def test_universal_functions_are_described(tmp_path):
    kept = journal.Journal(tmp_path / "passes")
    keys = {kept.key(partial(counted, add=add)) for add in (np.maximum, np.minimum, np.add)}
    assert None not in keys
    assert len(keys) == 3


def test_frames_come_back_as_they_were():
    frame = pl.DataFrame(
        {
            "kind": pl.Series(["a", None, "ü"], dtype=pl.Enum(["ü", "a", "b"])),
            "when": pl.Series([1, 2, None]).cast(pl.Date),
            "x": [1.5, float("nan"), None],
            "told": ["", "é", None],
        }
    )
    again, labels = unpacked(packed((frame, np.array([1, 0, 2]))))
    assert again.equals(frame)
    assert again.schema == frame.schema
    assert labels.tolist() == [1, 0, 2]


def test_a_damaged_frame_is_refused():
    data = {"value": "polars.dataframe.frame:DataFrame", "fields": {"ipc": {"array": 0}}}
    document = {"pass": 1, "versions": {}, "result": data}
    with pytest.raises(ModelFileError, match="it is damaged"):
        unpacked(pass_files.pack(document, [np.arange(9, dtype=np.uint8)]))


def test_a_file_in_place_of_the_folder(tmp_path):
    (tmp_path / "passes").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"cannot be stored in '.*passes' \(.*\); name a folder"):
        resumed(tmp_path / "passes")
