"""Single run of the prover: the memory of the compiled loops, and the built-ins in Python."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError
from induce.core.interrupts import is_ctrl_c
from induce.core.loops import compiled, repeated, spend
from induce.core.reports import shortened
from induce.core.time_limit import check_time
from induce.logic import _machine_loops as loops
from induce.logic.builtins import FALLBACKS, PYTHON
from induce.logic.clauses import Literal, Predicate
from induce.logic.compiler import CONTROL, I64, Compiled, conjunction, looped
from induce.logic.library import HELPER, PRIVATE
from induce.logic.limits import Limits
from induce.logic.term_predicates import Outcome
from induce.logic.term_reader import Reading, relocated
from induce.logic.terms import Function, Term, Variable, listed

FUEL = 500_000
"""Fuel of the loops before control returns to Python; it lasts less than a tenth of a second."""
PLAIN_FUEL = 2_000
"""Fuel of loops that are not compiled."""
STEPS = 5
"""Estimated number of elementary steps per unit of fuel."""
LONGEST, PLAIN_LONGEST = 1 << 26, 10_000
"""Maximum number of steps of one unification; more steps indicate cyclic terms or extremely shared subterms."""
ENDLESS = 1 << 62
PARTS = ("heap", "trail", "choices", "frames", "log", "code", "work", "variables", "hashed")
NO_ITEMS, NO_RESULTS = np.zeros(1, np.int64), np.zeros(1, np.uint8)


class Memory(NamedTuple):
    """Arrays that the loops write to."""

    s: I64
    heap: I64
    floats: NDArray[np.float64]  # the heap viewed as floats
    trail: I64
    choices: I64
    frames: I64
    log: I64
    code: I64
    work: I64
    variables: I64
    hashed: I64


@dataclass(frozen=True)
class Batch:
    """Batch of goals: their heap addresses, and those of their outputs."""

    items: I64
    outputs: I64  # offset of the first output of each goal, then the number of outputs per goal
    results: NDArray[np.uint8]


class Machine:
    """Memory of a search, which grows as needed.

    Parameters
    ----------
    program : Compiled
    occurs_check : bool
    unknown_fails : bool
        Whether goals of unknown predicates fail.
    """

    def __init__(self, program: Compiled, occurs_check: bool, unknown_fails: bool) -> None:
        self.program, self.unknown_fails = program, unknown_fails
        self.stopped: str | None = None
        self.answer_cells = 0
        """Number of memory cells of the solutions read from a batch."""
        heap = np.empty(max(1 << 16, 2 * len(program.heap)), np.int64)
        heap[: len(program.heap)] = program.heap
        code = np.empty(len(program.code) + (1 << 14), np.int64)
        code[: len(program.code)] = program.code
        self.memory = Memory(
            s=np.zeros(loops.N_REGISTERS, np.int64),
            heap=heap,
            floats=heap.view(np.float64),
            trail=np.empty(1 << 12, np.int64),
            choices=np.empty(loops.C_SIZE << 8, np.int64),
            frames=np.empty((1 << 12) + program.margin, np.int64),
            log=np.empty(loops.L_SIZE << 10, np.int64),
            code=code,
            work=np.empty(1 << 10, np.int64),
            variables=np.empty(program.most_variables + 64, np.int64),
            hashed=np.zeros(1 << 10, np.int64),
        )
        s = self.memory.s
        s[loops.MARGIN] = program.margin + 1024
        s[loops.OCCURS] = occurs_check
        s[loops.CODE] = len(program.code)
        s[loops.REPLAY] = -1
        self._batch = Batch(NO_ITEMS, NO_ITEMS, NO_RESULTS)
        self._names: dict[int, Variable] = {}
        self._spent = 0.0
        self._loop = loops.run
        self.limit(Limits())

    def limit(self, limits: Limits) -> None:
        """Set the limits of the search."""
        self.limits = limits
        self.memory.s[loops.DEPTH_LIMIT] = limits.depth or ENDLESS
        self.memory.s[loops.INFERENCE_LIMIT] = limits.inferences or ENDLESS
        self.memory.s[loops.SOLUTION_LIMIT] = limits.solutions or ENDLESS

    # questions

    def begin(self, goals: Sequence[Term], logged: bool) -> dict[Variable, int]:
        """Start the search for proofs of a conjunction; return the addresses of its variables."""
        s = self._fresh()
        variables: dict[Variable, int] = {}
        start = int(s[loops.H])
        self._write(self.program.placed(goals, start, variables))
        s[loops.BASE] = s[loops.HB] = s[loops.H]
        parent = -1 if logged else loops.SILENT
        following, top = 0, loops.F_SIZE
        self._ensure(loops.FRAMES, loops.F_SIZE * (len(goals) + 1), double=False)
        frames = self.memory.frames
        # The first frame ends every proof: it holds the command to report a solution.
        frames[: loops.F_SIZE] = loops.DO_SOLUTION << 3 | loops.FUN, 0, 0, loops.SILENT, 1
        for place in range(len(goals) - 1, 0, -1):
            frames[top : top + loops.F_SIZE] = self.memory.heap[start + place], following, 0, parent, 1
            following, top = top, top + loops.F_SIZE
        s[loops.FR], s[loops.NEXT], s[loops.GOAL] = top, following, self.memory.heap[start]
        s[loops.PARENT], s[loops.DEPTH] = parent, 1
        self._names = {address: variable for variable, address in variables.items()}
        return variables

    def begin_many(
        self, goals: Sequence[tuple[Literal | Sequence[Literal], Sequence[Variable]]], keep: bool
    ) -> Batch:
        """Start many goals, each with its output variables; `keep` stores these for every solution."""
        s, program = self._fresh(), self.program
        start = int(s[loops.H])
        cells: list[int] = []
        items: list[int] = []
        outputs: list[int] = []
        asked: Sequence[Variable] = ()
        for goal, asked in goals:
            base = start + len(cells)
            variables: dict[Variable, int] = {}
            if (
                isinstance(goal, Literal)
                and goal.arguments
                and not goal.negated
                and goal.predicate not in CONTROL
            ):
                cells.append(program.functor(goal.name, len(goal.arguments)))
                cells.extend(program.placed(goal.arguments, base + 1, variables))
                items.append(base << 3 | loops.STR)
            else:
                placed = program.placed([conjunction(goal)], base, variables)
                items.append(placed[0])
                cells.extend(placed)
            outputs.append(start + len(cells))
            cells.extend(variables[each] << 3 for each in asked)
        self._write(cells)
        results = np.full(len(items), 2, np.uint8)
        batch = Batch(np.array(items, np.int64), np.array([*outputs, len(asked)], np.int64), results)
        s[loops.BASE] = s[loops.HB] = s[loops.H]
        self.memory.frames[: loops.F_SIZE] = loops.DO_SOLUTION << 3 | loops.FUN, 0, 0, loops.SILENT, 1
        s[loops.FR], s[loops.NEXT], s[loops.GOAL] = loops.F_SIZE, 0, items[0]
        s[loops.PARENT], s[loops.DEPTH] = loops.SILENT, 1
        s[loops.BATCH], s[loops.ITEMS] = 1 + keep, len(items)
        self._batch = batch
        return batch

    def _fresh(self) -> I64:
        s = self.memory.s
        self.stopped = None
        # A truncated search leaves tables that lack answers.
        if s[loops.INCOMPLETE] or s[loops.DEPTH_REACHED]:
            self.forget()
        for register in (loops.TR, loops.CP, loops.LG, loops.CUT, loops.DEPTH_REACHED, loops.INFERENCES):
            s[register] = 0
        for register in (loops.STARTED, loops.BATCH, loops.ITEM, loops.FOUND, loops.OUT, loops.FIRST_OUT):
            s[register] = 0
        for register in (loops.FORCED, loops.AGAIN, loops.STACK, loops.NEED):
            s[register] = 0
        s[loops.STAGE] = loops.CALL
        self._spent, self.answer_cells = 0.0, 0
        s[loops.H] = len(self.program.heap)
        self._batch = Batch(NO_ITEMS, NO_ITEMS, NO_RESULTS)
        self._names = {}
        return s

    def forget(self) -> None:
        """Clear all tables."""
        s = self.memory.s
        self.memory.hashed[:] = 0
        for register in (loops.EVALUATING, loops.INCOMPLETE, loops.PENDING, loops.CONSUMED, loops.ENTRIES):
            s[register] = 0
        if s[loops.OUT] == 0:
            s[loops.CODE] = len(self.program.code)

    @property
    def inferences(self) -> int:
        """Number of calls made by the query so far."""
        return int(self.memory.s[loops.INFERENCES])

    def retry(self) -> None:
        """Resume the search after the last solution."""
        self.memory.s[loops.STAGE] = loops.BACK

    def advance(self) -> bool:
        """Continue the search; return whether there is another solution, else it has ended or `stopped` is set.

        A batch of goals is processed completely.
        """
        s = self.memory.s
        while True:
            check_time()
            begun = time.process_time()
            try:
                status = self._run()
            except SystemError as problem:
                if is_ctrl_c(problem):
                    raise KeyboardInterrupt from None
                raise
            self._spent += time.process_time() - begun
            if status == loops.SOLUTION:
                return True
            if status in (loops.FAILED, loops.DONE):
                if s[loops.DEPTH_REACHED]:
                    self.stopped = "depth"
                return False
            if status == loops.LIMIT and not s[loops.BATCH]:
                self.stopped = "inferences"
                return False
            if self.limits.seconds is not None and self._spent > self.limits.seconds:
                self.stopped = "seconds"
                return False
            if status == loops.LIMIT:
                self.forget()
            elif status != loops.SLICE:
                self._serve(status)

    def _run(self) -> int:
        """Run the loops for one time slice; return their status."""
        s, program, batch = self.memory.s, self.program, self._batch
        known = program.symbols, program.clauses, program.rows, program.index
        arrays = *self.memory, *known, batch.items, batch.outputs, batch.results
        if self._loop is loops.run:
            self._loop = repeated(loops.run, 0)
        # In plain Python a slice has little fuel, so that Ctrl-C and time limits are still checked often.
        if self._loop is not loops.run:
            s[loops.FUEL], s[loops.PATIENCE] = FUEL, LONGEST
            return self._loop(*arrays)
        s[loops.FUEL], s[loops.PATIENCE] = PLAIN_FUEL, PLAIN_LONGEST
        # Python integers are faster here than numpy ones.
        views: list[Any] = [each.data for each in arrays]
        status = self._loop(*views)
        spend(loops.run, STEPS * (PLAIN_FUEL - int(s[loops.FUEL])))
        if status == loops.TOO_LARGE:  # the loops repeat that step
            self._loop = compiled(loops.run)
            return loops.SLICE
        return status

    def _serve(self, status: int) -> None:
        """Handle a request of the loops."""
        s, program = self.memory.s, self.program
        which = int(s[loops.WHICH])
        if status == loops.GROW:
            self._ensure(which, int(s[loops.NEED]))
            s[loops.NEED] = 0
        elif status == loops.PYTHON:
            self._call()
        elif status == loops.INDEX:
            program.build_index(which)
        elif status == loops.SUCCESSOR:
            name, arity = program.predicates[which]
            program.describe((name, arity), loops.Y_NEXT, program.symbol((name, arity + 1)))
        elif status == loops.RANKS:
            program.rank()
        elif status == loops.UNKNOWN:
            self._unknown(program.predicates[which])
        elif status == loops.UNBOUND_GOAL:
            raise InputError("a goal is an unbound variable when it is called; bind it before the call")
        elif status == loops.NO_GOAL:
            raise InputError(f"{self._goal()} cannot be called, because it is not a goal")
        else:
            raise InputError("two terms are too large to compare or cyclic; give occurs_check=True")

    def _goal(self) -> Term:
        return self.reading().term(int(self.memory.s[loops.GOAL]))

    def _unknown(self, predicate: Predicate) -> None:
        if self.unknown_fails:
            self.program.describe(predicate, loops.Y_KIND, loops.K_USER)
            return
        name, arity = predicate
        known = [
            each
            for each in self.program.predicates
            if self.program.known(each) and not each[0].startswith(PRIVATE) and not each[0].endswith(HELPER)
        ]
        others = sorted(each[1] for each in known if each[0] == name)
        close = get_close_matches(name, [each for each, n in known if n == arity and each != name], n=1)
        hint = ""
        if others:
            hint = f"; did you mean {name}/{others[0]}?"
        elif close:
            hint = f"; did you mean {close[0]}/{arity}?"
        raise InputError(f"unknown predicate {name.removeprefix(PRIVATE)}/{arity}{hint}")

    # -- built-ins in Python --

    def _call(self) -> None:
        s, program = self.memory.s, self.program
        goal = int(s[loops.GOAL])
        reading = Reading(program, self.memory.heap.data)
        term = reading.term(goal)
        arguments = term.arguments if isinstance(term, Function) else ()
        name, arity = program.predicates[int(self.memory.heap[goal >> 3]) >> 11]
        predicate = name.removeprefix(PRIVATE), arity
        decide = FALLBACKS.get(predicate) or PYTHON[predicate]
        try:
            outcome = decide(arguments)
        except InputError as problem:
            raise InputError(f"{problem}, in the goal {_short(self.reading().literal(goal))}") from None
        if s[loops.PARENT] != loops.SILENT:
            top = int(s[loops.LG])
            self.memory.log[top : top + loops.L_SIZE] = goal, loops.BUILT_IN, s[loops.PARENT]
            s[loops.LG] = top + loops.L_SIZE
            s[loops.PARENT] = loops.SILENT
        self._continue(goal >> 3, arity, outcome, reading.addresses)

    def _continue(self, at: int, arity: int, outcome: Outcome, variables: dict[Variable, int]) -> None:
        """Continue with the goal that unifies the arguments with the results of a built-in predicate."""
        s, program = self.memory.s, self.program
        if isinstance(outcome, bool):
            outcome = [(None,) * arity] if outcome else []
        s[loops.STAGE] = loops.CALL if outcome else loops.BACK
        if not outcome:
            return
        # None in an outcome leaves an argument unchanged: it is unified with a fresh variable.
        anything = (Variable(f"_any{place}") for place in range(1 << 30))
        values = [
            Function("$", tuple(next(anything) if each is None else each for each in found))
            for found in outcome
        ]
        start = int(s[loops.H])
        given = [program.functor("$", arity), *self.memory.heap[at + 1 : at + 1 + arity].tolist()]
        # A single outcome is an equation; for several, member/2 enumerates them and leaves the choice points.
        name = "=" if len(values) == 1 else f"{PRIVATE}member"
        value = values[0] if len(values) == 1 else listed(values)
        head = [program.functor(name, 2), start << 3 | loops.STR]
        self._write(given)
        goal = int(s[loops.H])
        self._write(head)
        self._write(program.placed([value], goal + 2, variables))
        s[loops.GOAL] = goal << 3 | loops.STR

    # memory

    def _write(self, cells: Sequence[int]) -> None:
        """Put cells on the heap."""
        s = self.memory.s
        top = int(s[loops.H])
        self._ensure(loops.HEAP, len(cells), double=False)
        self.memory.heap[top : top + len(cells)] = cells
        s[loops.H] = top + len(cells)

    def _ensure(self, which: int, need: int, double: bool = True) -> None:
        """Enlarge an array, at least by a given amount."""
        s, name = self.memory.s, PARTS[which]
        old: I64 = getattr(self.memory, name)
        used = int(s[loops.H]) if which == loops.HEAP else 0
        least = used + need + int(s[loops.MARGIN])
        if not double and least <= len(old):
            return
        size = max(2 * len(old), least)
        if self.size + 8 * (size - len(old)) > self.limits.memory:
            raise MemoryLimitError(
                f"the search needs more than {self.limits.memory / 1e6:,.0f} MB, so it most likely "
                f"does not terminate (last goal: {_short(self._last())}); set a limit such as "
                "Limits(depth=1000), or a larger memory"
            )
        if which == loops.HASH:
            new = np.zeros(2 * len(old), np.int64)
            looped(loops.rehash, STEPS * len(old), self.memory.code, old, new)
        else:
            new = np.empty(size, np.int64)
            new[: len(old)] = old
        arrays: dict[str, Any] = {name: new}
        if which == loops.HEAP:
            arrays["floats"] = new.view(np.float64)
        self.memory = self.memory._replace(**arrays)

    def _last(self) -> Literal | str:
        goal = int(self.memory.s[loops.GOAL])
        if goal & 7 not in (loops.ATOM, loops.STR):
            return "unknown"
        symbol = goal >> 3 if goal & 7 == loops.ATOM else int(self.memory.heap[goal >> 3]) >> 11
        name, arity = self.program.predicates[symbol]
        return f"{name.removeprefix(PRIVATE)}/{arity}"

    # results

    def reading(self) -> Reading:
        """Return a reader of terms on the current heap that knows the names of the query's variables."""
        return Reading(self.program, self.memory.heap.data, self._names)

    def solutions(self) -> list[tuple[int, tuple[Term, ...] | None]]:
        """Return, for each solution of many calls, the goal number and the terms (None if they are not ground)."""
        found: list[tuple[int, tuple[Term, ...] | None]] = []
        code = self.memory.code.data
        entry, n = int(self.memory.s[loops.FIRST_OUT]), int(self._batch.outputs[-1])
        leaves = Reading(self.program, [])
        while entry:
            start = entry + loops.E_SIZE
            length = code[entry + loops.E_LENGTH]
            self.answer_cells += int(length)
            terms: tuple[Term, ...] | None = None
            if not code[entry + loops.E_VARS]:
                cells = code[start : start + length].tolist()
                reading = leaves if length == n else Reading(self.program, relocated(cells))
                terms = tuple(map(reading.term, reading.cells[:n] if length > n else cells))
            found.append((code[entry], terms))
            entry = code[entry + loops.E_LINK]
        return found

    @property
    def size(self) -> int:
        """Memory size in bytes."""
        return 8 * sum(len(getattr(self.memory, part)) for part in PARTS)

    def twin(self) -> Machine:
        """Return a machine with the same program."""
        return Machine(self.program, bool(self.memory.s[loops.OCCURS]), self.unknown_fails)

    def share(self, other: Machine) -> None:
        """Adopt the tables of another machine with the same program."""
        self.memory = self.memory._replace(code=other.memory.code, hashed=other.memory.hashed)
        for register in (loops.CODE, loops.ENTRIES, loops.SEQUENCE):
            self.memory.s[register] = other.memory.s[register]


class MemoryLimitError(InputError):
    """Error raised when a search exceeds its memory limit."""


def _short(what: object) -> str:
    return shortened(str(what), 81)
