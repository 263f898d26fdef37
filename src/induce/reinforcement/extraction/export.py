"""Export of policies to Python, SQL and JSON without dependencies."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from induce.core.errors import InputError
from induce.core.plain import plain as plain_json
from induce.core.values import plain
from induce.hypotheses.writers.python import check_name, python_literal
from induce.hypotheses.writers.sql_text import sql_identifier, sql_literal
from induce.reinforcement.extraction.features import features_of

if TYPE_CHECKING:
    from induce.reinforcement.policy import Policy


def python_of_policy(policy: Policy, name: str = "act") -> str:
    """Return the source of a function from a state to the best action; see `Policy.to_python`."""
    check_name(name)
    lines = [
        f"    {python_literal(state)}: {python_literal(policy.actions[policy.pair_action[pair]])},"
        for state, pair in zip(policy.states, policy.choice.tolist(), strict=True)
        if pair >= 0
    ]
    known = f"{name.upper()}_IN"
    return "\n".join(
        [
            f"{known} = {{",
            *lines,
            "}",
            "",
            "",
            f"def {name}(state):",
            "    'Return the best action in a state; None where the policy knows no action.'",
            f"    return {known}.get(state)",
            "",
        ]
    )


def sql_of_policy(policy: Policy, table: str = "states") -> str:
    """Return a query that adds the best action to each row of a table; see `Policy.to_sql`."""
    named = features_of(policy)
    rows = list(zip(*named.values(), strict=True))
    if len(set(rows)) < len(rows):
        raise InputError(
            "two states have the same features, so SQL cannot tell them apart; make the policy from a process whose "
            "features differ from state to state, or without features"
        )
    names = list(named)
    actions = policy.action_names or policy.actions
    lines = [
        f"  ({', '.join(map(sql_literal, row))}, {sql_literal(actions[policy.pair_action[pair]])})"
        for row, pair in zip(rows, policy.choice.tolist(), strict=True)
        if pair >= 0
    ]
    columns = ", ".join(map(sql_identifier, [*names, "action"]))
    same = " AND ".join(f"t.{sql_identifier(name)} = policy.{sql_identifier(name)}" for name in names)
    return (
        f"WITH policy({columns}) AS (VALUES\n" + ",\n".join(lines) + "\n)\n"
        f'SELECT t.*, policy."action"\nFROM {sql_identifier(table)} AS t LEFT JOIN policy ON {same}'
    )


def json_of_policy(policy: Policy) -> str:
    """Return a policy as one JSON document; see `Policy.to_json`."""
    states = [
        {
            "state": list(state) if isinstance(state, tuple) else plain(state),
            **({"name": policy.state_text(k)} if policy.state_names else {}),
            **({"features": {name: plain(values[k]) for name, values in policy.features.items()}}),
            "action": plain(policy.act(state)),
            "best": [plain(action) for action in policy.best(state)],
            "values": [[plain(action), value] for action, value in policy.action_values(state).items()],
        }
        for k, state in enumerate(policy.states)
        if policy.choice[k] >= 0
    ]
    document: dict[str, Any] = {"discount": policy.discount, "actions": list(map(plain, policy.actions))}
    if policy.action_names:
        document["action_names"] = list(policy.action_names)
    if not math.isnan(policy.gain):
        document["gain"] = policy.gain
    document["states"] = states
    return json.dumps(plain_json(document), ensure_ascii=False, indent=1, allow_nan=False)
