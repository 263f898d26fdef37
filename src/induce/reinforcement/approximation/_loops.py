"""Compiled loops of function approximation: features, values, gradients and updates (Mitchell 13.6)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from induce.core._random_loops import below, uniform
from induce.core.loops import inner, loop
from induce.environments._control_loops import move_car, place_car
from induce.statistics._logistic_loops import sigmoid_of

PLACE, NUMBERS, TILES, LISTED = range(4)
LINEAR, SHARED, PER_ACTION, PAIRS, CLUSTERS = range(5)
CODING, N_TILES, INTERCEPT, MODEL, FEATURES, ACTIONS, HIDDEN, COUNT, NEXT, KEPT, LAST, SPARE, SIZES = range(
    13
)
ALPHA, EPSILON, DECAY, RESIDUAL, RADIUS, AGREEMENT, DISCOUNT, REACH, REPLAY, MU, TOLERANCE = range(11)
LARGEST, REWARD, STEPS, BEYOND, STARTING, STOPPED, FULL, UNEXPLAINED = range(8)
PREDICTED = 4
"""Row of the observation predicted by the domain theory."""
RAW = 5
"""First of the rows that hold the numbers used to compare clusters."""
HOPELESS = 1e12
"""Divergence limit: learning stops when a value exceeds this multiple of the bound set by the rewards."""


class Agent(NamedTuple):
    """State of the learner.

    `plan` describes the features and the model, coded as in the constants above; `settings` holds the learning
    parameters. `ranges` holds the lower bound and scale factor of each observed number; `rows` and `amounts` hold
    the features of listed observations, or the shifts of the tilings. `weights` are the model weights, `visits` the
    number of updates of each (linear models only), and `trace` the eligibility trace. Clusters have `prototypes` and
    the action each belongs to (`owner`). `monitor` holds the monitored quantities, and `stream` the random stream.
    The remaining arrays are buffers for observations: the last and the next alternate in rows 0 and 1, rows 2 and 3
    hold a replayed pair, and row 4 the observation predicted by the theory. `index` and `amount` give the nonzero
    features, `units` the hidden activations (followed by the slopes of all actions), and `values` the action values.
    The last row of the transition `memory` holds the last observation. `theory` holds the weights of one network per
    action that predicts its effect, `room` is workspace for explanations; both are empty without a theory.
    """

    plan: Any
    settings: Any
    ranges: Any
    rows: Any
    amounts: Any
    weights: Any
    visits: Any
    trace: Any
    prototypes: Any
    owner: Any
    monitor: Any
    stream: Any
    index: Any
    amount: Any
    units: Any
    values: Any
    memory: Any
    theory: Any
    room: Any


class Process(NamedTuple):
    """A decision process: the pair index of each state and action (-1 if none), transitions, and start states."""

    pair: Any
    first: Any
    after: Any
    chance: Any
    reward: Any
    ends: Any
    start: Any
    absorbing: Any


@inner
def tiles_of(tiles: int, ranges: Any, shifts: Any, observation: Any, index: Any, amount: Any) -> int:
    """Write the active tile of each tiling: grids with `tiles` steps per side, each with its own shift."""
    for t in range(len(shifts)):
        # Mixed-radix index: the tiling, then the step along each dimension; a shifted grid needs one more
        # step.
        place = t
        for k in range(ranges.shape[1]):
            at = (observation[k] - ranges[0, k]) * ranges[1, k]
            at = min(max(at, 0.0), float(tiles))
            place = place * (tiles + 1) + int(at + shifts[t, k])
        index[t] = place
        amount[t] = 1.0
    return len(shifts)


@inner
def clusters_of(
    plan: Any, radius: float, prototypes: Any, owner: Any, raw: Any, index: Any, amount: Any
) -> int:
    """Write the clusters near an observation and its membership in each, normalised per action."""
    n = 0
    for c in range(plan[COUNT]):
        far = 0.0
        for k in range(len(raw)):
            far += abs(raw[k] - prototypes[c, k])
        if far < radius:
            index[n] = c
            amount[n] = 1.0 - far / radius
            n += 1
    # Clusters of different actions do not compete: the memberships of each action's clusters sum to 1.
    for action in range(plan[ACTIONS]):
        together = 0.0
        for k in range(n):
            if owner[index[k]] == action:
                together += amount[k]
        for k in range(n):
            if owner[index[k]] == action:
                amount[k] /= together
    return n


@loop
def encode(plan: Any, ranges: Any, rows: Any, amounts: Any, observation: Any, index: Any, amount: Any) -> int:
    """Write the nonzero features of an observation and return their number."""
    if plan[CODING] == PLACE:
        index[0] = int(observation[0])
        amount[0] = 1.0
        return 1
    if plan[CODING] == LISTED:
        place = int(observation[0])
        for k in range(rows.shape[1]):
            index[k] = rows[place, k]
            amount[k] = amounts[place, k]
        return int(rows.shape[1])
    if plan[CODING] == TILES:
        return tiles_of(plan[N_TILES], ranges, amounts, observation, index, amount)
    n = int(ranges.shape[1])
    for k in range(n):
        index[k] = k
        amount[k] = (observation[k] - ranges[0, k]) * ranges[1, k]
    if plan[INTERCEPT]:
        index[n] = n
        amount[n] = 1.0
        n += 1
    # Advice conditions: a number is greater than the lower bound and at most the upper bound.
    for t in range(len(amounts)):
        number = observation[int(amounts[t, 0])]
        index[n] = n
        amount[n] = 1.0 if amounts[t, 1] < number <= amounts[t, 2] else 0.0
        n += 1
    return n


@inner
def offsets(plan: Any, action: int) -> tuple[int, int, int]:
    """Return the offset of an action's hidden units, the number of weights per unit, and the offset of its output."""
    # All weights are in one array: the inputs and threshold of each hidden unit, then the outputs. Separate
    # networks repeat all of that per action, a shared network has one output per action, and a network over
    # pairs has additional inputs for the actions.
    hidden = plan[HIDDEN]
    width = plan[FEATURES] + 1
    if plan[MODEL] == PAIRS:
        width += plan[ACTIONS]
    begins = 0
    row = 0
    if plan[MODEL] == PER_ACTION:
        begins = action * (hidden * width + hidden + 1)
    if plan[MODEL] == SHARED:
        row = action
    return begins, width, begins + hidden * width + row * (hidden + 1)


