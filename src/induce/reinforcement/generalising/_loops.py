"""The loops of action values that generalise (Mitchell 13.6): features, values, gradients, and the updates."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from induce.core._random_loops import below, uniform
from induce.core.loops import loop
from induce.environments._control_loops import move_car, place_car

PLACE, NUMBERS, TILES, LISTED = range(4)
LINEAR, SHARED, PER_ACTION, PAIRS, CLUSTERS = range(5)
CODING, N_TILES, INTERCEPT, MODEL, FEATURES, ACTIONS, HIDDEN, COUNT = range(8)
ALPHA, EPSILON, DECAY, RESIDUAL, RADIUS, AGREEMENT, DISCOUNT, REACH = range(8)
LARGEST, REWARD, STEPS, BEYOND, STARTING, STOPPED, FULL = range(7)
STEEPEST = 40.0
"""Beyond this input a sigmoid unit no longer changes."""
HOPELESS = 1e12
"""How many times what rewards allow a value may be before learning is stopped."""


class Agent(NamedTuple):
    """What learns.

    `plan` says what features and model are, as the names above number it; `settings` how it learns. `low` and
    `scale` are those of observed numbers, `rows` and `amounts` the features of listed observations, or the shifts of
    tilings. There are `weights` and how often each was changed (`visits`, of linear models), the eligibility `trace`,
    clusters with their `prototypes` and the actions that they belong to (`owner`), what is watched (`monitor`) and
    the random `stream`. The rest is room for the last observation and the next, in rows 0 and 1 in turn, `sizes[2]`
    says which is the last: how many features it has (`sizes`), which (`index`) and how much of each (`amount`), its
    numbers (`raw`), what hidden units say (`units`, `slopes`), and the `values` of actions.
    """

    plan: Any
    settings: Any
    low: Any
    scale: Any
    rows: Any
    amounts: Any
    weights: Any
    visits: Any
    trace: Any
    prototypes: Any
    owner: Any
    monitor: Any
    stream: Any
    sizes: Any
    index: Any
    amount: Any
    raw: Any
    units: Any
    slopes: Any
    values: Any


class Process(NamedTuple):
    """A decision process: the pair of each state and action (-1: none), its transitions, where episodes start."""

    pair: Any
    first: Any
    after: Any
    chance: Any
    reward: Any
    ends: Any
    start: Any
    absorbing: Any


@loop
def tiles_of(tiles: int, low: Any, scale: Any, shifts: Any, observation: Any, index: Any, amount: Any) -> int:
    """Write the tile of each tiling that an observation lies in: grids of `tiles` steps a side, one for the shift."""
    for t in range(len(shifts)):
        place = t
        for k in range(len(low)):
            at = (observation[k] - low[k]) * scale[k]
            at = min(max(at, 0.0), float(tiles))
            place = place * (tiles + 1) + int(at + shifts[t, k])
        index[t] = place
        amount[t] = 1.0
    return len(shifts)


@loop
def clusters_of(
    plan: Any, radius: float, prototypes: Any, owner: Any, raw: Any, index: Any, amount: Any
) -> int:
    """Write the clusters near an observation, and its share in each among those of the same action."""
    n = 0
    for c in range(plan[COUNT]):
        far = 0.0
        for k in range(len(raw)):
            far += abs(raw[k] - prototypes[c, k])
        if far < radius:
            index[n] = c
            amount[n] = 1.0 - far / radius
            n += 1
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
def encode(
    plan: Any, low: Any, scale: Any, rows: Any, amounts: Any, observation: Any, index: Any, amount: Any
) -> int:
    """Write the features of an observation that are not zero; return how many there are."""
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
        return tiles_of(plan[N_TILES], low, scale, amounts, observation, index, amount)
    n = len(low)
    for k in range(n):
        index[k] = k
        amount[k] = (observation[k] - low[k]) * scale[k]
    if plan[INTERCEPT]:
        index[n] = n
        amount[n] = 1.0
        n += 1
    return n


@loop
def offsets(plan: Any, action: int) -> tuple[int, int, int]:
    """Return where the hidden units of an action begin, how many weights each has, and where its output begins."""
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


@loop
def network_value(plan: Any, weights: Any, action: int, index: Any, amount: Any, n: int, units: Any) -> float:
    """Return the value of an action by the network; write what its hidden units say."""
    begins, width, out = offsets(plan, action)
    total = float(weights[out + plan[HIDDEN]])
    for h in range(plan[HIDDEN]):
        at = begins + h * width
        net = weights[at + width - 1]
        for k in range(n):
            net += weights[at + index[k]] * amount[k]
        if plan[MODEL] == PAIRS:
            net += weights[at + plan[FEATURES] + action]
        net = min(max(net, -STEEPEST), STEEPEST)
        units[h] = 1.0 / (1.0 + math.exp(-net))
        total += weights[out + h] * units[h]
    return total


@loop
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


@loop
def keep_slopes(plan: Any, weights: Any, action: int, units: Any, slopes: Any) -> None:
    """Keep how an action's value depends on the input of each hidden unit, before any weight changes."""
    _, _, out = offsets(plan, action)
    for h in range(plan[HIDDEN]):
        slopes[h] = weights[out + h] * units[h] * (1.0 - units[h])


