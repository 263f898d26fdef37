"""Programs: how they are bred, run, printed and kept; the block world, the ant and the filter."""

from __future__ import annotations

import operator
import sqlite3

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import induce
from induce.core.loops import compiled
from induce.evolution import (
    AntTrail,
    BlockWorld,
    Circuit,
    Component,
    GeneticProgramming,
    Language,
    LowPass,
    OutOfStepsError,
    Primitive,
    Program,
    Programs,
    Subroutine,
    Tournament,
    constant,
    formula_functions,
    function,
    terminal,
    variable,
)
from induce.evolution.programs import _breeding_loops as breeding_loops
from induce.evolution.programs.population import Breeding, Population
from induce.evolution.programs.problems import blocks
from induce.search import hill_climb

NUMBER, TRUTH = "number", "truth"
TYPED = Language(
    (
        function("+", operator.add, (NUMBER, NUMBER), NUMBER),
        function("<", operator.lt, (NUMBER, NUMBER), TRUTH),
        function("not", operator.not_, (TRUTH,), TRUTH),
        function("if", lambda c, a, b: a() if c() else b(), (TRUTH, NUMBER, NUMBER), NUMBER, lazy=True),
        variable("x", NUMBER),
        constant(-1, 1, gives=NUMBER),
    ),
    gives=NUMBER,
    subroutines=(Subroutine((NUMBER, TRUTH), NUMBER), Subroutine((NUMBER,), TRUTH)),
)
PLAIN = Language((function("+", operator.add, 2), function("*", operator.mul, 2), variable("x")))


def bred(language: Language, seed: int, generations: int, **how) -> tuple[Programs, Population]:
    """A population after some generations with random losses."""
    genome = Programs(language, 25, 6, (1, 4))
    chances = {
        "p_crossover": 0.5,
        "p_subtree_mutation": 0.2,
        "p_hoist_mutation": 0.1,
        "p_point_mutation": 0.15,
    }
    breeding = genome.breeding(tournament_size=2, p_point_replace=0.3, **chances, **how)
    population = breeding.first(genome.grammar, 12, seed)
    for number in range(generations):
        losses = np.random.default_rng(seed + number).random(12)
        population = breeding.next(population, losses, genome.grammar, (seed, number))
    return genome, population


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from([TYPED, PLAIN, blocks.LANGUAGE]))
def test_offspring_are_legal_and_within_limits(seed, language):
    from induce.evolution.programs.genome import rows_of

    genome, population = bred(language, seed, 4)
    for genes in rows_of(population):
        assert genome.legal(genes)
        text = genome.show(genes)
        assert Program.parse(text, language).to_sexpr() == text


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_single_crossover_conserves_nodes(seed):
    genome, rng = Programs(TYPED, 40, 8), np.random.default_rng(seed)
    first, second = genome.random(rng), genome.random(rng)
    made = genome.crossover(first, second, rng)
    assert sum(len(each[0]) for each in made) == len(first[0]) + len(second[0])
    assert all(map(genome.legal, made))
    assert genome.legal(genome.mutate(made[0], rng))


@pytest.mark.compiled
def test_plain_and_compiled_breed_the_same(monkeypatch):
    plain = bred(TYPED, 3, 3)[1]
    monkeypatch.setattr("induce.evolution.programs.population.sized", lambda loop, *_: compiled(loop))
    fast = bred(TYPED, 3, 3, n_jobs=2)[1]
    for name in ("codes", "constants", "starts", "ways"):
        assert np.array_equal(getattr(plain, name), getattr(fast, name)), name


def test_flattest_trees_can_always_be_finished():
    """A type without terminals needs a function; depth and size still hold."""
    language = Language(
        (
            Primitive("pair", ("leaf", "leaf"), "tree"),
            Primitive("chain", ("tree",), "tree"),
            Primitive("x", (), "leaf"),
        ),
        gives="tree",
    )
    genome = Programs(language, 5, 3, (0, 3))
    for seed in range(20):
        assert genome.legal(genome.random(np.random.default_rng(seed)))