# These networks do not use `induce.neural`: each update runs inside a compiled episode, visits only active
# features, keeps the gradients of two observations separate (residual gradients), and shares one weight
# vector with linear models and clusters.


@inner
def network_value(plan: Any, weights: Any, action: int, index: Any, amount: Any, n: int, units: Any) -> float:
    """Return the network's value of an action and write the activations of its hidden units."""
    begins, width, out = offsets(plan, action)
    total = float(weights[out + plan[HIDDEN]])
    for h in range(plan[HIDDEN]):
        at = begins + h * width
        net = weights[at + width - 1]
        for k in range(n):
            net += weights[at + index[k]] * amount[k]
        if plan[MODEL] == PAIRS:
            net += weights[at + plan[FEATURES] + action]
        units[h] = sigmoid_of(net)
        total += weights[out + h] * units[h]
    return total


@inner
def evaluate(
    plan: Any, weights: Any, owner: Any, n: int, index: Any, amount: Any, units: Any, values: Any
) -> None:
    """Write the value of every action."""
    if plan[MODEL] == LINEAR:
        for action in range(plan[ACTIONS]):
            base = action * plan[FEATURES]
            total = 0.0
            for k in range(n):
                total += weights[base + index[k]] * amount[k]
            values[action] = total
    elif plan[MODEL] == CLUSTERS:
        for action in range(plan[ACTIONS]):
            values[action] = 0.0
        for k in range(n):
            values[owner[index[k]]] += weights[index[k]] * amount[k]
    else:
        for action in range(plan[ACTIONS]):
            values[action] = network_value(plan, weights, action, index, amount, n, units[action])


@inner
def keep_slopes(plan: Any, weights: Any, action: int, units: Any, slopes: Any) -> None:
    """Store the derivative of an action's value with respect to each hidden unit's input, before any update."""
    # The error at a hidden unit, delta_h = w_h o_h (1 - o_h) (Mitchell, table 4.2), is computed from the
    # weights before the update, so that the updates for an observation and its successor do not affect each
    # other.
    _, _, out = offsets(plan, action)
    for h in range(plan[HIDDEN]):
        slopes[h] = weights[out + h] * units[h] * (1.0 - units[h])


