"""Aleph's files: background with directives, positive and negative examples; one file with sections; writing."""

from __future__ import annotations

import pytest

from induce.core.errors import InputError
from induce.core.notes import Note
from induce.relational.readers.aleph import read_aleph, stem_of, write_aleph
from induce.relational.readers.problems import read_problem

BACKGROUND = """
:- style_check(-discontiguous).
:- use_module(library(lists)).
:- dynamic never/1.
:- set(i,2), set(clauselength, 4).
:- aleph_set(evalfn, coverage).
:- modeh(1,east(+train)).
:- modeb(*,has_car(+train,-car)).
:- modeb(1,short(+car)).
:- modeb(2,wheels(+car,#int)).
:- modeb(1,never(+car)).
:- mode(1,unused(+car)).
:- determination(east/1,has_car/2).
:- determination(east/1,short/1).
:- determination(east/1,wheels/2).
:- determination(east/1,never/1).
has_car(e1,c1). has_car(w1,c2).
short(c1). wheels(c1,2). wheels(c2,3). unused(c1).
"""
POSITIVE, NEGATIVE = "east(e1).\n", "east(w1).\n"


@pytest.fixture
def stem(tmp_path):
    """Write the three files and return their stem."""

    def writing(b=BACKGROUND, f=POSITIVE, n=NEGATIVE):
        for extension, text in (("b", b), ("f", f), ("n", n)):
            if text is not None:
                (tmp_path / f"trains.{extension}").write_text(text, encoding="utf-8")
        return str(tmp_path / "trains")

    return writing


def test_everything_is_read(stem):
    problem = read_aleph(stem())
    assert str(problem) == "trains: east/1, 1 positive and 1 negative examples; 5 relations, 6 facts"
    assert problem.X.to_dict(as_series=False) == {"train": ["e1", "w1"]}
    assert problem.y.tolist() == [True, False]
    assert problem.settings == {"i": 2, "clauselength": 4, "evalfn": "coverage"}
    assert [str(mode) for mode in problem.background.modes] == [
        "east(+train)",
        "has_car(+train, -car)",
        "short(+car)",
        "wheels(+car, #int)",
        "never(+car)",
    ]
    assert [mode.recall for mode in problem.background.modes] == [1, None, 1, 2, 1]
    assert [mode.head for mode in problem.background.modes] == [True, False, False, False, False]


def test_a_stem_and_its_files(stem, tmp_path):
    path = stem()
    assert stem_of(path) == stem_of(path + ".b") == stem_of(path + ".n") == path
    assert stem_of(str(tmp_path / "nothing")) is None
    assert read_problem(path + ".f").y.tolist() == read_problem(path).y.tolist()


def test_without_negative_examples(stem):
    problem = read_aleph(stem(n=None))
    assert problem.settings["positive_only"] is True


def test_without_determinations_every_mode_counts(stem):
    text = "\n".join(line for line in BACKGROUND.splitlines() if "determination" not in line)
    names = [mode.name for mode in read_aleph(stem(b=text)).background.modes]
    assert names == ["east", "has_car", "short", "wheels", "never", "unused"]


def test_a_determination_without_a_mode_is_open_every_way(stem):
    text = BACKGROUND + ":- determination(east/1,near/2). near(c1,c2). near(c2,c3)."
    modes = [str(mode) for mode in read_aleph(stem(b=text)).background.modes]
    assert modes[-2:] == ["near(+has_car_2, -has_car_2)", "near(-has_car_2, +has_car_2)"]


def test_recursion_by_a_mode_of_the_target(stem):
    text = ":- modeh(1,p(+x,+x)). :- modeb(*,p(+x,-x)). :- modeb(*,q(+x,-x)). :- determination(p/2,p/2).\n"
    text += ":- determination(p/2,q/2). q(a,b)."
    problem = read_aleph(stem(text, "p(a,b).", None))
    assert [str(mode) for mode in problem.background.modes] == ["p(+x, +x)", "p(+x, -x)", "q(+x, -x)"]


def test_what_is_not_understood_is_noted_once(stem):
    text = (
        BACKGROUND
        + ":- consult(other). :- modeb(1,wheels(car,int)).\nrefine(_, _).\nfalse :- east(X), short(X)."
    )
    with pytest.warns(Note) as notes:
        problem = read_aleph(stem(b=text))
    assert [str(note.message) for note in notes] == [
        "trains.b: the loaded file other does not exist in its folder and is left out",
        "trains.b: refine/2, false/0 would control Aleph's search and are ignored",
        "trains.b: 1 directive is not recognised and ignored: modeb(1, wheels(car, int))",
    ]
    assert ("refine", 2) not in problem.background.predicates()


