"""FOIL's search space, explored by the beam search of `induce.covering`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.notes import note
from induce.covering.space import Refinements
from induce.logic.clauses import Clause, Literal
from induce.logic.coverage.bindings import Coverage
from induce.logic.facts import Codes
from induce.relational.clauses.description_length import bits_of_choice, bits_of_labels, bits_of_order
from induce.relational.clauses.recursion import Guard
from induce.relational.foil._loops import N1, NEGATIVE, OLD_NEGATIVE, P1, POSITIVE, T
from induce.relational.foil.blocks import Block, Floats, foil_gain
from induce.relational.foil.state import CandidateTable, Known, State
from induce.relational.foil.steps import Steps
from induce.relational.foil.suggestions import Suggester, suggested_blocks

MOST_CELLS = 30_000_000
"""Maximum number of bindings of a clause."""

GOOD_GAIN = 0.8
"""Fraction of the largest possible gain at which a literal is preferred to determinate ones (Quinlan 1991)."""

DEEPEST = 2
"""Maximum chain length of determinate literals from the head to a variable."""

SMALL_SHARE = 1 / 3
"""Fraction of all positive examples that a clause without exceptions must cover to be exempt from the length limit.
"""

NO_EXCEPTION = 1e6
"""Bonus for a clause exempt from the length limit, larger than the bits that any other clause saves."""

LONGEST_DETOUR = 2
"""Maximum number of consecutive literals without gain that only introduce new variables."""

TINY = 1e-9


@dataclass(frozen=True)
class ClauseSearch:
    """Settings of the search for a clause.

    Parameters
    ----------
    measure : {"foil-gain", "m-estimate"}
    m : float
        Parameter m of the m-estimate.
    width : int
        Beam width.
    max_literals : int, optional
    determinate : bool
        Whether to add determinate literals if no other literal is good.
    encoding_length : bool
        Whether to limit a clause to the length of the list of the examples it explains.
    min_accuracy : float
        Minimum fraction of positive examples among those a clause covers.
    ahead : bool
        Whether to follow all literals with new variables, even if others have a gain.
    """

    measure: str = "foil-gain"
    m: float = 2.0
    width: int = 1
    max_literals: int | None = None
    determinate: bool = False
    encoding_length: bool = False
    min_accuracy: float = 0.8
    ahead: bool = False


class Clauses:
    """Search space of clauses for the given examples.

    Parameters
    ----------
    head : Literal
    rows : array of int64
        Examples, positive ones first.
    n_positive : int
    n_all : int
        Initial number of positive examples.
    steps : Steps
        Candidate literals.
    coverage : Coverage
    guard : Guard
    search : ClauseSearch
    suggester : Suggester, optional
        Suggester whose conjunctions are added to the candidates; they win ties.
    """

    def __init__(
        self,
        head: Literal,
        rows: Codes,
        n_positive: int,
        n_all: int,
        steps: Steps,
        coverage: Coverage,
        guard: Guard,
        search: ClauseSearch,
        suggester: Suggester | None = None,
    ) -> None:
        self.suggester = suggester
        self.head, self.rows, self.n_positive, self.n_all = head, rows, n_positive, n_all
        self.steps, self.coverage, self.guard, self.search = steps, coverage, guard, search
        self.prior = n_positive / max(len(rows), 1)

    def begin(self, body: tuple[Literal, ...] = ()) -> State:
        """Return the state of a clause that begins with the given literals."""
        bindings = self.coverage.start(self.head, self.rows)
        n_positive = int(np.searchsorted(bindings.example, self.n_positive))
        state = State.of(bindings, n_positive, self.steps.vocabulary.examples.types)
        for literal in body:
            state = self._joined(state, (literal,), 0, 0.0)
        return state

    def clause(self, state: State) -> Clause:
        """Return the clause of a state."""
        return Clause(self.head, state.body)

    def start(self) -> list[State]:
        """Return the clause without a body."""
        return [self.begin()]

    def quality(self, state: State) -> tuple[float, float]:
        """Return the quality of a clause; a clause without a body must cover no negative example."""
        positive, negative = state.covered
        language = self.steps.language
        if (not state.body and negative) or not (language.free or language.allows(self.clause(state))):
            return -np.inf, -np.inf
        counts = np.array([positive]), np.array([negative])
        quality, _ = self._judged(*counts, np.array([state.saved]), state.length)
        return float(quality[0]), float(positive)

    def _judged(
        self, positive: NDArray[Any], negative: NDArray[Any], saved: Floats, length: int
    ) -> tuple[Floats, Floats]:
        """Return the quality of clauses of a given length from their coverage, and an upper bound for longer ones."""
        search = self.search
        if search.ahead:  # coverage minus length, without description lengths
            compressed = (positive - length).astype(np.float64)
            return np.where((negative == 0) & (positive > 0), compressed, -np.inf), compressed
        accurate = (positive > 0) & (positive >= search.min_accuracy * (positive + negative))
        if search.measure == "foil-gain" and search.encoding_length:
            common = np.where(positive >= SMALL_SHARE * self.n_all, NO_EXCEPTION, 0.0)
            # A clause without exceptions that explains a large fraction of the examples beats any that saves
            # more bits.
            quality = saved + np.where(negative == 0, common, 0.0)
            return (
                np.where(accurate & (quality > 0), quality, -np.inf),
                saved + bits_of_labels(positive, negative) + common,
            )
        m = search.m if search.measure == "m-estimate" else 0.0
        quality = (positive + m * self.prior) / np.maximum(positive + negative + m, TINY)
        bound = (positive + m * self.prior) / np.maximum(positive + m, TINY)
        return np.where(accurate, quality, -np.inf), bound

    def _saved(self, state: State, table: CandidateTable) -> Floats:
        """Return the bits that a clause saves with each candidate, minus the candidate's own description length."""
        positive, negative = table.counts[:, POSITIVE], table.counts[:, NEGATIVE]
        before = float(bits_of_labels(*state.covered))
        inside = bits_of_labels(positive, negative)
        outside = bits_of_labels(state.covered[0] - positive, state.covered[1] - negative)
        order = bits_of_order(state.length + 1) - bits_of_order(state.length)
        return state.saved + before - inside - outside - table.bits + order

    def refine(self, state: State) -> Refinements:
        """Evaluate all possible next literals."""
        table, language = self.table(state), self.steps.language
        gains, saved = self.gains(table.counts, state), self._saved(state, table)
        if trace.active("candidates") or (self.suggester is not None and trace.active("suggestion")):
            self._tell(state, table, gains)
        usable = self._small(state, table, gains) & ~np.isin(table.keys, [*state.said])
        open_, whole = self._allowed(state, table)
        usable &= open_
        bundle = self._determinate(state, table, gains, usable) if self.search.determinate else []
        state.steps.update(table=table, gains=gains, saved=saved, bundle=bundle)
        if bundle:
            positive, negative = np.array(state.covered)[:, None]
            quality, bound = self._judged(positive, negative, np.array([state.saved]), state.length)
            own = state.gained if self.search.measure == "foil-gain" else max(float(quality[0]), 0.0)
            nothing = np.array([-np.inf])
            return Refinements(nothing, np.array([own]), bound, nothing, np.array([0]))
        positive, negative = table.counts[:, POSITIVE], table.counts[:, NEGATIVE]
        quality, bound = self._judged(positive, negative, saved, state.length + 1)
        quality = np.where(whole, quality, -np.inf)
        mends = whole & (not language.free and not language.allows(self.clause(state)))
        promise, quality = self._promise(state, table, gains, quality, usable, mends)
        tie = np.where(quality > -np.inf, positive.astype(np.float64), -np.inf)
        key = np.int64(sum(state.said) % 2**62)
        return Refinements(quality, promise, bound, tie, table.keys + key)

    def _allowed(self, state: State, table: CandidateTable) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return masks of the candidates with which the language lets a clause continue, and end."""
        language, n_candidates = self.steps.language, len(table)
        going, ending = np.ones(n_candidates, np.bool_), np.ones(n_candidates, np.bool_)
        if language.free:
            return going, ending
        names = table.names(state)
        last: tuple[int, bool, bool] = -1, True, True
        for number in range(n_candidates):
            block, place = table.found(number)
            # only denials can require constants; without them, the language treats all candidates of a block
            # alike
            if place and last[0] == number - 1 and not language.constraints.denials:
                _, may_go, may_end = last
            else:
                literals = block.literals(place, names, self.coverage.symbols)
                clause = Clause(self.head, (*state.body, *literals))
                may_go, may_end = not language.excludes_longer(clause), language.allows(clause)
            last = number, may_go, may_end
            going[number], ending[number] = may_go, may_go and may_end
        return going, ending

    def table(self, state: State) -> CandidateTable:
        """Return all candidates for the next literal; none if the clause has reached its maximum length."""
        limit = self.search.max_literals
        if (limit is not None and state.length >= limit) or not self.steps.budget.look_at():
            return CandidateTable.of([], state)
        blocks = self.steps.blocks(state, self.head, self.guard, lambda counts: self._worth(counts, state))
        if self.suggester is not None:
            blocks = suggested_blocks(self.suggester(state, self), state, self) + blocks
        return CandidateTable.of(blocks, state)

    def gains(self, counts: Codes, state: State) -> Floats:
        """Return Foil_Gain of candidates."""
        return foil_gain(counts[:, T], counts[:, P1], counts[:, N1], state.n_positive, state.n_negative)

    def _worth(self, counts: Codes, state: State) -> Floats:
        """Return the quality of candidates, used to rank thresholds."""
        if self.search.measure == "m-estimate":
            share = counts[:, POSITIVE] + self.search.m * self.prior
            return share / (counts[:, POSITIVE] + counts[:, NEGATIVE] + self.search.m)
        return np.where(counts[:, T] > 0, self.gains(counts, state), -np.inf)

    def _small(self, state: State, table: CandidateTable, gains: Floats) -> NDArray[np.bool_]:
        """Return the candidates whose bindings fit in memory."""
        n_new = table.spread([block.n_new for block in table.blocks], np.int64)
        n_rows = table.counts[:, P1] + table.counts[:, N1]
        small = np.asarray(n_rows * (len(state.known) + n_new + 1) <= MOST_CELLS)
        if not self.steps.budget.noted and gains[~small].max(initial=TINY) > gains[small].max(initial=TINY):
            self.steps.budget.noted = True
            note(
                "the literal with the largest gain was left out because its bindings would not fit in "
                "memory; declare stricter modes or types for the arguments of relations"
            )
        return small

    def _promise(
        self,
        state: State,
        table: CandidateTable,
        gains: Floats,
        quality: Floats,
        usable: NDArray[np.bool_],
        mends: NDArray[np.bool_],
    ) -> tuple[Floats, Floats]:
        """Return the value of continuing with each candidate, and the quality of candidates that may end the clause.

        A candidate that turns a forbidden clause into an allowed one, for example by removing a singleton
        variable, needs no gain.
        """
        counts, search = table.counts, self.search
        may = usable & (counts[:, T] > 0)
        if search.encoding_length:
            bits = state.bits + table.bits - bits_of_order(state.length + 1)
            short = bits <= bits_of_choice(counts[:, POSITIVE], len(self.rows))
            may &= short | (counts[:, POSITIVE] >= SMALL_SHARE * self.n_all)
        if search.measure == "m-estimate":
            going = may & (self._changes(state, counts) | self._links(state, table))
            promise = np.where(going, self._worth(counts, state), -np.inf)
        else:
            going = may & (gains > TINY)
            if search.ahead:
                going = may & (self._changes(state, counts) | self._brought(table))
            elif not going.any():
                going = may & self._links(state, table)
            going |= may & mends
            promise = np.where(going, state.gained + gains, -np.inf)
        quality = np.where(going, quality, -np.inf)
        if search.measure == "foil-gain" and not search.ahead:
            # Only the end point of hill-climbing counts as a clause, not the neighbours seen on the way.
            quality[np.argsort(-promise, kind="stable")[search.width :]] = -np.inf
        return promise, quality

    def _links(self, state: State, table: CandidateTable) -> NDArray[np.bool_]:
        """Return the candidates that introduce new variables and lose no positive binding; gain may come later."""
        if state.detour >= LONGEST_DETOUR:
            return np.zeros(len(table), np.bool_)
        return np.asarray(self._brought(table) & (table.counts[:, T] == state.n_positive))

    def _brought(self, table: CandidateTable) -> NDArray[np.bool_]:
        """Return the candidates that introduce new variables."""
        return table.spread([self._brings(block) for block in table.blocks], np.bool_)

    def _changes(self, state: State, counts: Codes) -> NDArray[np.bool_]:
        """Return the candidates that reduce the number of covered examples."""
        return np.asarray((counts[:, POSITIVE] < state.covered[0]) | (counts[:, NEGATIVE] < state.covered[1]))

    def _brings(self, block: Block) -> bool:
        """Return whether a block is one literal with new variables."""
        single = len(block.atoms) == 1 and not block.values.shape[1]
        return single and block.n_new > 0 and block.predicate != self.guard.target

    def _determinate(
        self, state: State, table: CandidateTable, gains: Floats, usable: NDArray[np.bool_]
    ) -> list[int]:
        """Return the literals whose new variables have one value per positive binding, if no other is good enough.

        Each negative binding has at most one value.
        """
        counts = table.counts
        # gain of a literal that keeps all positive bindings and no negative one
        possible = -state.n_positive * np.log2(state.n_positive / max(len(state.bindings), 1))
        if gains.max(initial=0.0) >= GOOD_GAIN * possible:
            return []
        # Quinlan 1991: exactly one binding follows from each positive one, and at most one from each negative
        # one, so that the table does not grow.
        one = (counts[:, T] == state.n_positive) & (counts[:, P1] == state.n_positive) & usable
        one &= counts[:, N1] == counts[:, OLD_NEGATIVE]
        most = self.steps.forms.max_variables
        room = np.inf if most is None else most - len(state.known)
        found = []
        for number in np.flatnonzero(one).tolist():
            block, _ = table.found(number)
            deepest = max(state.known[each].depth for each in block.used(len(state.known)))
            if deepest < DEEPEST and block.n_new <= room and self._brings(block):
                found.append(number)
                room -= block.n_new
        return found

    def take(self, state: State, step: int) -> State:
        """Return the clause with one more candidate, or with all determinate literals."""
        table, gains, bundle = state.steps["table"], state.steps["gains"], state.steps["bundle"]
        longer = state
        for number in bundle or [step]:
            block, place = table.found(number)
            names = [*state.names, *longer.fresh(block.n_new + block.n_own)]
            literals = block.literals(place, names, self.coverage.symbols)
            key, bits = int(table.keys[number]), float(table.bits[number])
            more = self._joined(longer, literals, key, bits, spare=bool(bundle))
            if bundle and not _tells_more(longer, more):
                more = replace(longer, said=more.said)
            longer = more
        if bundle:
            return replace(longer, steps={})
        taken = table.found(step)[0]
        gain = float(gains[step])
        marked = frozenset(longer.body[len(state.body) :]) if taken.suggested else frozenset()
        longer = replace(
            longer.paid(taken.used(len(state.known))),
            suggested=state.suggested | marked,
            gained=state.gained + gain,
            bits=state.bits + float(table.bits[step]),
            saved=float(state.steps["saved"][step]),
            length=state.length + 1,
            detour=0 if gain > TINY else state.detour + 1,
        )
        if trace.active("literal"):
            t, p1, n1 = table.counts[step, [T, P1, N1]].tolist()
            added = ", ".join(map(str, longer.body[len(state.body) :]))
            trace.emit(
                "literal", literal=added, t=t, p1=p1, n1=n1, gain=gain, clause=str(self.clause(longer))
            )
        return longer

    def _joined(
        self, state: State, literals: tuple[Literal, ...], key: int, bits: float, spare: bool = False
    ) -> State:
        """Join literals to a clause; the description length of a determinate literal is charged to its variables."""
        for literal in literals:
            known = dict(zip(state.names, state.known, strict=True))
            if (domain := self.steps.vocabulary.domains.get(literal.predicate)) is not None:
                self.coverage.also[literal.predicate] = domain
            calls = state.calls
            if literal.predicate == self.guard.target:
                calls = (*calls, self.guard.call(self.head, state.body, literal, state.types()))
            bindings = self.coverage.join(state.bindings, literal)
            assert bindings is not None
            mine = [known[name] for name in literal.variables() if name in known]
            depth = 1 + max((one.depth for one in mine), default=0)
            owed = bits + sum(one.owed for one in mine) if spare else 0.0
            kinds = dict(zip(literal.arguments, self.steps.vocabulary.kinds(literal.predicate), strict=True))
            more = [
                Known(kinds[name], hash((key, number)), depth, owed)
                for number, name in enumerate(bindings.columns)
                if name not in known
            ]
            n_positive = int(np.searchsorted(bindings.example, self.n_positive))
            state = replace(state.joined((literal,), bindings, n_positive, more), calls=calls)
        spares = frozenset(literals) if spare else frozenset()
        return replace(state, said=state.said | {key}, spare=state.spare | spares)

    def _tell(self, state: State, table: CandidateTable, gains: Floats) -> None:
        names = table.names(state)
        each = []
        for number in range(len(table)):
            block, place = table.found(number)
            literals = block.literals(place, names, self.coverage.symbols)
            t, p1, n1 = table.counts[number, [T, P1, N1]].tolist()
            told = (", ".join(map(str, literals)), t, p1, n1, float(gains[number]))
            each.append(told)
            if block.suggested:
                trace.emit(
                    "suggestion",
                    clause=str(self.clause(state)),
                    literals=told[0],
                    unpruned=", ".join(map(str, block.suggested)),
                    t=t,
                    p1=p1,
                    n1=n1,
                    gain=told[-1],
                )
        trace.emit(
            "candidates",
            clause=str(self.clause(state)),
            p0=state.n_positive,
            n0=state.n_negative,
            candidates=tuple(each),
        )


def _tells_more(shorter: State, longer: State) -> bool:
    """Return whether a determinate literal introduced a value that no earlier variable has."""
    before, after = shorter.bindings.columns, longer.bindings.columns
    if len(longer.bindings) < len(shorter.bindings):
        return True
    new = [column for name, column in after.items() if name not in before]
    return not all(any(np.array_equal(one, other) for other in before.values()) for one in new)
