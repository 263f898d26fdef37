"""Rules by sequential covering: its choices, the user's knowledge, bad input, Ctrl-C."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.errors import InputError
from induce.core.interrupts import whole_fits
from induce.covering import learn_one_rule
from induce.hypotheses.conditions import Is
from induce.hypotheses.rules import Rule
from induce.rules import _loops
from induce.rules.covering import Cover, RuleSearch
from induce.rules.encoding import Coded
from induce.rules.measures import MEASURES, negative_entropy
from induce.rules.space import Limits

X, Y = induce.dataset("play-tennis")


def mixed(n=200, seed=0, classes=3):
    """A table with nominal and numeric columns, holes, and classes that depend on some of them."""
    random = np.random.default_rng(seed)
    colour = random.choice(["red", "green", "blue", None], n, p=[0.4, 0.3, 0.2, 0.1])
    size = np.where(random.random(n) < 0.1, np.nan, random.normal(size=n).round(1))
    frame = pl.DataFrame({"colour": colour, "size": size, "noise": random.normal(size=n)}, nan_to_null=True)
    score = (colour == "red") * 1.0 + np.nan_to_num(size)
    return frame, np.array([f"c{k}" for k in np.clip(np.floor(score + 1), 0, classes - 1).astype(int)])


# -- the search against brute force --


def problem_of(frame, y):
    return induce.RuleLearner()._problem(frame, y, None)


def searching(frame, y, measure, target, **changes):
    """Return the space of all conjunctions, and the data."""
    problem = problem_of(frame, y)
    coded = Coded(problem)
    ties = changes.pop("ties", "first")
    n_classes = len(problem.classes)
    may = np.ones((len(coded.inputs), _loops.N_KINDS, n_classes), np.uint8)
    limits = Limits(may, np.ones(int(coded.starts[-1]), np.uint8), sets=changes.pop("sets", False))
    counts = problem.counts()
    task = _loops.Task(
        measure=MEASURES[measure],
        target=target,
        seed=-1,
        not_equal=changes.pop("not_equal", False),
        m=2.0,
        base=0.0,
        lightest=1.0,
        largest_prior=float(counts.max() / counts.sum()),
        significant=False,
        weighted=False,
        tied=ties == "coverage",
    )
    search = RuleSearch(task, limits, 1, ties, False, False, False, np.random.default_rng(0))
    rows = np.ones(len(coded), np.bool_)
    return Cover(coded, search, rows, ~rows, target), problem, coded


def judged_naively(measure, counts, target, prior):
    head = target if target >= 0 else int(np.argmax(counts))
    correct, total = counts[head], counts.sum()
    match measure:
        case "laplace":
            return (correct + 1) / (total + len(counts))
        case "m-estimate":
            return (correct + 2 * prior[head]) / (total + 2)
        case "relative-frequency":
            return correct / total
        case "entropy":
            return negative_entropy(counts)
        case _:
            return correct * (np.log2(correct / total) - np.log2(prior[head]))


@given(
    st.integers(0, 10_000),
    st.sampled_from(list(MEASURES)),
    st.sampled_from([-1, 0, 1]),
    st.booleans(),
)
def test_every_step_is_judged_as_by_hand(seed, measure, target, not_equal):
    if measure == "foil-gain" and target < 0:
        return
    frame, y = mixed(40, seed)
    if len(set(y)) < 2:
        return
    cover, problem, coded = searching(frame, y, measure, target, not_equal=not_equal)
    space = cover._space(target, ())
    start = space.start()[0]
    steps = space.refine(start)
    prior = problem.counts() / len(y)
    for i in range(len(steps)):
        state = space.take(start, i)
        condition = coded.conditions(state.tests)[0]
        covers = condition.covers(problem.table)
        assert covers.nonzero()[0].tolist() == state.rows.tolist()
        counts = np.bincount(problem.labels[covers], minlength=len(problem.classes)).astype(float)
        assert state.counts.tolist() == counts.tolist()
        assert steps.quality[i] == pytest.approx(judged_naively(measure, counts, target, prior))
        assert steps.bound[i] >= steps.quality[i] - 1e-12
    # no threshold is better than the one offered
    for name, values in (("size", frame["size"]), ("noise", frame["noise"])):
        numbers = values.to_numpy().astype(float)
        known = np.unique(numbers[~np.isnan(numbers)])
        for below in (True, False):
            best = -np.inf
            for cut in known[:-1]:
                covers = numbers <= cut if below else numbers > cut
                counts = np.bincount(problem.labels[covers], minlength=len(problem.classes)).astype(float)
                if target < 0 or counts[target] > 0:
                    best = max(best, judged_naively(measure, counts, target, prior))
            kind = _loops.AT_MOST if below else _loops.ABOVE
            a = frame.columns.index(name)
            offered = [
                quality
                for quality, test in zip(steps.quality, start.steps["tests"], strict=True)
                if test[0] == a and test[1] == kind
            ]
            assert max(offered, default=-np.inf) == pytest.approx(best)


@given(
    st.integers(0, 10_000),
    st.sampled_from(["laplace", "m-estimate", "relative-frequency", "foil-gain"]),
    st.sampled_from(["first", "coverage"]),
    st.booleans(),
)
def test_the_rows_of_a_class_say_all_about_its_first_tests(seed, measure, ties, not_equal):
    """The short cut for the state that covers everything judges the same steps as the loop over all rows."""
    frame, y = mixed(60, seed)
    cover, _, coded = searching(frame, y, measure, 0, not_equal=not_equal, ties=ties)
    if coded.n_classes < 2:
        return
    assert cover.rest is not None
    first = learn_one_rule(cover._space(0, ()), 3)
    if first is not None and first.tests:
        cover.remove(first)
    if not cover.left():
        return
    space = cover._space(0, ())
    start = space.start()[0]
    short, short_tests = space.refine(start), start.steps["tests"]
    space._rest = None
    long, long_tests = space.refine(start), start.steps["tests"]
    assert short_tests.tolist() == long_tests.tolist()
    for name in ("quality", "promise", "bound", "tie"):
        assert getattr(short, name) == pytest.approx(getattr(long, name))
    assert short.keys.tolist() == long.keys.tolist()


def test_the_best_set_of_values_is_found_for_two_classes():
    random = np.random.default_rng(3)
    frame = pl.DataFrame({"v": random.choice(list("abcde"), 60)})
    y = np.where(random.random(60) < 0.5, "n", "p")
    cover, problem, _ = searching(frame, y, "relative-frequency", 1, sets=True)
    space = cover._space(1, ())
    steps = space.refine(space.start()[0])
    found = max(
        q for q, t in zip(steps.quality, space.start()[0].steps["tests"], strict=True) if t[1] == _loops.AMONG
    )
    values = np.array(frame["v"])
    best = max(
        (problem.labels[np.isin(values, chosen)] == 1).mean()
        for size in (2, 3, 4)
        for chosen in combinations("abcde", size)
    )
    assert found == pytest.approx(best)


# -- choices --

CHOICES = [
    {"ordered": True},
    {"ordered": False},
    {"measure": "entropy", "ordered": True},
    {"measure": "m-estimate"},
    {"measure": "foil-gain"},
    {"measure": "relative-frequency", "ties": "coverage"},
    {"search": "example-driven"},
    {"search": "example-driven", "ordered": True},
    {"direction": "specific-to-general"},
    {"direction": "specific-to-general", "ordered": True},
    {"covering": "simultaneous"},
    {"nominal": "sets"},
    {"nominal": "not-equal", "ordered": True},
    {"pruning": "reduced-error"},
    {"pruning": "reduced-error", "ordered": True},
    {"significance": 0.1},
    {"judge_on": "all"},
    {"max_length": 1},
    {"target_class": "c1"},
]


@pytest.mark.compiled
@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_each_choice_learns_what_can_be_learned(choices):
    # upwards every row is a seed, and a rule begins with all its conditions
    frame, y = mixed(100 if choices.get("direction") == "specific-to-general" else 300, seed=1)
    learner = induce.RuleLearner(**choices).fit(frame, y)
    test_frame, test_y = mixed(300, seed=2)
    hits = (learner.predict(test_frame) == test_y).mean()
    most_frequent = max((test_y == value).mean() for value in set(y))
    floor = most_frequent + (0.0 if choices.keys() & {"max_length", "target_class"} else 0.1)
    assert hits >= floor
    again = induce.RuleLearner(**choices).fit(frame, y)
    assert again.hypothesis_ == learner.hypothesis_


@pytest.mark.compiled
@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_the_trace_changes_nothing(choices):
    frame, y = mixed(100, seed=4)
    untraced = induce.RuleLearner(**choices).fit(frame, y).hypothesis_
    with induce.trace() as events:
        traced = induce.RuleLearner(**choices).fit(frame, y).hypothesis_
    assert traced == untraced
    if choices.get("covering") != "simultaneous":
        n_rules = sum(event.kind == "rule" for event in events)
        assert n_rules >= len(traced.rules)


def test_limits_hold():
    frame, y = mixed(400, seed=5)
    rules = induce.CN2(max_length=2, min_coverage=5, max_rules=4).fit(frame, y).hypothesis_.rules
    assert len(rules) == 4
    assert all(rule.covered >= 5 for rule in rules)
    # an interval is made of two tests
    assert all(sum(1 + (" < " in str(c)) for c in rule.conditions) <= 2 for rule in rules)


def test_learning_ends_at_the_threshold():
    rules = induce.RuleLearner(measure="relative-frequency", threshold=0.99, ordered=True, min_coverage=2)
    assert all(rule.precision == 1.0 for rule in rules.fit(*mixed(300)).hypothesis_.rules)


def test_an_ordered_column_is_cut_in_its_order():
    domain = ["low", "mid", "high", "top"]
    frame = pl.DataFrame({"level": domain * 5}, schema={"level": pl.Enum(domain)})
    y = ["n", "n", "p", "p"] * 5
    learner = induce.CN2(schema={"level": {"ordered": True}}).fit(frame, y)
    assert sorted(str(rule) for rule in learner.hypothesis_.rules) == [
        "IF level in {high, top} THEN p (10/10)",
        "IF level in {low, mid} THEN n (10/10)",
    ]


def test_not_equal():
    frame = pl.DataFrame({"v": ["a", "b", "c", "d", None] * 4})
    learner = induce.CN2(nominal="not-equal", ordered=True).fit(frame, ["n", "p", "p", "p", "n"] * 4)
    assert "IF v != a THEN p (12/12)" in str(learner.hypothesis_)
    assert learner.predict(pl.DataFrame({"v": ["b", "a", None, "new"]})).tolist() == ["p", "n", "n", "n"]


# -- weights --


@pytest.mark.compiled
@settings(max_examples=20)
@given(st.integers(0, 1000), st.booleans())
def test_a_weight_is_a_repetition(seed, ordered):
    frame, y = mixed(40, seed)
    times = np.random.default_rng(seed).integers(0, 4, 40)
    if not times.any():
        return
    repeated = np.repeat(np.arange(40), times)
    weighted = induce.CN2(ordered=ordered).fit(frame, y, sample_weight=times)
    plain = induce.CN2(ordered=ordered, schema={"colour": {"domain": ["blue", "green", "red"]}})
    plain.fit(frame[repeated], y[repeated])
    assert [str(rule) for rule in weighted.hypothesis_.rules] == [
        str(rule) for rule in plain.hypothesis_.rules
    ]


def test_class_weight_makes_a_rare_class_heard():
    frame = pl.DataFrame({"a": ["x"] * 10})
    y = ["rare"] * 3 + ["common"] * 7
    assert induce.CN2().fit(frame, y).predict(frame)[0] == "common"
    assert induce.CN2(class_weight={"rare": 5}).fit(frame, y).predict(frame)[0] == "rare"


# -- what the user knows --


def test_required_conditions_are_in_every_rule():
    rules = induce.CN2(require=["Wind = Weak"]).fit(X, Y).hypothesis_.rules
    assert rules
    assert all(Is("Wind", "Weak") in rule.conditions for rule in rules)


def test_forbidden_columns_and_values_are_in_none():
    rules = induce.CN2(forbid=["Outlook", "Wind = Weak"]).fit(X, Y).hypothesis_.rules
    said = {str(condition) for rule in rules for condition in rule.conditions}
    assert said
    assert not {text for text in said if text.startswith("Outlook") or text == "Wind = Weak"}


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("direction", ["increasing", "decreasing"])
def test_monotone_directions(ordered, direction):
    random = np.random.default_rng(0)
    size = random.random(300)
    y = np.where((size > 0.5) ^ (random.random(300) < 0.2), "good", "bad")
    learner = induce.CN2(ordered=ordered, monotone={"size": direction}, max_rules=20)
    learner.fit(pl.DataFrame({"size": size}), pl.Series("y", y, dtype=pl.Enum(["bad", "good"])))
    wrong = {"increasing": {"good": "<=", "bad": ">"}, "decreasing": {"good": ">", "bad": "<="}}[direction]
    for rule in learner.hypothesis_.rules:
        assert not any(wrong[rule.prediction] in str(condition) for condition in rule.conditions)
        assert not any(" < size <= " in str(condition) for condition in rule.conditions)
    if direction == "increasing":
        assert learner.hypothesis_.rules


@pytest.mark.parametrize("ordered", [True, False])
def test_the_rules_of_an_expert_come_first_and_are_refined(ordered):
    learner = induce.CN2(
        rules=["IF Outlook = Sunny THEN No", "IF Outlook = Overcast THEN Yes"], ordered=ordered
    )
    found = [str(rule) for rule in learner.fit(X, Y).hypothesis_.rules]
    assert "IF Outlook = Sunny AND Humidity = High THEN No (3/3)" in found
    assert "IF Outlook = Overcast THEN Yes (4/4)" in found
    if ordered:
        assert found[0].startswith("IF Outlook = Sunny")


@pytest.mark.compiled
@pytest.mark.parametrize(
    "choices",
    [
        {"ordered": True},
        {"measure": "foil-gain"},
        {"search": "example-driven"},
        {"significance": 0.05, "ordered": True},
        {"ties": "coverage", "judge_on": "all"},
    ],
    ids=str,
)
def test_what_is_remembered_of_states_changes_no_rule(choices, monkeypatch):
    for seed in range(10):
        frame, y = mixed(80, seed)
        for expert in ((), (f"IF noise > -99 THEN {y[0]}",)):
            learner = induce.RuleLearner(**choices, rules=expert)
            remembering = learner.fit(frame, y).hypothesis_
            with monkeypatch.context() as patch:
                patch.setattr(RuleSearch, "remembers", lambda self, target: False)
                assert learner.fit(frame, y).hypothesis_ == remembering


def test_a_rule_of_an_expert_without_examples_is_kept_with_a_note():
    frame, y = mixed(60)
    with pytest.warns(induce.Note, match="kept as given"):
        learner = induce.CN2(rules=["IF size > 99 THEN c2"], ordered=True).fit(frame, y)
    assert str(learner.hypothesis_.rules[0]) == "IF size > 99 THEN c2 (0/0)"
    assert learner.predict(pl.DataFrame({"colour": ["red"], "size": [100.0], "noise": [0.0]})) == ["c2"]


def test_rules_can_be_given_as_values():
    given_rule = Rule((Is("Outlook", "Rain"), Is("Wind", "Strong")), "No", (0.0, 0.0))
    rules = induce.CN2(rules=[given_rule]).fit(X, Y).hypothesis_.rules
    assert given_rule.conditions in {rule.conditions for rule in rules}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rules": ["IF Outlok = Sunny THEN No"]}, "there is no .* 'Outlok'; did you mean 'Outlook'"),
        ({"rules": ["IF Outlook = Suny THEN No"]}, "Suny"),
        ({"rules": ["IF Outlook = Sunny THEN Maybe"]}, "Maybe"),
        ({"rules": [7]}, "rules contains 7; give rules"),
        ({"rules": "IF Outlook = Sunny THEN No"}, "rules is a string; give a list"),
        ({"require": ["Outlook"]}, "Outlook"),
        ({"require": [3]}, "require contains 3"),
        ({"forbid": ["Snow"]}, "Snow"),
        ({"monotone": {"Windd": "increasing"}}, "there is no column 'Windd'; did you mean 'Wind'"),
        ({"monotone": {"Wind": "increasing"}}, "'Wind', whose values are not ordered"),
        ({"monotone": {"Wind": "up"}}, "monotone is 'up' for column 'Wind'"),
        ({"measure": "gini"}, "measure is 'gini'"),
        ({"beam_width": 0}, "beam_width is 0"),
        ({"max_length": 0}, "max_length is 0"),
        ({"min_coverage": -1}, "min_coverage is -1"),
        ({"significance": 5}, "significance is 5"),
        ({"measure": "foil-gain", "ordered": True}, "foil-gain"),
    ],
    ids=str,
)
def test_what_cannot_be_is_said_in_a_sentence(changes, sentence):
    with pytest.raises(InputError, match=sentence) as problem:
        induce.CN2(**changes).fit(X, Y)
    assert "\n" not in str(problem.value)


def test_a_target_class_that_does_not_exist():
    with pytest.raises(
        InputError, match="target_class is 'maybe', which is not a class; the classes are 'Yes', 'No'"
    ):
        induce.RuleLearner(target_class="maybe").fit(X, Y)


# -- data that is hard --


def test_contradictory_rows():
    frame = pl.DataFrame({"a": ["x", "x", "x", "y"]})
    for learner in (induce.CN2(), induce.CN2(ordered=True), induce.AQ(), induce.PRISM()):
        assert learner.fit(frame, ["p", "n", "p", "n"]).predict(frame).tolist() == ["p", "p", "p", "n"]


@pytest.mark.compiled
def test_two_hundred_classes():
    random = np.random.default_rng(0)
    labels = np.repeat(np.arange(200), 5)
    frame = pl.DataFrame({"a": (labels // 14).astype(str), "b": labels % 14 + random.normal(0, 0.01, 1000)})
    learner = induce.CN2(ordered=True).fit(frame, [f"class {k}" for k in labels])
    assert (learner.predict(frame) == np.array([f"class {k}" for k in labels])).mean() > 0.95


def test_a_number_to_predict_is_refused_with_advice():
    with pytest.raises(ValueError, match=r"regress|continuous"):
        induce.CN2().fit([[1.0], [2.0], [3.0]], [0.5, 1.25, 3.75])


def test_all_values_missing_leaves_the_default():
    frame = pl.DataFrame(
        {"a": [None, None, None], "b": [None, None, None]}, schema={"a": pl.Float64, "b": pl.Float64}
    )
    learner = induce.CN2().fit(frame, ["p", "n", "p"])
    assert learner.predict(frame).tolist() == ["p", "p", "p"]
    assert learner.hypothesis_.rules == ()


# -- Ctrl-C --


class Interrupting:
    """A listener to progress that presses Ctrl-C after some reports."""

    def __init__(self, after):
        self.left = after

    def __call__(self, share):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


def test_ctrl_c_leaves_the_rules_found_so_far():
    frame, y = mixed(400)
    whole = induce.CN2(ordered=True).fit(frame, y)
    learner = induce.CN2(ordered=True)
    with (
        pytest.warns(induce.Note, match="interrupted: the 3 rules found so far are kept"),
        induce.progress(Interrupting(2)),
    ):
        learner.fit(frame, y)
    assert learner.hypothesis_.rules == whole.hypothesis_.rules[:3]
    assert learner.predict(frame).shape == (400,)


def test_ctrl_c_while_a_compiled_loop_hands_over_its_results(monkeypatch):
    """Python then makes a SystemError of it, whose cause is the KeyboardInterrupt."""
    calls = []

    def pressed(share):
        calls.append(share)
        if len(calls) == 3:
            raise SystemError("returned a result with an exception set") from KeyboardInterrupt()

    monkeypatch.setattr("induce.rules.learners.rule_learner.report", pressed)
    with pytest.warns(induce.Note, match="interrupted: the 3 rules"):
        learner = induce.CN2(ordered=True).fit(*mixed(400))
    assert len(learner.hypothesis_.rules) == 3


def test_a_real_signal_leaves_the_rules_found_so_far(ctrl_c):
    random = np.random.default_rng(0)
    X, y = random.normal(size=(3000, 10)), random.integers(0, 2, 3000)
    induce.CN2(max_rules=1).fit(X, y)
    pressed = []

    def press_once(share):
        if share > 0 and not pressed:  # a rule was found
            pressed.append(ctrl_c())

    with (
        pytest.warns(induce.Note, match="interrupted: the .* rules found so far are kept"),
        induce.progress(press_once),
    ):
        learner = induce.CN2(beam_width=50).fit(X, y)
    assert learner.hypothesis_.rules


def test_ctrl_c_before_the_first_rule_leaves_an_unfitted_learner():
    learner = induce.CN2()
    with pytest.raises(KeyboardInterrupt), induce.progress(Interrupting(0)), whole_fits():
        learner.fit(*mixed(400))
    assert not hasattr(learner, "hypothesis_")


def test_an_estimate_never_rests_on_rules_that_were_cut_short(monkeypatch):
    calls = []

    def pressed(share):
        calls.append(share)
        if len(calls) > 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("induce.rules.learners.rule_learner.report", pressed)
    with pytest.raises(KeyboardInterrupt):
        induce.evaluate(induce.CN2(ordered=True), *mixed(200), cv=3)
    assert len(calls) == 4


def test_progress_goes_to_the_end():
    seen = []
    with induce.progress(seen.append):
        induce.CN2().fit(*mixed(300))
    assert seen == sorted(seen)
    assert 0.9 < seen[-1] <= 1.0


# -- saving --


@pytest.mark.parametrize("name", ["CN2", "AQ", "PRISM", "RuleLearner"])
def test_saved_and_loaded(name, tmp_path):
    frame, y = mixed(150)
    learner = getattr(induce, name)(nominal="not-equal") if name in ("CN2", "AQ") else getattr(induce, name)()
    learner.fit(frame, y)
    induce.save(learner, tmp_path / "rules.induce")
    again = induce.load(tmp_path / "rules.induce")
    assert again.hypothesis_ == learner.hypothesis_
    assert again.get_params() == learner.get_params()
