"""Coverage of candidate literals, counted over the bindings of a clause without joining them.

Bindings that agree in a literal's variables are looked up once, and their continuations are counted in one
pass over the bindings. One pass covers all constants or thresholds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from induce.core.loops import repeated
from induce.core.ties import first_largest
from induce.discretise import midpoints
from induce.logic.background.kinds import fits
from induce.logic.background.relations import Relation
from induce.logic.coverage.bindings import Bindings
from induce.logic.facts import Codes, Facts, Matches, grouped
from induce.relational.clauses.literals import CONSTANT, Pattern, Usage, Vocabulary
from induce.relational.foil import _loops as _foil_loops
from induce.relational.foil._loops import N1, NEGATIVE, OLD_NEGATIVE, P1, POSITIVE, T
from induce.relational.foil.blocks import Atom, Block, Floats

MOST_STEPS = 30_000_000
"""Maximum number of bindings traversed for the constants or thresholds of one literal."""

TALLYING = 4
"""Estimated number of elementary steps per counted binding."""

Judge = Callable[[Codes], Floats]
"""Function from counts of candidates to their quality."""


@dataclass(frozen=True)
class Forms:
    """Literal forms other than relations."""

    equality: bool = True
    thresholds: bool = True
    constants: bool = True
    negation: str | None = "safe"
    distinct: bool = True
    new_variables: int | None = None
    max_variables: int | None = None
    below: str = "=<"
    above: str = ">"


@dataclass(eq=False)
class View:
    """Bindings of a clause over which candidates are counted; positive ones come first."""

    bindings: Bindings
    n_positive: int
    columns: list[Codes] = field(init=False)
    _distinct: dict[tuple[int, ...], tuple[Codes, Codes]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = [*self.bindings.columns.values()]
        self.every = np.arange(len(self.bindings))
        self.sizes = np.bincount(self.bindings.example)
        examples = self.bindings.example
        self.n_examples = np.array(
            [len(np.unique(examples[: self.n_positive])), len(np.unique(examples[self.n_positive :]))]
        )

    def distinct(self, variables: tuple[int, ...]) -> tuple[Codes, Codes]:
        """Return the distinct value tuples of the given variables, and the index of each binding's tuple."""
        known = self._distinct.get(variables)
        if known is None:
            rows = np.stack([self.columns[number] for number in variables], 1)
            _, first, starts, order = grouped(rows)
            inverse = np.empty(len(rows), np.int64)
            inverse[order] = np.repeat(np.arange(len(first)), np.diff(starts))
            known = self._distinct[variables] = rows[first], inverse
        return known

    def tally(self, count: Codes, inverse: Codes) -> Codes:
        """Count the coverage of one literal."""
        tally = repeated(_foil_loops.tally, TALLYING * len(inverse))
        return tally(count, inverse, self.bindings.example, self.n_positive)[None]

    def tally_mask(self, holds: NDArray[np.bool_]) -> Codes:
        """Count the coverage of a test on each binding."""
        return self.tally(holds.astype(np.int64), self.every)


