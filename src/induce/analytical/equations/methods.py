"""Methods for solving equations: move, attract, collect, isolate (after PRESS, Bundy & Welham 1981)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from induce.analytical.equations.terms import PLUS_MINUS, Equation, Rewriting, places, spread, worked_out
from induce.analytical.precondition_analysis import Method, PreconditionAnalysis
from induce.logic.terms import Constant, Function, Term

ATTRACTING = tuple(
    Rewriting(before, after)
    for before, after in (
        ("log(A, U) + log(A, V)", "log(A, U * V)"),
        ("log(A, U) - log(A, V)", "log(A, U / V)"),
        ("(U + A) + V", "(U + V) + A"),
        ("(U - A) + V", "(U + V) - A"),
        ("(U + A) - V", "(U - V) + A"),
        ("(U - A) - V", "(U - V) - A"),
        ("U - (V + A)", "(U - V) - A"),
        ("U - (V - A)", "(U - V) + A"),
        ("A ^ U * A ^ V", "A ^ (U + V)"),
        ("A ^ U / A ^ V", "A ^ (U - V)"),
        ("(A ^ U) ^ V", "A ^ (U * V)"),
    )
)
COLLECTING = tuple(
    Rewriting(before, after)
    for before, after in (
        ("(U + A) * (U - A)", "U ^ 2 - A ^ 2"),
        ("A * U + B * U", "(A + B) * U"),
        ("A * U - B * U", "(A - B) * U"),
        ("A * U + U", "(A + 1) * U"),
        ("A * U - U", "(A - 1) * U"),
        ("U - A * U", "(1 - A) * U"),
        ("U + U", "2 * U"),
        ("U * U", "U ^ 2"),
        ("U ^ A * U", "U ^ (A + 1)"),
    )
)

ALONE = "the unknown is alone"
ONCE = "the unknown occurs once"
ONE_SIDE = "the unknown is on the left only"
OTHER_SIDE = "the unknown is on the right"
TOGETHER = "like parts stand together"
APART = "parts can be drawn together"


def _rewritten(
    equation: Equation, rules: Sequence[Rewriting], less: Callable[[Term, Term], int]
) -> Iterator[Equation]:
    """Yield the equations after a single rewriting that decreases a measure of the left side."""
    before = less(equation.left, equation.thing)
    for rule in rules:
        for left in rule.results(equation.left, equation.thing):
            if less(left, equation.thing) < before:
                yield Equation(left, equation.right, equation.unknown)


def attract(equation: Equation) -> list[Equation]:
    """Bring occurrences of the unknown closer together."""

    def measure(term: Term, thing: Term) -> int:
        return len(places(term, thing)) * 10_000 + spread(term, thing)

    return list(_rewritten(equation, ATTRACTING, measure))


def collect(equation: Equation) -> list[Equation]:
    """Reduce the number of occurrences of the unknown."""
    return list(_rewritten(equation, COLLECTING, lambda term, thing: len(places(term, thing))))


def move(equation: Equation) -> list[Equation]:
    """Move the unknown to the left side."""
    if not places(equation.left, equation.thing):
        return [Equation(equation.right, equation.left, equation.unknown)]
    return [Equation(Function("-", (equation.left, equation.right)), Constant(0), equation.unknown)]


def isolate(equation: Equation) -> list[Equation]:
    """Remove the outermost function of the left side, which contains the only occurrence of the unknown."""
    left, right, thing = equation.left, equation.right, equation.thing
    if not isinstance(left, Function):
        return []
    inside = [bool(places(one, thing)) for one in left.arguments]
    kept = left.arguments[inside.index(True)]
    undone = _undone(left, right, inside.index(True))
    return [] if undone is None else [Equation(kept, worked_out(undone), equation.unknown)]


def _undone(left: Function, right: Term, place: int) -> Term | None:
    """Return the value of the part of a side that contains the unknown."""

    def f(name: str, *arguments: Term) -> Term:
        return Function(name, arguments)

    if len(left.arguments) == 1:
        return f("-", right) if left.name == "-" else None
    other = left.arguments[1 - place]
    match left.name, place:
        case "+", _:
            return f("-", right, other)
        case "-", 0:
            return f("+", right, other)
        case "-", 1:
            return f("-", other, right)
        case "*", _:
            return f("/", right, other)
        case "/", 0:
            return f("*", right, other)
        case "/", 1:
            return f("/", other, right)
        case (("^" | "**"), 0):
            root = f("^", right, f("/", Constant(1), other))
            even = isinstance(other, Constant) and isinstance(other.value, int) and other.value % 2 == 0
            return f(PLUS_MINUS, root) if even else root
        case (("^" | "**"), 1):
            return f("log", other, right)
        case "log", 1:
            return f("^", other, right)
    return None


def _only_left(equation: Equation) -> bool:
    return bool(places(equation.left, equation.thing)) and not places(equation.right, equation.thing)


def equation_solving() -> PreconditionAnalysis[Equation]:
    """Return a precondition analysis with the methods for solving equations.

    Examples
    --------
    >>> solving = equation_solving()
    >>> worked = '''
    ...     log(2, x + 1) + log(2, x - 1) = 3
    ...     log(2, (x + 1) * (x - 1)) = 3
    ...     log(2, x^2 - 1) = 3
    ...     x^2 - 1 = 8
    ...     x^2 = 9
    ...     x = plus_minus(3)
    ... '''
    >>> strategy = solving.learn([Equation.parse(line) for line in worked.strip().splitlines()])
    >>> print(strategy)
    IF the unknown is on the left only AND parts can be drawn together
    1. attract so that like parts stand together (for collect)
    2. collect so that the unknown occurs once (for isolate)
    3. isolate so that the unknown is alone (for the goal)
    >>> other = Equation.parse("3^x * 3^(2*x) = 27")
    >>> solved = solving.solve(other, strategy)
    >>> print(solved)
    3 ^ x * 3 ^ (2 * x) = 27
       attract: 3 ^ (x + 2 * x) = 27
       collect: 3 ^ (3 * x) = 27
       isolate: 3 * x = 3
       isolate: x = 1
    >>> solved.states[-1].solutions(of=other)
    (1.0,)
    """
    methods = (
        Method("move", (OTHER_SIDE,), move),
        Method("attract", (APART, ONE_SIDE), attract),
        Method("collect", (TOGETHER, ONE_SIDE), collect),
        Method("isolate", (ONCE, ONE_SIDE), isolate),
    )
    conditions: dict[str, Callable[[Equation], bool]] = {
        ALONE: lambda one: one.left == one.thing and not places(one.right, one.thing),
        ONCE: lambda one: one.n_occurrences == 1,
        ONE_SIDE: _only_left,
        OTHER_SIDE: lambda one: bool(places(one.right, one.thing)),
        TOGETHER: lambda one: bool(collect(one)),
        APART: lambda one: bool(attract(one)),
    }
    return PreconditionAnalysis(methods, conditions, ALONE, _same)


def _same(one: Equation, other: Equation) -> bool:
    return one.simplified() == other.simplified()