@inner
def add_gradient(
    plan: Any,
    owner: Any,
    target: Any,
    action: int,
    n: int,
    index: Any,
    amount: Any,
    units: Any,
    slopes: Any,
    by: float,
) -> None:
    """Add a multiple of the gradient of an action's value to the weights or to the trace."""
    if plan[MODEL] == LINEAR:
        base = action * plan[FEATURES]
        for k in range(n):
            target[base + index[k]] += by * amount[k]
    elif plan[MODEL] == CLUSTERS:
        for k in range(n):
            if owner[index[k]] == action:
                target[index[k]] += by * amount[k]
    else:
        begins, width, out = offsets(plan, action)
        target[out + plan[HIDDEN]] += by
        for h in range(plan[HIDDEN]):
            at = begins + h * width
            target[out + h] += by * units[h]
            step = by * slopes[h]
            for k in range(n):
                target[at + index[k]] += step * amount[k]
            target[at + width - 1] += step
            if plan[MODEL] == PAIRS:
                target[at + plan[FEATURES] + action] += step


@inner
def gradient_size(plan: Any, n: int, amount: Any, units: Any, slopes: Any) -> float:
    """Return the squared norm of the gradient of a network's value."""
    inputs = 2.0 if plan[MODEL] == PAIRS else 1.0
    for k in range(n):
        inputs += amount[k] * amount[k]
    size = 1.0
    for h in range(plan[HIDDEN]):
        size += units[h] * units[h] + slopes[h] * slopes[h] * inputs
    return size


@inner
def opens(
    plan: Any,
    weights: Any,
    prototypes: Any,
    owner: Any,
    raw: Any,
    n: int,
    index: Any,
    action: int,
    wanted: Any,
) -> bool:
    """Open a cluster at an observation unless an existing one fits; return whether one was opened.

    `wanted` holds the target value of the action, the tolerance for an existing cluster, and the old value.
    """
    # A cluster of this action that agrees, or that lies exactly here, is moved instead.
    for k in range(n):
        c = index[k]
        if owner[c] == action:
            far = 0.0
            for i in range(len(raw)):
                far += abs(raw[i] - prototypes[c, i])
            if far == 0.0 or abs(weights[c] - wanted[0]) <= wanted[1]:
                return False
    c = plan[COUNT]
    if c == len(owner):
        return False
    for k in range(len(raw)):
        prototypes[c, k] = raw[k]
    owner[c] = action
    weights[c] = wanted[2]
    plan[COUNT] = c + 1
    return True


@inner
def watch(settings: Any, monitor: Any, value: float, after: float, reward: float) -> None:
    """Record the largest value and reward, and the step at which values first exceed the bound set by the rewards."""
    size = abs(value)
    if monitor[STEPS] == 0.0:
        monitor[STARTING] = max(size, abs(after))
    monitor[STEPS] += 1.0
    monitor[REWARD] = max(monitor[REWARD], abs(reward))
    # No return exceeds REACH times the largest reward; larger values diverge, unless they started out larger.
    allowed = max(monitor[REWARD] * settings[REACH], monitor[STARTING])
    if not math.isfinite(size) or size > HOPELESS * max(allowed, 1.0):
        monitor[STOPPED] = 1.0
    else:
        monitor[LARGEST] = max(monitor[LARGEST], size)
    if not size <= allowed * (1.0 + 1e-9) and monitor[BEYOND] == 0.0:
        monitor[BEYOND] = monitor[STEPS]


@inner
def best_of(values: Any, allowed: Any) -> int:
    """Return the best allowed action (the first in a tie), or -1 if none is allowed."""
    best = -1
    for action in range(len(values)):
        if allowed[action] > 0.0 and (best < 0 or values[action] > values[best]):
            best = action
    return best


@inner
def choose(values: Any, allowed: Any, epsilon: float, stream: Any) -> int:
    """Return an allowed action chosen epsilon-greedily, or -1 if none is allowed."""
    # One pass: the k-th tied action replaces the current choice with probability 1 / k, so all are equally likely.
    # When exploring, all actions count as tied.
    explores = uniform(stream) < epsilon
    chosen = -1
    equals = 0
    for action in range(len(values)):
        if allowed[action] > 0.0:
            if chosen < 0 or (not explores and values[action] > values[chosen]):
                chosen = action
                equals = 1
            elif explores or values[action] == values[chosen]:
                equals += 1
                if below(stream, equals) == 0:
                    chosen = action
    return chosen


