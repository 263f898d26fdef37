"""Compiled loops of the tabular learners: acting and learning, step by step.

`act` simulates a known process; `advance` learns from one real step, whatever its source.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from induce.core._random_loops import below, uniform
from induce.core.loops import inner, loop

# update rules
FORWARD, SARSA, REVERSE, EXPERIENCE, DYNA, SWEEPING, ONLINE, TRACES, RETURNS = range(9)
# exploration strategies
EPSILON, POWERS, COUNTS = range(3)
# learner settings
RULE, EXPLORE, DISCOUNT, ALPHA, POWER, LAMBDA, REPEATS, EXTENT, DECAY, THRESHOLD, LIMIT = range(11)
N_KNOBS = 11
# counters of a run: the next pair (-1 between episodes), steps of the episode, finished episodes, episodes
# that ended by themselves, real actions, updates, steps in memory and the slot of the next one, active
# traces, tried pairs, outcomes of the model, queued pairs, last random outcome
PAIR, STEPS, EPISODES, ENDED, ACTIONS, UPDATES, KEPT, OLDEST, ACTIVE, TRIED, OUTCOMES, QUEUED, LAST = range(
    13
)
N_PLACES = 13
NEGLIGIBLE = 1e-10
"""Magnitude below which a trace is dropped."""

STEEPEST = 1e12
"""Maximum logarithm of k; beyond it the best action is chosen anyway."""


class World(NamedTuple):
    """A process to act in: transitions of pairs with cumulative probabilities, and the start states."""

    first: Any
    after: Any
    cumulative: Any
    reward: Any
    ends: Any
    starts: Any
    chances: Any


class Agent(NamedTuple):
    """A learner: the start of each state's pairs, and the values, visit counts and owners of the pairs."""

    offset: Any
    q: Any
    visits: Any
    owner: Any
    knobs: Any
    where: Any
    stream: Any


class Memory(NamedTuple):
    """Memory of a learner besides its values; parts not needed by its update rule are empty.

    `steps` of the episode or replay buffer and their `rewards`; the number of `updates` of each pair, and further
    integer (`pairs`) and real (`traces`) quantities of each; the `outcomes` of a model, and for each state the first
    outcome that leads to it (`before`).
    """

    steps: Any
    rewards: Any
    updates: Any
    pairs: Any
    traces: Any
    outcomes: Any
    before: Any


# row indices of the memory's arrays; steps: the pair acted on, the next state
ACTED, CAME = range(2)
# pairs: pairs with a trace, first outcome, tried pairs, queued pairs and the position of each in the queue
TRACED, HEAD, KNOWN, QUEUE, PLACE = range(5)
# traces: the trace, the deferred change, the sum of rewards, the priority
TRACE, CHANGE, PAID, URGENCY = range(4)
# outcomes: the next outcome of the pair, the state, its count, the pair, the next outcome that leads to the
# state
FOLLOWING, RESULT, SEEN, OF, ALSO = range(5)


@inner
def best_value(offset: Any, q: Any, state: int) -> float:
    """Return the value of a state: that of its best action, or 0 at the end of the episode."""
    # -1 means that the episode has ended; a state without actions ends it too.
    if state < 0 or offset[state] == offset[state + 1]:
        return 0.0
    best = q[offset[state]]
    for pair in range(offset[state] + 1, offset[state + 1]):
        if q[pair] > best:
            best = q[pair]
    return float(best)


@loop
def chosen(offset: Any, q: Any, visits: Any, knobs: Any, stream: Any, state: int) -> int:
    """Return the pair to act on in a state by the exploration strategy; ties are broken at random."""
    begin, end = offset[state], offset[state + 1]
    if end - begin == 1:
        return int(begin)
    kind, extent = knobs[EXPLORE], knobs[EXTENT]
    if kind == POWERS:
        return powers(q, begin, end, extent, stream)
    if kind == EPSILON and extent > 0.0 and uniform(stream) < extent:
        return int(begin + below(stream, end - begin))
    # Exact comparison: a value is a few sums and products in a fixed order, which round alike everywhere.
    best = -math.inf
    ties = 0
    pair = begin
    for k in range(begin, end):
        value = q[k]
        if kind == COUNTS:
            value += extent / math.sqrt(1.0 + visits[k])
        if value > best:
            best = value
            ties = 1
            pair = k
        elif value == best:
            ties += 1
    if ties == 1:
        return int(pair)
    # Another random number is drawn only for ties; `pair` is the first of them, so the second pass starts
    # there.
    skip = below(stream, ties)
    for k in range(pair, end):
        value = q[k]
        if kind == COUNTS:
            value += extent / math.sqrt(1.0 + visits[k])
        if value == best:
            if skip == 0:
                return int(k)
            skip -= 1
    return int(pair)


