"""Mitchell, chapter 1: LMS, critic, generalizers, experiment generators, and learners of checkers and tic-tac-toe."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

import induce
from induce.core.errors import InputError
from induce.environments import (
    Checkers,
    MaterialPlayer,
    RandomPlayer,
    TicTacToe,
    Turn,
    match,
    play,
)
from induce.reinforcement import (
    LMS,
    PROBLEMS,
    Evaluation,
    EvolvedWeights,
    GameLearner,
    LearningProblem,
    LeastSquares,
    LinearProgramming,
    LinearValue,
    NearestBoards,
    PerformanceSystem,
    ValueNetwork,
    WinRate,
    checkers_learner,
    tic_tac_toe_learner,
)
from induce.reinforcement.design.generalizers import Fitted, error_gradient, squared_error
from induce.reinforcement.design.modules import EXPERIMENTS, Practised, trace_of, training_values
from induce.reinforcement.design.values import NetworkValue, StoredValue

WON = np.array([[3.0, 0, 1, 0, 0, 0]])
TRACE = np.array([[12.0, 12, 0, 0, 0, 0], [11, 10, 0, 0, 1, 0], [6, 1, 1, 0, 0, 1], [3, 0, 1, 0, 0, 0]])
START = np.array([0.0, 10, -10, 30, -30, -5, 5])


def updated(weights, X, v, step):
    learned = LMS(step, normalised=False).learn(Fitted(LinearValue(np.asarray(weights))), X, np.asarray(v), 0)
    return learned.value.weights


# --- oracles 1.1 to 1.5 -----------------------------------------------------------------------------------------


def test_lms_on_the_printed_example():
    weights = np.zeros(7)
    passes = [
        (0, (10, 30, 0, 10)),
        (110, (9, 27, 0, 9)),
        (99, (9.1, 27.3, 0, 9.1)),
        (100.1, (9.09, 27.27, 0, 9.09)),
    ]
    for estimate, expected in passes:
        assert LinearValue(weights).values(WON)[0] == pytest.approx(estimate)
        weights = updated(weights, WON, [100], 0.1)
        assert weights == pytest.approx([*expected, 0, 0, 0])


def test_critic_and_lms_over_a_trace():
    estimates = LinearValue(START).values(TRACE)
    assert estimates.tolist() == [0, 5, 85, 60]
    assert training_values(estimates, 100, "strict").tolist() == [5, 85, 60, 100]
    assert training_values(estimates, 100, "outcome").tolist() == [100, 100, 100, 100]
    wanted = training_values(estimates, 100)
    assert wanted.tolist() == [5, 85, 100, 100]
    after = [
        (0.005, 10.06, -9.94, 30, -30, -5, 5),
        (0.083735, 10.926085, -9.15265, 30, -30, -4.921265, 5),
        (0.092247, 10.977159, -9.144138, 30.008512, -30, -4.921265, 5.008512),
        (0.129215, 11.088063, -9.144138, 30.045480, -30, -4.921265, 5.008512),
    ]
    for n, expected in enumerate(after, start=1):
        assert updated(START, TRACE[:n], wanted[:n], 0.001) == pytest.approx(expected, abs=1e-6)


def test_a_large_step_diverges_and_says_so():
    weights, errors = np.zeros(7), []
    for _ in range(3):
        errors.append(100 - LinearValue(weights).values(TRACE[:1])[0])
        with pytest.warns(induce.Note, match="0.1 is not below 0.00692, where LMS begins to diverge"):
            weights = updated(weights, TRACE[:1], [100], 0.1)
    assert errors == pytest.approx([100, -2790, 77841])
    with pytest.warns(induce.Note), pytest.raises(InputError, match="the weights diverge"):
        LMS(0.1, normalised=False).fit(TRACE[:1], [100], passes=200)
    assert LinearValue(LMS(1.0).fit(TRACE[:1], [100]).weights).values(TRACE[:1]) == pytest.approx([100])


def test_lms_is_gradient_descent():
    random = np.random.default_rng(0)
    X, v, weights = random.normal(size=(20, 6)), random.normal(size=20), random.normal(size=7)
    numeric = [
        (squared_error(weights + step, X, v) - squared_error(weights - step, X, v)) / 2e-5
        for step in 1e-5 * np.eye(7)
    ]
    assert error_gradient(weights, X, v) == pytest.approx(numeric, rel=1e-5, abs=1e-5)
    step = updated(weights, X[:1], v[:1], 0.01) - weights
    assert step == pytest.approx(-0.005 * error_gradient(weights, X[:1], v[:1]))
    still = updated(weights, X, LinearValue(weights).values(X), 0.01)
    assert still == pytest.approx(weights)  # no error, no change
    fitted = LeastSquares().fit(X, v).weights
    assert error_gradient(fitted, X, v) == pytest.approx(np.zeros(7), abs=1e-9)
    assert LMS(0.005, normalised=False).fit(X, v, passes=300).weights == pytest.approx(fitted, abs=0.05)


def test_linear_programming_beside_least_squares():
    X, v = [[0], [1], [2], [3]], [0, 1, 2, 9]
    assert LeastSquares().fit(X, v).weights == pytest.approx([-1.2, 2.8])
    absolute = LinearProgramming().fit(X, v)
    assert np.abs(v - absolute.values(np.array(X))).sum() == pytest.approx(6)
    largest = LinearProgramming(loss="largest").fit(X, v)
    assert largest.weights == pytest.approx([-2, 3])
    assert np.abs(v - largest.values(np.array(X))).max() == pytest.approx(2)


# --- the modules ------------------------------------------------------------------------------------------------


def test_a_trace_is_seen_by_one_player():
    judge = Evaluation("tic-tac-toe", LinearValue(np.zeros(7)))
    record = play(TicTacToe(), (RandomPlayer(), RandomPlayer()), np.random.default_rng(0))
    n = len(record.turns)
    for seat in (0, 1):
        rows, won = trace_of(record, judge, seat)
        assert won == (record.points if seat == 0 else -record.points)
        assert len(rows) == (n + 1 - seat) // 2 + ((n - 1) % 2 != seat)
        three = {1: (1, 0), -1: (0, 1), 0: (0, 0)}[won]
        assert tuple(rows[-1, 4:]) == three  # who has three in a row on the final board
    first, _ = trace_of(record, judge, 0)
    assert first[0, 0] > 0  # one own mark on some open lines
    assert first[0, 1] == 0


def test_experiment_generators_give_positions_to_play_on():
    game = Checkers()
    judge = Evaluation("checkers", LinearValue(START))
    record = play(game, (RandomPlayer(), RandomPlayer()), np.random.default_rng(0))
    last = Practised.of(record)
    met = {turn.position.tobytes() for turn in record.turns}
    chosen = {}
    for name, generator in EXPERIMENTS.items():
        found = [generator(game, judge, last, np.random.default_rng(seed)) for seed in range(5)]
        assert all(game.result(position) is None for position in found)
        chosen[name] = {position.tobytes() for position in found}
    assert chosen["initial"] == {game.start().tobytes()}
    assert len(chosen["random"]) == 5
    assert not chosen["alternative"] & met
    before = {turn.position.tobytes(): turn for turn in record.turns}
    for board in chosen["alternative"]:
        assert any(board in {row.tobytes() for row in turn.after} for turn in before.values())
    undecided = np.array([np.frombuffer(board, dtype=np.int8) for board in chosen["undecided"]])
    anywhere = np.array([np.frombuffer(board, dtype=np.int8) for board in chosen["random"]])
    own = {"own_turn": True}
    assert np.abs(judge.values(undecided, **own)).mean() < np.abs(judge.values(anywhere, **own)).mean()
    assert (
        EXPERIMENTS["alternative"](game, judge, None, np.random.default_rng(0)).tolist()
        == game.start().tolist()
    )


def test_exploring_is_counted_in_the_chances():
    turn = Turn.of(TicTacToe(), TicTacToe().start())
    fixed = tic_tac_toe_learner().experience.player
    chances = PerformanceSystem(fixed, 0.3).chances(turn)
    assert chances.sum() == pytest.approx(1)
    assert chances[4] == pytest.approx(0.7 + 0.3 / 9)  # the centre lies on most lines
    random = np.random.default_rng(0)
    drawn = np.bincount([PerformanceSystem(fixed, 0.3).choose(turn, random) for _ in range(500)], minlength=9)
    assert drawn / 500 == pytest.approx(chances, abs=0.06)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("generalizer", "kind"),
    [
        (LeastSquares(), LinearValue),
        (LinearProgramming(memory=60), LinearValue),
        (ValueNetwork(hidden=6), NetworkValue),
        (NearestBoards(), StoredValue),
        (EvolvedWeights(generations=2), LinearValue),
    ],
)
def test_every_generalizer_learns(generalizer, kind, tmp_path):
    learner = GameLearner(60, generalizer=generalizer, critic="outcome").learn("tic-tac-toe")
    player = learner.hypothesis_
    assert isinstance(player.value, kind)
    assert match("tic-tac-toe", player, RandomPlayer(), 60, 1).won > 0.65 * 60  # random play wins 44 %
    again = [GameLearner(4, generalizer=generalizer).learn("tic-tac-toe").hypothesis_ for _ in range(2)]
    assert again[0] == again[1]
    induce.save(learner, tmp_path / "player.induce")
    assert induce.load_hypothesis(tmp_path / "player.induce") == player
    assert player.draw()
    assert str(player.explain(TicTacToe().start())).count("\n") >= 5


def test_quadratic_terms():
    learner = GameLearner(10, representation="quadratic").learn("tic-tac-toe")
    assert len(learner.hypothesis_.value.weights) == 1 + 6 + 21
    assert "own 1·other 2" in str(learner.hypothesis_)


def test_correct_moves_of_an_expert():
    expert = tic_tac_toe_learner().experience.player
    learner = GameLearner(60, experience=expert, target="ChooseMove", experiment="random")
    agreed = {}
    for games in (0, 60):
        player = learner.set_params(games=games).learn("tic-tac-toe").hypothesis_
        turns = [
            turn
            for seed in range(20)
            for turn in play(TicTacToe(), (RandomPlayer(), RandomPlayer()), np.random.default_rng(seed)).turns
        ]
        agreed[games] = np.mean([player.chances(turn) @ (expert.chances(turn) > 0) for turn in turns])
    assert agreed[0] < 0.5
    assert agreed[60] > 0.7
    assert str(learner.design()).splitlines()[1] == "target function      ChooseMove: board → move"


# --- the two learners of the chapter ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def checkers():
    """The checkers learner after fewer games than it needs."""
    return checkers_learner(games=40, random_state=1).learn("checkers").hypothesis_


@pytest.mark.compiled
@pytest.mark.parametrize("opponent", [RandomPlayer(), MaterialPlayer()])
def test_checkers_after_self_play(checkers, opponent):
    assert match("checkers", checkers, opponent, 40, 2).won >= 0.95 * 40
    before = match("checkers", checkers.after_games(0), opponent, 40, 2)
    assert before.won < 0.75 * 40


def test_moves_equal_up_to_rounding_are_explained_in_the_order_of_the_game():
    class Rounding(LinearValue):
        """Values as another processor may round them."""

        def values(self, X):
            exact = super().values(X)
            return exact + np.spacing(exact) * np.arange(len(exact))

    position = TicTacToe().start()
    player = Evaluation("tic-tac-toe", LinearValue(np.array([0.1, 0.7, -1, 10, -20, 100, -100.0])))
    other = replace(player, value=Rounding(player.value.weights))
    moves = [each.move for each in player.explain(position).moves]
    assert [each.move for each in other.explain(position).moves] == moves
    turn = Turn.of(TicTacToe(), position)
    assert other.chances(turn).tolist() == player.chances(turn).tolist()


@pytest.mark.compiled
def test_what_the_checkers_learner_says(checkers):
    assert checkers.weights.shape == (41, 7)
    assert np.array_equal(checkers.weights[-1], checkers.value.weights)
    assert not checkers.weights[0].any()
    text = str(checkers)
    assert text.startswith("V = ")
    for name, weight in zip(checkers.names, checkers.value.weights[1:], strict=True):
        assert f"{abs(weight):.4g}·{name}" in text
    reasons = checkers.explain(Checkers().start())
    assert len(reasons.moves) == 7
    assert all(sum(move.terms) == pytest.approx(move.value) for move in reasons.moves)
    assert [move.value for move in reasons.moves] == sorted(
        (move.value for move in reasons.moves), reverse=True
    )
    assert checkers.predict([Checkers().start()])[0] == pytest.approx(
        checkers.value.weights @ [1, 12, 12, 0, 0, 0, 0]
    )
    assert checkers.draw()
    with pytest.raises(InputError, match="known after 0 to 40 games, not 41"):
        checkers.after_games(41)


def test_tic_tac_toe_against_a_fixed_evaluation_function():
    """R1.4 in small: of games not lost, from below 35 % on average to above 90 %."""
    kept: dict[int, list[float]] = {0: [], 300: []}
    for seed in range(10):
        learner = tic_tac_toe_learner(0.3, games=300 if seed == 0 else 0, random_state=seed).learn(
            "tic-tac-toe"
        )
        for games in {0, learner.games}:
            player = learner.hypothesis_.after_games(games)
            found = match("tic-tac-toe", player, learner.experience, 30, seed)
            kept[games].append(1 - found.lost / 30)
    assert np.mean(kept[0]) < 0.35
    assert kept[300][0] > 0.9


def test_improvement_of_a_learning_problem():
    problem = LearningProblem(TicTacToe(), WinRate(games=60), "games against itself")
    found = problem.improvement(GameLearner(random_state=1), amounts=(40, 0))
    assert found.amounts == (0, 40)
    assert found.learned
    assert "it has learned" in str(found)
    assert found.draw()
    again = replace(found, matches=found.matches[::-1])
    assert not again.learned
    with pytest.raises(InputError, match="can be measured"):
        PROBLEMS["handwriting"].improvement(GameLearner())
    with pytest.raises(InputError, match="amounts is empty"):
        problem.improvement(GameLearner(), amounts=())
    assert str(PROBLEMS["robot driving"]).startswith("T  drive on public four-lane highways")


def test_traces_show_games_examples_and_hypotheses():
    with induce.trace() as events:
        learner = GameLearner(2).learn("tic-tac-toe")
    assert [event.kind for event in events] == ["game", "examples", "hypothesis"] * 2
    rows, wanted = events[1]["features"], events[1]["wanted"]
    assert len(rows) == len(wanted)
    assert events[-1]["value"].weights.tolist() == learner.hypothesis_.value.weights.tolist()


# --- what is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"games": -1}, "games is -1"),
        ({"experience": "expert"}, "give 'self-play' or a player"),
        ({"target": "Q"}, "target is 'Q'"),
        ({"target": "ChooseMove"}, "needs an expert"),
        ({"representation": "cubic"}, "representation is 'cubic'"),
        ({"generalizer": "lms"}, "give one such as LMS"),
        ({"generalizer": LMS(step=-1)}, "step is -1"),
        ({"generalizer": LMS(step=float("nan"))}, "step is nan"),
        ({"generalizer": ValueNetwork(hidden=0)}, "hidden is 0"),
        ({"generalizer": NearestBoards(k=0)}, "k is 0"),
        ({"generalizer": LeastSquares(memory=0)}, "memory is 0"),
        ({"generalizer": LinearProgramming(loss="squares"), "games": 1}, "loss is 'squares'"),
        ({"experiment": "best"}, "experiment is 'best'"),
        ({"critic": "td"}, "critic is 'td'"),
        ({"explore": 1.5}, "explore is 1.5"),
    ],
)
def test_parameters_that_cannot_be(parameters, message):
    with pytest.raises(InputError, match=message):
        GameLearner(**{"games": 1, **parameters}).learn("tic-tac-toe")


def test_other_games_positions_and_examples():
    learner = GameLearner(1).learn("tic-tac-toe")
    with pytest.raises(InputError, match="there is no game 'chess'"):
        GameLearner(1).learn("chess")
    with pytest.raises(InputError, match="this run learns tic-tac-toe, not checkers"):
        learner.resume("checkers")
    with pytest.raises(InputError, match="plays tic-tac-toe, not checkers"):
        match("checkers", learner.hypothesis_, RandomPlayer(), 2, 0)
    for bad in ([1, 2], "board", [0.5] * 9):
        with pytest.raises(InputError, match="a position of tic-tac-toe is an array of 9 whole numbers"):
            learner.hypothesis_.explain(bad)
    with pytest.raises(InputError, match="must be finite"):
        LMS().fit([[np.nan]], [1])
    with pytest.raises(InputError, match="one row per value"):
        LMS().fit([[1.0]], [1, 2])
    with pytest.raises(InputError, match="only linear functions"):
        GameLearner(1, generalizer=NearestBoards()).learn("tic-tac-toe").hypothesis_.after_games(0)


@dataclass(frozen=True)
class Stubborn(LMS):
    """A generalizer of somebody's own."""

    def learn(self, fitted, X, v, seed):
        return fitted


def test_modules_of_your_own():
    game = TicTacToe()
    starts = []

    def centre(game, judge, last, random):
        starts.append(last)
        return game.moves(game.start())[1][4]

    def over(game, judge, last, random):
        return np.array([1, 1, 1, -1, -1, 0, -1, 0, 0], dtype=np.int8)

    with pytest.raises(InputError, match="a position in which the game is over"):
        GameLearner(1, experiment=over).learn(game)
    learner = GameLearner(3, generalizer=Stubborn(spread=1.0), experiment=centre).learn(game)
    assert (learner.hypothesis_.weights == learner.hypothesis_.weights[0]).all()
    assert starts[0] is None
    assert starts[1].positions[0].tolist() == game.moves(game.start())[1][4].tolist()


def test_fields_of_a_learning_problem_are_checked():
    with pytest.raises(InputError, match="feedback is 'none'; give one of supervised"):
        LearningProblem("sort mail", "share right", "sorted mail", feedback="none")