# --- running -------------------------------------------------------------------------------------------------


def test_a_program_with_subroutines_runs():
    program = Program.parse("(+ (F0 x (F1 1)) 2); (if a1 (+ a0 x) 0); (< a0 x)", TYPED)
    assert program.run({"x": 5.0}) == 12.0
    assert program.run({"x": 0.0}) == 2.0
    assert "def F1(state, a0):" in program.to_python()


def test_effects_come_from_left_to_right_and_lazy_arguments_when_called():
    seen: list[str] = []

    def say(state, word):
        state.append(word)
        return word

    language = Language(
        (
            function("say", say, ("value",), effect=True),
            function("first", lambda a, b: a(), 2, lazy=True),
            function("both", lambda a, b: b, 2),
            terminal("one", "one"),
            terminal("two", "two"),
        )
    )
    Program.parse("(both (say one) (both (say two) (first (say one) (say two))))", language).run(seen)
    assert seen == ["one", "two", "one"]


def test_a_program_that_never_ends():
    language = Language(
        (function("forever", lambda x: [x() for _ in iter(int, 1)], 1, lazy=True), variable("x"))
    )
    program = Program.parse("(forever x)", language)
    with pytest.raises(OutOfStepsError):
        program.run({"x": 1}, steps=1000)
    learner = GeneticProgramming(language, population_size=10, generations=2, init_depth=(0, 2))
    found = learner.learn(lambda program: program.run({"x": 1}, steps=50))
    assert found.hypothesis_.to_sexpr() == "x"
    assert any("OutOfSteps" in reason for reason in found.history_.problems)


# --- exports --------------------------------------------------------------------------------------------------

MATHS = Language(
    (
        *formula_functions(("add", "sub", "mul", "div", "pow", "max", "neg", "abs", "sqrt", "log", "sig")),
        function("plus", operator.add, 2),
        variable("x"),
        variable("y"),
        constant(-1, 1),
    ),
    subroutines=(Subroutine(("value", "value")),),
)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.floats(-3, 3), st.integers(-3, 3))
def test_exports_equal_run(seed, x, y):
    from induce.evolution.programs.genome import rows_of

    genome, population = bred(MATHS, seed, 2)
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE data (x, y)")
    connection.execute("INSERT INTO data VALUES (?, ?)", (x, y))
    for genes in rows_of(population):
        program = genome.value(genes)
        state = {"x": x, "y": y}
        given = program.run(state)
        names: dict = {"plus": operator.add}
        exec(program.to_python(), names)
        assert same(names["program"](state), given)
        assert same(program.explain(state).value, given)
        short = program.simplify()
        short.check()
        assert same(short.run(state), given)
        assert short.n_nodes <= program.n_nodes
        if abs(given) < 1e100:  # beyond, some steps may overflow, and SQL knows no infinite numbers
            (row,) = connection.execute(program.to_sql()).fetchall()
            assert row[2] is None or row[2] == pytest.approx(given, rel=1e-9, abs=1e-12)


def same(first, second):
    return first == second or (first != first and second != second)


def test_programs_simplify():
    short = {
        "(+ x (* 1 y)); a0": "(+ x y); a0",
        "(sqrt (+ 0.5 0.5)); (neg (neg a1))": "1; a1",
        "(abs (neg (max x x))); (F0 a0 0)": None,
        "(plus 0.5 0.25); (- a0 a0)": "0.75; (- a0 a0)",  # a0 may be infinite
    }
    for text, expected in short.items():
        if expected is not None:
            assert Program.parse(text, MATHS).simplify().to_sexpr() == expected
    acts = Language(
        (
            *formula_functions(("max", "add")),
            function("f", lambda x: x, 1),
            terminal("t", len),
            constant(0, 1),
        )
    )
    for text in ("(max (f 0) (f 0))", "(max t t)", "(+ (f 0) t)"):
        assert Program.parse(text, acts).simplify().to_sexpr() == text