class Candidates:
    """Generator of the candidates of a clause, block by block.

    Parameters
    ----------
    vocabulary : Vocabulary
    forms : Forms
    view : View
    kinds : tuple of str
        Types of the variables of the clause.
    judge : callable
        Function that ranks thresholds.
    """

    def __init__(
        self, vocabulary: Vocabulary, forms: Forms, view: View, kinds: tuple[str, ...], judge: Judge
    ) -> None:
        self.vocabulary, self.forms, self.view, self.kinds, self.judge = vocabulary, forms, view, kinds, judge
        self.numbers = vocabulary.relations.symbols.numbers

    def compared(self) -> Iterator[Block]:
        """Yield the comparisons of variables with each other and with constants."""
        pairs = [
            (one, other)
            for one, other in combinations(range(len(self.kinds)), 2)
            if fits(self.kinds[one], self.kinds[other])
        ]
        if self.forms.equality:
            for one, other in pairs:
                yield from self._equal(one, other, len(pairs))
        if self.forms.constants:
            for number, kind in enumerate(self.kinds):
                if self.vocabulary.is_value(kind):
                    yield from self._equal_constants(number)
        if self.forms.thresholds:
            numeric = {number for number in range(len(self.kinds)) if self._is_measure(number)}
            for number in sorted(numeric):
                keys, inverse = self.view.distinct((number,))
                known = np.flatnonzero(keys[:, 0] >= 0)
                starts = np.searchsorted(known, np.arange(len(keys) + 1))
                ranks = self._thresholds(inverse, starts, keys[known, 0])
                yield from self._tests(ranks, number, (), ("=<", 2), 0)
            measured = [pair for pair in pairs if numeric.issuperset(pair)]
            for one, other in measured:
                yield from self._sizes(one, other, len(measured))

    def _is_measure(self, number: int) -> bool:
        if not self.vocabulary.is_measure(self.kinds[number]):
            return False
        values = self.view.distinct((number,))[0][:, 0]
        return self.vocabulary.is_numeric(values[values >= 0])

    def _equal(self, one: int, other: int, n_pairs: int) -> Iterator[Block]:
        left, right = self.view.columns[one], self.view.columns[other]
        known = (left >= 0) & (right >= 0)
        yield self._test("=", one, other, (left == right) & known, n_pairs)
        if self.forms.negation:
            yield self._test("\\=", one, other, (left != right) & known, n_pairs)

    def _sizes(self, one: int, other: int, n_pairs: int) -> Iterator[Block]:
        left, right = (self._values(self.view.columns[number]) for number in (one, other))
        yield self._test("<", one, other, left < right, 2 * n_pairs)
        yield self._test(">", one, other, left > right, 2 * n_pairs)
        if self.forms.negation:
            yield self._test(">=", one, other, left >= right, 2 * n_pairs)
            yield self._test("=<", one, other, left <= right, 2 * n_pairs)

    def _values(self, codes: Codes) -> Floats:
        return np.where(codes >= 0, self.numbers[codes], np.nan)

    def _test(self, name: str, one: int, other: int, holds: NDArray[np.bool_], choices: int) -> Block:
        counts = self.view.tally_mask(holds)
        positive = {"\\=": "=", ">": "<", ">=": "<", "=<": "<"}.get(name, name)
        return Block((Atom(name, (one, other)),), counts, np.empty((1, 0)), (positive, 2), choices)

    def _equal_constants(self, number: int) -> Iterator[Block]:
        keys, inverse = self.view.distinct((number,))
        known = np.flatnonzero(keys[:, 0] >= 0)
        starts = np.searchsorted(known, np.arange(len(keys) + 1))
        tallied = self._tally_values(inverse, starts, np.arange(len(known)), np.ones(len(known), np.int64))
        choices = len(known)
        for counts, name in zip(tallied, ("=", "\\="), strict=True):
            if name == "=" or self.forms.negation:
                counts = counts if name == "=" else self._without_missing(counts, number)
                kept = _common(counts)
                yield Block(
                    (Atom(name, (number, -1)),), counts[kept], keys[known][kept], ("= constant", 2), choices
                )

    def _without_missing(self, counts: Codes, number: int) -> Codes:
        """Subtract the bindings in which a variable has no value from those that differ from a constant."""
        unknown = self.view.columns[number] < 0
        if not unknown.any():
            return counts
        missing = self.view.tally_mask(unknown)
        if len(np.unique(self.view.bindings.example)) < len(unknown):
            # An example may have a value in another binding, so subtraction is exact only for bindings.
            missing[:, [POSITIVE, NEGATIVE]] = 0
        return counts - missing

    def _tally_values(self, inverse: Codes, starts: Codes, values: Codes, ways: Codes) -> tuple[Codes, Codes]:
        """Return the counts of literals with each constant, and those of their negations."""
        view = self.view
        tally_values = repeated(_foil_loops.tally_values, TALLYING * _n_pairs(inverse, starts))
        found, whole = tally_values(
            inverse, starts, values, ways, view.bindings.example, view.n_positive, view.sizes
        )
        negated = np.empty_like(found)
        positive = view.n_positive - found[:, T]
        negative = len(view.bindings) - view.n_positive - found[:, OLD_NEGATIVE]
        negated[:] = np.stack(
            [positive, positive, negative, *(view.n_examples[:, None] - whole.T), negative], 1
        )
        return found, negated

    def related(self, usage: Usage, pattern: Pattern, relation: Relation) -> Iterator[Block]:
        """Yield the candidates with one relation and one argument pattern."""
        n_known = len(self.kinds)
        existing = tuple(sorted({number for number in pattern if 0 <= number < n_known}))
        places = tuple(place for place, number in enumerate(pattern) if 0 <= number < n_known)
        if not isinstance(relation, Facts) and not relation.callable_with(places):
            return
        keys, inverse = self.view.distinct(existing)
        columns = [existing.index(pattern[place]) for place in places]
        matches = relation.matches(places, np.ascontiguousarray(keys[:, columns]))
        fresh = {number: pattern.index(number) for number in pattern if number >= n_known}
        again = [
            (fresh[number], place)
            for place, number in enumerate(pattern)
            if number >= n_known and fresh[number] != place
        ]
        holes = [place for place, number in enumerate(pattern) if number == CONSTANT]
        if holes and matches.count[inverse].sum() > MOST_STEPS:
            return
        if holes:
            yield from self._with_constants(usage, pattern, holes, again, matches, inverse, len(fresh))
            return
        count = matches.count
        if again:
            left, right = matches.pairs()
            agree = np.ones(len(right), np.bool_)
            for one, other in again:
                agree &= matches.rows[right, one] == matches.rows[right, other]
            count = np.bincount(left[agree], minlength=len(keys))
        name = usage.predicate[0]
        empty = np.empty((1, 0))
        positive = self.view.tally(count, inverse)
        yield Block((Atom(name, pattern),), positive, empty, usage.predicate, 1, len(fresh))
        if self.forms.negation in ("binding", "failure") or (self.forms.negation and not fresh):
            yield from self._negated(usage, pattern, count, inverse, fresh)
        if self.forms.thresholds and not again and positive[0, [P1, N1]].sum() <= MOST_STEPS:
            for number, place in fresh.items():
                yield from self._with_threshold(usage, pattern, number, place, matches, inverse, len(fresh))

    def _negated(
        self, usage: Usage, pattern: Pattern, count: Codes, inverse: Codes, fresh: dict[int, int]
    ) -> Iterator[Block]:
        atom = Atom(usage.predicate[0], pattern, negated=True)
        empty = np.empty((1, 0))
        if not fresh or self.forms.negation == "failure":
            counts = self.view.tally((count == 0).astype(np.int64), inverse)
            yield Block((atom,), counts, empty, usage.predicate, 1, n_own=len(fresh))
            return
        # Each new variable ranges over all constants of its type, and those in the facts are the exceptions.
        kinds = [usage.types[place] for place in fresh.values()]
        ways = int(np.prod([len(self.vocabulary.constants(kind)) for kind in kinds]))
        domains = tuple(
            Atom(self.vocabulary.domain(kind)[0], (number,))
            for kind, number in zip(kinds, fresh, strict=True)
        )
        counts = self.view.tally(ways - count, inverse)
        yield Block((*domains, atom), counts, empty, usage.predicate, 1, len(fresh))

    def _with_constants(
        self,
        usage: Usage,
        pattern: Pattern,
        holes: list[int],
        again: list[tuple[int, int]],
        matches: Matches,
        inverse: Codes,
        n_new: int,
    ) -> Iterator[Block]:
        """Yield a candidate for each constant."""
        left, right = matches.pairs()
        for one, other in again:
            agree = matches.rows[right, one] == matches.rows[right, other]
            left, right = left[agree], right[agree]
        if not len(right):
            return
        rows = np.column_stack([left, matches.rows[right][:, holes]])
        _, first, begins, _ = grouped(rows)
        rows, ways = rows[first], np.diff(begins)
        constants = np.ascontiguousarray(rows[:, 1:])
        _, firsts, begins, members = grouped(constants)
        values = np.empty(len(constants), np.int64)
        values[members] = np.repeat(np.arange(len(firsts)), np.diff(begins))
        order = np.argsort(rows[:, 0], kind="stable")
        starts = np.searchsorted(rows[order, 0], np.arange(len(matches.count) + 1))
        tallied = self._tally_values(inverse, starts, values[order], ways[order])
        numbered = {place: -1 - rank for rank, place in enumerate(holes)}
        arguments = tuple(numbered.get(place, number) for place, number in enumerate(pattern))
        declared = all(usage.signs[place] == "#" for place in holes)
        constants, choices = constants[firsts], len(firsts)
        for counts, negated in zip(tallied, (False, True), strict=True):
            if negated and (not self.forms.negation or (n_new and self.forms.negation != "failure")):
                continue
            kept = counts[:, T] > 0 if declared else _common(counts)
            atom = Atom(usage.predicate[0], arguments, negated)
            new, own = (0, n_new) if negated else (n_new, 0)
            yield Block((atom,), counts[kept], constants[kept], usage.predicate, choices, new, own)

    def _with_threshold(
        self,
        usage: Usage,
        pattern: Pattern,
        number: int,
        place: int,
        matches: Matches,
        inverse: Codes,
        n_new: int,
    ) -> Iterator[Block]:
        """Yield threshold tests on a number that a literal introduces, since the literal alone may have no gain."""
        kind = usage.types[place]
        # a number of the same type as an input is compared directly once the literal is added
        beginnings = [self.kinds[each] for each in pattern if 0 <= each < len(self.kinds)]
        if not self.vocabulary.is_measure(kind) or kind in beginnings:
            return
        left, right = matches.pairs()
        values = matches.rows[right, place]
        if not self.vocabulary.is_numeric(values):
            return
        order = np.lexsort((self.numbers[values], left))
        starts = np.searchsorted(left[order], np.arange(len(matches.count) + 1))
        ranks = self._thresholds(inverse, starts, values[order])
        before = (Atom(usage.predicate[0], pattern),)
        yield from self._tests(ranks, number, before, usage.predicate, n_new)

    def _thresholds(self, inverse: Codes, starts: Codes, values: Codes) -> tuple[Codes, Codes, Floats] | None:
        """Count the coverage below and above each threshold, between two neighbouring numbers."""
        numbers, ranks = np.unique(self.numbers[values], return_inverse=True)
        if len(numbers) < 2:
            return None
        view = self.view
        tally_ranks = repeated(_foil_loops.tally_ranks, TALLYING * (_n_pairs(inverse, starts) + len(numbers)))
        most, least = tally_ranks(
            inverse, starts, ranks.astype(np.int64), view.bindings.example, view.n_positive, len(numbers)
        )
        return most[:-1], least[1:], midpoints(numbers[:-1], numbers[1:])

    def _tests(
        self,
        ranks: tuple[Codes, Codes, Floats] | None,
        number: int,
        before: tuple[Atom, ...],
        predicate: tuple[str, int],
        n_new: int,
    ) -> Iterator[Block]:
        """Yield the best threshold in each direction."""
        if ranks is None:
            return
        *both, cuts = ranks
        for name, counts in zip((self.forms.below, self.forms.above), both, strict=True):
            best = first_largest(self.judge(counts))
            test = Atom(name, (number, -1))
            yield Block(
                (*before, test),
                counts[best : best + 1],
                cuts[best : best + 1, None],
                predicate,
                2 * len(cuts),
                n_new,
            )


def _n_pairs(inverse: Codes, starts: Codes) -> int:
    """Return the approximate total number of continuations of the bindings."""
    return len(inverse) * (1 + int(starts[-1]) // len(starts))


def _common(counts: Codes) -> NDArray[np.bool_]:
    """Return a mask of the constants supported by more than one positive example."""
    return counts[:, POSITIVE] > 1
