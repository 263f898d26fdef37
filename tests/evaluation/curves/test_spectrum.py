"""The spectrum from no theory to a perfect one: what each kind of learner gets right."""

import numpy as np
import pytest

from induce.core.errors import InputError
from induce.evaluation import Spectrum, spectrum

PLAY = "IF Outlook = Overcast THEN play\nIF Humidity = Normal AND Wind = Weak THEN play"


@pytest.fixture(scope="module")
def found() -> Spectrum:
    return spectrum("play-tennis", PLAY, "FOCL", sizes=(6, 10), damages=(0, 4), seeds=2)


def test_the_theory_alone_does_not_depend_on_rows_and_the_learner_alone_not_on_damage(
    found: Spectrum,
) -> None:
    inductive, analytical, combined = found.accuracies
    assert found.accuracies.shape == (3, 2, 2, 2)
    assert (inductive[:, :, 0] == inductive[:, :, 1]).all()
    assert found.mean("inductive").shape == (2, 2)
    assert not np.isnan(combined).any()
    # the theory errs on two of the 14 days, so that no eight of them have more errors
    assert (analytical[:, 0, 0] >= 1 - 2 / 8).all()


def test_it_is_printed_and_drawn(found: Spectrum) -> None:
    head, rows = found.table()
    assert head == ["rows", "0 changes", "4 changes"]
    assert [row[0] for row in rows] == ["6", "10"]
    assert "FOCL with the theory is at least as good as both in" in str(found)
    titles = [axes.get_title() for axes in found.draw().axes]
    assert titles == ["inductive: FOCL", "analytical: the theory", "combined: FOCL with theory"]
    with pytest.raises(InputError, match="kind is 'both'"):
        found.mean("both")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"learner": "C45"}, "C45 takes no rules as knowledge"),
        ({"sizes": (14,)}, "the table has 14 rows"),
        ({"knowledge": "IF Outlok = Rain THEN play"}, "Outlok"),
        ({"seeds": 0}, "seeds is 0"),
    ],
)
def test_bad_spectra(settings: dict, message: str) -> None:
    given = {"knowledge": PLAY, "learner": "FOCL", "sizes": (6,), "damages": (0,), "seeds": 1} | settings
    with pytest.raises(InputError) as caught:
        spectrum("play-tennis", **given)
    assert message in str(caught.value)
