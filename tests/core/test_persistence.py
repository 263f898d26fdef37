"""Model files: what they hold, what they refuse, and how they age."""

from __future__ import annotations

import functools
import io
import json
import math
import os
import stat
import subprocess
import sys
import zipfile
from collections import namedtuple
from dataclasses import dataclass, field, is_dataclass
from pathlib import Path
from typing import Any

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import induce.core.archive as archive
import induce.core.files as files
import induce.core.persistence as persistence
from induce.core import registry
from induce.core.archive import Archive, pack
from induce.core.codec import MAX_DEPTH, Decoder, Encoder
from induce.core.errors import InputError, ModelFileError
from induce.core.files import write_whole
from induce.core.hypothesis import Hypothesis
from induce.core.persistence import load, load_hypothesis, save
from induce.data.schema import Column, Schema


@dataclass(frozen=True)
class Threshold(Hypothesis):
    at: float
    schema: Schema
    counts: Any = None
    note: Any = ""
    doubled: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "doubled", 2 * self.at)

    def check(self) -> None:
        if self.at < 0:
            raise InputError("the threshold is negative")


@dataclass(frozen=True)
class Unregistered:
    at: int = 0


class Stump:
    """The part of an estimator that persistence sees."""

    def __init__(self, criterion: Any = "gain", class_weight: Any = None) -> None:
        self.criterion = criterion
        self.class_weight = class_weight

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        assert not deep
        return {"criterion": self.criterion, "class_weight": self.class_weight}

    def fit(self, at: float) -> Stump:
        self._restore(Threshold(at, SCHEMA), None)
        return self

    def _restore(self, hypothesis: Threshold, state: dict[str, Any] | None) -> None:
        self.hypothesis_ = hypothesis
        self.state_ = state


class Resumable(Stump):
    def _resumable_state(self) -> dict[str, Any]:
        return {"seen": 3, "sums": np.array([1.0, 2.0])}


SCHEMA = Schema((Column("wind", "nominal", ("weak", "strong")), Column("humidity")))


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.VALUES, "Threshold", registry.target_of(Threshold))
    monkeypatch.setitem(registry.ESTIMATORS, "Stump", registry.target_of(Stump))
    monkeypatch.setitem(registry.ESTIMATORS, "Resumable", registry.target_of(Resumable))


def parts_of(path: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    with zipfile.ZipFile(path) as opened:
        members = {name: opened.read(name) for name in opened.namelist()}
    return json.loads(members.pop("model.json")), members


def rewrite(path: Path, document: Any, members: dict[str, bytes]) -> None:
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in {"model.json": text, **members}.items():
            opened.writestr(name, data)


def through_a_file(value: Any) -> Any:
    arrays: list[Any] = []
    encoded = Encoder("field", "leave it out", arrays).encode(value, "value")
    with Archive(io.BytesIO(pack(encoded, arrays))) as opened:
        decoded = Decoder(opened.array).decode(opened.document())
        opened.check_all_read()
        return decoded


def same(left: Any, right: Any) -> bool:
    if isinstance(left, np.ndarray):
        return bool(
            type(right) is np.ndarray
            and left.dtype.newbyteorder("=") == right.dtype
            and left.shape == right.shape
            and right.flags.c_contiguous
            and right.flags.writeable
            and np.ascontiguousarray(left.astype(right.dtype)).tobytes() == right.tobytes()
        )
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return repr(left) == repr(right)
    if isinstance(left, (tuple, list)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if is_dataclass(left):
        return same(vars(left), vars(right))
    return bool(left == right)


arrays_of_numbers = hnp.arrays(
    dtype=st.sampled_from(["?", "i1", "<i4", ">i4", "i8", "u1", "u2", "u8", "f2", "f4", ">f4", "f8"]),
    shape=hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
    elements={"allow_nan": True},
)
laid_out = st.one_of(
    arrays_of_numbers,
    arrays_of_numbers.map(np.asfortranarray),
    arrays_of_numbers.map(np.transpose),
    arrays_of_numbers.filter(lambda array: array.ndim > 0).map(lambda array: array[::-2]),
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=-(2**300), max_value=2**300),
    st.floats(),
    st.text(alphabet=st.characters()),
)
columns = st.builds(Column, st.text(), cost=st.floats(min_value=0, allow_infinity=False))
values = st.recursive(
    st.one_of(scalars, laid_out, columns),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(st.text(max_size=6), inner, max_size=4),
        st.builds(Threshold, st.floats(min_value=0), st.just(SCHEMA), inner, inner),
    ),
    max_leaves=12,
)


