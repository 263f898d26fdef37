"""What `induce.environments` declares: the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={
        "EstimatedMDP": "tables",
        "ForcedMoves": "games.tic_tac_toe",
        "MDP": "mdp",
        "MaterialPlayer": "games.checkers",
        "RandomPlayer": "games.contestants",
    },
    public={"MDP": "mdp"},
    exports={
        "Checkers": "games.checkers",
        "Contestant": "games.contestants",
        "EstimatedMDP": "tables",
        "ExtendedActions": "wrappers",
        "ForcedMoves": "games.tic_tac_toe",
        "Game": "games.game",
        "Hidden": "wrappers",
        "HistoryWindow": "wrappers",
        "MDP": "mdp",
        "Match": "games.playing",
        "MaterialPlayer": "games.checkers",
        "MountainCar": "control",
        "PerfectPlayer": "games.contestants",
        "RandomPlayer": "games.contestants",
        "Record": "games.playing",
        "Simulated": "stepping",
        "Stepped": "stepping",
        "TicTacToe": "games.tic_tac_toe",
        "Turn": "games.game",
        "UntilBlocked": "wrappers",
        "against": "games.playing",
        "count_sequences": "games.playing",
        "elevator": "processes.elevator",
        "environment": "catalogue",
        "estimate": "tables",
        "find_game": "games.game",
        "game_names": "games.game",
        "grid_world": "grids",
        "machine_repair": "processes.repair",
        "match": "games.playing",
        "new_goal": "tasks",
        "open_source": "stepping",
        "play": "games.playing",
        "register_game": "games.game",
        "stock_keeping": "processes.stock",
        "taxi": "processes.taxi",
    },
)
