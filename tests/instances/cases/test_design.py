"""Cases pieced together."""

from dataclasses import replace

import pytest

from induce import InputError, Note
from induce.instances.cases import design, function_graph, read_cases, read_specification


@pytest.fixture(scope="module")
def devices():
    return read_cases("devices")


def names(found):
    return [match.case.name for match in found.matches]


def provided(found):
    return sorted(edge for match in found.matches for edge in match.covered)


def test_four_parts_make_a_faucet(devices):
    faucet = read_specification("faucet")
    found = devices.combine(faucet)
    assert names(found) == ["twin valve", "proportioning valve", "T-junction", "mixing chamber"]
    assert provided(found) == sorted(faucet.edges)  # each edge once
    assert found.missing == ()
    assert not any(match.unused for match in found.matches)


def test_a_case_that_does_not_fit_is_taken_back(devices):
    lift = function_graph("C_1 -> + Q_1 -> + X_1")
    assert names(devices.combine(lift.only(lift.edges[:1]))) == ["valve"]
    found = devices.combine(lift)
    assert names(found) == ["oil valve", "hydraulic cylinder"]
    assert found.clashes[0] == "valve (medium water) does not fit hydraulic cylinder (medium oil)"
    assert found.explain().splitlines()[-len(found.clashes)].startswith("  taken back: valve")
    apart = function_graph("C_1 -> + Q_1, Q_2 -> + X_2")  # they do not meet, so that both media are fine
    assert names(devices.combine(apart)) == ["valve", "hydraulic cylinder"]


def test_without_a_case_that_fits_an_edge_is_missing(devices):
    dry = replace(devices, cases=tuple(case for case in devices.cases if case.name != "oil valve"))
    found = dry.combine(function_graph("C_1 -> + Q_1 -> + X_1"))
    assert len(found.missing) == 1
    assert "missing" in found.explain()


def test_missing_edges_are_rewritten(devices):
    wanted = function_graph("T_1 -> - Q_1")
    assert devices.combine(wanted).missing == wanted.edges
    found = devices.combine(wanted, elaborate=1)
    assert names(found) == ["wax element", "plunger"]
    assert found.specification.type_of["x1"] == "X"  # bound by one case, kept by the other
    assert found.missing == ()
    twice = devices.combine(function_graph("T_1 -> - W_1"), elaborate=2)
    assert names(twice) == ["wax element", "plunger", "water wheel"]
    assert len(twice.specification.rewritten) == 2


def test_a_rejected_case_is_no_part(devices):
    faucet = read_specification("faucet")
    found = devices.feedback(faucet, "T-junction", useful=False).combine(faucet)
    assert "T-junction" not in names(found)
    assert found.missing == ()


def test_the_work_is_bounded(devices, monkeypatch):
    chain = function_graph(" -> + ".join(f"Q{n}" for n in range(8)))
    monkeypatch.setattr(design, "MOST_STEPS", 20)
    with pytest.warns(Note, match="the search for designs was cut off"):
        assert devices.combine(chain).missing == ()
    monkeypatch.setattr(design, "MOST_ELABORATIONS", 3)
    with pytest.warns(Note, match="only the first 3 elaborations"):
        devices.combine(function_graph("C_1 -> + C_2"), elaborate=3)
    with pytest.raises(InputError, match="elaborate is -2"):
        devices.combine(chain, elaborate=-2)