@inner
def powers(q: Any, begin: int, end: int, extent: float, stream: Any) -> int:
    """Return a pair drawn with probability proportional to k^Q; `extent` is the logarithm of k (13.3.5)."""
    # k^(Q - greatest) cannot overflow, and the common factor drops out.
    greatest = q[begin]
    for k in range(begin + 1, end):
        greatest = max(greatest, q[k])
    total = 0.0
    for k in range(begin, end):
        total += math.exp(extent * (q[k] - greatest))
    left = uniform(stream) * total
    for k in range(begin, end):
        left -= math.exp(extent * (q[k] - greatest))
        if left <= 0.0:
            return int(k)
    return int(end - 1)


@inner
def step_size(knobs: Any, visits: int) -> float:
    """Return the step size at the given visit count (13.11), or the constant one."""
    if knobs[ALPHA] > 0.0:
        return float(knobs[ALPHA])
    if knobs[POWER] == 1.0:
        return 1.0 / (1.0 + visits)
    return float((1.0 + visits) ** -knobs[POWER])


@inner
def moved(q: Any, pair: int, target: float, alpha: float, where: Any) -> None:
    """Move the value of a pair towards its training value (13.10; with step size 1, 13.7)."""
    q[pair] = (1.0 - alpha) * q[pair] + alpha * target
    where[UPDATES] += 1


@inner
def step_by_step(
    offset: Any,
    q: Any,
    visits: Any,
    knobs: Any,
    where: Any,
    stream: Any,
    pair: int,
    reward: float,
    state: int,
    over: bool,
) -> int:
    """Update the table from one step (Q learning and Sarsa); return the next pair, or -1 at the end."""
    where[ACTIONS] += 1
    visits[pair] += 1
    alpha = step_size(knobs, visits[pair])
    # Sarsa chooses before it learns, because its training value is that of the action really taken next; Q
    # learning learns first, so that the choice already sees the new value.
    if knobs[RULE] == SARSA:
        after = -1 if state < 0 else chosen(offset, q, visits, knobs, stream, state)
        value = 0.0 if state < 0 else q[after]
        moved(q, pair, reward + knobs[DISCOUNT] * value, alpha, where)
    else:
        moved(q, pair, reward + knobs[DISCOUNT] * best_value(offset, q, state), alpha, where)
        after = -1 if over else chosen(offset, q, visits, knobs, stream, state)
    if over:
        finished(knobs, where, state)
        return -1
    return int(after)


@inner
def finished(knobs: Any, where: Any, state: int) -> None:
    """Count a finished episode; one that was cut off has a next state."""
    where[EPISODES] += 1
    if state < 0:
        where[ENDED] += 1
    if knobs[EXPLORE] == POWERS:
        knobs[EXTENT] = min(knobs[EXTENT] / knobs[DECAY], STEEPEST)
    else:
        knobs[EXTENT] *= knobs[DECAY]


@loop
def advance(agent: Any, memory: Any, pair: int, reward: float, state: int, over: bool) -> int:
    """Learn from one step by a rule that needs memory; return the next pair, or -1 at the end.

    `state` is -1 if the episode ended; if it was cut off, targets bootstrap from its next state.
    """
    offset, q, visits = agent.offset, agent.q, agent.visits
    knobs, where, stream = agent.knobs, agent.where, agent.stream
    rule = knobs[RULE]
    where[ACTIONS] += 1
    visits[pair] += 1
    if rule == EXPERIENCE:
        replay(agent, memory, pair, reward, state)
    elif rule in (DYNA, SWEEPING):
        observed(agent, memory, pair, reward, state)
        plan(agent, memory, pair)
    elif rule in (ONLINE, TRACES):
        trace_back(agent, memory, pair, reward, state, over)
    else:
        memory.steps[ACTED, where[KEPT]] = pair
        memory.rewards[where[KEPT]] = reward
        memory.steps[CAME, where[KEPT]] = state
        where[KEPT] += 1
        if over and rule == REVERSE:
            backwards(agent, memory)
        elif over:
            returns(agent, memory)
    if over:
        finished(knobs, where, state)
        return -1
    return chosen(offset, q, visits, knobs, stream, state)


