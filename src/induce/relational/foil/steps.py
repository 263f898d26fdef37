"""Literals that may be added to a clause, by relation and argument pattern."""

from __future__ import annotations

from collections.abc import Sequence

from induce.logic.clauses import Clause, Literal, Predicate
from induce.relational.clauses.language import Language
from induce.relational.clauses.limits import Budget
from induce.relational.clauses.literals import Pattern, Usage, Vocabulary
from induce.relational.clauses.recursion import Call, Guard
from induce.relational.foil.blocks import Block
from induce.relational.foil.scores import Candidates, Forms, Judge, View
from induce.relational.foil.state import State

MOST_CALLS = 1_000
"""Maximum number of recursive calls; beyond it only calls with a smaller or larger argument are considered."""


ROW_COSTS = 50
"""Cost of a candidate apart from its rows, in rows."""


class Steps:
    """Generator of the literals that may be added to a clause, and of their coverage.

    Parameters
    ----------
    vocabulary : Vocabulary
    forms : Forms
    budget : Budget
        Budget, which also ends the search for candidates.
    language : Language
        Declared language.
    """

    def __init__(self, vocabulary: Vocabulary, forms: Forms, budget: Budget, language: Language) -> None:
        self.vocabulary, self.forms, self.budget, self.language = vocabulary, forms, budget, language
        self._patterns: dict[tuple[Predicate, tuple[str, ...]], list[tuple[Usage, Pattern]]] = {}

    def blocks(self, state: State, head: Literal, guard: Guard, judge: Judge) -> list[Block]:
        """Return the candidates for a clause, positive literals before negated ones.

        Parameters
        ----------
        state : State
        head : Literal
        guard : Guard
            Guard that admits recursive calls.
        judge : callable
            Function that ranks thresholds.
        """
        view = View(state.bindings, state.n_positive)
        candidates = Candidates(self.vocabulary, self.forms, view, state.kinds, judge)
        found = [*candidates.compared()]
        n_rows = len(state.bindings) + ROW_COSTS
        self.budget.look_at(sum(map(len, found)), n_rows)
        for predicate, usages in self.vocabulary.usages.items():
            relation = self.vocabulary.found[predicate]
            recursive = predicate == guard.target
            ways = self._calls(usages, state, head, guard) if recursive else self._fitting(usages, state)
            for usage, pattern in ways:
                more = [*candidates.related(usage, pattern, relation)]
                if recursive and guard.orders is not None:
                    more = [block for block in more if not block.negative]
                found += more
                if not self.budget.look_at(sum(map(len, more)), n_rows):
                    break
        if self.vocabulary.examples.declared:
            found = [block for block in found if len(block) and self._declared(block, state, head)]
        return sorted(found, key=lambda block: block.negative)

    def _declared(self, block: Block, state: State, head: Literal) -> bool:
        """Return whether the modes let a clause continue with a block's candidates."""
        names = [*state.names, *state.fresh(block.n_new + block.n_own)]
        literals = block.literals(0, names, self.vocabulary.relations.symbols)
        return self.language.follows_modes(Clause(head, (*state.body, *literals)), whole=False)

    def _fitting(
        self, usages: list[Usage], state: State, only: Sequence[set[int]] | None = None
    ) -> list[tuple[Usage, Pattern]]:
        """Return the distinct uses of a predicate in a clause."""
        key = (usages[0].predicate, state.kinds)
        known = self._patterns.get(key) if only is None else None
        if known is not None:
            return known
        ways: dict[Pattern, Usage] = {}
        for usage in usages:
            for pattern in usage.patterns(
                state.kinds,
                new_variables=self.forms.new_variables,
                max_variables=self.forms.max_variables,
                distinct=self.forms.distinct,
                only=only,
            ):
                ways.setdefault(pattern, usage)
        found = [(usage, pattern) for pattern, usage in ways.items()]
        if only is None:
            self._patterns[key] = found
        return found

    def _calls(
        self, usages: list[Usage], state: State, head: Literal, guard: Guard
    ) -> list[tuple[Usage, Pattern]]:
        """Return the allowed calls of the target in a clause."""
        compared = _Comparisons(guard, head, state)
        only = None
        if guard.orders is not None:
            if not any(compared.ordered):
                return []
            if len(state.known) ** len(head.arguments) > MOST_CALLS:
                only = [{place} | ordered for place, ordered in enumerate(compared.ordered)]
        return [
            (usage, pattern)
            for usage, pattern in self._fitting(usages, state, only)
            if guard.admits((*state.calls, compared.call(pattern)))
        ]


class _Comparisons:
    """Return how the variables of a clause compare with those of its head."""

    def __init__(self, guard: Guard, head: Literal, state: State) -> None:
        types = state.types()
        each = [Literal(head.name, (name,) * len(head.arguments)) for name in state.names]
        self._each = [guard.call(head, state.body, one, types) for one in each]
        self.ordered = [
            {number for number, call in enumerate(self._each) if call[place] in "<>~"}
            for place in range(len(head.arguments))
        ]

    def call(self, pattern: Pattern) -> Call:
        """Return how the arguments of a call compare with those of the head; new variables are unknown."""
        return tuple(
            self._each[number][place] if number < len(self._each) else "?"
            for place, number in enumerate(pattern)
        )
