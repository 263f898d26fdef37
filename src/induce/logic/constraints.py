"""Constraint search for θ-subsumption: assign values to variables such that tuples of them are rows of tables.

The remaining rows of a table are the bits of one integer, so that one operation handles all rows at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from induce.core.errors import InputError

_Domain = tuple[int, ...] | None
"""Domain: possible values of a variable; None until one of its constraints has been propagated."""


class ConstraintTable:
    """Table of rows of values, with the rows that hold each value in each column.

    Parameters
    ----------
    rows : sequence of tuple of int
    width : int
        Number of columns.
    """

    def __init__(self, rows: Sequence[tuple[int, ...]], width: int) -> None:
        self.rows = rows
        self.all = (1 << len(rows)) - 1
        self.holding: list[dict[int, int]] = [{} for _ in range(width)]
        for place, row in enumerate(rows):
            for values, value in zip(self.holding, row, strict=True):
                values[value] = values.get(value, 0) | 1 << place

    def same(self, column: int, other: int) -> int:
        """Return the rows with equal values in two columns."""
        found, further = 0, self.holding[other]
        for value, rows in self.holding[column].items():
            found |= rows & further.get(value, 0)
        return found

    def values(self, column: int, rows: int) -> tuple[int, ...]:
        """Return the distinct values of a column in the given rows, which are bits of `rows`."""
        if 4 * rows.bit_count() < len(self.holding[column]):
            return tuple(dict.fromkeys(self.rows[row][column] for row in _bits(rows)))
        return tuple(value for value, holding in self.holding[column].items() if holding & rows)


def _bits(number: int) -> Iterator[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


class _Trial(NamedTuple):
    """Remaining values of a variable, for a part of the problem that is solved separately."""

    part: list[int]
    variable: int
    values: Iterator[int]
    before: int
    """Number of changes made before."""


class Network:
    """Constraint network: variables, and constraints on the combinations of their values.

    Parameters
    ----------
    size : int
        Number of variables.
    different : bool
        Whether all variables must have different values.
    max_steps : int, optional
        Maximum number of values tried in total.
    """

    def __init__(self, size: int, *, different: bool = False, max_steps: int | None = None) -> None:
        self._different = different
        self._steps_left = max_steps
        self._max_steps = max_steps
        self._domains: list[_Domain] = [None] * size
        self._of: list[list[int]] = [[] for _ in range(size)]
        self._tables: list[ConstraintTable] = []
        self._rows: list[int] = []
        self._scopes: list[tuple[tuple[int, int], ...]] = []
        self._weights: list[int] = []
        # domains, or rows of constraints, before each change, so that it can be undone
        self._changes: list[tuple[int, _Domain] | tuple[int, int]] = []

    def add(self, table: ConstraintTable, rows: int, scope: Sequence[tuple[int, int]]) -> None:
        """Add the constraint that the variables in `scope` together equal one of the given rows of a table.

        Parameters
        ----------
        table : ConstraintTable
        rows : int
            Possible rows, as a bit set.
        scope : sequence of (variable, column)
        """
        for variable, _ in scope:
            self._of[variable].append(len(self._rows))
        self._tables.append(table)
        self._rows.append(rows)
        self._scopes.append(tuple(scope))
        self._weights.append(1)

    def settle(self) -> bool:
        """Permanently remove the values that individual constraints exclude.

        Constraints with the fewest possible rows come first. A constraint with only one row fixes its
        variables, which may leave one row for others, so determinate variables are fixed before any search.
        """
        possible = self._propagated([(rows.bit_count(), place) for place, rows in enumerate(self._rows)], [])
        self._changes.clear()
        return possible

    def groups(self) -> list[list[int]]:
        """Return the constraints with open variables, in groups that share no open variable."""
        return [
            list(dict.fromkeys(place for variable in sorted(part) for place in self._of[variable]))
            for part in self._parts(range(len(self._domains)))
        ]

    def solution(
        self, constraints: Sequence[int] | None = None, without: Mapping[int, int] | None = None
    ) -> list[int | None] | None:
        """Return a value for every variable of some constraints, or None; the network does not change.

        Parameters
        ----------
        constraints : sequence of int, optional
            Constraints to solve; all by default. They must share no open variable with other constraints.
        without : mapping from constraint to rows, optional
            Rows excluded during this call.
        """
        asked = range(len(self._rows)) if constraints is None else constraints
        before = len(self._changes)
        queue = []
        for place, rows in (without or {}).items():
            self._changes.append((~place, self._rows[place]))
            self._rows[place] &= ~rows
            queue.append((0, place))
        found: list[int | None] | None = None
        if self._propagated(queue, []) and self._searched(asked):
            found = [domain[0] if domain else None for domain in self._domains]
        self._undo(before)
        return found

    def _propagated(self, queue: list[tuple[int, int]], changed: list[int]) -> bool:
        """Propagate the queued constraints and those affected; return whether all can still be satisfied."""
        heapify(queue)
        waiting = {place for _, place in queue}
        while True:
            while changed:
                variable = changed.pop()
                domain = self._domains[variable] or ()
                if self._different and len(domain) == 1 and not self._taken(variable, changed):
                    return False
                # variables with few values come first, even if their constraints are already queued
                waiting.update(self._of[variable])
                for place in self._of[variable]:
                    heappush(queue, (len(domain), place))
            while queue and queue[0][1] not in waiting:
                heappop(queue)
            if not queue:
                return True
            _, place = heappop(queue)
            waiting.discard(place)
            # Constraints that fail are the hard ones, so their variables are tried first from now on
            # (Boussemart et al. 2004).
            if not self._revised(place, changed):
                self._weights[place] += 1
                return False

    def _taken(self, by: int, changed: list[int]) -> bool:
        """Remove the only value of a variable from all others; return whether each has another value."""
        (value,) = self._domains[by] or ()
        for variable, domain in enumerate(self._domains):
            if variable != by and domain is not None and value in domain:
                self._set(variable, tuple(other for other in domain if other != value), changed)
                if len(domain) == 1:
                    return False
        return True

    def _set(self, variable: int, domain: tuple[int, ...], changed: list[int]) -> None:
        self._changes.append((variable, self._domains[variable]))
        self._domains[variable] = domain
        changed.append(variable)

    def _revised(self, place: int, changed: list[int]) -> bool:
        """Remove the rows that the domains exclude, then the values that occur in no row."""
        table, rows = self._tables[place], self._rows[place]
        for variable, column in self._scopes[place]:
            domain = self._domains[variable]
            if domain is not None:
                holding, allowed = table.holding[column], 0
                for value in domain:
                    allowed |= holding.get(value, 0)
                # Rows are bits of one integer, so that a few operations on long words narrow a constraint.
                rows &= allowed
        if rows != self._rows[place]:
            self._changes.append((~place, self._rows[place]))
            self._rows[place] = rows
        if not rows:
            return False
        for variable, column in self._scopes[place]:
            domain = self._domains[variable]
            if domain is None:
                self._set(variable, table.values(column, rows), changed)
            elif len(domain) > 1:
                holding = table.holding[column]
                left = tuple(value for value in domain if holding.get(value, 0) & rows)
                if len(left) < len(domain):
                    self._set(variable, left, changed)
        return True

    def _undo(self, before: int) -> None:
        while len(self._changes) > before:
            index, old = self._changes.pop()
            if index >= 0:
                self._domains[index] = old if isinstance(old, tuple) else None
            elif isinstance(old, int):
                self._rows[~index] = old

    def _searched(self, constraints: Sequence[int]) -> bool:
        """Try the values of one variable after another, and solve each independent part separately."""
        # todo[n] holds the parts still to be solved below the trial trials[n - 1].
        todo = [self._parts(dict.fromkeys(v for place in constraints for v, _ in self._scopes[place]))]
        trials: list[_Trial] = []
        while todo:
            if not todo[-1]:
                todo.pop()
                if trials:
                    trials.pop()
                continue
            part = todo[-1].pop()
            variable = min(part, key=self._order)
            trials.append(_Trial(part, variable, iter(self._domains[variable] or ()), len(self._changes)))
            # All values failed: backtrack to the previous trial, regardless of sibling parts already solved,
            # and undo its changes.
            while not self._tried(trials[-1]):
                trials.pop()
                if not trials:
                    return False
                todo.pop()
                self._undo(trials[-1].before)
            todo.append(self._parts(trials[-1].part))
        return True

    def _tried(self, trial: _Trial) -> bool:
        for value in trial.values:
            if self._steps_left == 0:
                raise InputError(
                    "whether one clause subsumes the other is undecided after "
                    f"max_steps={self._max_steps} steps; raise max_steps or use shorter clauses"
                )
            if self._steps_left is not None:
                self._steps_left -= 1
            changed: list[int] = []
            self._set(trial.variable, (value,), changed)
            if self._propagated([], changed):
                return True
            self._undo(trial.before)
        return False

    def _order(self, variable: int) -> tuple[float, int]:
        """Return the variable to try next: few values and often failed constraints are preferred."""
        domain = self._domains[variable] or ()
        return len(domain) / sum(self._weights[place] for place in self._of[variable]), variable

    def _parts(self, variables: Iterable[int]) -> list[list[int]]:
        """Return the open variables among some, in groups that share no constraint, largest group first."""
        open_ones = {variable for variable in variables if len(self._domains[variable] or ()) > 1}
        if self._different:
            return [sorted(open_ones)] if open_ones else []
        groups = []
        for first in sorted(open_ones):
            if first in open_ones:
                open_ones.discard(first)
                group = [first]
                for variable in group:
                    for place in self._of[variable]:
                        for other, _ in self._scopes[place]:
                            if other in open_ones:
                                open_ones.discard(other)
                                group.append(other)
                groups.append(group)
        return sorted(groups, key=len, reverse=True)