@inner
def reconsider(agent: Any, slot: int) -> None:
    """Recompute the action values of an encoded observation; clusters may have been added."""
    plan, owner = agent.plan, agent.owner
    index, amount = agent.index[slot], agent.amount[slot]
    if plan[MODEL] == CLUSTERS:
        radius, raw = agent.settings[RADIUS], agent.amount[RAW + slot, : plan[FEATURES]]
        plan[SIZES + slot] = clusters_of(plan, radius, agent.prototypes, owner, raw, index, amount)
    n = plan[SIZES + slot]
    evaluate(plan, agent.weights, owner, n, index, amount, agent.units[slot], agent.values[slot])


@loop
def see(agent: Any, observation: Any, slot: int) -> None:
    """Encode an observation and compute its action values."""
    plan, index, amount = agent.plan, agent.index[slot], agent.amount[slot]
    n = encode(plan, agent.ranges, agent.rows, agent.amounts, observation, index, amount)
    plan[SIZES + slot] = n
    if plan[MODEL] == CLUSTERS:
        for k in range(n):
            agent.amount[RAW + slot, k] = amount[k]
    reconsider(agent, slot)


# A domain theory of actions adds target slopes for the value of an action (EBNN for Q values, Mitchell 13.8).
# Rows of `room`: hidden activations of the theory, target slopes, their differences from the current
# slopes, the predicted numbers, and the slopes of the next value.
SAID, WANTED, MISSING, EXPECTED, LATER = range(5)


@inner
def foresee(agent: Any, action: int, amount: Any) -> float:
    """Write the next observation predicted by the theory and return the predicted reward."""
    ranges, theory, room = agent.ranges, agent.theory[action], agent.room
    n = ranges.shape[1]
    # Weights: for each hidden unit its inputs and threshold, then for each output its hidden units and
    # threshold.
    hidden = (len(theory) - n - 1) // (2 * (n + 1))
    for h in range(hidden):
        at = h * (n + 1)
        net = theory[at + n]
        for k in range(n):
            net += theory[at + k] * amount[k]
        room[SAID, h] = sigmoid_of(net)
    reward = 0.0
    for o in range(n + 1):
        at = hidden * (n + 1) + o * (hidden + 1)
        total = theory[at + hidden]
        for h in range(hidden):
            total += theory[at + h] * room[SAID, h]
        if o < n:
            room[EXPECTED, o] = (amount[o] + total) / ranges[1, o] + ranges[0, o]
        else:
            reward = total
    return float(reward)


@inner
def explain(agent: Any, new: int, action: int, best: int, discount: float) -> None:
    """Write the target slopes derived from the theory: d r / d s + discount (d max Q / d s') (d s' / d s)."""
    plan, weights, room = agent.plan, agent.weights, agent.room
    theory = agent.theory[action]
    n = agent.ranges.shape[1]
    hidden = (len(theory) - n - 1) // (2 * (n + 1))
    for k in range(n):
        room[LATER, k] = 0.0
    if best >= 0:
        begins, width, out = offsets(plan, best)
        for h in range(plan[HIDDEN]):
            on = agent.units[new, best, h]
            slope = discount * weights[out + h] * on * (1.0 - on)
            for k in range(n):
                room[LATER, k] += slope * weights[begins + h * width + k]
    for k in range(n):
        room[WANTED, k] = room[LATER, k]  # the theory predicts changes: d s' / d s is 1 plus its derivative
    for h in range(hidden):
        by = 0.0
        for o in range(n + 1):
            share = room[LATER, o] if o < n else 1.0
            by += share * theory[hidden * (n + 1) + o * (hidden + 1) + h]
        by *= room[SAID, h] * (1.0 - room[SAID, h])
        for k in range(n):
            room[WANTED, k] += by * theory[h * (n + 1) + k]


@inner
def trusted(agent: Any, expected: float, goal: float) -> float:
    """Return the weight of an explanation: 1 if it predicts the training value, 0 at the largest error."""
    error = abs(expected - goal)
    monitor, limit = agent.monitor, agent.settings[TOLERANCE]
    if limit <= 0.0:
        monitor[UNEXPLAINED] = max(monitor[UNEXPLAINED], error)
        limit = monitor[UNEXPLAINED]
    return 1.0 if limit == 0.0 else max(0.0, 1.0 - error / limit)


