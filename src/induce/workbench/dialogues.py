"""Dialogue with a version space, and games against a learned player that shows its evaluation."""

from __future__ import annotations

from typing import Any

from induce.core.errors import InputError
from induce.workbench.steps import AnswerStep, RunStep, SourceStep, TableStep, WorldStep
from induce.workbench.tables import opened

MOST_MOVES = 400
"""Maximum number of moves accepted from the page."""


def dialogue_view(step: AnswerStep, folder: str) -> dict[str, Any]:
    """Return the most informative question after the answers so far, and the version space."""
    from induce.concepts.learners.dialogue import Dialogue, opening_space

    data, _ = opened(step.table, folder)
    dialogue = Dialogue(opening_space(data, unlabelled=step.unlabelled))
    asked = []
    for answer in step.answers:
        query = dialogue.query()
        if query is None:
            raise InputError("there are no more questions: the concept is known")
        asked.append({"instance": _texts(query.instance), "answer": answer})
        dialogue.take(query.instance, answer)
    query, space = dialogue.query(), dialogue.space
    return {
        "target": space.target,
        "positive": str(space.positive),
        "asked": asked,
        "question": None if query is None else _texts(query.instance),
        "told": dialogue.told(),
        "settled": query is None,
        "view": space.to_view(),
        "unlabelled": step.unlabelled,
    }


def begun(table: SourceStep) -> AnswerStep:
    """Return a dialogue without answers."""
    if not isinstance(table, TableStep):
        raise InputError("a version space is learned from a table, but the sheet has none; open a table")
    return AnswerStep(table)


def _texts(instance: Any) -> dict[str, str]:
    return {str(name): str(value) for name, value in instance.items()}


def game_view(step: RunStep, hypothesis: Any, moves: list[str], second: bool, seed: int) -> dict[str, Any]:
    """Replay a person's moves against a learned player, and return the board and the player's evaluation.

    The game is determined by the person's moves and the seed, so no state is kept between requests.
    """
    from induce.core.randomness import generator
    from induce.environments.games.game import Turn, find_game
    from induce.environments.games.matches import throw

    if not isinstance(step.table, WorldStep) or hypothesis.speaks_of != "positions":
        raise InputError("this hypothesis does not play games")
    if len(moves) > MOST_MOVES:
        raise InputError(f"a game has at most {MOST_MOVES} moves here")
    game = find_game(step.table.source)
    dice, choosing = generator(seed).spawn(2)
    position, made, seat = game.start(), 0, 1 if second and game.players == 2 else 0
    left, story = list(moves), []
    while (result := game.result(position)) is None:
        turn = Turn.of(game, position, throw(game, position, dice))
        rolled = "" if turn.roll is None else game.roll_text(turn.roll)
        if made % game.players != seat:
            expects = hypothesis.reasons(turn)
            choice = int(hypothesis.choose(turn, choosing))
            text = game.other_move_text(turn.moves[choice])
            story.append({"by": "the other", "move": text, "roll": rolled, "expects": expects})
        elif not left:
            return {
                "board": game.text(position),
                "story": story,
                "roll": rolled,
                "moves": [game.move_text(move) for move in turn.moves],
                "hint": hypothesis.reasons(turn),
                "over": None,
            }
        else:
            choice = int(game.parse_move(left.pop(0), position, turn.roll))
            text = game.move_text(turn.moves[choice])
            story.append({"by": "you", "move": text, "roll": rolled, "expects": ""})
        position = turn.after[choice]
        made += 1
    points = result if made % game.players == seat else -result
    said = "a draw" if points == 0 else f"you {'won' if points > 0 else 'lost'}"
    return {
        "board": game.text(position),
        "story": story,
        "roll": "",
        "moves": [],
        "hint": "",
        "over": said,
    }