def test_what_has_no_sql_says_so():
    program = Program.parse("(+ (F0 x (F1 1)) 2); (if a1 (+ a0 x) 0); (< a0 x)", TYPED)
    with pytest.raises(induce.InputError, match="if has no SQL form; give its primitive one"):
        program.to_sql()
    assert program.to_formula().splitlines()[1:] == [
        "F0(a0, a1) = if(a1, a0 + x, 0)",
        "F1(a0) = a0 < x",
    ]


def test_explanations_are_traces():
    program = Program.parse("(+ (F0 x (F1 1)) 2); (if a1 (+ a0 x) 0); (< a0 x)", TYPED)
    told = program.explain({"x": 0.0})
    assert told.value == 2.0
    assert "a0 + x" not in [part.text for part in told.parts]  # the condition left it out
    assert not program.explain({"x": 0.0}, steps=3).ended


def test_programs_of_formula_functions_are_kept_in_files(tmp_path):
    program = Program.parse("(/ x (+ y 0.5)); a0", MATHS)
    kept = Program.parse("(/ x (+ y 0.5))", Language((*MATHS.primitives[:4], *MATHS.primitives[-3:])))
    induce.save(kept, tmp_path / "program.induce")
    assert induce.load_hypothesis(tmp_path / "program.induce").run({"x": 1, "y": 0.5}) == 1.0
    assert program.to_formula().splitlines() == [
        "div(x, y + 0.5)",
        "F0(a0, a1) = a0",
        "div(a, b) is a / b, or 1 where abs(b) <= 0.001",
    ]
    assert program.to_latex().splitlines()[:2] == [
        r"\operatorname{div}(x, y + 0.5)",
        "F_{0}(a_{0}, a_{1}) = a_{0}",
    ]
    with pytest.raises(induce.InputError, match="means 'divide'"):
        Primitive("/", ("value", "value"), means="divide")


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.permutations("universal"), st.integers(0, 9))
def test_the_trace_of_blocks_ends_with_the_same_stack(seed, letters, n):
    genome, world = Programs(blocks.LANGUAGE, 25, 6), BlockWorld(rounds=4, steps=60)
    program = genome.value(genome.random(np.random.default_rng(seed)))
    stack = list(letters[:n])
    expected = world.after(program, "".join(stack))[0]
    told = world.running(program).explain(stack, world.steps)
    assert "".join(stack) == expected
    assert world.explain(program, "".join(letters[:n])) == told


# --- learning ------------------------------------------------------------------------------------------------


def squares(program):
    return sum(program.run({"x": x}) == x * x + x for x in range(5))


def test_the_same_seed_gives_the_same_program_whatever_n_jobs():
    found = [
        GeneticProgramming(
            PLAIN, population_size=30, generations=3, n_jobs=n, backend="threads", random_state=5
        )
        .learn(squares)
        .hypothesis_.to_sexpr()
        for n in (1, 2)
    ]
    assert found[0] == found[1]


def test_a_run_is_kept_in_a_file_and_resumed(tmp_path):
    world = BlockWorld(cases=20)
    short = GeneticProgramming(population_size=20, generations=2).learn(world)
    induce.save(short, tmp_path / "run.induce")
    again = induce.load(tmp_path / "run.induce")
    assert again.hypothesis_ == short.hypothesis_
    again.set_params(generations=4).resume(world)
    whole = GeneticProgramming(population_size=20, generations=4).learn(world)
    assert again.hypothesis_.to_sexpr() == whole.hypothesis_.to_sexpr()
    with pytest.raises(induce.InputError, match="individuals of"):
        again.resume(AntTrail())


def test_functions_are_not_kept_in_files(tmp_path):
    learner = GeneticProgramming(PLAIN, population_size=10, generations=1).learn(squares)
    with pytest.raises(induce.InputError, match="function"):
        induce.save(learner, tmp_path / "run.induce")