@loop
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


@loop
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
    """Open a cluster at an observation, unless it has its own or belongs to one that agrees; say whether it did.

    `wanted` is what the action's value should be, how far one that agrees may be from it, and what it was.
    """
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


@loop
def watch(settings: Any, monitor: Any, value: float, after: float, reward: float) -> None:
    """Note the largest value and reward, and when values first left what rewards allow."""
    size = abs(value)
    if monitor[STEPS] == 0.0:
        monitor[STARTING] = max(size, abs(after))
    monitor[STEPS] += 1.0
    monitor[REWARD] = max(monitor[REWARD], abs(reward))
    allowed = max(monitor[REWARD] * settings[REACH], monitor[STARTING])
    if not math.isfinite(size) or size > HOPELESS * max(allowed, 1.0):
        monitor[STOPPED] = 1.0
    else:
        monitor[LARGEST] = max(monitor[LARGEST], size)
    if not size <= allowed * (1.0 + 1e-9) and monitor[BEYOND] == 0.0:
        monitor[BEYOND] = monitor[STEPS]


@loop
def best_of(values: Any, allowed: Any) -> int:
    """Return the best allowed action, the first of equals; -1 where none is allowed."""
    best = -1
    for action in range(len(values)):
        if allowed[action] and (best < 0 or values[action] > values[best]):
            best = action
    return best


@loop
def choose(values: Any, allowed: Any, epsilon: float, stream: Any) -> int:
    """Return an allowed action: with probability epsilon any, otherwise one of the best; -1 where none is allowed."""
    explores = uniform(stream) < epsilon
    chosen = -1
    equals = 0
    for action in range(len(values)):
        if allowed[action]:
            if chosen < 0 or (not explores and values[action] > values[chosen]):
                chosen = action
                equals = 1
            elif explores or values[action] == values[chosen]:
                equals += 1
                if below(stream, equals) == 0:
                    chosen = action
    return chosen


@loop
def see(agent: Any, observation: Any, slot: int) -> None:
    """Write the features of an observation and the values of actions."""
    plan = agent.plan
    index, amount, raw = agent.index[slot], agent.amount[slot], agent.raw[slot]
    n = encode(plan, agent.low, agent.scale, agent.rows, agent.amounts, observation, index, amount)
    if plan[MODEL] == CLUSTERS:
        for k in range(n):
            raw[k] = amount[k]
        radius = agent.settings[RADIUS]
        n = clusters_of(plan, radius, agent.prototypes, agent.owner, raw, index, amount)
    agent.sizes[slot] = n
    evaluate(plan, agent.weights, agent.owner, n, index, amount, agent.units[slot], agent.values[slot])


