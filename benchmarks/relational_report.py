"""The table of what Aleph, Popper and our learners made of relational problems, and the definitions they found."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.measure import TIMES, Listing, seconds
from benchmarks.peers.problems import Facts, Problem
from benchmarks.peers.relational import Learned, Tested
from induce.logic import Clause, Variable, equivalent, parse_program, unify

REPEATS = 3
SHORT = 5.0
"""Seconds of learning up to which a peer is run once more, so that the best time counts."""
OURS = ("FOIL", "Progol", "Golem")
PEERS = ("Aleph", "Popper")
SHOWN = 11
"""How many clauses of a theory are shown."""
HEAD = (
    "problem",
    "examples",
    "facts",
    "learner",
    "clauses",
    "test accuracy",
    "CPU",
    "wall",
    "whole process",
    "peak",
    *(f"{peer}/ours" for peer in PEERS),
)


@dataclass(frozen=True)
class Found:
    """What one system made of a problem.

    Parameters
    ----------
    learned, tested
    first : float, optional
        Seconds of the first fit of the process; only ours learn more than once in one.
    by_swi : Tested, optional
        What SWI-Prolog proves with a theory of ours.
    """

    learned: Learned
    tested: Tested
    first: float = math.nan
    by_swi: Tested | None = None


@dataclass(frozen=True)
class Outcome:
    """What the systems made of a problem; what failed is not there."""

    problem: Problem
    systems: tuple[str, ...]
    found: Mapping[str, Found]

    def ratio(self, peer: str, system: str) -> str:
        """How many times faster ours is than a peer."""
        if system in PEERS or peer not in self.found or system not in self.found:
            return ""
        theirs, ours = self.found[peer].learned, self.found[system].learned
        more = "more than " * theirs.expired
        return "" if ours.expired else f"{more}{theirs.cpu / ours.cpu:.3g}{TIMES}"


def listing(outcomes: Sequence[Outcome], limit: float) -> Listing:
    """Every system on every problem, and the definitions that were found."""
    lines = [line for outcome in outcomes for line in _lines(outcome)]
    return Listing("Learning from relations", _remark(limit), HEAD, tuple(lines), _closing(outcomes))


def _remark(limit: float) -> str:
    return (
        "Generated problems, Michalski's trains and the English family. Except for the last two, training and test "
        "data share no train, person, graph or customer. Every system gets the same facts, examples and modes in "
        "its own file format: Aleph and our learners read Aleph's files, Popper gets a predicate for each constant "
        "and for each decile of a numeric value. Aleph's `i`, `clauselength`, `noise`, `minacc` and `minpos` and "
        "Popper's `max_vars` and `max_body` are set to what the target rule needs. `Progol` gets Aleph's settings; "
        "`Golem` gets `i` as its depth, `noise` and `min_positives` where labels are noisy, and "
        "`determinate=False`, since cars and purchases are not determinate; `FOIL` gets no settings. All other "
        "parameters keep their defaults.\n\n"
        "CPU and wall are seconds of learning alone, without start-up and reading the files. Ours are warm, on "
        f"freshly read relations, the best of {REPEATS} after a first fit; the peers' are the best of {REPEATS} "
        f"processes if learning takes no longer than {SHORT:g} s. Every system is interrupted after "
        f"{seconds(limit)}, and the theory it has by then is tested. The whole process is the processor time of "
        "starting, reading and learning once; most of our peak memory is Python and its libraries. "
        "The ratios are of CPU time."
    )


def _lines(outcome: Outcome) -> Iterator[tuple[str, ...]]:
    shown = (outcome.problem.name, *sizes(outcome.problem))
    for system in outcome.systems:
        found = outcome.found.get(system)
        if found is None:
            yield (*shown, system, "", "failed", *[""] * 6)
        else:
            learned = found.learned
            yield (
                *shown,
                system,
                str(learned.clauses),
                share(found.tested.accuracy),
                f"more than {seconds(learned.cpu)}" if learned.expired else seconds(learned.cpu),
                seconds(learned.wall),
                seconds(learned.process),
                f"{learned.memory:,.0f} MB",
                *(outcome.ratio(peer, system) for peer in PEERS),
            )
        shown = ("", "", "")


def _closing(outcomes: Sequence[Outcome]) -> str:
    parts = [_less_accurate(outcomes), _agreement(outcomes), "The learned definitions:"]
    blocks = ["\n".join(_definitions(outcome)) for outcome in outcomes]
    return "\n\n".join([part for part in parts if part] + ["```prolog\n" + "\n\n".join(blocks) + "\n```"])


def _less_accurate(outcomes: Sequence[Outcome]) -> str:
    """Say on which problems each of ours is less accurate than the better peer."""
    said = []
    for learner in OURS:
        lost, failed = [], []
        for outcome in outcomes:
            theirs = [outcome.found[peer].tested.accuracy for peer in PEERS if peer in outcome.found]
            if learner not in outcome.found:
                failed.append(outcome.problem.name)
            elif theirs and outcome.found[learner].tested.accuracy < max(theirs):
                ours = outcome.found[learner].tested.accuracy
                lost.append(f"{outcome.problem.name} ({share(ours)}, {share(max(theirs))})")
        said += [f"`{learner}` is less accurate than the better peer on {', '.join(lost)}."] if lost else []
        said += [f"`{learner}` fails on {', '.join(failed)}."] if failed else []
        if not lost and not failed and any(peer in outcome.found for outcome in outcomes for peer in PEERS):
            said.append(f"`{learner}` is nowhere less accurate than the better peer.")
    return " ".join(said)


def _agreement(outcomes: Sequence[Outcome]) -> str:
    """Say whether SWI-Prolog proves as many test examples with our theories as our prover."""
    asked = [
        (outcome.problem.name, learner, outcome.found[learner])
        for outcome in outcomes
        for learner in OURS
        if learner in outcome.found and outcome.found[learner].by_swi is not None
    ]
    others = [f"{learner} on {name}" for name, learner, found in asked if found.by_swi != found.tested]
    if not asked:
        return ""
    if others:
        return f"**SWI-Prolog does not agree with our prover about the theories of {', '.join(others)}.**"
    return (
        f"With each of our {len(asked)} theories, SWI-Prolog proves as many test examples as our prover does."
    )


def _definitions(outcome: Outcome) -> Iterator[str]:
    """The theories, each once with the systems that found it, up to order and names of variables."""
    problem = outcome.problem
    both_ways = symmetric(problem.background(problem.train))
    groups: list[tuple[tuple[Clause, ...], list[str]]] = [(theory_of(problem.rule), [])]
    for system, found in outcome.found.items():
        theory = theory_of(found.learned.theory)
        same = [systems for other, systems in groups if same_theory(theory, other, both_ways)]
        if same:
            same[0].append(system)
        else:
            groups.append((theory, [system]))
    for number, (theory, systems) in enumerate(groups):
        who = ", ".join(systems)
        rule = f"the rule, found by {who}" if who else "the rule"
        yield f"% {problem.name}: {who if number else rule}"
        yield from _shown(theory)


def theory_of(text: str) -> tuple[Clause, ...]:
    """The clauses of a theory, equal variables written as one.

    Examples
    --------
    >>> print(*theory_of("p(A, B) :- A = B, q(B)."))
    p(A, A) :- q(A).
    """
    return tuple(map(_without_equality, parse_program(text)))


def _without_equality(clause: Clause) -> Clause:
    for literal in clause.body:
        if literal.name == "=" and all(isinstance(one, Variable) for one in literal.arguments):
            same = unify(*literal.arguments)
            rest = Clause(clause.head, tuple(other for other in clause.body if other is not literal))
            return clause if literal.negated or same is None else _without_equality(same.apply(rest))
    return clause


def symmetric(facts: Facts) -> set[str]:
    """The relations that hold both ways wherever they hold."""
    found = {name: set(rows) for name, rows in facts.items() if rows and len(rows[0]) == 2}
    return {name for name, rows in found.items() if rows == {(b, a) for a, b in rows}}


def same_theory(one: Sequence[Clause], other: Sequence[Clause], both_ways: Collection[str] = ()) -> bool:
    """Whether each clause of two theories says what one of the other says, where some relations hold both ways.

    Examples
    --------
    >>> rule = theory_of("p(X, Y) :- q(X, Z), q(Z, Y).")
    >>> same_theory(rule, theory_of("p(A, B) :- q(C, B), q(A, C)."))
    True
    >>> other = theory_of("p(X, Y) :- q(Z, X), q(Z, Y).")
    >>> same_theory(rule, other), same_theory(rule, other, {"q"})
    (False, True)
    """
    ones, others = ([_both(clause, both_ways) for clause in theory] for theory in (one, other))
    return all(any(equivalent(a, b) for b in others) for a in ones) and all(
        any(equivalent(a, b) for a in ones) for b in others
    )


def _both(clause: Clause, both_ways: Collection[str]) -> Clause:
    turned = [replace(one, arguments=one.arguments[::-1]) for one in clause.body if one.name in both_ways]
    return Clause(clause.head, (*clause.body, *turned))


def _shown(theory: Sequence[Clause]) -> Iterator[str]:
    """The clauses with variables, unless they are many, and how many examples are there as facts."""
    clauses = [clause for clause in theory if clause.variables()]
    yield from (str(clause) for clause in clauses[:SHOWN])
    if not theory:
        yield "% nothing"
    if len(clauses) > SHOWN:
        yield f"% and {len(clauses) - SHOWN} clauses more"
    if len(clauses) < len(theory):
        yield f"% and {len(theory) - len(clauses)} examples as they are"


def sizes(problem: Problem) -> tuple[str, str]:
    """How many examples and facts there are to learn from."""
    n_examples = len(problem.train.positives) + len(problem.train.negatives)
    n_facts = sum(map(len, problem.background(problem.train).values()))
    return f"{n_examples:,}", f"{n_facts:,}"


def share(value: float) -> str:
    """An accuracy as a percentage.

    Examples
    --------
    >>> share(0.99904)
    '99.90%'
    """
    return f"{value:.2%}"
