"""Plots of resolution and inverse resolution: two clauses above their resolvent (Mitchell, Fig. 10.2 and 10.3)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from induce.core.errors import InputError
from induce.logic.clauses import Literal
from induce.logic.refutation import ResolutionProof, Step
from induce.logic.resolution import Resolvent, write_disjunction
from induce.logic.substitution import variables_of
from induce.pictures.style import GREY, PALE, PALETTE
from induce.pictures.trees import Box, draw_tree
from induce.relational.cigol.inverse_resolution import InverseResolvent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINE_LENGTH = 38
MOST_STEPS = 200


@dataclass
class _Node:
    """Clause, the label of the line below it, and its parent clauses."""

    text: str
    found: bool = False
    label: str = ""
    above: list[_Node] = field(default_factory=list)


def draw_resolution(proof: ResolutionProof | Resolvent) -> Figure:
    """Draw a proof by resolution: given clauses at the top, the proved clause at the bottom.

    Substitutions label the lines. A clause used repeatedly is drawn again, without its own proof.

    Parameters
    ----------
    proof : ResolutionProof or Resolvent
        Proof, or a single resolution step.
    """
    if isinstance(proof, Resolvent):
        given = (Step(proof.first), Step(proof.second))
        last = Step(proof.clause, (0, 1), (proof.literal, proof.other), proof.theta)
        proof = ResolutionProof((*given, last))
    if not 0 < len(proof.steps) <= MOST_STEPS:
        raise InputError(
            f"a figure can show 1 to {MOST_STEPS} steps, but the proof has {len(proof.steps)}; print "
            "it instead"
        )
    nodes: list[_Node] = []
    drawn: set[int] = set()
    for step in proof.steps:
        node = _Node(_wrapped(step.clause), found=bool(step.parents))
        names = set(variables_of(proof.steps[step.parents[0]].clause)) if step.parents else set()
        for place, parent in enumerate(step.parents):
            # variables of the second parent were renamed: they are those that the first parent lacks
            theta = step.theta.restrict(each for each in step.theta if (each in names) == (place == 0))
            above = _Node(nodes[parent].text, nodes[parent].found) if parent in drawn else nodes[parent]
            drawn.add(parent)
            above.label = str(theta) if theta else ""
            node.above.append(above)
        nodes.append(node)
    return _drawn(nodes[-1])


def draw_inverse_resolution(steps: InverseResolvent | Sequence[InverseResolvent]) -> Figure:
    """Draw inverse resolution as in Fig. 10.3: the example at the bottom, the induced clause at the top right.

    Parameters
    ----------
    steps : InverseResolvent or sequence of InverseResolvent
        Steps, each of which starts from the clause found by the previous one.
    """
    steps = [steps] if isinstance(steps, InverseResolvent) else list(steps)
    if not 0 < len(steps) <= MOST_STEPS:
        raise InputError(
            f"a figure can show 1 to {MOST_STEPS} steps of inverse resolution, not {len(steps)}; give "
            "fewer steps"
        )
    bottom = node = _Node(_wrapped(steps[0].clause))
    for before, step in zip([None, *steps[:-1]], steps, strict=True):
        if before is not None and before.second != step.clause:
            raise InputError(
                f"the step to {write_disjunction(step.second)} does not start from the clause of the "
                "previous step; give consecutive steps"
            )
        theta1 = str(step.theta1) if step.theta1 else ""
        inverse = str(step.theta2_inverse) if step.theta2_inverse.replaced else ""
        second = _Node(_wrapped(step.second), found=True, label=inverse)
        node.above = [_Node(_wrapped(step.first), label=theta1), second]
        node = second
    return _drawn(bottom)


def _wrapped(clause: Iterable[Literal]) -> str:
    # lines may break only after the operator between two literals; other spaces are protected
    kept = write_disjunction(clause).replace(" ", "\N{NO-BREAK SPACE}")
    sign = "\N{LOGICAL OR}"
    ends = kept.replace(f"{sign}\N{NO-BREAK SPACE}", f"{sign} ")
    return "\n".join(textwrap.wrap(ends, LINE_LENGTH, break_long_words=False, break_on_hyphens=False))


def _drawn(bottom: _Node) -> Figure:
    nodes, children = [bottom], []
    for node in nodes:
        children.append(list(range(len(nodes), len(nodes) + len(node.above))))
        nodes += node.above
    boxes = [Box(node.text, PALE, PALETTE[0] if node.found else GREY, label=node.label) for node in nodes]
    return draw_tree(boxes, children, rising=True)
