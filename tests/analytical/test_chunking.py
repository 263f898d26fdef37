"""Chunking: impasses, what is learned from them, and what is not."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.analytical import ProductionSystem
from induce.analytical.chunking.decisions import decide
from induce.analytical.chunking.memory import Memory
from induce.analytical.chunking.productions import productions_of
from induce.core.errors import InputError
from induce.logic import parse_clause, parse_literal, variants

BLOCKS = """
    propose(move(X, Y)) :- clear(X), clear(Y), on(X, Z), block(Y), X \\= Y.
    propose(to_table(X)) :- clear(X), on(X, Z), block(Z).
    add(on(X, Y)) :- selected(move(X, Y)).
    remove(on(X, Z)) :- selected(move(X, Y)), on(X, Z).
    remove(clear(Y)) :- selected(move(X, Y)).
    add(clear(Z)) :- selected(move(X, Y)), on(X, Z), block(Z).
    add(on(X, table)) :- selected(to_table(X)).
    add(clear(Z)) :- selected(to_table(X)), on(X, Z).
    remove(on(X, Z)) :- selected(to_table(X)), on(X, Z).
    success :- wanted(X, Y), on(X, Y).
"""
COVERED = (
    "block(a). block(b). block(c). on(a, table). on(b, c). on(c, table). clear(a). clear(b). wanted(a, c)."
)
FETCH = """
    propose(fetch(X)) :- wanted(X), \\+ have(X).
    propose(go(R)) :- task(fetch(X)), in(X, R), at(Q), Q \\= R.
    propose(take(X)) :- task(fetch(X)), in(X, R), at(R).
    add(at(R)) :- selected(go(R)).
    remove(at(Q)) :- selected(go(R)), at(Q).
    add(have(X)) :- selected(take(X)).
    remove(in(X, R)) :- selected(take(X)), in(X, R).
    done :- task(fetch(X)), have(X).
    success :- wanted(X), have(X).