@settings(database=None)
@given(values)
def test_a_round_trip_is_the_identity(value: Any) -> None:
    assert same(value, through_a_file(value))


@pytest.mark.parametrize(
    "value",
    [
        (),
        [],
        {},
        -0.0,
        math.nan,
        -math.inf,
        5e-324,
        2**63,
        -(2**63),
        -(2**63) - 1,
        10**5000,
        "\x00 \ud800 é 漢 \U0001f600",
        {"list": [1], "dict": {}, "array": 0, "value": "Column", "fields": {}, "int": "0x1", "float": "nan"},
        np.zeros((0, 3)),
        np.array(1.5),
        np.array([True, False]),
        np.arange(12, dtype=np.float32).reshape(3, 4)[::2, ::-1],
    ],
    ids=lambda value: type(value).__name__,
)
def test_awkward_values_come_back_as_they_were(value: Any) -> None:
    assert same(value, through_a_file(value))


def test_numpy_scalars_become_plain() -> None:
    value = (np.float32(0.5), np.int64(-3), np.bool_(True), np.str_("yes"), np.float64("nan"))
    assert same((0.5, -3, True, "yes", math.nan), through_a_file(value))


def test_memory_mapped_arrays_are_arrays(tmp_path: Path) -> None:
    mapped = np.memmap(tmp_path / "numbers", dtype=np.int32, mode="w+", shape=(3,))
    mapped[:] = 7
    assert same(np.full(3, 7, dtype=np.int32), through_a_file(mapped))


def nested(depth: int) -> Any:
    return functools.reduce(lambda inner, _: [inner], range(depth), math.inf)


def test_values_nest_up_to_the_limit() -> None:
    assert same(nested(MAX_DEPTH), through_a_file(nested(MAX_DEPTH)))
    with pytest.raises(InputError, match="nests more than 100 values deep"):
        through_a_file(nested(MAX_DEPTH + 1))
    cycle: list[Any] = []
    cycle.append(cycle)
    with pytest.raises(InputError, match="nests more than 100 values deep"):
        through_a_file(cycle)