@inner
def bend(agent: Any, last: int, action: int, size: float, share: float) -> None:
    """Update the weights so that the slopes of an action's value approach the target slopes."""
    plan, weights, room = agent.plan, agent.weights, agent.room
    units, amount, index = agent.units[last, action], agent.amount[last], agent.index[last]
    n, m = agent.ranges.shape[1], plan[SIZES + last]
    begins, width, out = offsets(plan, action)
    inputs = 1.0
    for k in range(m):
        inputs += amount[k] * amount[k]
    for k in range(n):
        room[MISSING, k] = room[WANTED, k]
    for h in range(plan[HIDDEN]):
        slope = weights[out + h] * units[h] * (1.0 - units[h])
        for k in range(n):
            room[MISSING, k] -= slope * weights[begins + h * width + k]
    # The squared norm of the gradients of all slopes, like `gradient_size` for the value.
    for h in range(plan[HIDDEN]):
        at, v, on = begins + h * width, weights[out + h], units[h]
        first = on * (1.0 - on)
        second = first * (1.0 - 2.0 * on)
        squared = 0.0
        along = 0.0
        for k in range(n):
            squared += weights[at + k] * weights[at + k]
            along += weights[at + k] * amount[k]
        size += first * first * squared
        size += (
            v * v * (n * first * first + 2.0 * first * second * along + second * second * squared * inputs)
        )
    by = share / size
    for h in range(plan[HIDDEN]):
        at, v, on = begins + h * width, weights[out + h], units[h]
        first = on * (1.0 - on)
        second = first * (1.0 - 2.0 * on)
        along = 0.0
        for k in range(n):
            along += room[MISSING, k] * weights[at + k]
        weights[out + h] += by * first * along
        for k in range(n):
            weights[at + k] += by * v * first * room[MISSING, k]
        step = by * v * second * along
        for k in range(m):
            weights[at + index[k]] += step * amount[k]
        weights[at + width - 1] += step
        if plan[MODEL] == PAIRS:
            weights[at + plan[FEATURES] + action] += step


