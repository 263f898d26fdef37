"""Loops of classifier systems: single rules that match, compete, are rewarded and reproduce (Holland)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from induce.core._random_loops import below, uniform
from induce.core.loops import inner, loop

WORD = 62
EXPERIENCED = 20
"""Number of matched rows after which a rule counts as experienced."""
ACCURATE = 0.99
POWER = 10.0
"""Exponent of accuracy in the fitness."""
RATE = 0.2
"""Learning rate of the running averages."""
DISCOUNT = 0.1
"""Fraction of the parents' fitness that offspring start with."""


class Layout(NamedTuple):
    """Start of the bits of each attribute in a rule and in words, and whether its values are ordered."""

    begin: Any
    place: Any
    ordered: Any


class Rules(NamedTuple):
    """The population: the values allowed by each rule, as bits and as words, and its class or action.

    `number` is the number of copies, 0 for a free slot; `seen` and `right` count the rows it matched and those
    of its class; `worth` is its fitness or strength, `niche` the approximate number of competing rules,
    `bred` the time of its last offspring.
    """

    bits: Any
    words: Any
    head: Any
    number: Any
    worth: Any
    seen: Any
    right: Any
    niche: Any
    bred: Any


class MichiganSettings(NamedTuple):
    """Maximum number of rules, generality of new ones, and settings of reproduction; see `ClassifierSystem`."""

    most: int
    general: float
    crossover: float
    mutation: float
    patience: float


class World(NamedTuple):
    """A process: its states as words, the pair of each state and action (-1 if not allowed), its transitions."""

    words: Any
    pair: Any
    first: Any
    after: Any
    chance: Any
    reward: Any
    ends: Any
    start: Any
    absorbing: Any


@inner
def matches(row: Any, rule: Any) -> bool:
    """Return whether a rule allows all values of a row."""
    allows = True
    for w in range(len(row)):
        if row[w] & rule[w] != row[w]:
            allows = False
    return allows


