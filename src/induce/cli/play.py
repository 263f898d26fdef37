"""`induce play`: a person plays a game on the terminal."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

HELP = "type a move, or: moves (all legal ones), hint (the best move and why), board, quit"


def _game_names() -> list[str]:
    from induce.environments.games.game import game_names

    return list(game_names())


def play(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", autocompletion=_game_names, help="Game: tic-tac-toe, checkers, backgammon …"
        ),
    ],
    against: Annotated[
        str,
        typer.Option(
            metavar="PLAYER", help="A model file; or random, material (checkers), perfect (tic-tac-toe)."
        ),
    ] = "random",
    hints: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="Player that gives hints; by default the opponent.")
    ] = None,
    second: Annotated[bool, typer.Option("--second", help="Let the opponent begin.")] = False,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Random seed of dice and opponent.")
    ] = None,
) -> None:
    """Play a game. Moves are read from standard input; `hint` shows the best move, and why."""
    from induce.cli.players import find_player
    from induce.core.randomness import generator
    from induce.environments.games.game import find_game

    played = find_game(game)
    opponent = find_player(against, played)
    adviser = opponent if hints is None else find_player(hints, played)
    PlayingTable(played, opponent, adviser, generator(seed)).run(1 if second and played.players == 2 else 0)


class PlayingTable:
    """A game between a person and a player."""

    def __init__(self, game: Any, opponent: Any, adviser: Any, random: Any) -> None:
        self.game = game
        self.opponent = opponent
        self.adviser = adviser
        self.dice, self.choosing = random.spawn(2)

    def run(self, seat: int) -> None:
        """Play until the game ends or the person stops; seat 0 moves first."""
        from induce.cli.output import put_lines
        from induce.environments.games.game import Turn
        from induce.environments.games.matches import throw
        from induce.hypotheses.naming import plural

        put_lines(HELP)
        position, made = self.game.start(), 0
        while (result := self.game.result(position)) is None:
            mine = made % self.game.players == seat
            turn = Turn.of(self.game, position, throw(self.game, position, self.dice))
            choice = self._asked(turn) if mine else self._answered(turn)
            if choice is None:
                put_lines(f"left after {plural(made, 'move')}")
                return
            position = turn.after[choice]
            made += 1
        mine = made % self.game.players == seat
        put_lines("", self.game.text(position), _verdict(result if mine else -result))

    def _answered(self, turn: Any) -> int:
        from induce.cli.output import put_lines

        choice = int(self.opponent.choose(turn, self.choosing))
        dice = "" if turn.roll is None else f"{self.game.roll_text(turn.roll)}: "
        put_lines(f"the other plays {dice}{self.game.other_move_text(turn.moves[choice])}")
        return choice

    def _asked(self, turn: Any) -> int | None:
        """Ask until the person makes a legal move; None if the person stops."""
        from induce.cli.output import put, put_lines
        from induce.cli.players import reasons
        from induce.core.errors import InputError

        put_lines("", self.game.text(turn.position))
        dice = "" if turn.roll is None else f" with {self.game.roll_text(turn.roll)}"
        while True:
            put(f"your move{dice}: ")
            line = sys.stdin.readline()
            if not sys.stdin.isatty():  # input from a pipe is not echoed on the screen
                put(line if line.endswith("\n") else f"{line}\n")
            word = line.strip().lower()
            if not line or word in ("q", "quit", "exit"):
                return None
            if word in ("", "?", "h", "help"):
                put_lines(HELP)
            elif word == "board":
                put_lines(self.game.text(turn.position))
            elif word == "moves":
                put_lines(", ".join(map(self.game.move_text, turn.moves)))
            elif word == "hint":
                put_lines(reasons(self.adviser, turn))
            else:
                try:
                    return int(self.game.parse_move(line.strip(), turn.position, turn.roll))
                except InputError as problem:
                    put_lines(str(problem))


def _verdict(points: float) -> str:
    if points == 0:
        return "a draw"
    worth = "" if abs(points) == 1 else f" {abs(points):g} points"
    return f"you {'won' if points > 0 else 'lost'}{worth}"
