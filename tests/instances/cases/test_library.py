"""Retrieval: exact, by parts, by elaboration, and refined by feedback."""

from dataclasses import replace

import pytest

from induce import InputError, Note
from induce.instances import CaseLibrary
from induce.instances.cases import Case, function_graph, library, read_cases, read_specification


@pytest.fixture(scope="module")
def devices():
    return read_cases("devices")


@pytest.fixture(scope="module")
def faucet():
    return read_specification("faucet")


def names(matches):
    return [match.case.name for match in matches]


def only(devices, *wanted):
    return replace(devices, cases=tuple(devices[name] for name in wanted))


def test_an_exact_match_is_all_there_is(devices):
    (found,) = devices.retrieve(function_graph("T_c -> + T_m, T_h -> + T_m, Q_c -> + Q_m, Q_h -> + Q_m"))
    assert found.case.name == "T-junction"
    assert found.exact
    assert str(found) == "T-junction: exact match"
    assert names(devices.retrieve(function_graph("C_x -> + Q_y"))) == ["valve", "oil valve"]


def test_parts_come_by_what_they_share(devices, faucet):
    found = devices.retrieve(faucet)
    assert found[0].case.name == "T-junction"
    assert (found[0].similarity, found[0].ways, found[0].unused) == (4, 4, ())
    assert names(found)[4:6] == ["mixing chamber", "flow heater"]  # as similar, but the heater does more
    assert [match.similarity for match in found] == sorted(
        (match.similarity for match in found), reverse=True
    )


def test_an_explanation_says_what_is_what(devices, faucet):
    lines = devices.retrieve(faucet)[0].explain().splitlines()
    assert lines[0] == "T-junction: 4 of 10 edges, the whole case; one of 4 equivalent matches"
    assert lines[2] == "  variables: Q1 is Q_c, Q2 is Q_h, Q3 is Q_m, T1 is T_c, T2 is T_h, T3 is T_m"
    assert "  Q2 -> + Q3  is  Q_h -> + Q_m" in lines
    heater = only(devices, "flow heater").retrieve(function_graph("C_1 -> + T_1, Q_1 -> + T_1"))[0]
    assert "  Q1 -> - T2  is not in the specification" in heater.explain().splitlines()


def test_elaboration_only_where_nothing_is_found(devices):
    junction, wanted = only(devices, "T-junction"), function_graph("C_f -> + Q_m")
    assert junction.retrieve(wanted) == ()
    (found,) = junction.retrieve(wanted, elaborate=1)
    assert [str(edge) for edge in found.covered] == ["x1 -> + Q_m"]
    assert found.specification.type_of["x1"] == "Q"
    assert found.specification.rewritten == ("C_f -> + Q_m as C_f -> + x1, x1 -> + Q_m",)
    assert not devices.retrieve(wanted, elaborate=2)[0].specification.rewritten


def test_elaboration_is_bounded(devices, monkeypatch):
    monkeypatch.setattr(library, "MOST_ELABORATIONS", 3)
    with pytest.warns(Note, match="only the first 3 elaborations"):
        only(devices, "spring").retrieve(function_graph("C_1 -> + C_2 -> + C_3"), elaborate=1)
    with pytest.raises(InputError, match="elaborate is -1"):
        devices.retrieve(function_graph("C_1 -> + Q_1"), elaborate=-1)


def test_a_rejected_case_is_rejected_for_the_same_query(devices, faucet):
    refined = devices.feedback(faucet, "T-junction", useful=False)
    assert "T-junction" in names(devices.retrieve(faucet))  # the library before does not change
    assert "T-junction" not in names(refined.retrieve(faucet))
    renamed = function_graph(str(faucet).replace("_c", "_1").replace("_h", "_2").replace("_m", "_3"))
    assert "T-junction" not in names(refined.retrieve(renamed))


def test_a_rejected_case_ranks_lower_for_similar_queries(devices, faucet):
    refined = devices.feedback(faucet, "T-junction", useful=False)
    similar = faucet.only(faucet.edges[:8])  # shares 8 of 10 edges
    assert refined.trust(similar)["T-junction"] == pytest.approx(0.2)
    assert names(devices.retrieve(similar))[0] == "T-junction"
    after = refined.retrieve(similar)
    assert names(after)[-1] == "T-junction"
    assert str(after[-1]).endswith("similarity 0.8 by feedback")
    far = function_graph("C_1 -> + Q_1 -> + Q_2, T_1 -> + T_2, X_1 -> + F_1, F_1 -> - F_2")
    shares = refined.trust(far)["T-junction"]
    assert 0.2 < shares < 1
    assert refined.trust(function_graph("X_1 -> + F_1"))["T-junction"] == 1


def test_the_verdict_on_the_nearest_query_counts_and_then_the_latest(devices, faucet):
    part = faucet.only(faucet.edges[:6])
    mixed = devices.feedback(faucet, "pipe", useful=False).feedback(part, "pipe", useful=True)
    assert mixed.trust(faucet)["pipe"] == 0
    assert mixed.trust(part)["pipe"] == 2
    assert mixed.feedback(faucet, "pipe", useful=True).trust(faucet)["pipe"] == 2


def test_what_a_library_refuses(devices, faucet):
    with pytest.raises(InputError, match="there is no case 'valv'; did you mean 'valve'"):
        devices.feedback(faucet, "valv", useful=True)
    with pytest.raises(InputError, match="variable 'Z_1' of the specification has the unknown type 'Z'"):
        devices.retrieve(function_graph("Z_1 -> + Q_1"))
    one = Case("pipe", "", function_graph("Q1 -> + Q2"))
    with pytest.raises(InputError, match="two cases of 'mine' are called 'pipe'"):
        CaseLibrary("mine", (("Q", "flow"),), (one, one))
    with pytest.raises(InputError, match="variable 'T1' of case 'wax' has the unknown type 'T'"):
        CaseLibrary("mine", (("Q", "flow"),), (Case("wax", "", function_graph("T1 -> + Q2")),))


def test_an_empty_library_finds_nothing():
    empty = CaseLibrary("none", (("Q", "flow"),), ())
    assert empty.retrieve(function_graph("Q1 -> + Q2"), elaborate=1) == ()
    assert str(empty.combine(function_graph("Q1 -> + Q2"))) == "no case: 0 of 1 edges"
