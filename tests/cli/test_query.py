"""`induce query` and `induce sample`, and `induce show` of networks."""

import pytest

import induce
from induce.belief_networks import BeliefNetwork, textbook_network


@pytest.fixture
def fire_file(tmp_path):
    path = tmp_path / "fire.bif"
    textbook_network("forest-fire").write(path)
    return path


def test_one_target(run, fire_file, tmp_path):
    shipped = run(
        "query", "forest-fire", "ForestFire", "--given", "Thunder=True", "--given", "BusTourGroup=True"
    )
    assert shipped.out == "ForestFire\nFalse       0.5832\nTrue        0.4168\n"
    assert (
        run("query", fire_file, "ForestFire", "--given", "Thunder=True", "--given", "BusTourGroup=True")
        == shipped
    )
    induce.save(textbook_network("forest-fire"), tmp_path / "fire.induce")
    induce.save(textbook_network("forest-fire").classifier("Storm"), tmp_path / "storm.induce")
    for model in ("fire.induce", "storm.induce"):
        assert "0.2216" in run("query", tmp_path / model, "ForestFire").out


def test_everything_that_can_be_asked(run):
    assert run("query", "forest-fire", "ForestFire", "--do", "Campfire=True").out.endswith("0.3480\n")
    assert run(
        "query", "forest-fire", "--mpe", "--given", "Thunder=True", "--given", "ForestFire=True"
    ).out == (
        "Storm = True, BusTourGroup = False, Lightning = True, Campfire = False\n"
        "probability 0.2817 (0.03078 with the evidence)\n"
    )
    assert run("query", "forest-fire", "Storm", "--why", "--given", "Thunder=True").out.startswith(
        "Storm = True: 20 % → 60.28 %, +7.8 decibans\n"
    )
    assert run("query", "forest-fire", "Storm", "--next").out.startswith("Lightning: 0.4373\nThunder: ")
    assert (
        run("query", "forest-fire", "Storm", "Thunder", "--joint").out.splitlines()[-1]
        == "True   True     0.1730"
    )
    assert len(run("query", "forest-fire").out.split("\n\n")) == 6
    sampled = run("query", "forest-fire", "Storm", "--method", "gibbs", "--precision", "0.02", "--seed", 1)
    assert "gibbs, " in sampled.out


def test_json(run):
    (answer,) = run("query", "forest-fire", "Storm", "--given", "Thunder=True", "--json").json
    assert answer["nodes"] == ["Storm"]
    assert answer["states"][1]["values"] == [True]
    assert answer["states"][1]["probability"] == pytest.approx(0.60278746)
    (best,) = run("query", "forest-fire", "--mpe", "--json").json
    assert best["values"]["Storm"] is False
    (why,) = run("query", "forest-fire", "Storm", "--why", "--given", "Thunder=True", "--json").json
    assert why["findings"][0]["text"] == "Thunder = True"


def test_rows(run, tmp_path):
    assert run("sample", "forest-fire", 30, "--seed", 1, "--out", tmp_path / "rows.csv").out == ""
    seen = (tmp_path / "rows.csv").read_text(encoding="utf-8").splitlines()
    assert len(seen) == 31
    (tmp_path / "seen.csv").write_text("".join(f"{line.split(',')[4]}\n" for line in seen), encoding="utf-8")
    answered = run("query", "forest-fire", "Storm", "--rows", tmp_path / "seen.csv").out.splitlines()
    assert answered[0] == "Thunder,Storm = False,Storm = True"
    thunder = next(line for line in answered if line.startswith("true"))
    assert float(thunder.split(",")[2]) == pytest.approx(0.60278746)
    run("query", "forest-fire", "--rows", tmp_path / "seen.csv", "--out", tmp_path / "all.parquet")
    assert (tmp_path / "all.parquet").stat().st_size > 0
    assert run("sample", "forest-fire", 2, "--seed", 1).out.splitlines()[0].startswith("Storm,BusTourGroup")


def test_show_reads_and_writes_networks(run, fire_file, tmp_path):
    assert run("show", fire_file).out.startswith("forest-fire: 6 nodes, 7 arcs, 18 parameters\n")
    for name in ("n.xmlbif", "n.xdsl", "n.bif"):
        assert run("show", fire_file, "--out", tmp_path / name).code == 0
        assert BeliefNetwork.read(tmp_path / name).query("ForestFire")[True] == pytest.approx(0.22155)
    assert run("show", fire_file, "--as", "dot").out.startswith("digraph {")
    assert run("show", fire_file, "--as", "svg").out.startswith("<?xml")
    assert '"type": "BeliefNetwork"' in run("show", fire_file, "--as", "json").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["forest-fire", "Strom"], "there is no node 'Strom'; did you mean 'Storm'?"),
        (["forest-fire", "Storm", "--given", "Thunder"], "--given is 'Thunder'; write NODE=VALUE"),
        (
            ["forest-fire", "Storm", "--given", "Thunder=Tru"],
            "there is no value of 'Thunder' 'Tru'; did you mean",
        ),
        (
            ["forest-fire", "Storm", "--given", "Thunder=True", "--given", "Thunder=False"],
            "gives 'Thunder' twice",
        ),
        (["forest-fire", "--why"], "--why needs one target"),
        (["forest-fire", "Storm", "--rows", "x.csv", "--mpe"], "--rows answers for every row"),
        (["forest-fire", "Storm", "--out", "x.csv"], "--out is for --rows"),
        (["absent.bif", "Storm"], "cannot read 'absent.bif'"),
        (
            [
                "sprinkler",
                "Cloudy",
                "--given",
                "Sprinkler=False",
                "--given",
                "Rain=False",
                "--given",
                "WetGrass=True",
            ],
            "the evidence is impossible: Sprinkler = False, Rain = False and WetGrass = True exclude each other",
        ),
    ],
)
def test_bad_questions(run, arguments, message):
    assert message in run("query", *arguments).sentence()


def test_models_that_are_no_networks(run, tennis, tmp_path):
    assert "a Tree is not a network" in run("query", tennis, "Wind").sentence()
    assert "cannot draw rows from a Tree" in run("sample", tennis, 3).sentence()
    refused = run("show", tennis, "--as", "bif").sentence()
    assert refused.startswith("a Tree cannot be written as bif; it can be written as text, rules, tree,")
    (tmp_path / "bad.bif").write_text("variable a {\n  type discrete [ 2 ] { x y }\n}", encoding="utf-8")
    assert "cannot read" in run("show", tmp_path / "bad.bif").sentence()
    assert (
        "line 3, column 1: '}' found where ';' is expected" in run("query", tmp_path / "bad.bif").sentence()
    )


def test_names_with_an_equals_sign(run, tmp_path):
    odd = BeliefNetwork.of({"b": ["a=b"]}, {"a=b": 0.5, "b": {True: 1.0, False: 0.0}})
    odd.write(tmp_path / "odd.xdsl")
    assert run("query", tmp_path / "odd.xdsl", "b", "--given", "a=b=True").out.endswith("True   1.0000\n")