@inner
def correct(
    agent: Any,
    last: int,
    new: int,
    action: int,
    outcome: Any,
    here: Any,
    there: Any,
    decay: float,
) -> None:
    """Learn from a transition between two encoded observations.

    `outcome` holds the reward, the discount of the next value, and whether the episode ended. `here` and `there` mark
    with 1 the actions allowed at each observation.
    """
    plan, settings, weights, owner = agent.plan, agent.settings, agent.weights, agent.owner
    index, amount, units, values = (
        agent.index[last],
        agent.amount[last],
        agent.units[last],
        agent.values[last],
    )
    reward, discount, ended = outcome
    alpha = settings[ALPHA]
    # The training value of Q learning: r + discount max Q(s', a') (Mitchell 13.3 and 13.6).
    best = -1
    after = 0.0
    if not ended:
        best = best_of(agent.values[new], there)
        if best >= 0:
            after = agent.values[new, best]
    most = math.inf
    if plan[HIDDEN] > 0:
        # A network may return anything for an unseen observation: clip it to the bound set by the rewards.
        most = max(agent.monitor[REWARD], abs(reward)) * settings[REACH]
        most = max(most, agent.monitor[STARTING])
        after = min(max(after, -most), most)
    goal = reward + discount * after
    n = agent.plan[SIZES + last]
    if plan[MODEL] == CLUSTERS:
        wanted = (goal, settings[AGREEMENT], values[action])
        raw, prototypes = agent.amount[RAW + last, : plan[FEATURES]], agent.prototypes
        if not opens(plan, weights, prototypes, owner, raw, n, index, action, wanted) and plan[COUNT] == len(
            owner
        ):
            agent.monitor[FULL] = 1.0
        reconsider(agent, last)
        n = plan[SIZES + last]
    error = goal - values[action]
    watch(settings, agent.monitor, values[action], after, reward)
    slopes = agent.units[last, plan[ACTIONS]]
    if plan[HIDDEN] > 0:
        keep_slopes(plan, weights, action, units[action], slopes)
        # The step is divided by the squared norm of the gradient, so that alpha is the fraction of the error
        # removed at any reward scale: a plain step overshoots once output weights are as large as the rewards.
        size = gradient_size(plan, n, amount, units[action], slopes)
        if best >= 0:
            further = agent.units[new, plan[ACTIONS]]
            keep_slopes(plan, weights, best, agent.units[new, best], further)
            if settings[RESIDUAL] > 0.0:
                m = plan[SIZES + new]
                size += discount**2 * gradient_size(
                    plan, m, agent.amount[new], agent.units[new, best], further
                )
        if len(agent.theory) > 0:
            # The theory's training value for this action, computed like the real one, determines how far to
            # trust it here.
            expected = foresee(agent, action, amount)
            if not ended:
                see(agent, agent.room[EXPECTED, : agent.ranges.shape[1]], PREDICTED)
                following = best_of(agent.values[PREDICTED], there)
                if following >= 0:
                    later = min(max(agent.values[PREDICTED, following], -most), most)
                    expected += discount * later
            explain(agent, new, action, best, discount)
            # Both steps start from the weights before the update: the stored activations and slopes.
            bend(agent, last, action, size, alpha * settings[MU] * trusted(agent, expected, goal))
        alpha /= size
    if decay > 0.0:
        # the book's Q(lambda): earlier pairs learn from the old estimate of the best action here
        trace = agent.trace
        carried = goal - values[best_of(values, here)]
        length = 0.0
        for k in range(len(trace)):
            trace[k] *= decay * settings[DISCOUNT]
            length += trace[k] * trace[k]
        back = settings[ALPHA] / max(length, settings[ALPHA] / alpha) if plan[HIDDEN] > 0 else alpha
        for k in range(len(trace)):
            # Earlier pairs are updated with their old traces before the current pair's trace changes.
            weights[k] += back * carried * trace[k]
        add_gradient(plan, owner, trace, action, n, index, amount, units[action], slopes, 1.0)
    add_gradient(plan, owner, weights, action, n, index, amount, units[action], slopes, alpha * error)
    # Baird 1995: the gradient of the squared error also passes through the next value, with the opposite sign.
    if settings[RESIDUAL] > 0.0 and best >= 0:
        by = -alpha * error * discount
        index, amount, slopes = agent.index[new], agent.amount[new], agent.units[new, plan[ACTIONS]]
        add_gradient(
            plan,
            owner,
            weights,
            best,
            agent.plan[SIZES + new],
            index,
            amount,
            agent.units[new, best],
            slopes,
            by,
        )


@inner
def remember(agent: Any, action: int, outcome: Any, observation: Any, here: Any, there: Any) -> None:
    """Store a transition in the replay memory, replacing the oldest when it is full."""
    plan, memory = agent.plan, agent.memory
    row, last = memory[plan[NEXT]], memory[len(memory) - 1]
    width = len(observation)
    # A row: action, reward, discount, end; the last and the next observation; the actions allowed at each.
    row[0] = action
    row[1] = outcome[0]
    row[2] = outcome[1]
    row[3] = 1.0 if outcome[2] else 0.0
    for k in range(width):
        row[4 + k] = last[k]
        row[4 + width + k] = observation[k]
    for k in range(len(here)):
        row[4 + 2 * width + k] = here[k]
        row[4 + 2 * width + len(here) + k] = there[k]
    plan[NEXT] = (plan[NEXT] + 1) % (len(memory) - 1)
    plan[KEPT] = min(plan[KEPT] + 1, len(memory) - 1)


@inner
def rehearse(agent: Any, times: int) -> None:
    """Replay transitions drawn at random from the memory."""
    plan, memory = agent.plan, agent.memory
    n = plan[ACTIONS]
    width = (memory.shape[1] - 4) // 2 - n
    first = plan[SPARE]
    for _ in range(times):
        row = memory[below(agent.stream, plan[KEPT])]
        outcome = (row[1], row[2], row[3] > 0.0)
        at = 4 + 2 * width
        here, there = row[at : at + n], row[at + n : at + 2 * n]
        # In separate rows, so that the current observation is kept.
        for t in range(2):
            see(agent, row[4 + t * width : 4 + (t + 1) * width], first + t)
        correct(agent, first, first + 1, int(row[0]), outcome, here, there, 0.0)


