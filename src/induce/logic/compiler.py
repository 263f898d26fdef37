"""Compilation of programs to the arrays that the prover's loops work on."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.loops import repeated
from induce.logic import _machine_loops as loops
from induce.logic.clauses import Clause, Literal, Predicate
from induce.logic.printing import term_of
from induce.logic.terms import Constant, Function, Term, Text, Variable

I64 = NDArray[np.int64]
Relation = tuple[NDArray[np.integer], Sequence[Term]]
"""Many ground facts of one predicate: an array of codes with one row per fact, and the ground term of each code."""

MOST_ARGUMENTS = 255
NO_CELL = -(1 << 63)
"""Placeholder for a term that has no cell."""
CONTROL = frozenset({(",", 2), (";", 2), ("->", 2), ("*->", 2), ("\\+", 1)})


@dataclass(frozen=True)
class Definition:
    """Definition of one predicate: its clauses with their program indices, its facts and its predicate type."""

    predicate: Predicate
    clauses: Sequence[tuple[int, Clause]] = ()
    facts: Relation | None = None
    kind: int = loops.K_USER
    library: bool = False
    aliases: Sequence[Predicate] = ()


class Compiled:
    """Program as arrays, with its symbol table.

    Symbols are numbered from 0; a symbol is a name with an arity, or a name alone.
    """

    def __init__(self, kinds: Mapping[Predicate, int], arithmetic: Mapping[Predicate, int]) -> None:
        self.predicates: list[Predicate] = []
        self.others: list[Constant | Text] = []
        self.margin = self.most_variables = 0
        self._ids: dict[Predicate, int] = {}
        self._cells: dict[Term, int] = {}
        self._coded: tuple[Sequence[Term], I64] | None = None
        self._entries: list[I64] = []
        self._arithmetic = arithmetic
        self._static: list[int] = []
        self.symbols = np.zeros(loops.Y_SIZE * 256, np.int64)
        # address 0 means nothing
        self.heap, self.code = np.zeros(8, np.int64), np.zeros(8, np.int64)
        self.clauses = np.empty(0, np.int64)
        self.rows = np.empty(0, np.int64)
        self.index = np.zeros(4 * 16, np.int64)
        for predicate in (*loops.SYMBOLS, *kinds, *arithmetic):
            self.symbol(predicate)
        for predicate, kind in kinds.items():
            self.describe(predicate, loops.Y_KIND, kind)

    def extended(self, definitions: Iterable[Definition]) -> Compiled:
        """Return this program with additional predicates; redefined ones replace the old ones."""
        new = copy(self)
        new.predicates, new.others, new._entries = self.predicates[:], self.others[:], self._entries[:]
        new._ids, new._cells, new._coded = self._ids.copy(), self._cells.copy(), None
        new.symbols, new.index = self.symbols.copy(), self.index.copy()
        code, clauses = [self.code], [self.clauses]
        size, count = len(self.code), len(self.clauses) // loops.P_SIZE
        start, place = count, len(self.rows)
        for each in definitions:
            first = count
            for block, rows in new._blocks(each, size):
                code.append(block)
                clauses.append(rows.ravel())
                size += len(block)
                count += len(rows)
            for predicate in (each.predicate, *each.aliases):
                new.describe(predicate, loops.Y_KIND, each.kind)
                new.describe(predicate, loops.Y_LIBRARY, int(each.library))
                new.describe(predicate, loops.Y_FIRST, place + first - start)
                new.describe(predicate, loops.Y_COUNT, count - first)
                new.describe(predicate, loops.Y_INDEX, 0)
        new.code, new.clauses = np.concatenate(code), np.concatenate(clauses)
        new.heap = np.concatenate([self.heap, np.array(new._static, np.int64)])
        new._static = []
        new.rows = np.concatenate([self.rows, np.arange(start, count)])
        return new

    def _blocks(self, definition: Definition, size: int) -> Iterator[tuple[I64, I64]]:
        """Yield the facts and clauses of a predicate, as code starting at `size` and rows that refer to the
        code.
        """
        if definition.facts is not None:
            block, rows = self._facts(definition.predicate, definition.facts, size)
            size += len(block)
            yield block, rows
        if definition.clauses:
            cells: list[int] = []
            found = [self._clause(n, clause, cells, size) for n, clause in definition.clauses]
            yield np.array(cells, np.int64), np.array(found, np.int64)

    # names

    def symbol(self, predicate: Predicate) -> int:
        """Return the number of a symbol, assigning a new one if necessary."""
        found = self._ids.get(predicate)
        if found is None:
            if predicate[1] > MOST_ARGUMENTS:
                raise InputError(
                    f"{predicate[0]}/{predicate[1]} has more than {MOST_ARGUMENTS} arguments; use a list"
                )
            found = self._ids[predicate] = len(self.predicates)
            self.predicates.append(predicate)
            if len(self.predicates) * loops.Y_SIZE > len(self.symbols):
                self.symbols = np.concatenate([self.symbols, np.zeros_like(self.symbols)])
            self.describe(predicate, loops.Y_RANK, -1)
            self.describe(predicate, loops.Y_ARITHMETIC, self._arithmetic.get(predicate, 0))
        return found

    def describe(self, predicate: Predicate, column: int, value: int) -> None:
        """Write the properties of a symbol for the loops."""
        place = self.symbol(predicate) * loops.Y_SIZE + column
        self.symbols[place] = value

    def known(self, predicate: Predicate) -> bool:
        """Return whether a predicate is defined or built in."""
        number = self._ids.get(predicate)
        return number is not None and self.symbols[number * loops.Y_SIZE + loops.Y_KIND] != loops.K_UNKNOWN

    def rank(self) -> None:
        """Number the symbols in the standard order of terms."""
        order = sorted(range(len(self.predicates)), key=lambda each: self.predicates[each][::-1])
        ranks = np.empty(len(order), np.int64)
        ranks[order] = np.arange(len(order))
        self.symbols.reshape(-1, loops.Y_SIZE)[: len(order), loops.Y_RANK] = ranks

    # terms

    def constant(self, term: Constant | Text) -> int:
        """Return the cell of a constant that is not a float."""
        cell = self._cells.get(term)
        if cell is None:
            value = term.value
            if isinstance(term, Constant) and isinstance(value, str):
                cell = self.symbol((value, 0)) << 3 | loops.ATOM
            elif isinstance(term, Constant) and type(value) is int and abs(value) < loops.LARGEST:
                return value << 3 | loops.INT
            elif isinstance(term, Text) or type(value) is int:
                cell = len(self.others) << 3 | loops.OTHER
                self.others.append(term)
            else:
                raise TypeError(
                    f"a constant is a name or a number, not a {type(value).__name__}; give one of these"
                )
            self._cells[term] = cell
        return cell

    def functor(self, name: str, arity: int) -> int:
        """Return the cell that precedes the arguments of a structure."""
        return (self.symbol((name, arity)) << 8 | arity) << 3 | loops.FUN

    def placed(self, terms: Sequence[Term], base: int, variables: MutableMapping[Variable, int]) -> list[int]:
        """Return heap cells from address `base` on for the given terms: first one cell per term, then their
        subterms.

        New variables are added to `variables` with their addresses.
        """
        out = [0] * len(terms)
        waiting = list(enumerate(terms))
        while waiting:
            place, term = waiting.pop()
            if isinstance(term, Function):
                # Ground terms that stay on the heap permanently are shared, not copied.
                known = self._cells.get(term) if term.ground else None
                if known is not None:
                    out[place] = known
                    continue
                start = len(out)
                out[place] = (base + start) << 3 | loops.STR
                out.append(self.functor(term.name, len(term.arguments)))
                out.extend([0] * len(term.arguments))
                waiting.extend(enumerate(term.arguments, start + 1))
            elif isinstance(term, Variable):
                out[place] = variables.setdefault(term, base + place) << 3
            elif isinstance(term.value, float):
                out[place] = (base + len(out)) << 3 | loops.FLT
                out.extend((loops.BOX, bits(term.value)))
            else:
                out[place] = self.constant(term)
        return out

    def shared(self, term: Term) -> int:
        """Return the cell of a ground term, which stays on the heap permanently."""
        cell = self._cells.get(term)
        if cell is None:
            placed = self.placed([term], len(self.heap) + len(self._static), {})
            cell = placed[0]
            if len(placed) > 1:
                self._static.extend(placed)
                self._cells[term] = cell
        return cell

    # clauses

    def _facts(self, predicate: Predicate, facts: Relation, size: int) -> tuple[I64, I64]:
        codes, terms = facts
        codes = np.asarray(codes)
        name, arity = predicate
        if codes.ndim != 2 or codes.shape[1] != arity or codes.dtype.kind not in "iu":
            raise InputError(
                f"the facts of {name}/{arity} must be an array of codes with {arity} columns, "
                f"not one of shape {codes.shape}"
            )
        if codes.size and not 0 <= codes.min() <= codes.max() < len(terms):
            raise InputError(
                f"the codes in the facts of {name}/{arity} must lie between 0 and {len(terms) - 1}"
            )
        cells = self._cells_of(terms)
        used = np.unique(codes)
        for code in used[cells[used] == NO_CELL].tolist():
            term = terms[code]
            if isinstance(term, Variable) or (isinstance(term, Function) and not term.ground):
                raise InputError(f"the facts of {name}/{arity} must be ground, but {term} is not")
            cells[code] = self.shared(term)
        rows = np.full((len(codes), loops.P_SIZE), -1, np.int64)
        rows[:, loops.P_HEAD] = size + arity * np.arange(len(codes))
        rows[:, loops.P_VARS] = 0
        rows[:, loops.P_SOURCE] = -1 - np.arange(len(codes))
        return cells[codes].ravel(), rows

    def _cells_of(self, terms: Sequence[Term]) -> I64:
        """Return the cached cells of a list of terms, which many relations share."""
        if self._coded is None or self._coded[0] is not terms or len(self._coded[1]) < len(terms):
            self._coded = terms, np.full(len(terms), NO_CELL, np.int64)
        return self._coded[1]

    def _clause(self, number: int, clause: Clause, cells: list[int], size: int) -> tuple[int, int, int, int]:
        assert clause.head is not None
        numbers: dict[Variable, int] = {}
        head = self._block(clause.head.arguments, numbers)
        start = size + len(cells)
        cells.extend(head)
        body, length = -1, 0
        if clause.body:
            goals = self._block([goal_of(literal) for literal in clause.body], numbers)
            body, length = size + len(cells), len(goals)
            cells.extend((len(clause.body), length))
            cells.extend(goals)
        self.margin = max(self.margin, len(head) + length, loops.F_SIZE * len(clause.body))
        self.most_variables = max(self.most_variables, len(numbers))
        return start, len(numbers), body, number

    def _block(self, terms: Sequence[Term], numbers: dict[Variable, int]) -> list[int]:
        out = [0] * len(terms)
        waiting: list[tuple[int, Term | None]] = [*enumerate(terms)]
        waiting.reverse()
        while waiting:
            place, term = waiting.pop()
            if term is None:  # all parts of the term at this place are written, so its length is known now
                offset = out[place] >> 3
                out[place] = ((len(out) - offset) << loops.OFFSET_BITS | offset) << 3
            elif isinstance(term, Variable):
                out[place] = numbers.setdefault(term, len(numbers)) << 3 | loops.VAR
            elif not isinstance(term, Function) or term.ground:
                out[place] = self.shared(term)
            else:
                start = len(out)
                out[place] = start << 3
                out.append(self.functor(term.name, len(term.arguments)))
                out.extend([0] * len(term.arguments))
                waiting.append((place, None))
                waiting.extend(list(enumerate(term.arguments, start + 1))[::-1])
        return out

    # the index

    def build_index(self, symbol: int) -> None:
        """Index the clauses of a predicate with many clauses by their first arguments."""
        _, arity = self.predicates[symbol]
        row = symbol * loops.Y_SIZE
        first, count = int(self.symbols[row + loops.Y_FIRST]), int(self.symbols[row + loops.Y_COUNT])
        numbers = self.rows[first : first + count]
        heads = self.clauses.reshape(-1, loops.P_SIZE)[numbers, loops.P_HEAD]
        # BUILT means that the index exists, even if no argument was worth indexing; without it the index
        # would be requested again.
        mask = loops.BUILT
        added: list[I64] = []
        for argument in range(min(arity, loops.N_KEYS)):
            keys = self._keys(heads, argument)
            entries = self._buckets(keys, symbol * loops.N_KEYS + argument, numbers)
            if entries is not None:
                mask |= 1 << argument
                added.append(entries)
        self._entries.extend(added)
        self.symbols[row + loops.Y_INDEX] = mask
        total = sum(len(each) for each in self._entries)
        size = len(self.index) // 4
        if size < 2 * total:
            # the size at least doubles, so that the total cost of refilling is proportional to the final size
            while size < 4 * total:
                size *= 2
            self.index = np.zeros(4 * size, np.int64)
            added = self._entries
        for entries in added:
            looped(loops.fill_index, 5 * entries.size, self.index, entries.ravel())

    def _keys(self, heads: I64, argument: int) -> I64:
        """Return the index key of an argument in each clause: its cell or functor, or 0 for a variable."""
        cells = self.code[heads + argument]
        tags = cells & 7
        keys = np.where(tags == loops.VAR, 0, cells)
        inside = tags == loops.REF
        keys[inside] = self.code[heads[inside] + ((cells[inside] >> 3) & loops.OFFSET)]
        apart = (tags == loops.STR) | (tags == loops.FLT)
        keys[apart] = self.heap[cells[apart] >> 3]
        return keys

    def _buckets(self, keys: I64, owner: int, rows: I64) -> I64 | None:
        """Return entries (owner, key, first row, end) and add the rows; None if too many clauses match every key."""
        # Clauses with a variable at the argument match every key and are in every bucket, in clause order. An
        # argument where that would multiply the rows is not indexed.
        free = rows[keys == 0]
        different = np.unique(keys[keys != 0])
        if len(free) * len(different) > 4 * len(keys):
            return None
        keys = np.concatenate([keys, np.repeat(different, len(free))])
        rows = np.concatenate([rows, np.tile(free, len(different))])
        order = np.lexsort((rows, keys))
        keys, rows = keys[order], rows[order]
        starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        ends = np.append(starts[1:], len(keys))
        base = len(self.rows)
        self.rows = np.concatenate([self.rows, rows])
        return np.column_stack([np.full(len(starts), owner), keys[starts], base + starts, base + ends])


def goal_of(literal: Literal) -> Term:
    """Return a literal as a goal, with negations and variable goals made explicit."""
    term = term_of(literal)
    if not isinstance(term, Function) or (term.name, len(term.arguments)) not in CONTROL:
        return term
    # From the outside in, then rebuilt from the inside out, so that control constructs may be nested to any
    # depth.
    found: list[Function] = [term]
    for each in found:
        found.extend(
            part
            for part in each.arguments
            if isinstance(part, Function) and (part.name, len(part.arguments)) in CONTROL
        )
    done: dict[int, Term] = {}
    for each in reversed(found):
        parts = tuple(
            Function("call", (part,)) if isinstance(part, Variable) else done.get(id(part), part)
            for part in each.arguments
        )
        done[id(each)] = each if parts == each.arguments else Function(each.name, parts)
    return done[id(term)]


def bits(value: float) -> int:
    """Return the bits of a float as an integer."""
    number: int = struct.unpack("q", struct.pack("d", value))[0]
    return number


def float_of(number: int) -> float:
    """Return the float of a bit pattern."""
    value: float = struct.unpack("d", struct.pack("q", number))[0]
    return value


def conjunction(goal: Literal | Sequence[Literal]) -> Term:
    """Return a single goal, or the conjunction of several, as a term."""
    *goals, whole = map(goal_of, [goal] if isinstance(goal, Literal) else goal)
    for each in reversed(goals):
        whole = Function(",", (each, whole))
    return whole


def looped(function: Callable[..., None], work: float, *arrays: I64) -> None:
    """Call a loop on arrays; the compiled version is used if it is available or if there is enough work."""
    run = repeated(function, work)
    if run is function:
        run(*(each.data for each in arrays))  # Python integers are faster here than numpy ones.
    else:
        run(*arrays)
