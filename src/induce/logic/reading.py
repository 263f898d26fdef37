"""Terms read back from the cells of the prover's loops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from induce.core.errors import InputError
from induce.logic import _machine_loops as loops
from induce.logic.clauses import Literal
from induce.logic.compiling import Compiled, float_of
from induce.logic.library import PRIVATE
from induce.logic.terms import Constant, Function, Term, Variable


@dataclass
class Reading:
    """Terms read from the heap; a part that several of them share is made once."""

    program: Compiled
    cells: memoryview | list[int]
    names: Mapping[int, Variable] = field(default_factory=dict)
    addresses: dict[Variable, int] = field(default_factory=dict)
    _done: dict[int, Term] = field(default_factory=dict)

    def term(self, cell: int) -> Term:
        """Return the term of a cell."""
        heap = self.cells
        cell = _dereferenced(heap, cell)
        if cell & 7 != loops.STR:
            return self._leaf(cell)
        done = self._done
        waiting, inside = [cell >> 3], set()
        predicates = self.program.predicates
        while waiting:
            address = waiting[-1]
            if address in done:
                waiting.pop()
                continue
            functor = heap[address]
            arguments: list[Term] = []
            missing = len(waiting)
            for place in range(address + 1, address + 1 + (functor >> 3 & 255)):
                part = heap[place]
                if part & 7 == loops.REF:
                    part = _dereferenced(heap, part)
                if part & 7 != loops.STR:
                    arguments.append(self._leaf(part))
                elif (known := done.get(part >> 3)) is not None:
                    arguments.append(known)
                else:
                    if part >> 3 in inside or part >> 3 == address:
                        raise InputError(
                            "a term contains itself; give occurs_check=True to exclude such terms"
                        )
                    waiting.append(part >> 3)
            if len(waiting) == missing:
                done[address] = Function(predicates[functor >> 11][0], tuple(arguments))
                inside.discard(address)
                waiting.pop()
            else:
                inside.add(address)
        return done[cell >> 3]

    def literal(self, cell: int) -> Literal:
        """Return the literal that a goal is."""
        term = self.term(cell)
        if isinstance(term, Function):
            if term.name == "\\+" and len(term.arguments) == 1:
                inner = term.arguments[0]
                if isinstance(inner, Function):
                    return Literal(inner.name, inner.arguments, negated=True)
                return Literal(str(getattr(inner, "value", inner)), (), negated=True)
            return Literal(term.name.removeprefix(PRIVATE), term.arguments)
        return Literal(str(getattr(term, "value", term)))

    def _leaf(self, cell: int) -> Term:
        found = self._done.get(-cell)
        if found is not None:
            return found
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
        self._done[-cell] = term
        return term


def relocated(block: list[int]) -> list[int]:
    """Return a block of code as a piece of heap from address 0 on, its variables behind it."""
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
