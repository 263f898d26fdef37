"""Constraints on clauses, as Popper's bias files and Aleph's ``prune/1`` state them."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from induce.core.errors import InputError
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.parsing import parse_program
from induce.logic.substitution import Substitution
from induce.logic.terms import Constant, Function, Term, Variable
from induce.logic.unification import match

OF_CLAUSES: dict[Predicate, str] = {
    ("clause", 1): "clause",
    ("head_literal", 4): "clause name number of arguments variables",
    ("body_literal", 4): "clause name number of arguments variables",
    ("head_var", 2): "clause variable",
    ("body_var", 2): "clause variable",
    ("clause_var", 2): "clause variable",
    ("var_type", 3): "clause variable type",
    ("var_in_literal", 4): "clause name variables variable",
    ("body_size", 2): "clause number of literals",
}
"""Predicates by which constraints describe a clause, with their arguments."""

EVERY_HEAD_VARIABLE = ":- head_var(C, V), not body_var(C, V)."
"""Constraint that every head variable occurs in the body."""

NO_SINGLETON = ":- clause_var(C, V), #count{P, Vs : var_in_literal(C, P, Vs, V)} = 1."
"""Constraint that no variable occurs in only one literal."""

MOST_VARIABLES = ":- clause(C), #count{{V : clause_var(C, V)}} > {}."
MOST_LITERALS = ":- body_size(C, N), N > {}."
_MOST_VARIABLES = re.compile(re.escape(MOST_VARIABLES.format("N_")).replace("N_", r"(\d+)"))
_MOST_LITERALS = re.compile(re.escape(MOST_LITERALS.format("N_")).replace("N_", r"(\d+)"))

COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda one, other: one < other,
    "=<": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
    "=": lambda one, other: one == other,
    "==": lambda one, other: one == other,
    "\\==": lambda one, other: one != other,
    "\\=": lambda one, other: one != other,
}
MIRRORED = {"<": ">", "=<": ">=", ">": "<", ">=": "=<"}
BEFORE = re.compile(r"(?:\s+|%[^\n]*(?:\n|$)|/\*.*?\*/)*", re.DOTALL)
"""White space and comments before a statement."""
AGGREGATE = re.compile(r"#count\s*\{([^{}]*)\}")
COUNT = "$count"
WHOLE = Constant(0)
"""Placeholder for the clause."""

Kinds = Mapping[Predicate, Sequence[str]]


@dataclass(frozen=True)
class _Count:
    """Number of distinct values of some terms for which some literals hold (``#count``)."""

    terms: tuple[Term, ...]
    body: tuple[Literal, ...]


@dataclass(frozen=True)
class Denial:
    """Constraint: a body that must not hold for any clause.

    Parameters
    ----------
    text : str
    body : tuple of Literal
        Literals without ``#count``; literals that bind variables come first.
    counts : tuple of (_Count, str, Term)
        Counts, each with the comparison operator and the term it is compared with.
    """

    text: str
    body: tuple[Literal, ...]
    counts: tuple[tuple[_Count, str, Term], ...] = ()

    def stays(self) -> Denial | None:
        """Return the monotone part, which stays true for longer clauses; None if there is none."""
        if any(one.negated or one.name == "body_size" for one in self.body):
            return None
        counts = []
        for count, sign, most in self.counts:
            if any(one.negated for one in count.body) or sign in ("<", "=<", "=", "=="):
                return None
            counts.append((count, ">" if sign in ("\\==", "\\=") else sign, most))
        return Denial(self.text, self.body, tuple(counts))


class Constraints:
    """Constraints that decide whether a clause is forbidden.

    Parameters
    ----------
    texts : sequence of str
        Statements of answer set programs, as in Popper's bias files: denials such as ``:- clause(C), #count{V
        : var_type(C, V, state)} != 1.`` and the facts that they use. Alternatively, the name of a background
        predicate that holds of forbidden clauses, such as ``prune/1`` in Aleph's files. It also forbids all
        clauses that contain a forbidden clause.
    background : Relations, optional
        Background that defines the predicate.

    Examples
    --------
    >>> from induce.logic.parsing import parse_clause
    >>> once = Constraints(["only_once(p).", ":- only_once(P), clause(C), #count{V : body_literal(C, P, _, V)} > 1."])
    >>> [once.forbids(parse_clause(text)) for text in ("f(A) :- p(A, B).", "f(A) :- p(A, B), p(B, A).")]
    [False, True]
    """

    def __init__(self, texts: Sequence[str] = (), background: Relations | None = None) -> None:
        self.denials: list[Denial] = []
        self._facts: list[Literal] = []
        self._rules: list[Clause] = []
        self._tests: list[Callable[[Clause], bool]] = []
        # the most common constraints are decided without a search
        self._quick = [test for text, test in QUICK.items() if text in texts]
        self._most_variables = self._most_literals = sys.maxsize
        for text in texts:
            if text in QUICK:
                continue
            if (found := _MOST_VARIABLES.fullmatch(text)) is not None:
                self._most_variables = min(self._most_variables, int(found[1]))
                continue
            if (found := _MOST_LITERALS.fullmatch(text)) is not None:
                self._most_literals = min(self._most_literals, int(found[1]))
                continue
            if (name := re.fullmatch(r"([a-z]\w*)/1", text.strip())) is not None:
                if background is None or (name[1], 1) not in background.predicates():
                    raise InputError(
                        f"constraints names {text}, which the background does not define; define it there"
                    )
                self._tests.append(partial(_holds, name[1], background))
                continue
            self._read(text)
        known = {
            *OF_CLAUSES,
            *(one.predicate for one in self._facts),
            *(rule.head.predicate for rule in self._rules if rule.head is not None),
        }
        for denial in self.denials:
            for one in (*denial.body, *(each for count, _, _ in denial.counts for each in count.body)):
                if one.predicate not in known and one.name not in COMPARISONS:
                    raise InputError(
                        f"the constraint {denial.text} uses {one.name}/{len(one.arguments)}, which is "
                        "unknown; check its name and arity"
                    )
        stay = [denial.stays() for denial in self.denials]
        self._lasting = [one for one in stay if one is not None]

    def __bool__(self) -> bool:
        return bool(self.denials or self._tests or self._quick or self._sized)

    @property
    def _sized(self) -> bool:
        return min(self._most_variables, self._most_literals) < sys.maxsize

    def forbids(self, clause: Clause, kinds: Kinds | None = None) -> bool:
        """Return whether a clause violates a constraint; `kinds` has the argument types of predicates."""
        if not all(test(clause) for test in self._quick):
            return True
        return self._broken(self.denials, clause, kinds)

    def forbids_longer(self, clause: Clause, kinds: Kinds | None = None) -> bool:
        """Return whether every clause with these literals, and possibly more, violates a constraint."""
        return self._broken(self._lasting, clause, kinds)

    def _broken(self, denials: Sequence[Denial], clause: Clause, kinds: Kinds | None) -> bool:
        if len(clause.body) > self._most_literals:
            return True
        if self._most_variables < sys.maxsize and len(clause.variables()) > self._most_variables:
            return True
        if any(test(clause) for test in self._tests):
            return True
        if not denials:
            return False
        facts = [*self._facts, *described(clause, kinds or {})]
        for rule in self._rules:  # rules are ordered so that each follows those it depends on
            assert rule.head is not None
            facts += [*dict.fromkeys(found.apply(rule.head) for found in _answers(rule.body, facts))]
        return any(
            all(
                _compare(sign, _number(count, facts, found), found.apply(most))
                for count, sign, most in denial.counts
            )
            for denial in denials
            for found in _answers(denial.body, facts)
        )

    def _read(self, text: str) -> None:
        counts: list[_Count] = []

        def counted(found: re.Match[str]) -> str:
            terms, _, condition = found[1].partition(":")
            inner = parse_program(
                f"{COUNT}_terms({terms}) :- {_prolog(condition)}.".replace("$", "x")
            ).clauses[0]
            assert inner.head is not None
            counts.append(_Count(inner.head.arguments, _sorted(inner.body)))
            return f"'{COUNT}'({len(counts) - 1}{''.join(f', {name}' for name in _names(found[1]))})"

        plain = BEFORE.sub("", _prolog(AGGREGATE.sub(counted, text)), count=1)
        if plain.startswith(":-"):
            plain = f"'$denied' {plain}"
        program = parse_program(plain, "constraints")
        if program.directives:
            raise InputError(f"the statement {text.strip()} holds several constraints; give one at a time")
        for clause in program.clauses:
            if clause.head is not None and clause.head.name != "$denied":
                if counts:
                    raise InputError(f"the rule {text.strip()} uses #count; only constraints may use it")
                if clause.body:
                    self._rules.append(Clause(clause.head, _sorted(clause.body)))
                else:
                    self._facts.append(clause.head)
                continue
            self.denials.append(_denial(text.strip(), clause.body, counts))


def stands_in_body(clause: Clause) -> bool:
    """Return whether every variable of the head occurs in a positive literal of the body."""
    assert clause.head is not None
    body = {name for one in clause.body if not one.negated for name in one.variables()}
    return body.issuperset(clause.head.variables())


def no_singleton(clause: Clause) -> bool:
    """Return whether every variable occurs in at least two different literals, the head included."""
    assert clause.head is not None
    times = Counter(name for one in {clause.head, *clause.body} for name in {*one.variables()})
    return 1 not in times.values()


QUICK: dict[str, Callable[[Clause], bool]] = {EVERY_HEAD_VARIABLE: stands_in_body, NO_SINGLETON: no_singleton}
"""Constraints that are decided by a function."""


def described(clause: Clause, kinds: Kinds) -> Iterator[Literal]:
    """Describe a clause by the predicates of `OF_CLAUSES`; variables are numbers.

    Examples
    --------
    >>> from induce.logic.parsing import parse_clause
    >>> print(*[one for one in described(parse_clause("f(A) :- p(A, B)."), {}) if one.name == "body_literal"])
    body_literal(0, p, 2, (0, 1))
    """
    assert clause.head is not None
    number = {name: Constant(place) for place, name in enumerate(clause.variables())}
    yield Literal("clause", (WHOLE,))
    yield Literal("body_size", (WHOLE, Constant(len(clause.body))))
    seen: set[Literal] = set()
    for place, one in enumerate((clause.head, *clause.body)):
        word = "head" if place == 0 else "body"
        name = Constant(f"not {one.name}" if one.negated else one.name)
        terms = [number[term] if isinstance(term, Variable) else term for term in one.arguments]
        more = [Literal(f"{word}_literal", (WHOLE, name, Constant(len(terms)), _tuple(terms)))]
        types = kinds.get(one.predicate, ())
        for at, variable in enumerate(one.arguments):
            if not isinstance(variable, Variable):
                continue
            each = number[variable]
            more += [
                Literal(f"{word}_var", (WHOLE, each)),
                Literal("clause_var", (WHOLE, each)),
                Literal("var_in_literal", (WHOLE, name, _tuple(terms), each)),
            ]
            if at < len(types):
                more.append(Literal("var_type", (WHOLE, each, Constant(types[at]))))
        for fact in more:
            if fact not in seen:
                seen.add(fact)
                yield fact


def as_term(clause: Clause) -> Term:
    """Return a clause as the term (Head :- Body)."""
    assert clause.head is not None
    parts = [_goal(one) for one in clause.body] or [Constant("true")]
    body = parts[-1]
    for part in reversed(parts[:-1]):
        body = Function(",", (part, body))
    return Function(":-", (_goal(clause.head), body))


def _goal(literal: Literal) -> Term:
    term: Term = Function(literal.name, literal.arguments) if literal.arguments else Constant(literal.name)
    return Function("\\+", (term,)) if literal.negated else term


def _holds(name: str, background: Relations, clause: Clause) -> bool:
    return background.prover().holds(Literal(name, (as_term(clause),)))


def _tuple(terms: Sequence[Term]) -> Term:
    found = terms[-1] if terms else Constant("()")
    for term in reversed(terms[:-1]):
        found = Function(",", (term, found))
    return found


def _prolog(text: str) -> str:
    """Translate the syntax of answer set programs to Prolog."""
    text = re.sub(r"(?<![<>=!])!=", r"\\==", text)
    return re.sub(r",\s*\)", ")", text.replace("<=", "=<"))


def _names(text: str) -> list[str]:
    return [*dict.fromkeys(re.findall(r"\b[A-Z]\w*", text))]


def _sorted(body: Iterable[Literal]) -> tuple[Literal, ...]:
    """Return literals with those that bind variables before those that only test them."""
    return tuple(sorted(body, key=lambda one: one.negated or one.name in COMPARISONS))


def _denial(text: str, body: Sequence[Literal], counts: Sequence[_Count]) -> Denial:
    plain, counted = [], []
    for one in body:
        places = [place for place, term in enumerate(one.arguments) if _is_count(term)]
        if not places:
            plain.append(one)
            continue
        if one.name not in COMPARISONS or len(places) > 1 or one.negated:
            raise InputError(
                f"the constraint {text} uses #count outside a comparison; compare it with a number"
            )
        term = one.arguments[places[0]]
        assert isinstance(term, Function)
        which = term.arguments[0]
        assert isinstance(which, Constant)
        # the arguments of the placeholder are the count's variables, under their names in the constraint
        count = _renamed(counts[int(which.value)], term.arguments[1:])
        sign = one.name if places[0] == 0 else MIRRORED.get(one.name, one.name)
        counted.append((count, sign, one.arguments[1 - places[0]]))
    return Denial(text, _sorted(plain), tuple(counted))


def _is_count(term: Term) -> bool:
    return isinstance(term, Function) and term.name == COUNT


def _renamed(count: _Count, outer: Sequence[Term]) -> _Count:
    names = {term.name: term for term in outer if isinstance(term, Variable)}
    mine = {
        name: names[name.name]
        for one in (Literal("x", count.terms), *count.body)
        for name in one.variables()
        if name.name in names
    }
    swap = Substitution(mine)
    return _Count(tuple(map(swap.apply, count.terms)), tuple(map(swap.apply, count.body)))


def _answers(body: Sequence[Literal], facts: Sequence[Literal]) -> list[Substitution]:
    """Return the substitutions under which all literals of a body hold."""
    found = [Substitution()]
    for one in body:
        longer = []
        for answer in found:
            goal = answer.apply(one)
            if one.name in COMPARISONS:
                left, right = goal.arguments
                longer += [answer] * (_compare(one.name, left, right) != one.negated)
            elif one.negated:
                positive = goal.negation()
                longer += [answer] * all(match(positive, fact) is None for fact in facts)
            else:
                fitting = (match(goal, fact) for fact in facts if fact.predicate == goal.predicate)
                longer += [answer.compose(more) for more in fitting if more is not None]
        found = longer
    return found


def _number(count: _Count, facts: Sequence[Literal], outer: Substitution) -> Term:
    body = tuple(map(outer.apply, count.body))
    return Constant(
        len({tuple(map(found.apply, map(outer.apply, count.terms))) for found in _answers(body, facts)})
    )


def _compare(sign: str, one: Term, other: Term) -> bool:
    if sign in ("=", "==", "\\==", "\\="):
        return (one == other) == (sign in ("=", "=="))
    pair = [term.value for term in (one, other) if isinstance(term, Constant)]
    if len(pair) < 2 or not all(isinstance(value, int | float) for value in pair):
        return False
    return COMPARISONS[sign](float(pair[0]), float(pair[1]))
