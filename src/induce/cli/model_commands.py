"""Checks of what a command can ask of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from induce.core.hypothesis import Hypothesis

ELSEWHERE = {
    "sequences": "this model is about sequences: `induce decode` adds the states of its steps; with --why it "
    "explains one",
    "states": "this model is a policy, which chooses actions in states; `induce explain` shows its actions",
    "positions": "this model plays a game; `induce play` and `induce match` let it play",
    "inputs": "this model is a program, which does not predict rows; `induce show` prints it",
    "designs": "this model is a design, which does not predict rows; `induce show` prints it",
    "itself": "this model does not predict rows; `induce show` prints it",
}


def refuse_unless(hypothesis: Hypothesis, *known: str) -> None:
    """Raise an `InputError` unless a hypothesis supports the subject of a command, such as rows."""
    from induce.core.errors import InputError

    if hypothesis.speaks_of not in known:
        raise InputError(ELSEWHERE[hypothesis.speaks_of])
