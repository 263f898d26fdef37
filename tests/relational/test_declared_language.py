"""No learner says anything outside a declared language, whatever the files declare."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from induce.logic.clauses import Clause, Literal
from induce.logic.terms import Constant, Variable
from induce.relational.readers.problems import Problem, read_problem

LEARNERS = {
    "FOIL": {"time_limit": 2.0},
    "Golem": {"determinate": False, "time_limit": 2.0},
    "ProgramLearner": {"recursion": False, "time_limit": 1.0, "max_literals": 2},
    "Progol": {"time_limit": 2.0, "max_nodes": 500},
    "RDT": {
        "templates": [
            "P(X) :- Q(X, Y).",
            "P(X) :- Q(X).",
            "P(X, Y) :- Q(X, Z), R(Z, Y).",
            "P(X, Y) :- Q(X, Y).",
        ]
    },
    "RelationalLearner": {"time_limit": 1.0},
}
TYPES = ("thing", "place")


@dataclass
class Declared:
    """A random problem: what is declared of it, and its files."""

    form: str
    arity: int
    modes: list[tuple[str, tuple[str, ...]]]
    facts: list[str]
    positives: list[str]
    negatives: list[str]
    max_vars: int
    once: str | None
    head: tuple[str, ...] = field(default=())

    def write(self, folder: Path) -> Path:
        """Write the files of Popper or of Aleph."""
        if self.form == "popper":
            path = folder / "popper"
            path.mkdir()
            bias = [f"head_pred(goal, {self.arity}).", f"max_vars({self.max_vars})."]
            for name, arguments in {"goal": self.head, **dict(self.modes)}.items():
                bias += [f"body_pred({name}, {len(arguments)})."] * (name != "goal")
                bias.append(f"type({name}, ({''.join(f'{one[1:]},' for one in arguments)})).")
                words = "".join({"+": "in,", "-": "out,"}[one[0]] for one in arguments)
                bias.append(f"direction({name}, ({words})).")
            if self.once:
                bias.append(f":- clause(C), #count{{V : body_literal(C, {self.once}, _, V)}} > 1.")
            texts = {
                "bias.pl": bias,
                "bk.pl": self.facts,
                "exs.pl": [f"pos({one})." for one in self.positives]
                + [f"neg({one})." for one in self.negatives],
            }
            for name, lines in texts.items():
                (path / name).write_text("\n".join(lines), encoding="utf-8")
            return path
        lines = [f":- modeh(1, goal({', '.join(self.head)}))."]
        lines += [f":- modeb(*, {name}({', '.join(arguments)}))." for name, arguments in self.modes]
        for extension, text in (("b", lines + self.facts), ("f", self.positives), ("n", self.negatives)):
            dots = [one if extension == "b" else f"{one}." for one in text]
            (folder / f"p.{extension}").write_text("\n".join(dots), encoding="utf-8")
        return folder / "p"


@st.composite
def declared(draw: st.DrawFn) -> Declared:
    form = draw(st.sampled_from(["popper", "aleph"]))
    arity = draw(st.integers(1, 2))
    head = tuple("+thing" for _ in range(arity))
    modes, facts = [], []
    things = {kind: [f"{kind}{n}" for n in range(5)] for kind in TYPES}
    for number in range(draw(st.integers(1, 4))):
        kinds = draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=2))
        signs = [
            "+",
            *draw(st.lists(st.sampled_from("+-" if form == "popper" else "+-#"), min_size=1, max_size=1)),
        ]
        arguments = tuple(sign + kind for sign, kind in zip(signs, kinds, strict=False))
        modes.append((f"r{number}", arguments))
        rows = draw(
            st.lists(st.tuples(*(st.sampled_from(things[kind]) for kind in kinds)), min_size=1, max_size=12)
        )
        facts += [f"r{number}({', '.join(row)})." for row in dict.fromkeys(rows)]
    rows = [*product(things["thing"], repeat=arity)]
    inside = draw(st.lists(st.sampled_from(rows), min_size=1, max_size=len(rows) - 1, unique=True))
    positives = [f"goal({', '.join(row)})" for row in inside]
    negatives = [f"goal({', '.join(row)})" for row in rows if row not in inside]
    once = draw(st.sampled_from([None, *(name for name, _ in modes)]))
    return Declared(form, arity, modes, facts, positives, negatives, draw(st.integers(1, 5)), once, head)


def follows(
    body: tuple[Literal, ...], known: dict[str, str], modes: list[tuple[str, tuple[str, ...]]]
) -> bool:
    """Say whether some choice of modes allows all literals, one after the other."""
    if not body:
        return True
    literal = body[0]
    for name, arguments in modes:
        if literal.negated or (literal.name, len(literal.arguments)) != (name, len(arguments)):
            continue
        types, good = dict(known), True
        for term, argument in zip(literal.arguments, arguments, strict=True):
            sign, kind = argument[0], argument[1:]
            if sign == "#":
                good &= isinstance(term, Constant)
                continue
            good &= isinstance(term, Variable)
            good &= sign == "-" or str(term) in known
            good &= types.setdefault(str(term), kind) == kind
        if good and follows(body[1:], types, modes):
            return True
    return False


def outside(clause: Clause, language: Declared) -> str | None:
    """Return what is wrong about a clause; None if it keeps to the language."""
    assert clause.head is not None
    terms = clause.head.arguments
    if not all(isinstance(term, Variable) for term in terms) or len({*terms}) < len(terms):
        return "the head"
    types = {str(term): argument[1:] for term, argument in zip(terms, language.head, strict=True)}
    if not follows(clause.body, types, language.modes):
        return "a literal"
    if language.form == "popper":
        body = [name for one in clause.body for name in {*one.variables()}]
        every = [*body, *{*clause.head.variables()}]
        if not {*clause.head.variables()} <= {*body}:
            return "a variable of the head that is not in the body"
        if any(every.count(name) == 1 for name in every):
            return "a variable that stands alone"
        if len({*every}) > language.max_vars:
            return "too many variables"
        if language.once and sum(one.name == language.once for one in clause.body) > 1:
            return "a relation that may stand there once"
    return None


def learn(problem: Problem, name: str) -> list[Clause]:
    return [*problem.learner(name, **LEARNERS[name]).fit(problem.X, problem.y).hypothesis_.clauses]


@pytest.mark.filterwarnings("ignore::induce.core.notes.Note")
@pytest.mark.parametrize("name", LEARNERS)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(language=declared())
def test_no_clause_is_outside_the_declared_language(name: str, language: Declared) -> None:
    with TemporaryDirectory() as folder:
        problem = read_problem(language.write(Path(folder)))
    for clause in learn(problem, name):
        assert outside(clause, language) is None, f"{clause}: {outside(clause, language)}"
