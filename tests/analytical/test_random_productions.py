"""Chunks of random production systems are right wherever they hold."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from induce.analytical import ProductionSystem
from induce.analytical.chunking.memory import Memory
from induce.analytical.chunking.productions import productions_of
from induce.logic import parse_literal

SUCCESS = parse_literal("success")
KINDS = ("p", "q", "r")


def condition(draw, variables):
    one, kind = draw.choice(variables), draw.choice(KINDS)
    return draw.choice(
        [f"\\+ {kind}({one})", f"link({one}, {draw.choice(variables)})", f"{kind}({one})", f"{kind}({one})"]
    )


def productions(draw):
    """Return two operators that add and remove under conditions, denials among them, and a goal."""
    lines = []
    for operator, variables, source in (("f(X)", ["X"], "thing(X)"), ("g(X, Y)", ["X", "Y"], "link(X, Y)")):
        lines.append(f"propose({operator}) :- {source}, {condition(draw, variables)}.")
        for change in ("add", "add", "remove", "remove"):
            one = draw.choice([*variables, "Z"])
            body = [f"selected({operator})"]
            body += [f"link({draw.choice(variables)}, Z)"] if one == "Z" else []
            body += [condition(draw, variables)] if draw.random() < 0.6 else []
            lines.append(f"{change}({draw.choice(KINDS)}({one})) :- {', '.join(body)}.")
    lines.append(f"good(X) :- {draw.choice(KINDS)}(X), {condition(draw, ['X'])}.")
    lines.append(f"success :- good(X), {condition(draw, ['X'])}.")
    return "\n".join(lines)


def state(draw):
    things = "abc"
    facts = [f"thing({one})" for one in things]
    facts += [f"{kind}({one})" for kind in KINDS for one in things if draw.random() < 0.4]
    facts += [f"link({one}, {other})" for one in things for other in things if draw.random() < 0.4]
    return list(map(parse_literal, facts))


def reaches(memory, situation, depth):
    if SUCCESS in situation or not depth:
        return SUCCESS in situation
    proposed = [one.arguments[0] for one in situation.of(("propose", 1))]
    return any(reaches(memory, memory.after(situation, one), depth - 1) for one in proposed)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 100_000))
def test_the_best_operator_leads_to_success(seed):
    """What a chunk calls best leads to success in no more steps than were imagined when it was learned."""
    draw = random.Random(seed)
    text = productions(draw)
    run = ProductionSystem(text).run(state(draw), max_depth=3, max_decisions=4, max_situations=300)
    if not run.chunks:
        return
    memory, plain = Memory(run.system.productions), Memory(productions_of(text))
    for _ in range(5):
        facts = state(draw)
        situation = memory.enter(facts)
        for best in situation.of(("best", 1)):
            after = plain.after(plain.enter(facts), best.arguments[0])
            assert SUCCESS in situation or reaches(plain, after, 2)