@inner
def write_words(bits: Any, layout: Any, words: Any) -> None:
    """Set the words of a rule from its bits; an attribute that allows all values also allows a missing one."""
    for w in range(len(words)):
        words[w] = 0
    for a in range(len(layout.ordered)):
        width = layout.begin[a + 1] - layout.begin[a]
        ones = 0
        for k in range(width):
            if bits[layout.begin[a] + k]:
                ones += 1
                at = layout.place[a] + k
                words[at // WORD] |= 1 << (at % WORD)
        # The bit after the values stands for a missing value.
        if ones == width:
            at = layout.place[a] + width
            words[at // WORD] |= 1 << (at % WORD)


@inner
def set_test(row: Any, layout: Any, a: int, tests: bool, stream: Any, bits: Any) -> None:
    """Make a rule test an attribute's value in a row, or allow all values.

    For ordered values it allows all up to that one, or all from it on, at random. A missing value cannot be tested.
    """
    begin, width = layout.begin[a], layout.begin[a + 1] - layout.begin[a]
    value = -1
    for k in range(width):
        at = layout.place[a] + k
        if (row[at // WORD] >> (at % WORD)) & 1:
            value = k
    low, high = 0, width - 1
    if tests and value >= 0:
        upwards = uniform(stream) < 0.5
        if not layout.ordered[a] or width == 2:
            low, high = value, value
        elif upwards:
            low = value
        else:
            high = value
    for k in range(width):
        bits[begin + k] = 1 if low <= k <= high else 0


@inner
def cover(row: Any, layout: Any, general: float, stream: Any, bits: Any) -> None:
    """Create a rule that matches a row; each attribute is tested with probability 1 - `general`."""
    for a in range(len(layout.ordered)):
        set_test(row, layout, a, uniform(stream) >= general, stream, bits)


@inner
def mutate(row: Any, layout: Any, rate: float, stream: Any, bits: Any) -> None:
    """Add or remove tests of a rule so that it still matches the row."""
    for a in range(len(layout.ordered)):
        if uniform(stream) < rate:
            ones = 0
            for k in range(layout.begin[a], layout.begin[a + 1]):
                ones += int(bits[k])
            all_allowed = ones == layout.begin[a + 1] - layout.begin[a]
            set_test(row, layout, a, all_allowed, stream, bits)


@inner
def subsumes(general: Any, special: Any) -> bool:
    """Return whether a rule allows everything another allows, and more."""
    more = False
    for k in range(len(general)):
        if special[k] > general[k]:
            return False
        if general[k] > special[k]:
            more = True
    return more


@inner
def remove_one(rules: Any, stream: Any) -> None:
    """Remove a copy of a rule, preferring crowded niches and low fitness."""
    copies, total_worth = 0, 0.0
    for i in range(len(rules.number)):
        copies += rules.number[i]
        total_worth += rules.worth[i] * rules.number[i]
    mean = total_worth / copies
    total = 0.0
    for turn in range(2):  # sum the votes first, then draw
        drawn = uniform(stream) * total
        running = 0.0
        for i in range(len(rules.number)):
            if rules.number[i] > 0:
                # Proportional to the size of the rule's niches: crowded niches lose rules, so that all niches
                # get about equal space.
                vote = rules.niche[i] * rules.number[i]
                # Kovacs 1999: an experienced rule far below the mean fitness is more likely to be removed; a
                # new rule is given time.
                if rules.seen[i] > EXPERIENCED and rules.worth[i] < 0.1 * mean:
                    vote *= mean / max(rules.worth[i], 1e-9)
                running += vote
                if turn == 1 and running >= drawn:
                    rules.number[i] -= 1
                    return
        total = running


@inner
def insert(
    child: Any,
    head: int,
    worth: float,
    niche: float,
    now: int,
    layout: Any,
    rules: Any,
    most: int,
    stream: Any,
) -> None:
    """Add a rule, or a copy of an equal one; remove one first if there are too many."""
    copies = 0
    for i in range(len(rules.number)):
        copies += rules.number[i]
    # Remove first, so that a slot is free even if the rule is new.
    if copies >= most:
        remove_one(rules, stream)
    free = -1
    for i in range(len(rules.number)):
        if rules.number[i] == 0:
            if free < 0:
                free = i
        elif rules.head[i] == head:
            same = True
            for k in range(len(child)):
                if rules.bits[i, k] != child[k]:
                    same = False
                    break
            if same:
                rules.number[i] += 1
                return
    for k in range(len(child)):
        rules.bits[free, k] = child[k]
    write_words(child, layout, rules.words[free])
    rules.head[free] = head
    rules.number[free] = 1
    rules.worth[free] = worth
    rules.seen[free] = 0.0
    rules.right[free] = 0.0
    rules.niche[free] = niche
    rules.bred[free] = now


@inner
def parent(members: Any, n: int, rules: Any, stream: Any) -> int:
    """Draw one of the first `n` members in proportion to fitness."""
    total = 0.0
    for k in range(n):
        total += rules.worth[members[k]] * rules.number[members[k]]
    drawn = uniform(stream) * total
    for k in range(n):
        drawn -= rules.worth[members[k]] * rules.number[members[k]]
        if drawn <= 0.0:
            return int(members[k])
    return int(members[n - 1])


@inner
def breed(
    row: Any, members: Any, n: int, now: int, layout: Any, rules: Any, settings: Any, child: Any, stream: Any
) -> None:
    """Breed two offspring that match the row; one that adds nothing to its parent becomes a copy of it."""
    # The niche has reproduced: it waits for `patience` steps on average before it does so again.
    for k in range(n):
        rules.bred[members[k]] = now
    one, two = parent(members, n, rules, stream), parent(members, n, rules, stream)
    crosses = uniform(stream) < settings.crossover
    worth = DISCOUNT * 0.5 * (rules.worth[one] + rules.worth[two])
    niche = 0.5 * (rules.niche[one] + rules.niche[two])
    for turn in range(2):
        source, other = (one, two) if turn == 0 else (two, one)
        head = int(rules.head[source])
        for a in range(len(layout.ordered)):
            taken = other if crosses and uniform(stream) < 0.5 else source
            for k in range(layout.begin[a], layout.begin[a + 1]):
                child[k] = rules.bits[taken, k]
        mutate(row, layout, settings.mutation, stream, child)
        # Wilson's subsumption: an accurate parent that covers all of the child gains a copy instead.
        known = rules.seen[source] > EXPERIENCED and rules.right[source] > ACCURATE * rules.seen[source]
        if known and subsumes(rules.bits[source], child):
            for k in range(len(child)):
                child[k] = rules.bits[source, k]
        insert(child, head, worth, niche, now, layout, rules, settings.most, stream)


@loop
def learn_rows(
    words: Any,
    rows: Any,
    labels: Any,
    now: int,
    layout: Any,
    rules: Any,
    settings: Any,
    members: Any,
    child: Any,
    stream: Any,
) -> None:
    """Learn from rows one by one: fitness is accuracy, and matching rules of the correct class reproduce."""
    for step in range(len(rows)):
        row, label, time = words[rows[step]], labels[step], now + step
        # `n` is 0, but not a literal, which would compile a separate version of `breed`
        n, copies, since = min(now, 0), 0, 0.0
        for i in range(len(rules.number)):
            if rules.number[i] > 0 and matches(row, rules.words[i]):
                rules.seen[i] += 1.0
                if rules.head[i] == label:
                    rules.right[i] += 1.0
                    members[n] = i
                    n += 1
                    copies += rules.number[i]
                    since += rules.number[i] * (time - rules.bred[i])
                # Bernado and Garrell 2003: fitness is a power of accuracy, which amplifies small differences.
                goal = math.pow(rules.right[i] / rules.seen[i], POWER)
                rules.worth[i] += RATE * (goal - rules.worth[i])
        for k in range(n):
            rules.niche[members[k]] += RATE * (copies - rules.niche[members[k]])
        if n == 0:
            cover(row, layout, settings.general, stream, child)
            insert(child, label, DISCOUNT, 1.0, time, layout, rules, settings.most, stream)
        # The mean time since the rules of this niche last reproduced, over all copies.
        elif since > settings.patience * copies:
            breed(row, members, n, time, layout, rules, settings, child, stream)


@inner
def drawn_from(chances: Any, begin: int, end: int, drawn: float) -> int:
    """Return the first index from `begin` to `end` at which the cumulative probability exceeds a number."""
    total = 0.0
    for k in range(begin, end):
        total += chances[k]
        if total > drawn:
            return k
    return end - 1


@loop
def act(
    world: Any,
    steps: int,
    most_steps: int,
    now: int,
    bid: float,
    explore: float,
    first_worth: float,
    layout: Any,
    rules: Any,
    settings: Any,
    members: Any,
    earlier: Any,
    votes: Any,
    child: Any,
    place: Any,
    stream: Any,
) -> float:
    """Act for a number of steps, each acting rule paying its bid to the previous ones (bucket brigade).

    `place` holds the state, the step of the episode and the last acting rules; returns the reward collected.
    """
    collected = 0.0
    state, age, n_earlier = place[0], place[1], place[2]
    for step in range(steps):
        if world.absorbing[state] or age >= most_steps:
            state = drawn_from(world.start, 0, len(world.start), uniform(stream))
            age, n_earlier = 0, 0
        row = world.words[state]
        n, most_votes, best = 0, -1.0, -1
        for action in range(len(votes)):
            votes[action] = 0.0
        # Every matching rule bids a fraction of its strength; the action with the highest total bid is taken.
        for i in range(len(rules.number)):
            allowed = rules.number[i] > 0 and world.pair[state, rules.head[i]] >= 0
            if allowed and matches(row, rules.words[i]):
                votes[rules.head[i]] += bid * rules.worth[i] * rules.number[i]
                n += 1
        options = 0
        for action in range(len(votes)):
            if world.pair[state, action] >= 0:
                options += 1
                if votes[action] > most_votes:
                    most_votes, best = votes[action], action
        if n == 0 or uniform(stream) < explore:
            pick = below(stream, options)
            for action in range(len(votes)):
                if world.pair[state, action] >= 0:
                    if pick == 0:
                        best = action
                    pick -= 1
        n, copies, since = min(now, 0), 0, 0.0  # as in `learn_rows`
        for i in range(len(rules.number)):
            if rules.number[i] > 0 and rules.head[i] == best and matches(row, rules.words[i]):
                members[n] = i
                n += 1
                copies += rules.number[i]
                since += rules.number[i] * (now + step - rules.bred[i])
        if n == 0:
            cover(row, layout, settings.general, stream, child)
            insert(child, best, first_worth, 1.0, now + step, layout, rules, settings.most, stream)
            n_earlier = 0  # the rules that acted may have been removed
            for i in range(len(rules.number)):
                if rules.number[i] > 0 and rules.head[i] == best and matches(row, rules.words[i]):
                    members[n] = i
                    n += 1
                    copies += rules.number[i]
        # Holland's bucket brigade: acting rules pay their bids to those that acted before, and share the
        # reward.
        paid = 0.0
        for k in range(n):
            mine = members[k]
            paid += bid * rules.worth[mine] * rules.number[mine]
            rules.worth[mine] -= bid * rules.worth[mine]
            rules.seen[mine] += 1.0
            rules.niche[mine] += RATE * (copies - rules.niche[mine])
        pay_all(paid, earlier, n_earlier, rules)
        pair = world.pair[state, best]
        k = drawn_from(world.chance, world.first[pair], world.first[pair + 1], uniform(stream))
        collected += world.reward[k]
        pay_all(world.reward[k], members, n, rules)
        for m in range(n):
            earlier[m] = members[m]
        n_earlier = n
        if since > settings.patience * copies:
            # Breeding may remove rules, including those that acted last.
            breed(row, members, n, now + step, layout, rules, settings, child, stream)
            n_earlier = 0
        if world.ends[k]:
            age, n_earlier = most_steps, 0
        else:
            state, age = world.after[k], age + 1
    place[0], place[1], place[2] = state, age, n_earlier
    return collected


@inner
def pay_all(amount: float, members: Any, n: int, rules: Any) -> None:
    """Divide an amount among the copies of the first `n` members."""
    copies = 0
    for k in range(n):
        copies += rules.number[members[k]]
    if copies > 0:
        for k in range(n):
            rules.worth[members[k]] += amount / copies
