"""A policy as rules or a tree, with the loss in return."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.forms import FORMS, Parts
from induce.core.ties import best_of
from induce.core.values import Value
from induce.data.schema import Schema
from induce.environments.mdp import MDP
from induce.environments.names import State, state_of
from induce.hypotheses.kinds.controller import Controller
from induce.hypotheses.rules import Rule, RuleList
from induce.reinforcement.extraction.features import Features, Situations, features_of, situations
from induce.reinforcement.extraction.returns import Return, exact_return
from induce.reinforcement.extraction.rules import covering_rules
from induce.reinforcement.extraction.tree import counts_of, grown_tree
from induce.trees.hypothesis import Tree

if TYPE_CHECKING:
    from induce.reinforcement.policy import Policy


@dataclass(frozen=True, eq=False)
class PolicyReading(Controller):
    """A policy as readable rules or a tree over named features.

    Parameters
    ----------
    hypothesis : RuleList or Tree
        Rules or tree mapping the features of a state to actions.
    agreement : float
        Fraction of states in which the chosen action is a best one.
    value : float
        Return of the original policy: mean return per episode, or average reward. NaN without a model.
    earned : float
        Return of the rules or the tree.
    steps : int
        Number of steps simulated if episodes do not end and there is no discount; 0 otherwise.
    states : tuple
        States of the policy, as shown by the environment.
    rows : dict
        Mapping from a feature's name to its value in each state.
    codes : tuple
        Actions in the environment's naming, in the order of `classes`.
    """

    hypothesis: RuleList | Tree
    agreement: float
    value: float = math.nan
    earned: float = math.nan
    steps: int = 0
    states: tuple[State, ...] = ()
    rows: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    codes: tuple[State, ...] = ()

    speaks_of: ClassVar[str] = "rows"
    answer: ClassVar[str] = "class"

    def check(self) -> None:
        """Raise an `InputError` unless the parts are consistent, for example after loading from a file."""
        if self.codes and len(self.codes) != len(self.classes):
            raise InputError("the reading needs one action per class")
        if any(len(values) != len(self.states) for values in self.rows.values()):
            raise InputError("a feature of the reading needs one value per state")
        if self.states and not set(self.schema.names()) <= set(self.rows):
            raise InputError("the reading lacks the values of a feature")

    @property
    def loss(self) -> float:
        """Loss in return compared with the original policy; NaN without a model."""
        lost = self.value - self.earned
        return 0.0 if abs(lost) <= 1e-9 * max(1.0, abs(self.value)) else lost

    @property
    def schema(self) -> Schema:
        """The features."""
        return self.hypothesis.schema

    @property
    def classes(self) -> tuple[Value, ...]:
        """The actions."""
        return self.hypothesis.classes

    def act(self, state: Any) -> Any:
        """Return the chosen action, like `Policy.act`.

        Parameters
        ----------
        state : state or dict
            A state of the policy, as shown by the environment, or a dict of feature values by name.
        """
        import polars as pl

        row = pl.DataFrame([pl.Series(name, [value]) for name, value in self._features(state).items()])
        action = self.hypothesis.predict(row)[0].item()
        return self.codes[self.classes.index(action)] if self.codes else action

    def _features(self, state: Any) -> Mapping[str, Any]:
        if isinstance(state, Mapping) and set(self.schema.names()) <= set(state):
            return state
        place = self._places.get(state_of(state))
        if place is None:
            raise InputError(
                f"the policy has no state {state!r}; give one of its states, or a dict with "
                f"{', '.join(self.schema.names())}"
            )
        return {name: values[place] for name, values in self.rows.items()}

    @cached_property
    def _places(self) -> dict[State, int]:
        return {state: place for place, state in enumerate(self.states)}

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the action for each row of a frame of features."""
        return self.hypothesis.predict(X)

    def explain(self, X: Any) -> Any:
        """Return, for each row of features, the deciding rule or path."""
        return self.hypothesis.explain(X)

    def explain_fully(self, X: Any) -> Any:
        """Return the explanations with the runner-up rule."""
        return self.hypothesis.explain_fully(X)

    def parts(self) -> Parts:
        """Return the number of parts of the rules or the tree."""
        return self.hypothesis.parts()

    def size(self) -> str:
        """Return the size of the rules or the tree as text."""
        return self.hypothesis.size()

    def summary(self) -> str:
        """Return a one-line summary of agreement and return."""
        share = f"{100 * self.agreement:.4g}% of the states"
        agrees = "best in every state" if self.agreement == 1 else f"best in {share}"
        if math.isnan(self.value):
            return f"{agrees}; its return is unknown without a model"
        over = f" over {self.steps} steps, since episodes do not end" if self.steps else ""
        lost = "nothing lost" if self.loss == 0 else f"{self.loss:.6g} lost"
        return f"{agrees}; earns {self.earned:.6g} of {self.value:.6g}{over}: {lost}"

    def __str__(self) -> str:
        return f"{self.hypothesis}\n{self.size()}; {self.summary()}"

    def _repr_html_(self) -> str:
        return f"{self.hypothesis._repr_html_()}<p>{self.summary()}</p>"

    def draw(self) -> Any:
        """Plot the rules or the tree."""
        return self.hypothesis.draw()

    def to_python(self, name: str = "act") -> str:
        """Return the source of a function from a dict of features to the action."""
        return self.hypothesis.to_python(name)

    def to_sql(self, table: str = "states") -> str:
        """Return a query that adds a column "prediction", the action, to a table of features."""
        return self.hypothesis.to_sql(table)

    def to_prolog(self) -> str:
        """Return Prolog clauses."""
        return self.hypothesis.to_prolog()

    def to_rules(self) -> RuleList:
        """Return the rules."""
        return self.hypothesis.to_rules()

    def to_tree(self) -> Any:
        """Return the tree; an error if the hypothesis is a rule list."""
        return self.hypothesis.written("tree")

    def statistics(self) -> Any:
        """Return the statistics of the rules."""
        return self.to_rules().statistics()

    def report(self) -> Any:
        """Return a report on how the rules interact."""
        return self.to_rules().report()

    def _lacking(self) -> dict[str, str]:
        known = self.hypothesis.forms()
        return {name: "its rules or tree cannot" for name in FORMS if name not in known}


