"""Oracles that answer a learner's questions: a person, a script, or a theory hidden from the learner (§10.7.3).

An oracle is anything that can be called with a question and returns the answer, or None if it does not know.
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
    """Whether a clause is true: True, False, or None if that is not known."""

    clause: Clause

    def __str__(self) -> str:
        return f"Is this always so?  {self.clause}"


@dataclass(frozen=True)
class LiteralQuestion:
    """Whether a ground literal is true; the answer is a new example."""

    literal: Literal

    def __str__(self) -> str:
        return f"Is this so?  {self.literal}"


@dataclass(frozen=True)
class NameQuestion:
    """Question about the name of an invented predicate: its name, None for any name, or False to reject it.

    Parameters
    ----------
    literal : Literal
        The new predicate with its arguments, under the name that the learner would give it.
    clauses : tuple of Clause
        The clauses that define it or use it.
    """

    literal: Literal
    clauses: tuple[Clause, ...]

    def __str__(self) -> str:
        written = "\n".join(f"  {clause}" for clause in self.clauses)
        return f"What would you call {self.literal.name}/{len(self.literal.arguments)}?\n{written}"


Question: TypeAlias = ClauseQuestion | LiteralQuestion | NameQuestion


class Oracle(Protocol):
    """Source of answers: any function of a question."""

    def __call__(self, question: Question, /) -> Answer:
        """Answer a question; None means that the answer is not known."""
        ...


@dataclass
class ScriptedOracle:
    """Answers given in advance, and a record of all questions.

    Parameters
    ----------
    answers : dict from str to answer
        Answers by clause or literal, as written (the full stop may be omitted); for the provisional name of an
        invented predicate, such as ``invented_1``, the name to use.

    Attributes
    ----------
    asked : list of (Question, answer)

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
    """Answers from a theory that the learner does not see.

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
        """Prove the answer."""
        if isinstance(question, LiteralQuestion):
            return self._prover.holds(question.literal)
        if isinstance(question, ClauseQuestion):
            return self._is_true(question.clause)
        return self._name(question)

    def _is_true(self, clause: Clause) -> bool | None:
        """Search for a case in which the body holds and the head does not."""
        head = clause.head
        if not clause.body:  # the terms for which a fact with variables should hold are unknown
            return self._prover.holds(head) if head is not None and head.ground else None
        for answer in islice(self._prover.prove(clause.body, proofs=False), self.most):
            case = None if head is None else answer.substitution.apply(head)
            if case is not None and not case.ground:  # it should hold for anything, also for unknown terms
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
    """Asks a person on the terminal; an empty answer, or the end of the input, means that it is unknown.

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
        """Ask until there is an answer."""
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