@inner
def replay(agent: Any, memory: Any, pair: int, reward: float, state: int) -> None:
    """Store a step, learn from it, and replay stored steps (13.3.6)."""
    offset, q, knobs, where = agent.offset, agent.q, agent.knobs, agent.where
    new = where[OLDEST]
    memory.steps[ACTED, new] = pair
    memory.rewards[new] = reward
    memory.steps[CAME, new] = state
    where[OLDEST] = (new + 1) % memory.steps.shape[1]
    where[KEPT] = min(where[KEPT] + 1, memory.steps.shape[1])
    # The new step first, then random draws from all stored steps, including the new one.
    k = new
    for _ in range(int(knobs[REPEATS]) + 1):
        again = memory.steps[ACTED, k]
        memory.updates[again] += 1
        target = memory.rewards[k] + knobs[DISCOUNT] * best_value(offset, q, memory.steps[CAME, k])
        moved(q, again, target, step_size(knobs, memory.updates[again]), where)
        k = below(agent.stream, where[KEPT])


@inner
def backwards(agent: Any, memory: Any) -> None:
    """Learn from the steps of an episode in reverse order (13.3.6)."""
    offset, q, knobs, where = agent.offset, agent.q, agent.knobs, agent.where
    # In reverse order, each step learns from the just-updated value of its successor, and one episode propagates
    # the final reward all the way back (Mitchell 13.3.6).
    for k in range(where[KEPT] - 1, -1, -1):
        pair = memory.steps[ACTED, k]
        memory.updates[pair] += 1
        target = memory.rewards[k] + knobs[DISCOUNT] * best_value(offset, q, memory.steps[CAME, k])
        moved(q, pair, target, step_size(knobs, memory.updates[pair]), where)
    where[KEPT] = 0


@inner
def returns(agent: Any, memory: Any) -> None:
    """Learn Q-lambda for each step of an episode by its recursion (13.5); with lambda 1, the observed return."""
    offset, q, knobs, where = agent.offset, agent.q, agent.knobs, agent.where
    last = where[KEPT] - 1
    ahead = 0.0
    # Q-lambda(k) = r + discount ((1 - lambda) max Q(s', a') + lambda Q-lambda(k + 1)); the last step has no
    # successor to blend in. All targets are computed before any value changes.
    for k in range(last, -1, -1):
        value = best_value(offset, q, memory.steps[CAME, k])
        if k < last:
            value = (1.0 - knobs[LAMBDA]) * value + knobs[LAMBDA] * ahead
        ahead = memory.rewards[k] + knobs[DISCOUNT] * value
        memory.rewards[k] = ahead
    for k in range(last + 1):
        pair = memory.steps[ACTED, k]
        memory.updates[pair] += 1
        moved(q, pair, memory.rewards[k], step_size(knobs, memory.updates[pair]), where)
    where[KEPT] = 0


@inner
def trace_back(agent: Any, memory: Any, pair: int, reward: float, state: int, over: bool) -> None:
    """Learn Q-lambda by traces (Peng and Williams 1994): an error updates the pairs that led to it.

    The trace of a revisited pair decays by the fraction given by its step size, so that changes deferred to the end
    of the episode are exactly those of `returns`.
    """
    offset, q, knobs, where = agent.offset, agent.q, agent.knobs, agent.where
    kept = knobs[RULE] == TRACES
    alpha = step_size(knobs, agent.visits[pair])
    ahead = reward + knobs[DISCOUNT] * best_value(offset, q, state)
    # Earlier pairs bootstrapped from the best value of this state; `error` is the correction of that value.
    # The pair itself is corrected relative to its own value.
    error = ahead - best_value(offset, q, agent.owner[pair])
    own = ahead - q[pair]
    fading = knobs[DISCOUNT] * knobs[LAMBDA]
    new = memory.traces[TRACE, pair] == 0.0
    memory.traces[TRACE, pair] *= 1.0 - alpha
    if kept:
        memory.traces[CHANGE, pair] *= 1.0 - alpha
    # Traces below NEGLIGIBLE are dropped from the list in the same pass; the current pair is always kept,
    # since its trace is raised below.
    left = 0
    for k in range(where[ACTIVE]):
        earlier = memory.pairs[TRACED, k]
        trace = memory.traces[TRACE, earlier] * fading
        if trace > NEGLIGIBLE or earlier == pair:
            if kept:
                memory.traces[CHANGE, earlier] += trace * error
            else:
                q[earlier] += trace * error
            where[UPDATES] += 1
            memory.traces[TRACE, earlier] = trace
            memory.pairs[TRACED, left] = earlier
            left += 1
        else:
            memory.traces[TRACE, earlier] = 0.0
    where[ACTIVE] = left
    if kept:
        memory.traces[CHANGE, pair] += alpha * own
    else:
        q[pair] += alpha * own
    where[UPDATES] += 1
    if new:
        memory.pairs[TRACED, left] = pair
        where[ACTIVE] = left + 1
    memory.traces[TRACE, pair] += alpha
    if over:
        if kept:
            for k in range(len(q)):
                q[k] += memory.traces[CHANGE, k]
                memory.traces[CHANGE, k] = 0.0
        for k in range(where[ACTIVE]):
            memory.traces[TRACE, memory.pairs[TRACED, k]] = 0.0
        where[ACTIVE] = 0


