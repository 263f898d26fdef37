"""The benchmark harness runs at small sizes; what it measures is no matter for a unit test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import induce

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def _from_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks.measure import ONE_THREAD

    for name in ONE_THREAD:  # what `main` sets must not outlive the test
        monkeypatch.setenv(name, "1")


def test_report_has_the_ratios_but_no_path_of_this_machine(tmp_path: Path) -> None:
    from benchmarks.__main__ import main

    out = tmp_path / "report.md"
    parts = ["--only", "growth", "scaling", "prediction"]
    main([*parts, "--sizes", "300", "--rows", "200", "--data", "/nowhere", "--out", str(out)])
    report = out.read_text()
    for expected in ("300 rows, weighted: fit", "300 rows, unweighted: test accuracy", "200 rows: `predict`"):
        assert expected in report
    assert "--data DIR" in report
    assert "/nowhere" not in report
    assert str(tmp_path) not in report


def test_losses_are_shown_as_losses() -> None:
    from benchmarks.measure import Section, markdown, speed

    section = Section("Title", "Remark.", (speed("a", 1.0, "peer", 3.0, 2), speed("b", 1.0, "peer", 3.0, 6)))
    won, lost = markdown(section).splitlines()[-2:]
    assert won.endswith("| yes |")
    assert lost.endswith("| **no** |")


def test_arff_written_for_weka_reads_back(tmp_path: Path) -> None:
    import polars as pl

    from benchmarks.adult import shared_domains
    from benchmarks.weka import write_arff

    rows = {"a b": ["it's", None, "<=50K"], "n": [1.0, None, 2.5], "c": ["u", "v", "u"]}
    data = induce.read(pl.DataFrame(rows), target="c")
    more = induce.read(pl.DataFrame({"a b": ["new"], "n": [0.0], "c": ["u"]}), target="c")
    path = tmp_path / "t.arff"
    write_arff(path, data.frame, shared_domains(data, more))
    back = induce.read(path, target="c")
    assert back.frame.cast({"a b": str, "c": str}).to_dict(as_series=False) == rows
    assert back.schema["a b"].domain == ("<=50K", "it's", "new")


@pytest.mark.parametrize(("alone", "holds"), [((10, 10), True), ((2, 20), False), ((0, 0), True)])
def test_paired_test_asks_whether_ours_is_lower(alone: tuple[int, int], holds: bool) -> None:
    from benchmarks.adult import paired

    right = np.repeat([True, False, True], [alone[0], alone[1], 50])
    other: Any = np.repeat([False, True, True], [alone[0], alone[1], 50])
    assert paired(right, other).holds is holds
