"""Programs over lists, drawn at random and always the same: ten examples of each for Popper, and fresh lists.

Every problem has the same background, so that most of its predicates have nothing to do with the program asked for.
A negative example has the inputs of some list and an output that is wrong, or a list of which the program does not
hold.
"""

from __future__ import annotations

import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Listing

SEEDS = (101, 102, 103)
"""Seeds of the examples, none of which was looked at while the learner was made."""

BACKGROUND = """
head([H|_], H).
tail([_|T], T).
empty([]).
cons(H, T, [H|T]).
append_one(L, X, Y) :- append(L, [X], Y).
element(X, L) :- member(X, L).
even(X) :- number(X), 0 is X mod 2.
odd(X) :- number(X), 1 is X mod 2.
zero(0).
one(1).
increment(X, Y) :- number(X), Y is X + 1.
decrement(X, Y) :- number(X), X > 0, Y is X - 1.
geq(X, Y) :- number(X), number(Y), X >= Y.
"""

BIAS = """
enable_recursion.
max_vars(6).
max_body(5).
max_clauses(3).
head_pred(f, {arity}).
type(f, {types}).
direction(f, {signs}).
body_pred(head, 2). type(head, (list, element)). direction(head, (in, out)).
body_pred(tail, 2). type(tail, (list, list)). direction(tail, (in, out)).
body_pred(empty, 1). type(empty, (list,)). direction(empty, ({empty},)).
body_pred(cons, 3). type(cons, (element, list, list)). direction(cons, (in, in, out)).
body_pred(append_one, 3). type(append_one, (list, element, list)). direction(append_one, (in, in, out)).
body_pred(element, 2). type(element, (element, list)). direction(element, (in, in)).
body_pred(even, 1). type(even, (element,)). direction(even, (in,)).
body_pred(odd, 1). type(odd, (element,)). direction(odd, (in,)).
body_pred(zero, 1). type(zero, (element,)). direction(zero, ({zero},)).
body_pred(one, 1). type(one, (element,)). direction(one, (in,)).
body_pred(increment, 2). type(increment, (element, element)). direction(increment, (in, out)).
body_pred(decrement, 2). type(decrement, (element, element)). direction(decrement, (in, out)).
body_pred(geq, 2). type(geq, (element, element)). direction(geq, (in, in)).
"""

Row = tuple[Any, ...]
Draw = Callable[[np.random.Generator], Row]
TOP = 10
"""Elements are below it."""