@pytest.mark.parametrize("selection", ["roulette", "rank", "tournament", Tournament(0.7)])
def test_every_selection(selection):
    learner = GeneticProgramming(population_size=20, generations=2, selection=selection)
    assert learner.learn(BlockWorld(cases=20)).hypothesis_.fitness >= 1


def test_plain_search_over_programs():
    genome = Programs(PLAIN, 15, 4)
    found = hill_climb(
        lambda genes: squares(genome.value(genes)),
        genome.random(np.random.default_rng(0)),
        genome.mutate,
        evaluations=300,
        restart=genome.random,
    )
    assert found.score == 5


# --- the shipped problems ------------------------------------------------------------------------------------


def test_the_program_that_koza_found():
    """04:9.B-10."""
    world = BlockWorld()
    program = Program.parse(blocks.DISCOVERED, world.language)
    assert program.n_nodes == 11
    assert world.solved(program) == 166
    assert world.after(program, "lau") == ("universal", 3, 9)
    assert world.after(program, "") == ("universal", 1, 9)
    only = [
        Program.parse(text, world.language) for text in ("(DU (MS NN) (NOT NN))", "(DU (MT CS) (NOT CS))")
    ]
    stacks, heights = blocks.all_stacks()
    n = 1 + 9 + 72 + 504  # all stacks of up to three blocks
    assert heights[n - 1] == 3 < heights[n]
    assert [world.solved(each, (stacks[:n], heights[:n])) for each in only] == [4, 0]
    assert len(stacks) == len(np.unique(stacks.astype(np.int64) @ 10 ** np.arange(9))) == 986_410


def test_the_book_crossover_of_exercise_9_3():
    """04:9.D: of the 121 pairs of points 15 give the parent back, and there are 87 different offspring."""
    from induce.evolution.programs.flat import swapped, written

    program = Program.parse(blocks.DISCOVERED, blocks.LANGUAGE)
    tree = program.codes.tolist(), program.constants.tolist()
    texts = [
        written(*swapped(tree, i, tree, j, blocks.LANGUAGE.arity)[0], blocks.LANGUAGE)
        for i in range(11)
        for j in range(11)
    ]
    assert texts.count(blocks.DISCOVERED) == 15
    assert len(set(texts)) == 87


def test_a_circuit_with_one_capacitor():
    """08:AD-16."""
    circuit = Circuit((Component("R", 1, 2, 1e3), Component("C", 2, 0, 1e-6)), 2)
    expected = [0.998032, 0.846733, 0.707107, 0.157177, 0.015913]
    assert circuit.response([10, 100, 159.154943, 1000, 10000]) == pytest.approx(expected, abs=1e-6)


def test_the_ladder():
    """08:AD-16."""
    coil, capacitor = np.log10(0.1591549431), np.log10(0.3183098862e-6)
    problem = LowPass()
    ladder = Program.parse(f"(shunt L={coil} L={coil} C={capacitor})", problem.language)
    response = problem.circuit(ladder).response([100, 500, 1000, 2000, 10000])
    assert response == pytest.approx([0.5, 0.496139, 0.353553, 0.062017, 0.0005], abs=1e-6)
    assert problem.error(ladder) == pytest.approx(0.5031, abs=1e-4)
    assert problem.error(Program.parse("wire", problem.language)) == pytest.approx(17.0)


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("(parallel L=-1 L=-1)", "inductors form a loop"),
        ("(series C=-6 C=-6)", "no DC path"),
        ("(series cut cut)", None),
        ("(shunt L=-1 L=-1 cut)", None),
    ],
)
def test_circuits_that_cannot_be_simulated(text, trouble):
    problem = LowPass()
    program = Program.parse(text, problem.language)
    said = problem.circuit(program).trouble()
    assert said is None if trouble is None else trouble in said
    assert np.isnan(problem.error(program)) == (trouble is not None)


