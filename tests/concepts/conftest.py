"""The book's tables, in cells."""

import numpy as np
import pytest

import induce
from induce.concepts import Conjunctions


@pytest.fixture(scope="session")
def sport():
    return induce.dataset("enjoy-sport")


@pytest.fixture(scope="session")
def language(sport):
    return Conjunctions.over(sport.input_schema)


@pytest.fixture(scope="session")
def cells(sport, language):
    return language.attributes.encode(sport.X)


@pytest.fixture(scope="session")
def labels(sport):
    return np.array([day == "Yes" for day in sport.y])


@pytest.fixture(scope="session")
def new():
    return induce.dataset("enjoy-sport-new").X