@loop
def begin(agent: Any, observation: Any, allowed: Any) -> int:
    """Begin an episode; return the first action."""
    trace = agent.trace
    for k in range(len(trace)):
        trace[k] = 0.0
    slot = agent.sizes[2]
    see(agent, observation, slot)
    return choose(agent.values[slot], allowed, agent.settings[EPSILON], agent.stream)


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
    """Learn from what an action gave and led to; return the next action, -1 after the end.

    `here` and `there` say which actions the last observation allowed, and the new one.
    """
    plan, settings, weights, owner = agent.plan, agent.settings, agent.weights, agent.owner
    alpha, decay = settings[ALPHA], settings[DECAY]
    last = agent.sizes[2]
    new = 1 - last
    index, amount, units, values = (
        agent.index[last],
        agent.amount[last],
        agent.units[last],
        agent.values[last],
    )
    best = -1
    after = 0.0
    if not ended:
        see(agent, observation, new)
        best = best_of(agent.values[new], there)
        if best >= 0:
            after = agent.values[new, best]
    goal = reward + discount * after
    n = agent.sizes[last]
    if plan[MODEL] == CLUSTERS:
        wanted = (goal, settings[AGREEMENT], values[action])
        raw, prototypes = agent.raw[last], agent.prototypes
        if opens(plan, weights, prototypes, owner, raw, n, index, action, wanted):
            n = clusters_of(plan, settings[RADIUS], prototypes, owner, raw, index, amount)
        elif plan[COUNT] == len(owner):
            agent.monitor[FULL] = 1.0
        evaluate(plan, weights, owner, n, index, amount, units, values)
    error = goal - values[action]
    watch(settings, agent.monitor, values[action], after, reward)
    if plan[HIDDEN] > 0:
        keep_slopes(plan, weights, action, units[action], agent.slopes[last])
        if best >= 0:
            keep_slopes(plan, weights, best, agent.units[new, best], agent.slopes[new])
    gradient = units[action], agent.slopes[last]
    if decay > 0.0:
        # the book's Q of lambda: earlier pairs learn from what the best action here was thought to be worth
        trace = agent.trace
        carried = goal - values[best_of(values, here)]
        for k in range(len(trace)):
            trace[k] *= decay * settings[DISCOUNT]
            weights[k] += alpha * carried * trace[k]
        add_gradient(plan, owner, trace, action, n, index, amount, gradient[0], gradient[1], 1.0)
    add_gradient(plan, owner, weights, action, n, index, amount, gradient[0], gradient[1], alpha * error)
    if settings[RESIDUAL] > 0.0 and best >= 0:
        by = -alpha * error * discount
        size = agent.sizes[new]
        further = agent.units[new, best], agent.slopes[new]
        add_gradient(
            plan, owner, weights, best, size, agent.index[new], agent.amount[new], further[0], further[1], by
        )
    if plan[MODEL] == LINEAR:
        visits = agent.visits
        base = action * plan[FEATURES]
        for k in range(n):
            visits[base + index[k]] += 1
    if ended or agent.monitor[STOPPED] > 0.0:
        return -1
    agent.sizes[2] = new
    if plan[MODEL] == CLUSTERS:
        see(agent, observation, new)  # there may be one more
    else:
        index, amount, units, values = (
            agent.index[new],
            agent.amount[new],
            agent.units[new],
            agent.values[new],
        )
        evaluate(plan, weights, owner, agent.sizes[new], index, amount, units, values)
    return choose(agent.values[new], there, settings[EPSILON], agent.stream)


@loop
def drive(agent: Any, car: Any, free: Any, run: Any, returns: Any, lengths: Any, cut: Any) -> int:
    """Drive the mountain car; `run` says for how many episodes, of how many steps, and the steps after which to stop.

    Return how many episodes were driven.
    """
    spent = 0
    for episode in range(run[0]):
        place_car(car, agent.stream)
        action = begin(agent, car, free)
        steps = 0
        ended = False
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


@loop
def drawn(chances: Any, begin: int, end: int, stream: Any) -> int:
    """Return a place between two, drawn by the chances there."""
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
    """Act in a decision process, as `drive` does; `state` is a number, as an observation of one place."""
    spent = 0
    for episode in range(run[0]):
        now = drawn(process.start, 0, len(process.start), agent.stream)
        state[0] = now
        action = begin(agent, state, allowed[now])
        total = 0.0
        steps = 0
        ended = bool(process.absorbing[now])
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
        if spent >= run[2] or agent.monitor[STOPPED] > 0.0:
            return episode + 1
    return int(run[0])
