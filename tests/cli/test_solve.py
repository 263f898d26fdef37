"""`induce solve`, `induce train`, and policies in `show` and `explain`."""

from __future__ import annotations

import pytest

TABLE = """state,action,next,probability,reward
good,use,good,0.9,100
good,use,bad,0.1,100
bad,use,bad,1,20
bad,repair,good,1,-50
"""


@pytest.fixture
def machine(tmp_path):
    path = tmp_path / "machine.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_environments_are_listed(run):
    for command in ("solve", "train"):
        assert "taxi" in run(command).out
        assert {"stock", "repair", "elevator"} <= {entry["name"] for entry in run(command, "--json").json}


def test_a_table_of_transitions(run, machine, tmp_path):
    done = run("solve", machine, "--discount", "0.9", "--start", "bad")
    assert done.code == 0
    assert done.out.splitlines() == [
        "MDP: 2 states, 2 actions, 3 pairs, 4 transitions, no absorbing state",
        "value of the start: 738.532110 (discount 0.9)",
        "",
        "state  action    value",
        "good   use     876.147",
        "bad    repair  738.532",
    ]
    found = run("solve", machine, "--average", "--json").json
    assert found["gain"] == pytest.approx((10 * 100 - 50) / 11)  # ten days of use, on average, then a repair
    assert "sum of 1 rewards" in run("solve", machine, "--horizon", "1").out
    numbered = tmp_path / "numbers.tsv"
    numbered.write_text(
        "state\taction\tnext\treward\tends\n1\t7\t2\t5\tfalse\n2\t7\t1\t3\ttrue\n", encoding="utf-8"
    )
    assert "value of the start: 7.970000" in run("solve", numbered, "--start", "1").out


def test_a_log_is_a_model_with_shares(run, tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("episode,state,action,reward\n1,a,go,1\n1,a,go,1\n1,b,go,5\n1,a,go,1\n", encoding="utf-8")
    assert "3 transitions" in run("solve", log).out


@pytest.mark.parametrize(
    ("name", "discount", "value"),
    [("frozen-lake", "0.99", "0.542026"), ("frozen-lake", "1", "0.823529"), ("cliff", "0.99", "-12.247898")],
)
def test_known_values(run, name, discount, value):
    assert f"value of the start: {value}" in run("solve", name, "--discount", discount).out


def test_rules_files_and_pictures(run, tmp_path):
    policy, picture = tmp_path / "policy.induce", tmp_path / "policy.svg"
    done = run("solve", "stock", "--set", "capacity=12", "--rules", "--out", policy, "--draw", picture)
    assert "DEFAULT up to 12 (4/4)" in done.out
    assert "nothing lost" in done.out
    assert f"wrote {policy}" in done.out
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
    assert "IF stock > 3 THEN none" in run("show", policy, "--as", "rules").out
    assert "stock <= 3: up to 12 (4/4)" in run("show", policy, "--as", "tree").out
    assert run("show", policy, "--as", "json").json["discount"] == 0.99
    assert "def act(state):" in run("show", policy, "--as", "python").out
    assert 'AS t LEFT JOIN policy ON t."stock"' in run("show", policy, "--as", "sql").out
    assert run("explain", policy, "3").out.startswith("3: up to 12, worth ")
    assert run("explain", policy, "stock=3").out == run("explain", policy, "3").out
    assert run("explain", policy, "3", "--json").json[0]["best"] == ["up to 12"]
    assert "has no state '99'" in run("explain", policy, "99").sentence()
    assert "no feature 'stok'; did you mean 'stock'" in run("explain", policy, "stok=3").sentence()
    assert "has no state with stock=99" in run("explain", policy, "stock=99").sentence()


def test_states_of_several_parts(run, tmp_path):
    policy = tmp_path / "lake.induce"
    run("solve", "cliff", "--out", policy)
    assert run("explain", policy, "3,0").out == run("explain", policy, "(3, 0)").out
    assert len(run("explain", policy, "row=2").out.split("worth")) == 11


def test_training_is_saved_and_resumed(run, tmp_path):
    whole, part = tmp_path / "whole.induce", tmp_path / "part.induce"
    small = ("train", "mitchell-13.2", "discount=0.9", "--seed", "3")
    done = run(*small, "episodes=20", "--out", whole, "--live")
    assert done.code == 0
    assert "QLearning" in done.out
    assert "mean return of the last 20 episodes" in done.out
    assert "episode 20" in done.err
    run(*small, "episodes=10", "--out", part)
    again = run("train", "mitchell-13.2", "episodes=20", "--resume", part, "--json").json
    expected = run(*small, "episodes=20", "--json").json
    assert again["policy"] == expected["policy"]
    assert again["returns"] == expected["returns"]
    assert run("train", "frozen-lake", "--resume", part).sentence()
    solved = run("train", "frozen-lake", "--learner", "DynamicProgramming", "--no-live")
    assert solved.code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("solve", "nowhere"), "no process 'nowhere'"),
        (("solve", "nowhere.csv"), "nowhere.csv"),
        (("solve", "stock", "--discount", "2"), "discount is 2"),
        (("solve", "stock", "--discount", "1"), "no episode from state 0 ends"),
        (("solve", "stock", "--set", "capacity"), "write it as name=value"),
        (("solve", "stock", "--set", "size=3"), "no parameter 'size'"),
        (("solve", "stock", "--start", "3"), "--start is for tables"),
        (("solve", "nowhere", "--set", "size=3"), "not one of them"),
        (("solve", "stock", "--average", "--horizon", "3"), "different criteria"),
        (("solve", "stock", "--method", "magic"), "method is 'magic'"),
        (("train", "taxi", "--learner", "C45"), "C45 does not learn by acting"),
        (("train", "taxi", "--learner", "GeneticAlgorithm"), "does not learn by acting"),
        (("train", "taxi", "episodes=0"), "episodes is 0"),
        (("train", "taxi", "speed=3"), "no parameter 'speed'"),
        (("train", "taxi", "--learner", "DynamicProgramming", "--seed", "1"), "no parameter 'random_state'"),
        (("train", "taxi", "--out", "no/where.induce"), "no directory"),
        (("learn", "play-tennis", "--learner", "QLearning"), "use `induce train`"),
    ],
)
def test_bad_input(run, arguments, message):
    assert message in run(*arguments).sentence()


def test_bad_tables(run, tmp_path):
    def told(text):
        path = tmp_path / "bad.csv"
        path.write_text(text, encoding="utf-8")
        return run("solve", path).sentence()

    assert "state 'a' and action 'go' sum to 0.5" in told(
        "state,action,next,probability,reward\na,go,b,0.5,1\n"
    )
    assert "column 'reward' has 'much' in row 1" in told("state,action,next,reward\na,go,b,much\n")
    assert "no column 'next'" in told("state,action,reward\na,go,1\n")
    assert "finite number" in told("state,action,next,reward\na,go,b,inf\n")
