"""Teaching: demonstration episodes by an expert, learned before the first own step (Lin 1992; Mitchell 13.8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from induce.core.checks import at_least
from induce.core.errors import InputError
from induce.core.randomness import RandomState, seed_of, stream
from induce.environments.sources import Simulated, open_source
from induce.reinforcement.approximation.sources import action_number

Lesson = tuple[tuple[Any, Any, float, Any, bool], ...]


def demonstrations(
    source: Any, teacher: Any, episodes: int = 10, max_steps: int | None = None, random_state: RandomState = 0
) -> tuple[Lesson, ...]:
    """Let a teacher act and return its episodes, for use as `lessons` of a learner.

    Parameters
    ----------
    source : MDP, environment of gymnasium, or str
        Process or environment to act in.
    teacher : policy, function or sequence
        Teacher: an object with `act`, a function from an observation to an action, or a sequence of actions. An
        episode ends when the teacher returns None.
    episodes : int
        Number of episodes.
    max_steps : int, optional
        Maximum number of steps per episode.
    random_state : int, Generator or None
        Random seed of the environment.

    Examples
    --------
    >>> from induce.environments import MountainCar
    >>> rule = lambda seen: 2 if seen[1] > 0 else 0  # push the way it moves
    >>> lessons = demonstrations(MountainCar(), rule, episodes=2)
    >>> [len(lesson) < 200 for lesson in lessons]
    [True, True]
    """
    at_least("episodes", episodes, 1, whole=True)
    opened = open_source(source, max_steps)
    seed = seed_of(random_state)
    found = []
    for k in range(episodes):
        acts = _acting(teacher)
        observation, _ = opened.reset(int(stream(seed, k).integers(2**31)))
        lesson: list[tuple[Any, Any, float, Any, bool]] = []
        ended = cut = False
        while not ended and not cut and len(lesson) < opened.limit:
            action = acts(observation)
            if action is None:
                break
            number = action_number(opened, action)
            taken: Any = opened.actions[number] if isinstance(opened, Simulated) else number
            after, reward, ended, cut, _ = opened.step(taken)
            lesson.append((observation, opened.actions[number], reward, after, ended))
            observation = after
        found.append(tuple(lesson))
    return tuple(found)


def _acting(teacher: Any) -> Callable[[Any], Any]:
    acts: Callable[[Any], Any] | None = getattr(teacher, "act", teacher if callable(teacher) else None)
    if acts is not None:
        return acts
    if isinstance(teacher, Sequence) and not isinstance(teacher, str):
        in_turn = iter(teacher)
        return lambda observation: next(in_turn, None)
    raise InputError(
        f"the teacher is {teacher!r}; give a policy, a function from an observation to an action, or actions"
    )
