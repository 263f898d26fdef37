"""`induce match`: many games between two players."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from induce.cli.options import Json

PLAYER = "A model file; or random, material (checkers), perfect (tic-tac-toe)."


def match(
    first: Annotated[str, typer.Argument(metavar="A", help=PLAYER)],
    second: Annotated[str, typer.Argument(metavar="B", help=PLAYER)],
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="Game; by default that of the model files."),
    ] = None,
    games: Annotated[int, typer.Option(metavar="N", help="Number of games.")] = 1000,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Random seed.")] = 0,
    as_json: Json = False,
) -> None:
    """Let A play against B, alternating the first move, with common dice for both; print how often A wins."""
    from induce.cli import output
    from induce.cli.players import find_player, game_of
    from induce.cli.progress import bar
    from induce.core.errors import InputError
    from induce.environments.games import matches
    from induce.environments.games.game import find_game, game_names

    name = game or game_of(first, second)
    if name is None:
        raise InputError(f"name the game with --game: {', '.join(game_names())}")
    played = find_game(name)
    players = [find_player(each, played) for each in (first, second)]
    with bar("playing"):
        found = matches.match(played, players[0], players[1], games, seed)
    if as_json:
        output.put_json(_document(first, second, played.name, found))
    else:
        output.put_lines(*_report(first, second, played.name, found))


def _report(first: str, second: str, game: str, found: Any) -> list[str]:
    n = len(found.points)
    lines = [
        f"{first} against {second}, {n:,} games of {game}",
        f"won {found.won:,}, drawn {found.drawn:,}, lost {found.lost:,}",
        f"win rate {found.win_rate():.1%}{', draws counting half' if found.drawn else ''}, {found.win_interval()}",
    ]
    if n > 1 and abs(found.points).max() > 1:
        lines.append(f"{found.points.mean():.4g} points per game, {found.interval()}")
    return lines


def _document(first: str, second: str, game: str, found: Any) -> dict[str, Any]:
    rate = found.win_interval()
    return {
        "players": [first, second],
        "game": game,
        "games": len(found.points),
        "won": found.won,
        "drawn": found.drawn,
        "lost": found.lost,
        "win_rate": found.win_rate(),
        "interval": [rate.low, rate.high],
        "points": float(found.points.mean()),
    }
