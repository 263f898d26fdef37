"""Mitchell, §9.5: genetic programming."""

from __future__ import annotations

from induce.evolution import BlockWorld, Formula, GeneticProgramming, Program
from induce.evolution.programs.flat import swapped, written
from induce.evolution.programs.problems.blocks import DISCOVERED
from induce.textbook.result import Outcome, Result

SEED = 3
PARENTS = "(+ (sin x) (^ 2 (+ x y)))", "(+ (sin x) (sqrt (+ (^ x 2) y)))"


def _tree() -> Outcome:
    formula = Formula.parse("(+ (sin x) (sqrt (+ (^ x 2) y)))", ("x", "y"))
    values = formula.predict([[0.0, 4.0], [1.0, 3.0]])
    return Outcome(
        f"{formula.right_side()}, {formula.n_nodes} nodes; {values[0]:g} at (0, 4), {values[1]:.6f} at (1, 3)",
        formula.n_nodes == 9 and abs(values[0] - 2.0) < 1e-12 and abs(values[1] - 2.8414709848) < 1e-10,
    )


def offspring() -> list[str]:
    """Return the two children of the programs of figure 9.2."""
    a, b = (Formula.parse(text, ("x", "y")) for text in PARENTS)
    pair = swapped(
        (a.codes.tolist(), a.constants.tolist()),
        5,
        (b.codes.tolist(), b.constants.tolist()),
        5,
        a.words.arity,
    )
    return [written(*each, a.words) for each in pair]


def _crossover() -> Outcome:
    texts = offspring()
    return Outcome(
        " and ".join(texts),
        texts == ["(+ (sin x) (^ 2 (^ x 2)))", "(+ (sin x) (sqrt (+ (+ x y) y)))"],
        "the total number of nodes, 8 + 9, does not change",
    )


def _discovered() -> Outcome:
    world = BlockWorld()
    solved = world.solved(Program.parse(DISCOVERED, world.language))
    return Outcome(f"{solved} of 166", solved == 166, "it also solves all 986,410 stacks")


def _stacking() -> Outcome:
    learner = GeneticProgramming(population_size=300, generations=50, random_state=SEED).learn(BlockWorld())
    generations = len(learner.history_.rows) - 1
    return Outcome(
        f"{learner.hypothesis_.fitness:.0f} of 166 after {generations} generations: "
        f"{learner.hypothesis_.to_sexpr()}",
        learner.hypothesis_.fitness == 166 and generations <= 50,
        f"seed {SEED}; tournament selection of size 7; the number of generations varies from 1 to 50 across seeds",
    )


def _offspring() -> Outcome:
    program = Program.parse(DISCOVERED, BlockWorld().language)
    tree = program.codes.tolist(), program.constants.tolist()
    texts = [
        written(*swapped(tree, i, tree, j, program.language.arity)[0], program.language)
        for i in range(11)
        for j in range(11)
    ]
    same, different = texts.count(DISCOVERED), len(set(texts))
    return Outcome(
        f"{len(texts)} pairs of points; {same} give the parent back; {different} different programs",
        (len(texts), same, different) == (121, 15, 87),
    )


RESULTS = (
    Result(
        "mitchell-9.1-program-tree",
        "Mitchell, figure 9.1",
        "the tree of sin(x) + sqrt(x² + y)",
        "the tree",
        _tree,
    ),
    Result(
        "mitchell-9.2-program-crossover",
        "Mitchell, figure 9.2",
        "crossover of two programs exchanges subtrees",
        "the trees",
        _crossover,
    ),
    Result(
        "mitchell-9.5.2-discovered-program",
        "Mitchell, section 9.5.2",
        "(EQ (DU (MT CS) (NOT CS)) (DU (MS NN) (NOT NN))) solves all cases of the block world",
        "166",
        _discovered,
    ),
    Result(
        "mitchell-9.5.2-block-stacking",
        "Mitchell, section 9.5.2",
        "a population of 300 programs solves all 166 cases",
        "after 10 generations",
        _stacking,
        comment="a different program, after 3 generations with this seed: the number of generations "
        "and the program depend on chance, and the text describes one run",
    ),
    Result(
        "mitchell-9.3-exercise-crossover",
        "Mitchell, exercise 9.3",
        "crossovers of two copies of the program discovered",
        "[121 pairs of points; 15 give the parent back, 87 different programs]",
        _offspring,
    ),
)