"""


def same(chunk, text):
    return variants(chunk.clause.literals(), parse_clause(text).literals())


def test_a_tie_teaches_a_chunk_and_does_not_come_back():
    first = ProductionSystem(BLOCKS).run(COVERED)
    assert first.reached
    assert first.operators == ("to_table(b)", "move(a, c)")
    assert [one.kind for one in first.impasses] == ["tie", "tie"]
    clear_off, put = first.chunks
    assert same(
        clear_off,
        "best(to_table(B)) :- propose(to_table(B)), on(B, C), block(C), wanted(A, C), clear(A), on(A, Z), "
        "A \\= B, A \\= C.",
    )
    assert same(put, "best(move(A, C)) :- propose(move(A, C)), wanted(A, C).")
    again = first.system.run(COVERED)
    assert again.reached
    assert not again.impasses
    assert again.operators == first.operators
    assert again.n_situations < first.n_situations
    elsewhere = (
        "block(p). block(q). block(r). block(s). on(p, q). on(q, table). on(r, s). on(s, table). clear(p). clear(r). "
        "wanted(p, s)."
    )
    transfer = first.system.run(elsewhere)
    assert transfer.reached
    assert not transfer.impasses


def test_a_chunk_says_where_it_comes_from():
    chunk = ProductionSystem(BLOCKS).run(COVERED).chunks[0]
    why = chunk.justification
    assert why.relevant == (
        "propose(to_table(b))",
        "clear(a)",
        "on(b, c)",
        "on(a, table)",
        "block(c)",
        "wanted(a, c)",
    )
    assert "on(c, table)" in why.irrelevant
    assert "add(clear(Z)) :- selected(to_table(X)), on(X, Z)." in why.rules
    assert "a \\= b [built-in]" in why.proof  # why on(a, table) was still there after b was moved
    assert "cost of matching" in chunk.justify()


def test_a_task_becomes_productions_that_do_it_at_once():
    first = ProductionSystem(FETCH).run("at(hall). in(ball, attic). wanted(ball).")
    (impasse,) = first.impasses
    assert impasse.kind == "no change"
    assert impasse.how == "done by go(attic), take(ball)"
    assert len(first.chunks) == 4
    assert any(
        same(one, "add(have(X)) :- selected(fetch(X)), in(X, R), at(Q), Q \\= R.") for one in first.chunks
    )
    second = first.system.run("at(yard). in(book, cellar). wanted(book).")
    assert not second.impasses
    assert second.reached
    assert set(second.facts) == {"at(cellar)", "have(book)", "wanted(book)"}
    # where the thing is here already, the chunks do not hold, and the subgoal does it again
    here = first.system.run("at(yard). in(book, yard). wanted(book).")
    assert [one.kind for one in here.impasses] == ["no change"]
    assert here.reached
    assert set(here.facts) == {"at(yard)", "have(book)", "wanted(book)"}


def test_values_give_a_comparison():
    hill = ProductionSystem(
        """
        propose(step(Y)) :- at(X), next(X, Y).
        add(at(Y)) :- selected(step(Y)).
        remove(at(X)) :- selected(step(Y)), at(X).
        value(H) :- at(X), height(X, H).
        success :- at(X), top(X).
        """
    )
    run = hill.run(
        "at(a). next(a, b). next(a, c). next(c, d). top(d). height(b, 3). height(c, 5). height(d, 9)."
    )
    (chunk,) = run.chunks
    assert same(
        chunk,
        "better(step(X), step(Y)) :- propose(step(X)), height(X, V), propose(step(Y)), height(Y, W), V > W.",
    )
    equal = hill.run("at(a). next(a, b). next(a, c). top(c). next(b, c). height(b, 5). height(c, 5).")
    assert equal.reached
    flat = hill.run("at(a). next(a, b). next(a, c). height(b, 5). height(c, 5).", max_decisions=1)
    assert "values are equal" in flat.refused[0].reason
    assert not flat.chunks


def test_failure_rejects():
    run = ProductionSystem(
        """
        propose(touch(X)) :- thing(X).
        add(touched(X)) :- selected(touch(X)).
        failure :- touched(X), hot(X).
        success :- touched(X), gold(X), \\+ hot(X).
        """
    ).run("thing(stove). thing(cup). hot(stove).", max_decisions=1)
    (chunk,) = run.chunks
    assert same(chunk, "reject(touch(X)) :- propose(touch(X)), hot(X).")
    assert run.operators == ("touch(cup)",)


def test_conflict():
    run = ProductionSystem(
        """
        propose(go(X)) :- way(X).
        better(go(a), go(b)) :- way(a).
        better(go(b), go(a)) :- way(b).
        add(at(X)) :- selected(go(X)).
        success :- at(X), home(X).
        """
    ).run("way(a). way(b). home(b).")
    assert run.impasses[0].kind == "conflict"
    assert run.operators == ("go(b)",)
    assert same(run.chunks[0], "best(go(X)) :- propose(go(X)), home(X).")


REFUSED = {
    "absent": (
        BLOCKS.replace(
            "success :- wanted(X, Y), on(X, Y).", "unmet :- wanted(X, Y), \\+ on(X, Y). success :- \\+ unmet."
        ),
        COVERED,
        "depends on the absence of unmet in a look-ahead situation",
    ),
    "local": (
        """
        propose(eat(X)) :- food(X).
        add(eaten(X)) :- selected(eat(X)).
        best(O) :- impasse(tie), item(O), favourite(O).
        success :- eaten(X).
        """,
        "food(a). food(b). favourite(eat(b)).",
        "depends on impasse.tie., which only states that knowledge was lacking",
    ),
    "derived in the subgoal": (
        """
        propose(eat(X)) :- food(X).
        add(eaten(X)) :- selected(eat(X)).
        doubtful(O) :- item(O), rumour(O).
        best(O) :- item(O), \\+ doubtful(O).
        success :- eaten(X), never.
        """,
        "food(a). food(b). rumour(eat(a)).",
        "depends on the absence of doubtful.eat.b.., which is known only in the subgoal",
    ),
    "no way": (
        "propose(a) :- p. propose(b) :- p. add(q) :- selected(a). add(r) :- selected(b). success :- s.",
        "p.",
        "no sequence of up to 6 operators led to success",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_no_chunk_where_a_chunk_could_not_test_what_mattered(case):
    text, facts, reason = REFUSED[case]
    run = ProductionSystem(text).run(facts, max_decisions=2)
    assert not run.chunks
    assert run.refused
    with pytest.raises(AssertionError, match=reason):
        raise AssertionError(run.refused[0].reason)


def test_the_same_knowledge_without_a_test_of_the_impasse_is_learned():
    text = REFUSED["local"][0].replace("impasse(tie), ", "")
    (chunk,) = ProductionSystem(text).run(REFUSED["local"][1]).chunks
    assert same(chunk, "best(O) :- propose(O), favourite(O).")


def test_a_costly_chunk_is_refused_with_its_cost():
    run = ProductionSystem(BLOCKS).run(COVERED, max_cost=16)
    assert len(run.chunks) == 1
    assert run.chunks[0].cost <= 16
    assert "matching it costs" in run.refused[0].reason
    assert run.work[run.chunks[0].prolog] > 0


def test_learning_can_be_switched_off_and_is_traced():
    system = ProductionSystem(BLOCKS)
    assert not system.run(COVERED, learn=False).chunks
    with induce.trace() as events:
        traced = system.run(COVERED)
    assert [one.kind for one in events] == ["impasse", "chunk"] * 2
    assert traced.system == system.run(COVERED).system


def test_it_is_saved_with_its_chunks(tmp_path):
    system = ProductionSystem(BLOCKS).run(COVERED).system
    induce.save(system, tmp_path / "blocks.induce")
    loaded = induce.load(tmp_path / "blocks.induce")
    assert loaded == system
    assert loaded.justify() == system.justify()
    assert not loaded.run(COVERED).impasses
    assert loaded.without_chunks() == ProductionSystem(BLOCKS)
    assert system.size() == "10 productions, 2 chunks"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("p :- q.", "no production proposes an operator"),
        ("propose(a) :- p. add(q) :- p.", "must test one selected"),
        ("propose(a) :- selected(b).", "only productions that add or remove"),
        ("propose(a) :- p. add(X) :- selected(a), q(X).", "must name the fact"),
        ("propose(a) :- p. item(a) :- p.", "item/1 is created by the system"),
        ("propose(a) :- p. q :- p. add(q) :- selected(a).", "q/0 is derived by a production"),
        ("propose(a) :- p. q :- \\+ r. r :- \\+ q.", "negation"),
        ("propose(X) :- p.", "X in the head is a variable that no condition binds"),
        ("propose(a) :- p. q(f(X)) :- q(X). q(a) :- p.", "derive more than 10,000 facts"),
        ("propose(a) :- ", "line 1"),
        ("", "no production proposes"),
    ],
)
def test_bad_productions(text, reason):
    with pytest.raises(InputError, match=reason):
        ProductionSystem(text).run("p.")


def test_bad_facts_and_limits():
    system = ProductionSystem(BLOCKS)
    with pytest.raises(InputError, match="only facts"):
        system.run("p :- q.")
    with pytest.raises(InputError, match="has variables"):
        system.run("p(X).")
    with pytest.raises(InputError, match="max_depth is 0"):
        system.run("p.", max_depth=0)
    stuck = system.run("p.")
    assert not stuck.reached
    assert "not resolved" in str(stuck)
    lazy = ProductionSystem("propose(sit) :- chair. success :- rich.").run("chair.")
    assert not lazy.reached
    assert lazy.impasses[-1].how == "because no production applies it"


def states(draw, n):
    """Draw towers of n blocks, as facts."""
    names = "abcdef"[:n]
    below = {}
    free = ["table"]
    for name in draw(st.permutations(names)):
        place = draw(st.sampled_from(free))
        below[name] = place
        free = [one for one in free if one == "table" or one != place] + [name]
    clear = [one for one in names if one not in below.values()]
    return (
        [f"block({one})" for one in names]
        + [f"on({one}, {place})" for one, place in below.items()]
        + [f"clear({one})" for one in clear]
    )


@st.composite
def problems(draw, n):
    facts = states(draw, n)
    top, under = draw(st.permutations("abcdef"[:n]))[:2]
    return [*map(parse_literal, facts), parse_literal(f"wanted({top}, {under})")]


@settings(max_examples=25, deadline=None)
@given(problems(3), problems(4))
def test_a_chunk_is_right_wherever_it_holds(taught, tried):
    """An operator that a chunk calls best leads to success in as few steps as were imagined, or fewer."""
    system = ProductionSystem(BLOCKS)
    learned = system.run(taught).system
    memory = Memory(learned.productions)
    situation = memory.enter(tried)
    plain = Memory(productions_of(BLOCKS))
    for best in situation.of(("best", 1)):
        operator = best.arguments[0]
        assert parse_literal("success") in situation or reaches(
            plain, plain.after(plain.enter(tried), operator), 6
        )


def reaches(memory, situation, depth):
    """Say whether some way of a number of operators leads to success."""
    if parse_literal("success") in situation:
        return True
    if not depth:
        return False
    proposed = [one.arguments[0] for one in situation.of(("propose", 1))]
    return any(reaches(memory, memory.after(situation, one), depth - 1) for one in proposed)


def test_decisions_by_preference():
    text = """
        propose(O) :- o(O). best(O) :- b(O). worst(O) :- w(O). reject(O) :- r(O). indifferent(O) :- i(O).
        better(O, P) :- g(O, P).
    """

    def chosen(facts):
        made = Memory(productions_of(text)).enter([parse_literal(one) for one in facts.split()])
        choice = decide(made)
        return str(choice.operator.value) if choice.operator else choice.impasse

    assert chosen("o(a) o(b)") == "tie"
    assert chosen("o(a) o(b) b(b)") == "b"
    assert chosen("o(a) o(b) r(a)") == "b"
    assert chosen("o(a) o(b) w(a)") == "b"
    assert chosen("o(a) o(b) g(b,a)") == "b"
    assert chosen("o(a) o(b) g(b,a) g(a,b)") == "conflict"
    assert chosen("o(a) o(b) i(a) i(b)") == "a"
    assert chosen("o(a) r(a)") == "no change"


def shuffled(n, seed):
    """Return a problem of n blocks as facts."""
    draw = random.Random(seed)
    names = [f"b{number}" for number in range(n)]
    below, free = {}, ["table"]
    for name in draw.sample(names, n):
        below[name] = draw.choice(free)
        free = [one for one in free if one in ("table", name) or one != below[name]] + [name]
    top, under = draw.sample(names, 2)
    facts = [f"block({one})" for one in names] + [f"on({one}, {place})" for one, place in below.items()]
    facts += [f"clear({one})" for one in names if one not in below.values()]
    return [parse_literal(one) for one in (*facts, f"wanted({top}, {under})")]


def test_chunks_of_small_problems_pay_on_larger_ones():
    system = ProductionSystem(BLOCKS)
    for seed in range(20):
        system = system.run(shuffled(4, seed)).system
    totals = []
    for one in (system.without_chunks(), system):
        runs = [one.run(shuffled(5, 1000 + seed), learn=False, max_depth=4) for seed in range(20)]
        assert all(run.reached for run in runs)
        n_operators = sum(len(run.operators) for run in runs)
        n_impasses = sum(len(run.impasses) for run in runs)
        n_situations = sum(run.n_situations for run in runs)
        work = sum(sum(run.work.values()) for run in runs)
        totals.append((n_operators, n_impasses, n_situations, work))
    before, after = totals
    assert after[0] == before[0]  # no longer ways
    assert 3 * after[1] < before[1]
    assert 3 * after[2] < before[2]
    assert after[3] < before[3]  # with the matching of the chunks counted in
