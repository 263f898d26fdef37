"""Terms read back from the cells of the prover's loops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from induce.core.errors import InputError
from induce.logic import _machine_loops as loops
from induce.logic.clauses import Literal
from induce.logic.compiler import Compiled, float_of
from induce.logic.library import PRIVATE
from induce.logic.parsing import CONTROL
from induce.logic.terms import Constant, Function, Term, Variable


@dataclass
class Reading:
    """Reader of terms on the heap; shared subterms are built only once."""

    program: Compiled
    cells: memoryview | list[int]
    names: Mapping[int, Variable] = field(default_factory=dict)
    addresses: dict[Variable, int] = field(default_factory=dict)
    _done: dict[int, Term] = field(default_factory=dict)

    def term(self, cell: int) -> Term:
        """Return the term of a cell."""
        heap, done = self.cells, self._done
        if cell & 7 == loops.REF:
            cell = _dereferenced(heap, cell)
        if (found := done.get(cell)) is not None:
            return found
        if cell & 7 != loops.STR:
            return self._leaf(cell)
        waiting, inside = [cell], set()
        predicates = self.program.predicates
        while waiting:
            whole = waiting[-1]
            if whole in done:
                waiting.pop()
                continue
            address = whole >> 3
            functor = heap[address]
            arguments: list[Term] = []
            missing = len(waiting)
            for part in heap[address + 1 : address + 1 + (functor >> 3 & 255)]:
                if part & 7 == loops.REF:
                    part = _dereferenced(heap, part)
                known = done.get(part)
                if known is not None:
                    arguments.append(known)
                elif part & 7 != loops.STR:
                    arguments.append(self._leaf(part))
                else:
                    if part in inside or part == whole:
                        raise InputError(
                            "a term contains itself; give occurs_check=True to exclude such terms"
                        )
                    waiting.append(part)
            if len(waiting) == missing:
                done[whole] = Function(predicates[functor >> 11][0], tuple(arguments))
                inside.discard(whole)
                waiting.pop()
            else:
                inside.add(whole)
        return done[cell]

    def literal(self, cell: int) -> Literal:
        """Return the literal of a goal, with the negation that the parser would give it."""
        inner = cell = _dereferenced(self.cells, cell)
        if cell & 7 == loops.STR and self.cells[cell >> 3] == loops.NOT:
            inner = _dereferenced(self.cells, self.cells[(cell >> 3) + 1])
        name, arguments = self._goal(inner)
        if inner == cell:
            return Literal(name, arguments)
        if (name, len(arguments)) in CONTROL:
            return Literal(*self._goal(cell))
        return Literal(name, arguments, negated=True)

    def _goal(self, cell: int) -> tuple[str, tuple[Term, ...]]:
        if cell & 7 == loops.REF:
            return "call", (self._leaf(cell),)
        if cell & 7 != loops.STR:
            return str(getattr(self._leaf(cell), "value", "")), ()
        address = cell >> 3
        functor = self.cells[address]
        name = self.program.predicates[functor >> 11][0]
        arguments = self.cells[address + 1 : address + 1 + (functor >> 3 & 255)]
        return name.removeprefix(PRIVATE), tuple([self.term(each) for each in arguments])

    def _leaf(self, cell: int) -> Term:
        tag, value = cell & 7, cell >> 3
        term: Term
        if tag == loops.ATOM:
            term = Constant(self.program.predicates[value][0])
        elif tag == loops.INT:
            term = Constant(value)
        elif tag == loops.OTHER:
            term = self.program.others[value]
        elif tag == loops.FLT:
            term = Constant(float_of(self.cells[value + 1]))
        else:
            term = self.names.get(value) or Variable(f"_{value}")
            self.addresses[term] = value
        self._done[cell] = term
        return term


def relocated(block: list[int]) -> list[int]:
    """Return a block of code as a piece of heap from address 0, followed by its variables."""
    heap = block[:]
    size = len(block)
    for place, cell in enumerate(block):
        raw = place > 0 and block[place - 1] == loops.BOX
        if not raw and cell & 7 == loops.REF:
            heap[place] = cell >> 3 << 3 | (loops.FLT if block[cell >> 3] == loops.BOX else loops.STR)
        elif not raw and cell & 7 == loops.VAR:
            heap[place] = (size + (cell >> 3)) << 3
            heap.extend(address << 3 for address in range(len(heap), size + (cell >> 3) + 1))
    return heap


def _dereferenced(heap: memoryview | list[int], cell: int) -> int:
    while cell & 7 == loops.REF:
        other = heap[cell >> 3]
        if other == cell:
            break
        cell = other
    return cell