@inner
def observed(agent: Any, memory: Any, pair: int, reward: float, state: int) -> None:
    """Update the model's counts with a real step."""
    where = agent.where
    memory.traces[PAID, pair] += reward
    if agent.visits[pair] == 1:
        memory.pairs[KNOWN, where[TRIED]] = pair
        where[TRIED] += 1
    # Outcomes form linked lists: through FOLLOWING from the HEAD of their pair, and through ALSO from the
    # state they lead to.
    k = memory.pairs[HEAD, pair]
    while k >= 0 and memory.outcomes[RESULT, k] != state:
        k = memory.outcomes[FOLLOWING, k]
    if k < 0:
        k = where[OUTCOMES]
        where[OUTCOMES] += 1
        memory.outcomes[RESULT, k] = state
        memory.outcomes[SEEN, k] = 0
        memory.outcomes[OF, k] = pair
        memory.outcomes[FOLLOWING, k] = memory.pairs[HEAD, pair]
        memory.pairs[HEAD, pair] = k
        if state >= 0:
            memory.outcomes[ALSO, k] = memory.before[state]
            memory.before[state] = k
    memory.outcomes[SEEN, k] += 1


@inner
def backed_up(agent: Any, memory: Any, pair: int) -> float:
    """Set a pair to its expected value under the model; return the change in its state's value."""
    offset, q = agent.offset, agent.q
    state = agent.owner[pair]
    old = best_value(offset, q, state)
    # The observed means: rewards and next values over visits (the maximum-likelihood model).
    total = 0.0
    k = memory.pairs[HEAD, pair]
    while k >= 0:
        total += memory.outcomes[SEEN, k] * best_value(offset, q, memory.outcomes[RESULT, k])
        k = memory.outcomes[FOLLOWING, k]
    q[pair] = (memory.traces[PAID, pair] + agent.knobs[DISCOUNT] * total) / agent.visits[pair]
    agent.where[UPDATES] += 1
    return abs(best_value(offset, q, state) - old)


@inner
def plan(agent: Any, memory: Any, pair: int) -> None:
    """Update the pair just tried and several others: random tried pairs, or those whose successors changed most."""
    knobs, where = agent.knobs, agent.where
    change = backed_up(agent, memory, pair)
    if knobs[RULE] == DYNA:
        for _ in range(int(knobs[REPEATS])):
            other = memory.pairs[KNOWN, below(agent.stream, where[TRIED])]
            backed_up(agent, memory, other)
        return
    alarm(agent, memory, agent.owner[pair], change)
    for _ in range(int(knobs[REPEATS])):
        if where[QUEUED] == 0:
            return
        other = most_urgent(where, memory)
        change = backed_up(agent, memory, other)
        alarm(agent, memory, agent.owner[other], change)