def test_the_ant():
    ant = AntTrail(actions=6)
    assert ant.eaten(Program.parse("move", ant.language)) == 5
    assert ant.eaten(Program.parse("(if-food move right)", ant.language)) == 5
    assert ant.eaten(Program.parse("(prog2 right (prog3 left left left))", ant.language)) == 0
    with pytest.raises(induce.InputError, match="only"):
        Program.parse("move", ant.language).run()


def test_pictures():
    problem = LowPass()
    program = Program.parse("(shunt L=-1 (series wire cut) C=-6)", problem.language)
    assert len(program.draw().axes[0].texts) == program.n_nodes
    assert problem.draw(Program.parse("(shunt L=-1 wire C=-6)", problem.language)).axes


def test_the_family_of_a_program():
    from induce.evolution import draw_family, family

    with induce.trace() as events:
        found = GeneticProgramming(population_size=20, generations=3, max_size=12).learn(LowPass())
    levels = family(events)
    assert len(levels) == 4
    assert levels[-1][0][3] == found.history_.rows[-1].top > 0  # an error, not its negative
    assert draw_family(events).axes


# --- bad input -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: function("+", operator.add, 3), r"\+ takes 3 arguments"),
        (lambda: function("f", lambda x: x, 1, effect=True), "f takes 1 arguments and the state"),
        (lambda: Primitive("f", "value"), "give a tuple with the type"),
        (lambda: Primitive("f", (), "value", 3), "not a function"),
        (lambda: constant(2, 1), "give low and high"),
        (lambda: Language((operator.add,)), "the primitives contain"),
        (lambda: Language((variable("x"), variable("x"))), "two primitives are called 'x'"),
        (lambda: Language((Primitive("f", ("a",), "b"),), "b").grammar, "f takes a 'a', and no terminal"),
        (
            lambda: Language((variable("x"),), "truth").grammar,
            "must return a 'truth', but no terminal gives one",
        ),
        (lambda: Program.parse("(+ x)", PLAIN), "'\\+' takes 1 arguments"),
        (lambda: Program.parse("(not x); x; (< x x)", TYPED), "do not form a program of the language"),
        (lambda: GeneticProgramming().learn(squares), "language is None"),
        (lambda: GeneticProgramming(PLAIN, max_size=0).learn(squares), "max_size is 0"),
        (lambda: GeneticProgramming(TYPED, max_size=2).learn(squares), "smallest program has 5 nodes"),
        (lambda: GeneticProgramming(PLAIN, p_crossover=1.5).learn(squares), "p_crossover is 1.5"),
        (
            lambda: GeneticProgramming(PLAIN, p_crossover=0.9, p_point_mutation=0.2).learn(squares),
            "sum to more than 1",
        ),
        (lambda: GeneticProgramming(PLAIN, init_depth=3).learn(squares), "init_depth is 3"),
        (lambda: GeneticProgramming(PLAIN).learn(lambda program: float("nan")), "failed for all"),
        (
            lambda: GeneticProgramming(PLAIN, selection="roulette", generations=1).learn(
                lambda program: -1.0
            ),
            "roulette",
        ),
        (lambda: Breeding(max_depth=-1).check(PLAIN.grammar), "max_depth is -1"),
        (lambda: Circuit((Component("X", 0, 1, 1.0),), 1), "can be 'R', 'L' or 'C'"),
        (lambda: BlockWorld().after(Program.parse("CS", blocks.LANGUAGE), "xyz"), "different letters"),
    ],
)
def test_bad_input(make, said):
    with pytest.raises(induce.InputError, match=said):
        make()


def test_a_constant_fitness_and_a_single_program():
    assert GeneticProgramming(PLAIN, population_size=7, generations=2).learn(lambda program: 1.0)
    assert GeneticProgramming(PLAIN, population_size=1, generations=2).learn(squares)


def test_streams_of_random_numbers_are_those_of_the_core():
    assert breeding_loops.uniform.__module__ == "induce.core._random_loops"
