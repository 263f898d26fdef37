"""Small columns are cut without a compiler, and at the same places as with one."""

import numpy as np
import pytest

from induce.core import loops
from induce.discretise import codes, mdlp_cuts, quantile_edges

pytestmark = pytest.mark.compiled


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_plain_and_compiled_loops_cut_at_the_same_places(monkeypatch):
    rng = np.random.default_rng(2)
    found = []
    huge = np.full(90, 1e307)
    columns = [
        rng.normal(size=90),
        rng.integers(0, 30, 90) ** 2 / 7,
        np.where(rng.random(90) < 0.6, 1.0, range(90)),
    ]
    for plain_work in (np.inf, -1.0):
        monkeypatch.setattr(loops, "PLAIN_WORK", plain_work)
        of_all = []
        for values in columns:
            labels = (values > np.median(values)).astype(int) + (values > 1.2)
            cuts = mdlp_cuts(values, labels, 3, np.linspace(0.1, 3.3, 90))
            assert mdlp_cuts(values, labels, 3, huge).tolist() == []
            some = [quantile_edges(values, n_bins)[0].tolist() for n_bins in (2, 5, 11)]
            of_all.append((cuts.tolist(), codes(np.append(values, np.nan), cuts).tolist(), some))
        found.append(of_all)
    assert found[0] == found[1]
    assert any(cuts for cuts, _, _ in found[0])


@pytest.mark.parametrize("n_cuts", [3, 127, 128, 200, 255, 256])
def test_codes_are_the_number_of_cuts_below(monkeypatch, n_cuts):
    rng = np.random.default_rng(n_cuts)
    cuts = np.sort(rng.normal(size=n_cuts))
    values = np.concatenate([rng.normal(size=300), cuts, [np.inf, -np.inf, np.nan]])
    expected = np.where(np.isnan(values), -1, np.searchsorted(cuts, values))
    for plain_work in (np.inf, -1.0):
        monkeypatch.setattr(loops, "PLAIN_WORK", plain_work)
        assert (codes(values, cuts) == expected).all()