def test_values_outside_their_type_are_noted(stem):
    with pytest.warns(Note, match="the facts of car/1 lack 1 value of the type car in use, such as c2"):
        read_aleph(stem(b=BACKGROUND + "car(c1)."))


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"f": None}, "trains.f' with the positive examples"),
        ({"b": None}, "trains.b' with the background"),
        ({"f": ""}, "trains.f has no positive example; give at least one"),
        ({"f": "east(e1"}, "trains.f, line 1, column 8"),
        ({"f": "east(X)."}, "the example east(X) has a variable"),
        ({"f": "east(e1) :- true."}, "trains.f holds east(e1) :- true. among the examples"),
        ({"n": "west(w1)."}, "trains.n has no example of east/1, but of west/1"),
        (
            {"f": "east(e1). west(e1)."},
            "target is missing; name the relation of trains to learn, one of east/1, west/1",
        ),
        ({"b": BACKGROUND + "short(c2"}, "trains.b, line "),
        (
            {"b": ":- modeb(x,short(+car)). short(a)."},
            "trains.b: the mode short(+car) has recall x; give a number, or *",
        ),
        ({"b": ":- modeb(0,short(+car)). short(a)."}, "the mode short(+car) has recall 0"),
        ({"b": ":- modeb(1,short). short(a)."}, "trains.b: the mode short has no argument"),
        (
            {"b": ":- determination(east,short/1). short(a)."},
            "trains.b: east names no predicate; write its name",
        ),
    ],
)
def test_bad_files_give_one_sentence(stem, files, sentence):
    with pytest.raises(InputError) as error:
        read_aleph(stem(**files))
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            BACKGROUND + ":- determination(east/1,shor/1).",
            r"determination\(east/1, shor/1\), but the background has no relation shor/1; did you mean short",
        ),
        (
            ":- modeh(1,east(+train)). :- modeb(1,shor(+car)). short(a).",
            r"there is a mode shor\(\+car\), but the background has no relation shor/1",
        ),
    ],
)
def test_what_is_not_defined_is_noted(stem, text, sentence):
    with pytest.warns(Note, match=sentence):
        read_aleph(stem(b=text))


def test_one_file_with_sections(tmp_path):
    path = tmp_path / "trains.pl"
    path.write_text(
        ":- use_module(library(aleph)).\n:- aleph.\n:- modeh(1,east(+train)).\n:- modeb(*,has_car(+train,-car)).\n"
        ":-begin_bg.\nhas_car(e1,c1).\nhas_car(w1,c2).\n:-end_bg.\n:-begin_in_pos.\neast(e1).\n:-end_in_pos.\n"
        ":- begin_in_neg .\neast(w1).\n:-end_in_neg.\n",
        encoding="utf-8",
    )
    problem = read_problem(path)
    assert str(problem) == "trains: east/1, 1 positive and 1 negative examples; 1 relation, 2 facts"
    assert [str(mode) for mode in problem.background.modes] == ["east(+train)", "has_car(+train, -car)"]
    path.write_text(":-begin_bg.\nq(a).\n:-end_bg.\n:-begin_in_pos.\neast(e1).\neast(e2", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"trains\.pl has no :- end_in_pos; add it, or check whether the file was cut off"
    ):
        read_problem(path)
    path.write_text(
        ":-begin_bg.\nq(a).\n:-end_bg.\n:-begin_in_pos.\neast(e1).\neast(e2 x).\n:-end_in_pos.",
        encoding="utf-8",
    )
    with pytest.raises(InputError, match=r"trains\.pl, line 6, column 9"):
        read_problem(path)


def test_what_is_written_is_read_again(stem, tmp_path):
    problem = read_aleph(stem())
    write_aleph(problem, tmp_path / "again")
    again = read_aleph(tmp_path / "again")
    assert again.X.equals(problem.X)
    assert again.y.tolist() == problem.y.tolist()
    assert again.background.listing() == problem.background.listing()
    assert again.background.modes == problem.background.modes
    assert again.settings == {"i": 2, "clauselength": 4}


def test_a_problem_without_modes_is_written_with_some(tmp_path):
    path = tmp_path / "family.pl"
    path.write_text("parent(ann, 'Bea C'). parent('Bea C', cal). grand(ann, cal).", encoding="utf-8")
    problem = read_problem(path, "grand")
    write_aleph(problem, tmp_path / "family")
    again = read_aleph(tmp_path / "family")
    assert again.literals() == problem.literals()
    assert [str(mode) for mode in again.background.modes] == [
        "grand(+parent_1, +parent_1)",
        "parent(+parent_1, -parent_1)",
        "parent(-parent_1, +parent_1)",
    ]