@pytest.mark.parametrize(
    ("value", "trouble"),
    [
        (len, "is a function"),
        (lambda: 0, "is a function"),
        (functools.partial(max, 1), "is a function"),
        (np.add, "is a function"),
        (int, "is a class"),
        ({1, 2}, "is a set"),
        (object(), "is an object"),
        (1j, "is a complex"),
        (b"yes", "is a bytes"),
        (namedtuple("Point", "x")(1), "is a Point"),
        (Unregistered(), "is an Unregistered"),
        ({(3,): 1}, "has a tuple as a key"),
        (np.array(["a"]), "is an array of <U1"),
        (np.array([None]), "is an array of object"),
        (np.array([1j]), "is an array of complex128"),
        (np.ma.array([1.0]), "is a MaskedArray"),
        (np.datetime64("2020-01-01"), "is a datetime64"),
        (np.random.default_rng(0), "is a Generator"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_not_data_is_refused_by_name(value: Any, trouble: str, tmp_path: Path) -> None:
    file = tmp_path / "model.induce"
    with pytest.raises(
        InputError, match=f"^parameter 'criterion' {trouble}, which a model file cannot hold; "
    ):
        save(Stump(criterion=value).fit(1.0), file)
    inside = ({"strong": [0.5, value]},)
    with pytest.raises(InputError, match=rf"^field 'Threshold.note\[0\]\[strong\]\[1\]' {trouble}, which"):
        save(Threshold(1.0, SCHEMA, note=inside), file)
    assert list(tmp_path.iterdir()) == []


def test_long_doubles_are_refused() -> None:
    wide = np.array([1], dtype=np.longdouble)
    if wide.itemsize > 8:
        with pytest.raises(InputError, match="is an array of float"):
            through_a_file(wide)
        with pytest.raises(InputError, match="is a longdouble"):
            through_a_file(wide[0])


def test_a_hypothesis_is_saved_and_loaded(tmp_path: Path) -> None:
    file = tmp_path / "model.induce"
    hypothesis = Threshold(0.5, SCHEMA, counts=np.array([[3, 1], [0, 2]]), note=("a", 1))
    save(hypothesis, file)
    for found in (load(file), load(str(file)), load_hypothesis(file)):
        assert same(hypothesis, found)
        assert found.doubled == 1.0


def test_the_file_is_a_zip_of_json_and_arrays(tmp_path: Path) -> None:
    save(Resumable(class_weight={"no": 2.0}).fit(0.5), tmp_path / "model.induce")
    document, members = parts_of(tmp_path / "model.induce")
    assert document["format"] == persistence.FORMAT == 1
    assert document["kind"] == "estimator"
    assert document["class"] == "Resumable"
    assert document["parameters"] == {"class_weight": {"dict": {"no": 2.0}}, "criterion": "gain"}
    assert document["state"] == {"dict": {"seen": 3, "sums": {"array": 0}}}
    assert document["versions"].keys() == {"induce", "numpy", "python"}
    assert document["versions"]["numpy"] == np.__version__
    assert list(members) == ["arrays/0.npy"]
    loaded = np.load(io.BytesIO(members["arrays/0.npy"]), allow_pickle=False)
    assert loaded.tolist() == [1.0, 2.0]


def test_the_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        save(Threshold(0.5, SCHEMA, counts=np.arange(5)), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    with zipfile.ZipFile(tmp_path / "a") as opened:
        assert {info.date_time for info in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_an_estimator_is_saved_and_loaded(tmp_path: Path) -> None:
    file = tmp_path / "model.induce"
    save(Stump("gini", {"no": 2.0}).fit(0.5), file)
    found = load(file)
    assert type(found) is Stump
    assert (found.criterion, found.class_weight) == ("gini", {"no": 2.0})
    assert same(Threshold(0.5, SCHEMA), found.hypothesis_)
    assert found.state_ is None


def test_resumable_state_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "model.induce"
    save(Resumable().fit(0.5), file)
    assert same({"seen": 3, "sums": np.array([1.0, 2.0])}, load(file).state_)


def test_only_the_hypothesis_is_loaded_without_the_learner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "model.induce"
    save(Resumable().fit(0.5), file)
    monkeypatch.setitem(registry.ESTIMATORS, "Resumable", "no_such_module:Resumable")
    assert same(Threshold(0.5, SCHEMA), load_hypothesis(file))
    with pytest.raises(ModelFileError, match="it needs a module that is missing"):
        load(file)


def test_persistence_is_light_to_import() -> None:
    code = (
        "import sys, induce.core.persistence; "
        "print({'sklearn', 'numba', 'polars', 'matplotlib', 'scipy'} & {*sys.modules})"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(persistence.__file__).parents[2])}
    assert (
        subprocess.check_output([sys.executable, "-c", code], text=True, env=environment, encoding="utf-8")
        == "set()\n"
    )


def test_an_unfitted_estimator_must_be_fitted_first(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this Stump has learned nothing yet; call its `fit`"):
        save(Stump(), tmp_path / "model.induce")


@pytest.mark.parametrize("thing", [SCHEMA, {"a": 1}, Unregistered()], ids=lambda thing: type(thing).__name__)
def test_only_hypotheses_and_learners_are_saved(thing: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"not an? {type(thing).__name__}; save the learner itself"):
        save(thing, tmp_path / "model.induce")


def test_old_names_of_a_class_still_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "model.induce"
    monkeypatch.setitem(registry.VALUES, "Cut", registry.target_of(Threshold))
    save(Threshold(0.5, SCHEMA), file)
    document, members = parts_of(file)
    assert document["hypothesis"]["value"] == "Threshold"
    document["hypothesis"]["value"] = "Cut"
    rewrite(file, document, members)
    assert same(Threshold(0.5, SCHEMA), load(file))


def test_a_field_with_a_default_may_be_missing(tmp_path: Path) -> None:
    file = tmp_path / "model.induce"
    save(Threshold(0.5, SCHEMA, note="later"), file)
    document, members = parts_of(file)
    del document["hypothesis"]["fields"]["note"]
    rewrite(file, document, members)
    assert load(file).note == ""


def set_in(document: Any, path: tuple[Any, ...], value: Any) -> None:
    *front, last = path
    functools.reduce(lambda node, key: node[key], front, document)[last] = value


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (("format",), 0, "does not declare its format version"),
        (("format",), True, "does not declare its format version"),
        (
            ("format",),
            7,
            r"format version 7 and this induce \(.*\) reads up to version 1; install induce '9.9'",
        ),
        (("kind",), "policy", "its description has missing or additional parts"),
        (("extra",), 1, "its description has missing or additional parts"),
        (("class",), "os:system", "it holds a 'os:system', which this version of induce does not know"),
        (("class",), "Threshold", "it holds a 'Threshold'"),
        (("parameters", "shell"), "rm", "damaged .*unexpected keyword"),
        (("state",), 3, "state should be here, but it has an int"),
        (("hypothesis",), 3, "hypothesis should be here, but it has an int"),
        (("hypothesis", "value"), "os:system", "it holds a 'os:system'"),
        (("hypothesis", "value"), "Stump", "it holds a 'Stump'"),
        (("hypothesis", "value"), "Schema", "lacks the field 'columns'|has a field"),
        (("hypothesis", "fields", "evil"), 1, "Threshold has a field 'evil'"),
        (("hypothesis", "fields", "doubled"), 1, "Threshold has a field 'doubled'"),
        (("hypothesis", "fields", "at"), -1.0, r"it is damaged \(the threshold is negative\)"),
        (("hypothesis", "fields", "at"), None, "the field 'at' of its Threshold is None"),
        (("hypothesis", "fields", "note"), {"float": "1.5"}, "a value of an unknown kind"),
        (("hypothesis", "fields", "note"), {"int": "__import__"}, "a value of an unknown kind"),
        (("hypothesis", "fields", "note"), {"list": [], "dict": {}}, "a value of an unknown kind"),
        (("hypothesis", "fields", "note"), {"array": 0}, "does not have or has already used"),
        (("hypothesis", "fields", "note"), {"array": 1}, "does not have or has already used"),
        (
            ("hypothesis", "fields", "note"),
            10**30,
            "it has a number that is not in the notation of model files",
        ),
        (("hypothesis", "fields", "note"), math.nan, "the number NaN"),
        (("hypothesis", "fields", "counts"), 0, "it has an unreferenced array 0"),
        (
            ("hypothesis", "fields", "schema", "fields", "columns", 0, "fields", "kind"),
            "x",
            "column 'wind' has",
        ),
    ],
    ids=str,
)
def test_what_is_wrong_in_a_file_is_said_in_a_sentence(
    path: tuple[Any, ...], value: Any, sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "model.induce"
    estimator = Stump().fit(0.5)
    estimator.hypothesis_ = Threshold(0.5, SCHEMA, np.arange(3))
    save(estimator, file)
    document, members = parts_of(file)
    document["versions"]["induce"] = "9.9"
    set_in(document, path, value)
    rewrite(file, document, members)
    with pytest.raises(ModelFileError, match=sentence) as caught:
        load(file)
    message = str(caught.value)
    assert message.startswith(f"cannot load '{file}': ")
    assert "\n" not in message


def test_missing_fields_and_twice_given_keys_are_errors(tmp_path: Path) -> None:
    file = tmp_path / "model.induce"
    save(Threshold(0.5, SCHEMA), file)
    document, members = parts_of(file)
    text = json.dumps(document)
    rewrite(file, text.replace('"at": 0.5,', '"at": 0.5, "at": 0.25,').encode(), members)
    with pytest.raises(ModelFileError, match="has a duplicate key"):
        load(file)
    rewrite(file, text.replace('"at": 0.5,', "").encode(), members)
    with pytest.raises(ModelFileError, match="its Threshold lacks the field 'at'"):
        load(file)


def test_deep_json_never_reaches_the_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "model.induce"
    monkeypatch.setattr(json, "loads", lambda *args, **kwargs: pytest.fail("parsed"))
    rewrite(file, b'{"a": "\\"", "b": ' + b"[" * 100_000, {})
    with pytest.raises(ModelFileError, match="nested more than 100 deep"):
        load(file)
    monkeypatch.setattr(archive, "MAX_TOKENS", 1000)
    rewrite(file, b"[" + b"0," * 1000 + b"0]", {})
    with pytest.raises(ModelFileError, match="more than 1,000 strings, commas"):
        load(file)


def test_brackets_in_strings_do_not_count_as_depth() -> None:
    text = '[{"\\' * 1000
    assert through_a_file((text, text)) == (text, text)


@pytest.mark.parametrize(("limit", "value"), [("MAX_JSON", 100), ("MAX_TOTAL", 4000), ("MAX_MEMBERS", 1)])
def test_limits_hold_when_saving_and_when_loading(
    limit: str, value: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hypothesis = Threshold(0.5, SCHEMA, counts=np.arange(1000), note="x" * 100)
    save(hypothesis, tmp_path / "before")
    monkeypatch.setattr(archive, limit, value)
    with pytest.raises(InputError, match="the model is too large for a model file: "):
        save(hypothesis, tmp_path / "after")
    with pytest.raises(ModelFileError, match=r"more than|the maximum is"):
        load(tmp_path / "before")
    assert not (tmp_path / "after").exists()


@pytest.mark.parametrize("content", [b"", b"PK", b"hello" * 100, b"\x80\x04K\x01."])
def test_other_files_are_not_model_files(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(ModelFileError, match=r"cannot load '.*other': it is not a model file, or only part"):
        load(tmp_path / "other")


@pytest.mark.parametrize("read", [load, load_hypothesis])
def test_paths_that_cannot_be_read_are_named(read: Any, tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere", tmp_path, "a\x00b"):
        with pytest.raises(
            ModelFileError, match=r"cannot load '.*': it cannot be read \(.*\); give the path"
        ):
            read(path)


def test_older_files_are_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "model.induce"
    save(Threshold(0.5, SCHEMA), file)
    document, members = parts_of(file)
    document["hypothesis"]["fields"]["cut"] = document["hypothesis"]["fields"].pop("at")
    rewrite(file, document, members)

    def rename(old: dict[str, Any]) -> dict[str, Any]:
        found = dict(old["hypothesis"]["fields"])
        found["at"] = found.pop("cut")
        return old | {"hypothesis": old["hypothesis"] | {"fields": found}}

    monkeypatch.setattr(persistence, "FORMAT", 2)
    monkeypatch.setitem(persistence.MIGRATIONS, 1, rename)
    assert same(Threshold(0.5, SCHEMA), load(file))
    assert same(Threshold(0.5, SCHEMA), load_hypothesis(file))
    save(Threshold(0.25, SCHEMA), file)
    assert load(file).at == 0.25
    monkeypatch.setattr(persistence, "FORMAT", 1)
    with pytest.raises(ModelFileError, match="format version 2 and this induce"):
        load(file)


def test_every_older_version_has_a_migration() -> None:
    assert sorted(persistence.MIGRATIONS) == list(range(1, persistence.FORMAT))


@pytest.mark.parametrize("names", [registry.VALUES, registry.ESTIMATORS], ids=["values", "estimators"])
def test_the_registry_names_only_our_own_classes(names: dict[str, str]) -> None:
    for name, target in names.items():
        if name not in {"Threshold", "Stump", "Resumable"}:
            module, _, attribute = target.partition(":")
            assert module.startswith("induce.")
            assert attribute.isidentifier()
    # a file tells learners from values, and the LMS of a design is the older one
    assert registry.VALUES.keys() & registry.ESTIMATORS.keys() == {"LMS"}


def test_files_are_replaced_with_their_permissions(tmp_path: Path) -> None:
    file, link = tmp_path / "rules.txt", tmp_path / "link"
    file.write_bytes(b"before")
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole(link, b"after")
    assert file.read_bytes() == b"after"
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    write_whole(tmp_path / ("n" * 255), b"long name")
    assert sorted(os.listdir(tmp_path)) == ["link", "n" * 255, "rules.txt"]


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(b"")
    write_whole(tmp_path / "ours", b"")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_devices_are_written_to_and_stay() -> None:
    write_whole(os.devnull, b"gone")
    assert not stat.S_ISREG(os.stat(os.devnull).st_mode)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rules.txt"
    file.write_bytes(b"before")

    def fail(descriptor: int) -> None:
        raise error

    monkeypatch.setattr(files.os, "fsync", fail)
    with pytest.raises((InputError, KeyboardInterrupt)) as caught:
        write_whole(file, b"after")
    if isinstance(error, OSError):
        assert str(caught.value).startswith(f"cannot write '{file}' (No space left on device); ")
    assert file.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["rules.txt"]


def test_paths_that_cannot_be_written_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (tmp_path / "no" / "folder", tmp_path, "a\x00b", ""):
        with pytest.raises(InputError, match=r"^cannot write '.*' \(.*\); give a writable path"):
            write_whole(path, b"")
    file = tmp_path / "rules.txt"
    file.write_bytes(b"before")
    monkeypatch.setattr(files.os, "access", lambda path, mode: False)
    with pytest.raises(InputError, match="read-only"):
        write_whole(file, b"after")
