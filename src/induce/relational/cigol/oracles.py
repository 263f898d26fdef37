"""Oracles that answer a learner's questions: a person, a script, or a hidden theory (§10.7.3).

An oracle is a callable that takes a question and returns the answer, or None if it does not know.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Protocol, TypeAlias

from induce.logic.clauses import Clause, Literal, Program
from induce.logic.parsing import parse_program
from induce.logic.substitution import Substitution
from induce.logic.terms import Constant

if TYPE_CHECKING:
    from induce.logic.prover import Prover

Answer: TypeAlias = bool | str | None


@dataclass(frozen=True)
class ClauseQuestion:
    """Question whether a clause is true; the answer is True, False, or None if unknown."""

    clause: Clause

    def __str__(self) -> str:
        return f"Is this always so?  {self.clause}"


@dataclass(frozen=True)
class LiteralQuestion:
    """Question whether a ground literal is true; the answer becomes a new example."""

    literal: Literal

    def __str__(self) -> str:
        return f"Is this so?  {self.literal}"


@dataclass(frozen=True)
class NameQuestion:
    """Question about an invented predicate: the answer is a name, None for any name, or False to reject it.

    Parameters
    ----------
    literal : Literal
        Literal of the new predicate, under its provisional name.
    clauses : tuple of Clause
        Clauses that define or use the predicate.
    """

    literal: Literal
    clauses: tuple[Clause, ...]

    def __str__(self) -> str:
        written = "\n".join(f"  {clause}" for clause in self.clauses)
        return f"What would you call {self.literal.name}/{len(self.literal.arguments)}?\n{written}"


Question: TypeAlias = ClauseQuestion | LiteralQuestion | NameQuestion


class Oracle(Protocol):
    """Source of answers: any function that takes a question."""

    def __call__(self, question: Question, /) -> Answer:
        """Answer a question; None means unknown."""
        ...


@dataclass
class ScriptedOracle:
    """Oracle with answers given in advance and a record of all questions.

    Parameters
    ----------
    answers : dict from str to answer
        Answers by clause or literal, as written (the full stop may be omitted); for the provisional name of an
        invented predicate, such as ``invented_1``, the name to use.

    Attributes
    ----------
    asked : list of (Question, answer)
        Questions asked so far, with their answers.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> oracle = ScriptedOracle({"bird(X) :- flies(X)": False})
    >>> oracle(ClauseQuestion(parse_clause("bird(X) :- flies(X).")))
    False
    >>> oracle(LiteralQuestion(parse_clause("bird(tweety).").head)) is None
    True
    >>> len(oracle.asked)
    2
    """

    answers: Mapping[str, Answer] = field(default_factory=dict)
    asked: list[tuple[Question, Answer]] = field(default_factory=list)

    def __call__(self, question: Question, /) -> Answer:
        """Look up the answer."""
        if isinstance(question, NameQuestion):
            written = question.literal.name
        else:
            about = question.clause if isinstance(question, ClauseQuestion) else question.literal
            written = str(about).rstrip(".")
        given = {text.strip().rstrip("."): answer for text, answer in self.answers.items()}
        answer = given.get(written)
        self.asked.append((question, answer))
        return answer


@dataclass
class HiddenTheory:
    """Oracle that answers from a theory hidden from the learner.

    A literal is true if the theory proves it. A clause is true if its head holds wherever its body does, as far as
    the theory can list the cases. An invented predicate is given the name of a predicate of the theory with the same
    extension, if there is one.

    Parameters
    ----------
    theory : Program or str
        Facts and rules, including those of the background.
    most : int, default=10_000
        Maximum number of instances of a clause to examine; if there are more, the answer is unknown.

    Examples
    --------
    >>> from induce.logic import parse_clause
    >>> oracle = HiddenTheory("bird(tweety). bird(tux). flies(tweety).")
    >>> oracle(ClauseQuestion(parse_clause("bird(X) :- flies(X)."))), oracle(
    ...     ClauseQuestion(parse_clause("flies(X) :- bird(X).")))
    (True, False)
    """

    theory: Program | str
    most: int = 10_000

    @cached_property
    def _program(self) -> Program:
        return parse_program(self.theory) if isinstance(self.theory, str) else self.theory

    @cached_property
    def _prover(self) -> Prover:
        from induce.logic.prover import Prover

        return Prover(self._program, unknown="fail")

    def __call__(self, question: Question, /) -> Answer:
        """Answer a question by proof."""
        if isinstance(question, LiteralQuestion):
            return self._prover.holds(question.literal)
        if isinstance(question, ClauseQuestion):
            return self._is_true(question.clause)
        return self._name(question)

    def _is_true(self, clause: Clause) -> bool | None:
        """Search for a counterexample: a case in which the body holds and the head does not."""
        head = clause.head
        if not clause.body:  # the instances of a non-ground fact cannot be listed
            return self._prover.holds(head) if head is not None and head.ground else None
        for answer in islice(self._prover.prove(clause.body, proofs=False), self.most):
            case = None if head is None else answer.substitution.apply(head)
            if (
                case is not None and not case.ground
            ):  # a head variable that the body leaves unbound stands for every term, including unknown ones
                anything = {name: Constant(f"anything {name}") for name in case.variables()}
                case = Substitution(anything).apply(case)
            if case is None or not self._prover.holds(case):
                return False
        return True

    def _name(self, question: NameQuestion) -> str | None:
        wanted = self._cases(question.literal, self._prover.extended(Program(question.clauses)))
        arity = len(question.literal.arguments)
        for name, its_arity in self._program.by_predicate:
            other = Literal(name, question.literal.arguments)
            if wanted and its_arity == arity and self._cases(other, self._prover) == wanted:
                return name
        return None

    def _cases(self, literal: Literal, prover: Prover) -> set[tuple[object, ...]]:
        found = islice(prover.prove(literal, proofs=False), self.most)
        return {answer.substitution.apply(literal).arguments for answer in found}


def _said(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


@dataclass
class ConsoleOracle:
    """Oracle that asks a person on the terminal; an empty answer or the end of the input means unknown.

    Parameters
    ----------
    read : callable, default=sys.stdin.readline
        Function that returns the next line, empty at the end.
    write : callable, optional
        Function that shows a text; by default on standard output.

    Examples
    --------
    >>> from induce.logic import parse_literal
    >>> oracle = ConsoleOracle(read=iter(["what?\\n", "y\\n"]).__next__)
    >>> oracle(LiteralQuestion(parse_literal("bird(tweety)")))
    Is this so?  bird(tweety) [y/n] y(es), n(o), or nothing if you do not know
    Is this so?  bird(tweety) [y/n] True
    """

    read: Callable[[], str] | None = None
    write: Callable[[str], None] = _said

    def __call__(self, question: Question, /) -> Answer:
        """Repeat the question until the answer is valid."""
        names = isinstance(question, NameQuestion)
        help_line = "a name, - for no such predicate, or nothing for any name" if names else HELP
        while True:
            self.write(f"{question} {'[name/-]' if names else '[y/n]'} ")
            word = (self.read or sys.stdin.readline)().strip()
            if not word:
                return None
            if names and word != "-":
                if is_name(word):
                    return word
            elif word.lower() in WORDS:
                return WORDS[word.lower()]
            self.write(f"{help_line}\n")


HELP = "y(es), n(o), or nothing if you do not know"
WORDS = {**dict.fromkeys(("y", "yes", "true", "+"), True), **dict.fromkeys(("n", "no", "false", "-"), False)}


def is_name(text: str) -> bool:
    """Return whether a name is a predicate name without quotes.

    Examples
    --------
    >>> is_name("sibling"), is_name("Sibling"), is_name("is in")
    (True, False, False)
    """
    return text[:1].islower() and text.replace("_", "a").isalnum()