@inner
def alarm(agent: Any, memory: Any, state: int, change: float) -> None:
    """Queue the predecessors of a state whose value changed, with the effect of the change as priority."""
    knobs, where = agent.knobs, agent.where
    # Moore and Atkeson 1993: the effect on a predecessor is at most its probability times the discount.
    k = memory.before[state]
    while k >= 0:
        pair = memory.outcomes[OF, k]
        urgency = knobs[DISCOUNT] * change * memory.outcomes[SEEN, k] / agent.visits[pair]
        if urgency > knobs[THRESHOLD] and urgency > memory.traces[URGENCY, pair]:
            memory.traces[URGENCY, pair] = urgency
            if memory.pairs[PLACE, pair] < 0:
                memory.pairs[PLACE, pair] = where[QUEUED]
                memory.pairs[QUEUE, where[QUEUED]] = pair
                where[QUEUED] += 1
            raised(memory, memory.pairs[PLACE, pair])
        k = memory.outcomes[ALSO, k]


@inner
def raised(memory: Any, k: int) -> None:
    """Move an entry of the queue towards its top."""
    # A binary heap with the most urgent pair on top; PLACE is the position of each queued pair, -1 for the others.
    pair = memory.pairs[QUEUE, k]
    while k > 0:
        above = (k - 1) // 2
        other = memory.pairs[QUEUE, above]
        if memory.traces[URGENCY, other] >= memory.traces[URGENCY, pair]:
            break
        memory.pairs[QUEUE, k] = other
        memory.pairs[PLACE, other] = k
        k = above
    memory.pairs[QUEUE, k] = pair
    memory.pairs[PLACE, pair] = k


@inner
def most_urgent(where: Any, memory: Any) -> int:
    """Remove and return the most urgent pair of the queue."""
    top = memory.pairs[QUEUE, 0]
    memory.traces[URGENCY, top] = 0.0
    memory.pairs[PLACE, top] = -1
    where[QUEUED] -= 1
    size = where[QUEUED]
    if size == 0:
        return int(top)
    # The last entry moves to the top and sinks below the more urgent ones.
    pair = memory.pairs[QUEUE, size]
    k = 0
    while 2 * k + 1 < size:
        below_it = 2 * k + 1
        right = below_it + 1
        if (
            right < size
            and memory.traces[URGENCY, memory.pairs[QUEUE, right]]
            > memory.traces[URGENCY, memory.pairs[QUEUE, below_it]]
        ):
            below_it = right
        other = memory.pairs[QUEUE, below_it]
        if memory.traces[URGENCY, pair] >= memory.traces[URGENCY, other]:
            break
        memory.pairs[QUEUE, k] = other
        memory.pairs[PLACE, other] = k
        k = below_it
    memory.pairs[QUEUE, k] = pair
    memory.pairs[PLACE, pair] = k
    return int(top)


@inner
def drawn(cumulative: Any, begin: int, end: int, stream: Any) -> int:
    """Return an index drawn from a list of cumulative probabilities."""
    if end - begin == 1:
        return int(begin)
    # The first index whose cumulative probability exceeds u; the last one needs no test.
    u = uniform(stream)
    end -= 1
    while begin < end:
        middle = (begin + end) // 2
        if cumulative[middle] > u:
            end = middle
        else:
            begin = middle + 1
    return int(begin)


@loop
def act(world: Any, agent: Any, memory: Any, collected: Any, lengths: Any, steps: int, episodes: int) -> None:
    """Act and learn in a known process for a number of steps, or until a number of episodes is over.

    `collected` and `lengths` receive the sum of rewards and the number of steps of each episode.
    """
    offset, q, visits = agent.offset, agent.q, agent.visits
    knobs, where, stream = agent.knobs, agent.where, agent.stream
    limit = int(knobs[LIMIT])
    simple = knobs[RULE] <= SARSA
    for _ in range(steps):
        if where[EPISODES] >= episodes:
            return
        if where[PAIR] < 0:
            state = world.starts[drawn(world.chances, 0, len(world.starts), stream)]
            where[PAIR] = chosen(offset, q, visits, knobs, stream, state)
            where[STEPS] = 0
        pair = where[PAIR]
        k = drawn(world.cumulative, world.first[pair], world.first[pair + 1], stream)
        where[LAST] = k
        where[STEPS] += 1
        episode = where[EPISODES]
        collected[episode] += world.reward[k]
        lengths[episode] = where[STEPS]
        # A truncated episode has not ended: targets use the value of its next state.
        state = -1 if world.ends[k] else world.after[k]
        over = state < 0 or where[STEPS] >= limit
        reward = world.reward[k]
        if simple:
            where[PAIR] = step_by_step(offset, q, visits, knobs, where, stream, pair, reward, state, over)
        else:
            where[PAIR] = advance(agent, memory, pair, reward, state, over)
