"""A model file with one thing changed is refused, or all that is saved in it still does what it is asked for."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import induce
from induce.core.codec import Decoder
from induce.core.errors import InputError
from tests.learners.model_files import kind, kinds, try_mutant

ROOT = Path(__file__).resolve().parents[2]
FEW = 2
MANY = 80
"""Number of damaged files of each kind in `make test-all`: more than 10,000 of all kinds."""
FAILED = (
    ("C45", 111),
    ("IncrementalID3", 114),
    ("Cigol", 105),
    ("StructureSampler", 101),
    ("RBFNetworkClassifier", 106),
    ("NeuralNetworkRegressor", 101),
    ("TangentProp", 109),
    ("Winnow", 1030),
    ("NaiveBayes", 1037),
    ("SelfTraining", 1058),
    ("KNeighborsRegressor", 1031),
    ("LazyDecisionTree", 1058),
    ("NeighborDensity", 1066),
    ("GaussianMixture", 1070),
    ("MixtureModel", 1010),
    ("MixtureModel", 1013),
    ("MixtureModel", 1033),
    ("MixtureModel", 1040),
    ("ChowLiu", 1068),
    ("ChowLiu", 1079),
    ("EBNN", 1044),
    ("BoostingByFiltering", 1043),
    ("Dyna", 1068),
    ("RandomizedWeightedMajority", 1031),
    ("WeightedMajority", 1036),
    ("WeightedMajority", 1044),
    ("Theory", 1012),
    ("BackgroundTheory", 1045),
    ("Policy", 1068),
    ("OnlineFindS", 5032),
    ("Rocchio", 5062),
    ("KNeighborsClassifier", 5074),
    ("RBFNetworkRegressor", 9002),
    ("BaggingRegressor", 20018),
)
"""Files that loaded and failed later."""


def test_every_learner_is_damaged() -> None:
    assert {entry.name for entry in induce.learners()} <= {*kinds()}


@pytest.mark.parametrize("name", kinds())
def test_damage_is_refused_or_harmless(name: str, tmp_path: Path) -> None:
    for seed in range(FEW):
        try_mutant(name, seed, tmp_path)


@pytest.mark.parametrize(("name", "seed"), FAILED)
def test_what_failed_later(name: str, seed: int, tmp_path: Path) -> None:
    try_mutant(name, seed, tmp_path)


def test_the_words_of_a_text_model_need_its_classes() -> None:
    words = kind("TextNaiveBayes")
    document = json.loads(json.dumps(words.document).replace('"n_classes": 3', '"n_classes": 1000000'))
    assert document != words.document
    with pytest.raises(InputError, match="the words were counted in 1000000 classes of 3"):
        Decoder([array.copy() for array in words.arrays].__getitem__).decode(document["hypothesis"])


@pytest.mark.slow
def test_much_damage_is_refused_or_harmless() -> None:
    command = [sys.executable, "-m", "tests.learners.model_files", "--seeds", str(FEW), str(FEW + MANY)]
    report = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    assert "FAILED" not in report
    assert f"{len(kinds()) * MANY:,} files" in report
