"""RIPPER's rules for one class: built, optimised and dropped by description length."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from induce.core import trace
from induce.core.loops import repeated
from induce.core.progress import Listener
from induce.core.ties import best_of
from induce.hypotheses.conditions import Mask
from induce.rules.ripper import _loops as loops
from induce.rules.ripper.growth import Aim, Grower, Grown
from induce.rules.training import Floats

SURPLUS = 64.0
"""Number of bits by which a rule set may exceed the shortest one so far before no more rules are added."""

BITS = 10
"""Elementary steps to compute the savings of a rule."""


@dataclass(frozen=True)
class RipperSettings:
    """Settings of growing and optimising rules; see `RIPPER`."""

    optimisations: int
    min_weight: float
    folds: int
    check_error_rate: bool
    prune: bool
    max_rules: int | None
    max_length: int | None


def grown(
    grower: Grower, settings: RipperSettings, draws: np.random.Generator, aim: Aim, live: Mask
) -> Grown:
    """Return a new rule for the live rows, pruned if pruning is enabled."""
    if not settings.prune:
        return grower.rule(aim, grower.grow(aim, grower.rows.weights * (live & aim.inside)))
    growing, pruning = grower.rows.deal(live & aim.inside, settings.folds, draws)
    return grower.prune(aim, pruning, grower.grow(aim, growing))


class ClassRules:
    """The rules of one class against all later ones, for rows that no earlier rule covers (RIPPERk).

    `rules` holds a usable set of rules at any time.
    """

    def __init__(
        self,
        grower: Grower,
        settings: RipperSettings,
        draws: np.random.Generator,
        aim: Aim,
        live: Mask,
        *,
        false_share: float,
        most: float,
        said: Listener,
    ) -> None:
        self.rules: list[Grown] = []
        self._grower = grower
        self._rows = grower.rows
        self._settings = settings
        self._draws = draws
        self.aim = aim
        self._live = live
        self._false_share = false_share
        self._most = most
        self._said = said
        self._n_tests = self._rows.n_tests()
        self._weights = self._rows.weights
        self._positive_weights = self._weights * aim.positive
        self._totals = self._weigh(live)

    def find(self) -> None:
        """Build rules and optimise them."""
        n_stages = 1 + self._settings.optimisations * self._settings.prune
        self._add(self._live, partial(self._say, 0, n_stages))
        for stage in range(1, n_stages):
            self._optimise(partial(self._say, stage, n_stages))
        if self._settings.prune and n_stages == 1:
            self._drop()

    def _say(self, stage: int, n_stages: int, share: float) -> None:
        self._said((stage + share) / n_stages)

    def uncovered(self) -> Mask:
        """Return a mask of the rows covered neither by an earlier class nor by this one."""
        live = self._live.copy()
        for rule in self.rules:
            live &= ~rule.covers
        return live

    def _add(self, live: Mask, said: Listener) -> None:
        """Add rules for the remaining rows until they would make the description too long (IREP*)."""
        bits = least = 0.0
        while len(self.rules) < self._most and (live & self.aim.positive & self.aim.inside).any():
            rule = grown(self._grower, self._settings, self._draws, self.aim, live)
            p, t = fires = self._weigh(live & rule.covers)
            before = self._totals - self._weigh(live)
            bits += self._exceptions(before + fires) + self._theory(rule) - self._exceptions(before)
            least = min(least, bits)
            wrong = self._settings.check_error_rate and t - p >= 0.5 * t
            stop = bits > least + SURPLUS or p <= 0 or wrong
            trace.emit(
                "description length",
                prediction=self.aim.prediction,
                bits=bits,
                least=least,
                right=float(p),
                covered=float(t),
                added=not stop,
            )
            if stop:
                return
            self.rules.append(rule)
            live = live & ~rule.covers
            said(1.0 - float(self._weigh(live)[0] / self._totals[0]))

    def _optimise(self, said: Listener) -> None:
        """Replace or revise rules to shorten the description, cover remaining rows, and drop costly rules."""
        old = list(self.rules)
        covers = np.array([rule.covers for rule in old], dtype=np.bool_).reshape(len(old), len(self._rows))
        # For each row, the next rule after the current position that covers it: it would decide if the
        # current rule did not.
        following = np.full(len(self._rows), -1)
        pass_over = repeated(loops.pass_over, (1 + len(old)) * len(following))
        pass_over(covers, -1, following)
        live = self._live
        for position, rule in enumerate(old):
            pass_over(covers, position, following)
            if not (live & self.aim.positive).any():
                del self.rules[position:]
                break
            if (live & rule.covers).any():
                rule = self.rules[position] = self._best_variant(position, old, live, following)
            live = live & ~rule.covers
            said((position + 1) / len(old))
        self._add(live, lambda share: None)
        self._drop()

    def _best_variant(
        self, position: int, old: list[Grown], live: Mask, following: NDArray[np.int64]
    ) -> Grown:
        """Return the rule at a position, its revision or its replacement, whichever takes the fewest bits."""
        rule, aim = old[position], self.aim
        growing, pruning = self._rows.deal(live & aim.inside, self._settings.folds, self._draws)
        # rows that a later rule covers are classified in the same way regardless of this rule
        pruning = np.where(following < len(old), 0.0, pruning)
        replacement = self._grower.grow(aim, growing)
        revision = self._grower.grow(aim, growing * rule.covers, rule.steps)
        variants = {
            "old": rule,
            "revision": self._grower.prune(aim, pruning, revision, whole=True),
            "replacement": self._grower.prune(aim, pruning, replacement, whole=True),
        }
        theory = np.array([self._theory(later) for later in old[position + 1 :]])
        bits = {
            name: self._bits(variant, position, live, following, theory) for name, variant in variants.items()
        }
        chosen = best_of(bits, lambda name: -bits[name])
        trace.emit("optimised", prediction=aim.prediction, position=position, bits=bits, chosen=chosen)
        return variants[chosen]

    def _bits(
        self, rule: Grown, position: int, live: Mask, following: NDArray[np.int64], theory: Floats
    ) -> float:
        """Return the shortest description length with this rule at a position, allowing later rules to be dropped."""
        rest = np.flatnonzero(live & ~rule.covers)
        later = slice(position + 1, position + 1 + len(theory))
        # The rows that each later rule decides if this rule precedes it.
        p, t = (
            np.asarray(np.bincount(following[rest], weights[rest], later.stop + 1)[later], np.float64)
            for weights in (self._positive_weights, self._weights)
        )
        before = self._totals - self._weigh(live)
        covered = before + self._weigh(live & rule.covers) + np.array([p.sum(), t.sum()])
        bits, _ = repeated(loops.drop_rules, BITS * len(p))(
            self._false_share, self._totals, covered, p, t, theory, self._settings.check_error_rate
        )
        return float(bits) + self._theory(rule)

    def _drop(self) -> None:
        """Drop rules whose removal shortens the description, starting with the last."""
        live, fires = self._live, np.zeros((len(self.rules), 2))
        for place, rule in enumerate(self.rules):
            fires[place] = self._weigh(live & rule.covers)
            live = live & ~rule.covers
        theory = np.array([self._theory(rule) for rule in self.rules])
        last = slice(None, None, -1)
        _, stays = repeated(loops.drop_rules, BITS * len(theory))(
            self._false_share,
            self._totals,
            fires.sum(axis=0),
            np.ascontiguousarray(fires[last, 0]),
            np.ascontiguousarray(fires[last, 1]),
            np.ascontiguousarray(theory[last]),
            self._settings.check_error_rate,
        )
        self.rules[:] = [rule for rule, stay in zip(self.rules, stays[::-1], strict=True) if stay]

    def _weigh(self, some: Mask) -> Floats:
        """Return the weights of the positive rows and of all rows of a selection."""
        rows = np.flatnonzero(some)
        return np.array([self._positive_weights[rows].sum(), self._weights[rows].sum()])

    def _exceptions(self, covered: Floats) -> float:
        p, t = covered
        positives, total = self._totals
        return float(loops.exception_bits(self._false_share, t, total - t, t - p, positives - p))

    def _theory(self, rule: Grown) -> float:
        return float(loops.theory_bits(len(self.aim.given) + len(rule.steps), self._n_tests))