def read_rules(
    policy: Policy,
    features: Features | None,
    *,
    tolerance: float,
    max_rules: int | None,
    width: int,
    model: MDP | None,
) -> PolicyReading:
    """Return a policy as rules; see `Policy.to_rules`."""
    at_least("width", width, 1, whole=True)
    if max_rules is not None:
        at_least("max_rules", max_rules, 1, whole=True)
    process = _checked(policy, model)
    seen = situations(policy, features, process, tolerance)
    # the default counts as a rule
    found = covering_rules(seen, width, None if max_rules is None else max_rules - 1)
    actions = _classes(policy)
    n = len(actions)
    rules = [
        Rule(conditions, actions[action], tuple(float(count) if k == action else 0.0 for k in range(n)))
        for conditions, action, count in found
    ]
    if rules and not rules[-1].conditions:
        default, counts = rules[-1].prediction, rules.pop().counts
    else:
        left = ~np.any(
            [np.zeros(len(seen), dtype=bool), *(rule.covers(seen.table) for rule in rules)], axis=0
        )
        node = counts_of(seen.good[left])
        default, counts = actions[int(seen.good[left].sum(axis=0).argmax())], tuple(node.tolist())
    listed = RuleList(seen.schema, "action", actions, tuple(rules), default, counts)
    return _judged(policy, listed, seen, process, features)


def read_tree(
    policy: Policy, features: Features | None, *, tolerance: float, max_depth: int | None, model: MDP | None
) -> PolicyReading:
    """Return a policy as a tree; see `Policy.to_tree`."""
    if max_depth is not None:
        at_least("max_depth", max_depth, 0, whole=True)
    process = _checked(policy, model)
    seen = situations(policy, features, process, tolerance)
    tree = grown_tree(seen, _classes(policy), max_depth)
    return _judged(policy, tree, seen, process, features)


def _classes(policy: Policy) -> tuple[Value, ...]:
    """Return the actions as class values, with tuples converted to text."""
    plain = tuple(action for action in policy.actions if not isinstance(action, tuple))
    return plain if len(plain) == len(policy.actions) and not policy.action_names else policy.action_texts


def _checked(policy: Policy, model: MDP | None) -> MDP | None:
    """Return the model used to compute returns."""
    process = policy.model if model is None else model
    if process is not None and (process.states, process.actions) != (policy.states, policy.actions):
        raise InputError(
            "the states or actions of the model differ from those of the policy; give the model it "
            "was learned in"
        )
    if process is not None and not np.array_equal(process.pair_action, policy.pair_action):
        raise InputError(
            "the model allows different actions than the policy; give the model it was learned in"
        )
    return process


def _judged(
    policy: Policy,
    hypothesis: RuleList | Tree,
    seen: Situations,
    model: MDP | None,
    features: Features | None,
) -> PolicyReading:
    number = {action: k for k, action in enumerate(_classes(policy))}
    rows = features_of(policy, features)
    taken = np.array([number[action] for action in hypothesis.predict(seen.table).tolist()])
    best = np.zeros((len(policy.states), len(policy.actions)), dtype=bool)
    best[policy.pair_state[policy.optimal], policy.pair_action[policy.optimal]] = True
    agreement = float(best[seen.places, taken].mean())
    codes = tuple(policy.actions[number[action]] for action in hypothesis.classes)
    known: dict[str, Any] = {"states": policy.states, "rows": rows, "codes": codes}
    if model is None:
        return PolicyReading(hypothesis, agreement, **known)
    average = not math.isnan(policy.gain)
    value, earned = (
        exact_return(model, choice, policy.discount, average=average)
        for choice in (policy.choice, _choice(policy, seen, taken))
    )
    if earned.steps and not value.steps:
        value = Return(value.value, earned.steps)
    return PolicyReading(hypothesis, agreement, value.value, earned.value, earned.steps, **known)


def _choice(policy: Policy, seen: Situations, taken: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the pairs chosen by the rules or tree; a disallowed action is replaced by the worst allowed one."""
    choice = policy.choice.copy()
    for place, action in zip(seen.places.tolist(), taken.tolist(), strict=True):
        pairs = range(policy.offset[place], policy.offset[place + 1])
        mine = [pair for pair in pairs if policy.pair_action[pair] == action]
        choice[place] = mine[0] if mine else best_of(pairs, lambda pair: -policy.q[pair])
    return choice
