"""The Cup task of Mitchell Table 12.3, and the theory that goes with it."""

import induce
from induce.data.schema import Column, Schema
from induce.hypotheses.expert_rules.theory import ExpertRules

TEXT = """
cup :- stable, liftable, open_vessel.
stable :- bottom_is_flat.
liftable :- graspable, light.
graspable :- has_handle.
open_vessel :- has_concavity, concavity_points_up.
"""
X = induce.dataset("cup").X
is_cup = (induce.dataset("cup").y == "yes").to_numpy().astype(int)
SCHEMA = Schema(tuple(Column(name, "nominal", ("no", "yes")) for name in X.columns))


def theory(text: str = TEXT) -> ExpertRules:
    """Return the Cup theory over the columns."""
    return ExpertRules(SCHEMA, text)