@loop
def advance(
    agent: Any,
    action: int,
    reward: float,
    discount: float,
    ended: bool,
    observation: Any,
    here: Any,
    there: Any,
) -> int:
    """Learn from the outcome of an action; return the next action, or -1 at the end of the episode.

    An action of -1 begins an episode. `here` and `there` mark with 1 the actions allowed at the last and at the
    new observation.
    """
    plan, settings, memory = agent.plan, agent.settings, agent.memory
    last = plan[LAST]
    # The last and the new observation alternate in rows 0 and 1, so that each is encoded once.
    new = 1 - last
    see(agent, observation, new)
    if action < 0:
        trace = agent.trace
        for k in range(len(trace)):
            trace[k] = 0.0
    else:
        outcome = (reward, discount, ended)
        correct(agent, last, new, action, outcome, here, there, settings[DECAY])
        if plan[MODEL] == LINEAR:
            visits = agent.visits
            base = action * plan[FEATURES]
            for k in range(plan[SIZES + last]):
                visits[base + agent.index[last, k]] += 1
        if settings[REPLAY] > 0.0:
            remember(agent, action, outcome, observation, here, there)
            rehearse(agent, int(settings[REPLAY]))
        if ended or agent.monitor[STOPPED] > 0.0:
            return -1
        # The weights have changed since the observation was encoded: choose the next action by the new values.
        reconsider(agent, new)
    for k in range(len(observation)):
        memory[len(memory) - 1, k] = observation[k]
    plan[LAST] = new
    return choose(agent.values[new], there, settings[EPSILON], agent.stream)


@loop
def drive(agent: Any, car: Any, free: Any, run: Any, returns: Any, lengths: Any, cut: Any) -> int:
    """Run episodes of the mountain car and return their number.

    `run` holds the number of episodes, the step limit per episode, the total step limit, and -1 for no action.
    """
    spent = 0
    for episode in range(run[0]):
        place_car(car, agent.stream)
        steps = 0
        ended = run[3] >= 0  # not a literal, which would compile the loop a second time
        action = advance(agent, run[3], 0.0, 0.0, ended, car, free, free)
        while steps < run[1] and not ended and action >= 0:
            ended = move_car(car, action)
            steps += 1
            action = advance(agent, action, -1.0, agent.settings[DISCOUNT], ended, car, free, free)
        returns[episode] = -float(steps)
        lengths[episode] = steps
        cut[episode] = not ended
        spent += steps
        if spent >= run[2] or agent.monitor[STOPPED] > 0.0:
            return episode + 1
    return int(run[0])


@inner
def drawn(chances: Any, begin: int, end: int, stream: Any) -> int:
    """Return a position in the range begin to end, drawn with the given probabilities."""
    point = uniform(stream)
    for k in range(begin, end - 1):
        point -= chances[k]
        if point < 0.0:
            return k
    return end - 1


@loop
def walk(
    agent: Any,
    process: Any,
    state: Any,
    allowed: Any,
    run: Any,
    returns: Any,
    lengths: Any,
    cut: Any,
) -> int:
    """Run episodes of a decision process, like `drive`; `state` is a number, an observation of length 1."""
    spent = 0
    for episode in range(run[0]):
        now = drawn(process.start, 0, len(process.start), agent.stream)
        state[0] = now
        total = 0.0
        steps = 0
        ended = bool(process.absorbing[now])
        action = advance(agent, run[3], 0.0, 0.0, ended, state, allowed[now], allowed[now])
        while steps < run[1] and not ended and action >= 0:
            pair = process.pair[now, action]
            taken = drawn(process.chance, process.first[pair], process.first[pair + 1], agent.stream)
            after = int(process.after[taken])
            reward = process.reward[taken]
            ended = bool(process.ends[taken]) or bool(process.absorbing[after])
            state[0] = after
            total += reward
            steps += 1
            discount = agent.settings[DISCOUNT]
            here, there = allowed[now], allowed[after]
            action = advance(agent, action, reward, discount, ended, state, here, there)
            now = after
        returns[episode] = total
        lengths[episode] = steps
        cut[episode] = not ended
        spent += steps
        # Between episodes only: the caller reports progress and resumes exactly here.
        if spent >= run[2] or agent.monitor[STOPPED] > 0.0:
            return episode + 1
    return int(run[0])
