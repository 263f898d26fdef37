"""One elevator with random calls (Mitchell 13.6 names the task)."""

from __future__ import annotations

from itertools import product
from typing import Any

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.environments.mdp import MDP

MOST_FLOORS = 6


def elevator(floors: int = 4, *, arrival: float = 0.2, waiting: float = -1.0, riding: float = -0.5) -> MDP:
    """Return an elevator as a decision process.

    In every step it moves up or down one floor, or opens its doors: waiting passengers enter and press a button, and
    passengers for this floor leave. At most one new call arrives per step.

    Parameters
    ----------
    floors : int
        Number of floors, from 2 to 6; n floors give n · 4ⁿ states.
    arrival : float
        Probability of a call per step, uniform over the floors.
    waiting, riding : float
        Reward per step for each floor with a call, and for each pressed button.

    Returns
    -------
    MDP
        The process. A state is the floor, the floors with calls and the pressed buttons; the features are 'floor',
        'call 0', …, 'button 0', …. It never ends; episodes start without passengers.

    Examples
    --------
    >>> print(elevator(2))
    MDP: 32 states, 3 actions, 64 pairs, 144 transitions, no absorbing state
    """
    at_least("floors", floors, 2, whole=True)
    if floors > MOST_FLOORS:
        raise InputError(
            f"floors is {floors}; give at most {MOST_FLOORS}, since more floors have too many states"
        )
    if not 0 < arrival < 1:
        raise InputError(f"arrival is {arrival!r}; it must be a number between 0 and 1")
    bits = list(product((False, True), repeat=floors))
    model: dict[Any, dict[str, list[Any]]] = {}
    features: dict[str, list[Any]] = {
        "floor": [],
        **{f"call {k}": [] for k in range(floors)},
        **{f"button {k}": [] for k in range(floors)},
    }
    for floor, calls, buttons in product(range(floors), bits, bits):
        pays = waiting * sum(calls) + riding * sum(buttons)
        moves = {"up": floor + 1, "down": floor - 1}
        allowed = {name: [(to, calls, buttons, 1.0)] for name, to in moves.items() if 0 <= to < floors}
        allowed["open"] = _opened(floor, calls, buttons)
        model[_name(floor, calls, buttons)] = {
            action: [
                (_name(to, after, pressed), chance * more, pays)
                for to, still, pressed, chance in outcomes
                for after, more in _arrivals(still, arrival)
            ]
            for action, outcomes in allowed.items()
        }
        features["floor"].append(floor)
        for k in range(floors):
            features[f"call {k}"].append(calls[k])
            features[f"button {k}"].append(buttons[k])
    nobody = (False,) * floors
    return MDP.of(model, start=_name(0, nobody, nobody), features=features)


def _opened(floor: int, calls: Any, buttons: Any) -> list[Any]:
    """Return the outcomes of opening the doors: passengers who enter press the button of any other floor."""
    still, pressed = _with(calls, floor, False), _with(buttons, floor, False)
    if not calls[floor]:
        return [(floor, still, pressed, 1.0)]
    others = [k for k in range(len(calls)) if k != floor]
    return [(floor, still, _with(pressed, k, True), 1 / len(others)) for k in others]


def _arrivals(calls: Any, arrival: float) -> list[Any]:
    """Return the calls after a step with their probabilities; a repeated call has no effect."""
    n = len(calls)
    quiet = 1 - arrival * (n - sum(calls)) / n
    return [(calls, quiet), *((_with(calls, k, True), arrival / n) for k in range(n) if not calls[k])]


def _with(bits: Any, place: int, value: bool) -> tuple[bool, ...]:
    return (*bits[:place], value, *bits[place + 1 :])


def _name(floor: int, calls: Any, buttons: Any) -> tuple[Any, ...]:
    """Return the name of a state, such as ``(2, '0--3', '-1--')``."""
    return (
        floor,
        *("".join(str(k) if on else "-" for k, on in enumerate(part)) for part in (calls, buttons)),
    )
