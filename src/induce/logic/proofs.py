"""Proofs as trees (Mitchell §11.2, Figure 11.2): the clauses and facts that prove a literal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from typing import Literal as OneOf

from induce.logic.clauses import Clause, Literal, Program
from induce.logic.printing import term_of
from induce.logic.substitution import Substitution
from induce.logic.terms import Function, Term, Variable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Kind = OneOf["fact", "rule", "built-in", "negation"]


@dataclass(frozen=True, eq=False, repr=False)
class Proof:
    """Proof of a literal, as a tree.

    Parameters
    ----------
    literal : Literal
        Proved literal, under the bindings of the proof.
    kind : {"fact", "rule", "built-in", "negation"}
        Kind of step: a fact, a rule, a built-in predicate (also a library predicate, or a control construct
        whose parts are its children), or negation as failure.
    clause : Clause, optional
        Clause of the program, for facts and rules.
    number : int, optional
        Index of that clause in the program, counted from 0; None for a fact from an array.
    children : tuple of Proof
        Proofs of the body literals, in their order.
    tabled : bool, default=False
        Whether the literal was found in a table; if so, this is its first proof, and no others were sought.

    Examples
    --------
    >>> from induce.logic import Prover, parse_program
    >>> prover = Prover(parse_program('''
    ...     ancestor(X, Y) :- parent(X, Y).
    ...     ancestor(X, Y) :- parent(X, Z), ancestor(Z, Y).
    ...     parent(ann, bea). parent(bea, cal).
    ... '''))
    >>> proof = prover.first("ancestor(ann, cal)").proof
    >>> print(proof)
    ancestor(ann, cal)
    ├─ parent(ann, bea)
    └─ ancestor(bea, cal)
       └─ parent(bea, cal)
    >>> print(proof.clause, proof.number)
    ancestor(X, Y) :- parent(X, Z), ancestor(Z, Y). 1
    >>> print(proof.unifier)
    {X/ann, Y/cal, Z/bea}
    >>> print(*proof.facts(), sep=", ")
    parent(ann, bea), parent(bea, cal)
    """

    literal: Literal
    kind: Kind
    clause: Clause | None = None
    number: int | None = None
    children: tuple[Proof, ...] = ()
    tabled: bool = False

    @property
    def unifier(self) -> Substitution:
        """Values of the clause's variables in this proof; empty without a clause."""
        if self.clause is None or self.clause.head is None:
            return Substitution()
        values: dict[Variable, Term] = {}
        proved = [self.literal, *(child.literal for child in self.children)]
        for pattern, literal in zip((self.clause.head, *self.clause.body), proved, strict=False):
            _match(term_of(pattern), term_of(literal), values)
        return Substitution(values)

    def walk(self) -> Iterator[tuple[int, Proof]]:
        """Traverse the tree in preorder; yield each node with its depth (the root has depth 1)."""
        waiting = [(1, self)]
        while waiting:
            depth, node = waiting.pop()
            yield depth, node
            waiting.extend((depth + 1, child) for child in reversed(node.children))

    def facts(self) -> tuple[Literal, ...]:
        """Return the distinct facts that the proof depends on, from left to right."""
        return tuple(dict.fromkeys(node.literal for _, node in self.walk() if node.kind == "fact"))

    def split_facts(self, theory: Program) -> tuple[tuple[Literal, ...], tuple[Literal, ...]]:
        """Split the facts into those stated by a theory and those of the example.

        Parameters
        ----------
        theory : Program

        Examples
        --------
        >>> from induce.logic import Prover, parse_program
        >>> theory = parse_program("heavy(X) :- made_of(X, M), metal(M). metal(iron).")
        >>> prover = Prover(theory + parse_program("made_of(anvil, iron)."))
        >>> stated, of_example = prover.first("heavy(anvil)").proof.split_facts(theory)
        >>> print(*stated, "|", *of_example)
        metal(iron) | made_of(anvil, iron)
        """
        known = set(theory.clauses)
        nodes = [node for _, node in self.walk() if node.kind == "fact"]
        stated = [node.clause in known for node in nodes]
        pairs = list(zip(nodes, stated, strict=True))
        return (
            tuple(dict.fromkeys(node.literal for node, mine in pairs if mine)),
            tuple(dict.fromkeys(node.literal for node, mine in pairs if not mine)),
        )

    def rules(self) -> tuple[Clause, ...]:
        """Return the distinct rules used, from the root down."""
        return tuple(
            dict.fromkeys(node.clause for _, node in self.walk() if node.kind == "rule" and node.clause)
        )

    def depth(self) -> int:
        """Return the number of nodes on the longest path from the root."""
        return max(depth for depth, _ in self.walk())

    def size(self) -> int:
        """Return the number of nodes."""
        return sum(1 for _ in self.walk())

    def __str__(self) -> str:
        lines = []
        waiting: list[tuple[str, str, Proof]] = [("", "", self)]
        while waiting:
            before, indent, node = waiting.pop()
            mark = {"built-in": " [built-in]", "negation": " [not provable]"}.get(node.kind, "")
            lines.append(f"{before}{node.literal}{mark}")
            last = len(node.children) - 1
            for place in range(last, -1, -1):
                branch, onward = ("└─ ", "   ") if place == last else ("├─ ", "│  ")
                waiting.append((indent + branch, indent + onward, node.children[place]))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<proof of {self.literal}: {self.kind}, {len(self.children)} children>"

    def draw(self, ax: Axes | None = None) -> Figure:
        """Draw the tree with the proved literal at the top (as in Figure 11.2).

        Parameters
        ----------
        ax : matplotlib Axes, optional

        Returns
        -------
        matplotlib Figure
        """
        from induce.logic.proof_pictures import draw

        return draw(self, ax)


def _match(pattern: Term, term: Term, values: dict[Variable, Term]) -> None:
    """Return the values that a pattern's variables take in a term that is an instance of the pattern."""
    waiting = [(pattern, term)]
    while waiting:
        pattern, term = waiting.pop()
        if isinstance(pattern, Variable):
            values.setdefault(pattern, term)
        elif isinstance(pattern, Function) and not pattern.ground and isinstance(term, Function):
            if pattern.name == "call" != term.name and len(pattern.arguments) == 1:
                pattern = pattern.arguments[0]
                waiting.append((pattern, term))
            else:
                waiting.extend(zip(reversed(pattern.arguments), reversed(term.arguments), strict=False))