def test_files_named_one_by_one_are_what_their_extensions_say(tmp_path) -> None:
    for name, text in {
        "bg.b": "parent(a, b).",
        "pos.f": "old(a).",
        "neg.n": "old(b). old(c).",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    problem = read_problem([tmp_path / "bg.b", tmp_path / "pos.f", tmp_path / "neg.n"])
    assert str(problem) == "bg: old/1, 1 positive and 2 negative examples; 1 relation, 1 fact"


def test_a_file_beside_it_is_loaded(tmp_path) -> None:
    (tmp_path / "kin.b").write_text(
        ":- ensure_loaded(facts).\n:- ensure_loaded(library(lists)).\nold(x).", encoding="utf-8"
    )
    (tmp_path / "facts.pl").write_text(":- ensure_loaded('kin.b').\nparent(a, b).", encoding="utf-8")
    (tmp_path / "kin.f").write_text("grand(a).", encoding="utf-8")
    assert read_problem(tmp_path / "kin").background.predicates() == (("old", 1), ("parent", 2))
    (tmp_path / "facts.pl").unlink()
    with pytest.warns(Note, match="the loaded file facts does not exist"):
        read_problem(tmp_path / "kin")


LISTS = """
:- modeh(1, starts(+list)).
:- modeb(1, +list = [-item|-list]).
:- modeb(1, vowel(+item)).
:- modeb(1, not(vowel(+item))).
:- determination(starts/1, (=)/2).
:- determination(starts/1, vowel/1).
:- determination(starts/1, not/1).
vowel(a). vowel(e). vowel(i).
"""


@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
@pytest.mark.parametrize("name", ["FOIL", "Progol", "RelationalLearner"])
def test_structures_and_negations_in_modes(stem, name):
    inside = ["[b, a]", "[c, e, b]", "[d, a, a]", "[b, i]", "[f, e]", "[g, a, c]"]
    outside = ["[a, b]", "[b, c]", "[e, a]", "[]", "[c, d, a]", "[i]", "[b]", "[a, a]"]
    files = {
        extension: "".join(f"starts({one}). " for one in each)
        for extension, each in (("f", inside), ("n", outside))
    }
    problem = read_aleph(stem(b=LISTS, **files))
    theory = problem.learner(name).fit(problem.X, problem.y).hypothesis_
    assert str(theory).count("= [") >= 2
    assert theory.errors() == 0
    assert theory.predict([[["g", "o", "a"]], [["g", "a", "o"]]]).tolist() == [False, True]


@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
def test_prune_and_cost_are_run(stem):
    facts = "".join(
        f"has_car(t{n}, c{n}). {'short' if n < 6 else 'long'}(c{n}). {'closed' if n < 8 else 'open'}(c{n}). "
        for n in range(12)
    )
    modes = ":- modeh(1, east(+train)). :- modeb(*, has_car(+train, -car)). " + "".join(
        f":- modeb(1, {one}(+car)). " for one in ("short", "long", "closed", "open")
    )
    examples = {
        "f": "".join(f"east(t{n}). " for n in range(6)),
        "n": "".join(f"east(t{n}). " for n in range(6, 12)),
    }
    for name in ("FOIL", "Progol", "RelationalLearner"):
        problem = read_aleph(stem(b=modes + facts, **examples))
        assert "short" in str(problem.learner(name).fit(problem.X, problem.y).hypothesis_)
        pruned = modes + facts + "prune((_ :- B)) :- within(B). within((A, B)) :- within(A) ; within(B). "
        problem = read_aleph(stem(b=pruned + "within(short(_)).", **examples))
        assert problem.settings["constraints"] == ("prune/1",)
        assert "short" not in str(problem.learner(name).fit(problem.X, problem.y).hypothesis_)
    # two literals are dear, so that a clause of one is taken, whatever it covers
    cost = (
        ":- set(evalfn, user). cost(_, [P, N, L], C) :- L > 2, !, C is 100 + N. "
        "cost(_, [P, N, L], C) :- C is N - P. "
    )
    problem = read_aleph(stem(b=modes + facts + cost, **examples))
    theory = problem.learner("Progol").fit(problem.X, problem.y).hypothesis_
    assert max(len(clause.body) for clause in theory.clauses) <= 1
    with pytest.warns(Note, match="FOIL has no parameter for cost"):
        problem.learner("FOIL")


def test_a_lazy_predicate_that_compares_is_a_comparison(stem):
    text = (
        ":- modeh(1, old(+person)). :- modeb(1, age(+person, -years)). :- modeb(1, lteq(+years, #years)). "
        ":- lazy_evaluate(lteq/2). lteq(X, Y) :- number(X), number(Y), !, X =< Y. "
    ) + "".join(f"age(p{n}, {n * 3}). " for n in range(20))
    examples = {
        extension: "".join(f"old(p{n}). " for n in each)
        for extension, each in (("f", range(12)), ("n", range(12, 20)))
    }
    with pytest.warns(Note, match="is the comparison =<, whose constants are found from the examples"):
        problem = read_aleph(stem(b=text, **examples))
    for name in ("FOIL", "Progol"):
        theory = problem.learner(name).fit(problem.X, problem.y).hypothesis_
        assert theory.errors() == 0
        assert "=<" in str(theory)