@dataclass(frozen=True)
class ListProgram:
    """A program, the types of its arguments, and how examples of it are drawn.

    Parameters
    ----------
    name : str
    types, signs : tuple of str
        The type and the direction of each argument.
    inside, outside : callable
        Draw the arguments of a positive and of a negative example.
    holds : callable
        Says whether the program holds of arguments.
    """

    name: str
    types: tuple[str, ...]
    signs: tuple[str, ...]
    inside: Draw
    outside: Draw
    holds: Callable[..., bool]

    def examples(self, n: int, rng: np.random.Generator) -> list[tuple[Row, bool]]:
        """Draw as many different examples, every second one positive."""
        found: dict[str, tuple[Row, bool]] = {}
        while len(found) < n:
            wanted = len(found) % 2 == 0
            row = (self.inside if wanted else self.outside)(rng)
            if self.holds(*row) == wanted:
                found.setdefault(repr(row), (row, wanted))
        return [*found.values()]

    def write(self, folder: Path, n: int = 10, seed: int = 0) -> None:
        """Write the problem as Popper reads it."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "bk.pl").write_text(BACKGROUND, encoding="utf-8")
        bias = BIAS.format(
            arity=len(self.types),
            types=_tuple(self.types),
            signs=_tuple(self.signs),
            empty="out" if "out" in self.signs else "in",
            zero="out" if "out" in self.signs else "in",
        )
        (folder / "bias.pl").write_text(bias, encoding="utf-8")
        rng = np.random.default_rng([seed, sum(map(ord, self.name))])
        lines = [
            f"{'pos' if inside else 'neg'}(f({', '.join(map(_text, row))}))."
            for row, inside in self.examples(n, rng)
        ]
        (folder / "exs.pl").write_text("\n".join(sorted(lines, reverse=True)) + "\n", encoding="utf-8")

    def fresh(self, n: int = 200, seed: int = 1) -> list[tuple[Row, bool]]:
        """Draw lists to judge by, short ones among them."""
        return self.examples(n, np.random.default_rng([seed, 99, sum(map(ord, self.name))]))


def _tuple(words: tuple[str, ...]) -> str:
    return f"({words[0]},)" if len(words) == 1 else f"({', '.join(words)})"


def _text(value: Any) -> str:
    return str([*value]) if isinstance(value, list) else str(value)


def _list(rng: np.random.Generator, least: int = 1, most: int = 7) -> list[int]:
    return rng.integers(0, TOP, rng.integers(least, most + 1)).tolist()


def _of_function(
    name: str,
    function: Callable[..., Any],
    types: tuple[str, ...],
    draw: Callable[[np.random.Generator], Row],
    wrong: Callable[[np.random.Generator, Row], Any],
) -> ListProgram:
    """Return the program of a function: its last argument is the result of the others."""

    def inside(rng: np.random.Generator) -> Row:
        row = draw(rng)
        return (*row, function(*row))

    def outside(rng: np.random.Generator) -> Row:
        row = draw(rng)
        return (*row, wrong(rng, row))

    signs = ("in",) * (len(types) - 1) + ("out",)
    return ListProgram(name, types, signs, inside, outside, lambda *row: function(*row[:-1]) == row[-1])


def _other_list(rng: np.random.Generator, row: Row) -> list[int]:
    """Return the list with one element lost, doubled or changed, or with its elements reordered."""
    items = [*row[0]]
    place = int(rng.integers(0, len(items)))
    match int(rng.integers(0, 4)):
        case 0:
            items.pop(place)
        case 1:
            items[place] = int(rng.integers(0, TOP))
        case 2:
            items.insert(place, items[place])
        case _:
            rng.shuffle(items)
    return items


def _of_test(name: str, test: Callable[[list[int]], bool], draw: Draw) -> ListProgram:
    """Return the program of a property of lists."""
    return ListProgram(
        name, ("list",), ("in",), draw, lambda rng: (_list(rng, 2),), lambda items: bool(test(items))
    )


def _containing(rng: np.random.Generator) -> Row:
    items = _list(rng)
    return items, items[int(rng.integers(0, len(items)))]


def _doubled(rng: np.random.Generator) -> Row:
    items = _list(rng, 1, 6)
    one = items[int(rng.integers(0, len(items)))]
    items.insert(int(rng.integers(0, len(items) + 1)), one)
    return items, one


def _following(rng: np.random.Generator) -> Row:
    items = _list(rng, 2)
    place = int(rng.integers(0, len(items) - 1))
    return items, items[place], items[place + 1]


def _counted(rng: np.random.Generator) -> Row:
    items = _list(rng, 2)
    return items, int(rng.integers(1, len(items) + 1))


PROGRAMS: dict[str, ListProgram] = {
    one.name: one
    for one in (
        _of_test(
            "all-even",
            lambda items: not any(x % 2 for x in items),
            lambda rng: ([2 * (x // 2) for x in _list(rng)],),
        ),
        ListProgram(
            "contains",
            ("list", "element"),
            ("in", "in"),
            _containing,
            lambda rng: (_list(rng), int(rng.integers(0, TOP))),
            lambda items, x: x in items,
        ),
        _of_function(
            "drop-k", lambda items, k: items[k:], ("list", "element", "list"), _counted, _other_list
        ),
        _of_function(
            "drop-last", lambda items: items[:-1], ("list", "list"), lambda rng: (_list(rng),), _other_list
        ),
        _of_function(
            "filter",
            lambda items: [x for x in items if x % 2 == 0],
            ("list", "list"),
            lambda rng: (_list(rng),),
            _other_list,
        ),
        ListProgram(
            "find-duplicate",
            ("list", "element"),
            ("in", "out"),
            _doubled,
            lambda rng: (_list(rng, 2), int(rng.integers(0, TOP))),
            lambda items, x: items.count(x) > 1,
        ),
        _of_function(
            "length",
            len,
            ("list", "element"),
            lambda rng: (_list(rng),),
            lambda rng, row: int(rng.integers(0, TOP)),
        ),
        ListProgram(
            "next",
            ("list", "element", "element"),
            ("in", "in", "out"),
            _following,
            lambda rng: (_list(rng, 2), int(rng.integers(0, TOP)), int(rng.integers(0, TOP))),
            lambda items, x, y: (x, y) in [*pairwise(items)],
        ),
        _of_function(
            "reverse", lambda items: items[::-1], ("list", "list"), lambda rng: (_list(rng),), _other_list
        ),
        _of_test("sorted", lambda items: items == sorted(items), lambda rng: (sorted(_list(rng, 2)),)),
    )
}


def measured(folder: Path, seconds: float = 60, seed: int = 0) -> Iterator[tuple[str, float, float, str]]:
    """Learn each program; yield its name, the share of fresh lists it is right on, the seconds and the clauses."""
    import induce

    for name, program in PROGRAMS.items():
        program.write(folder / name, seed=seed)
        problem = induce.read_problem(folder / name)
        started = time.process_time()
        learner = problem.learner(time_limit=seconds)
        learner.fit(problem.X, problem.y)
        spent = time.process_time() - started
        rows = program.fresh(seed=seed + 1)
        cells = np.empty((len(rows), len(program.types)), object)
        for place, (row, _) in enumerate(rows):
            for column, value in enumerate(row):
                cells[place, column] = value
        right = learner.predict(cells) == np.array([inside for _, inside in rows])
        yield name, float(right.mean()), spent, "\n".join(map(str, learner.hypothesis_.clauses))


def list_programs(seeds: tuple[int, ...] = SEEDS) -> Iterator[Listing]:
    """Ten examples of each program: whether what is learned is right on fresh lists, and how long it takes."""
    found: dict[str, list[tuple[float, float, str]]] = {name: [] for name in PROGRAMS}
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in seeds:
            for name, right, seconds, clauses in measured(Path(folder) / str(seed), seed=seed):
                found[name].append((right, seconds, clauses))
    lines = [
        (
            name,
            ", ".join(
                "right" if right == 1 else f"{right:.3f}" if clauses else "nothing"
                for right, _, clauses in each
            ),
            ", ".join(f"{seconds:.1f}" for _, seconds, _ in each),
        )
        for name, each in found.items()
    ]
    rights = [sum(each[k][0] == 1 for each in found.values()) for k in range(len(seeds))]
    yield Listing(
        "List programs",
        "Ten examples of each program, five of them negative, by `ProgramLearner` with the settings "
        f"of the file; seeds {', '.join(map(str, seeds))}. The accuracy on 200 fresh examples where it "
        "is not 1, and seconds of processor time; the first program in a process includes loading or "
        "compiling the loops.",
        ("program", "on fresh lists", "seconds"),
        tuple(lines),
        f"Right: {', '.join(map(str, rights))} of {len(PROGRAMS)}.",
    )
