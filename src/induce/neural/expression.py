"""Networks as expressions, from which SQL, Python and ONNX are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from induce.core.errors import InputError
from induce.hypotheses.expressions.nodes import (
    Affine,
    Case,
    Comparison,
    Constant,
    Expression,
    Function,
    Largest,
    Let,
    LogSumExp,
    Part,
    Product,
    Sum,
    Variable,
    Vector,
)
from induce.hypotheses.expressions.shapes import inputs_vector

if TYPE_CHECKING:
    from induce.neural.hypothesis import NeuralClassNetwork, NeuralNetwork, TrainedNetwork
    from induce.neural.network import Group, Network


def number_expression(hypothesis: NeuralNetwork, output: int | None = None) -> Expression:
    """Return the network's prediction as an expression: a number, a vector, or one component of a vector."""
    outputs, lets = _layers(hypothesis)
    chosen = range(len(hypothesis.names)) if output is None else [output]
    numbers = [
        Sum(
            (
                Product((Part(outputs, place), Constant(float(hypothesis.scale[place])))),
                Constant(float(hypothesis.offset[place])),
            )
        )
        for place in chosen
    ]
    return _within(lets, numbers[0] if len(numbers) == 1 else Vector(tuple(numbers)))


def class_expression(hypothesis: NeuralClassNetwork) -> Expression:
    """Return the class predicted from the outputs, as an expression."""
    outputs, lets = _layers(hypothesis)
    if decides_by_net(hypothesis.network):
        net = lets[-2][1]
        return _within(
            lets[:-2], Largest(net, tuple(map(Constant, hypothesis.classes)), hypothesis.ties_by_rounding)
        )
    if hypothesis.is_single:
        middle = hypothesis.low + hypothesis.high
        away = Sum((Constant(middle), Product((Constant(-1.0), Part(outputs, 0)))))
        outputs = Vector((away, Part(outputs, 0)))
    says = tuple(map(Constant, hypothesis.classes))
    return _within(lets, Largest(outputs, says, hypothesis.ties_by_rounding))


def decides_by_net(network: Network) -> bool:
    """Return whether the largest net input decides the class: the outputs are a single softmax, computed
    last.
    """
    last = network.groups[network.plan.order[-1]]
    return network.outputs == (last.name,) and last.unit == "softmax"


def _within(lets: list[tuple[str, Expression]], within: Expression) -> Expression:
    for name, value in reversed(lets):
        within = Let(name, value, within)
    return within


def _layers(hypothesis: TrainedNetwork) -> tuple[Expression, list[tuple[str, Expression]]]:
    """Return the outputs, and the output of each group in order of computation."""
    network = hypothesis.network
    lets: list[tuple[str, Expression]] = [("row", inputs_vector(hypothesis.view))]
    row = Variable("row", network.n_inputs)
    known: dict[str, Variable] = {}
    start = 0
    inputs = [group for group in network.groups if group.unit == "input"]
    for number, group in enumerate(inputs):
        known[group.name] = row
        if len(inputs) > 1:
            name = f"x{number}"
            lets.append((name, Vector(tuple(Part(row, start + k) for k in range(group.size)))))
            known[group.name] = Variable(name, group.size)
        start += group.size
    for number, place in enumerate(network.plan.order):
        group = network.groups[place]
        if group.unit == "input":
            continue
        lets.append((f"net{number}", _net(network, group, known)))
        lets.append((f"layer{number}", _said(group, Variable(f"net{number}", group.size))))
        known[group.name] = Variable(f"layer{number}", group.size)
    outputs = [known[name] for name in network.outputs]
    return (outputs[0] if len(outputs) == 1 else Vector(tuple(outputs))), lets


def _net(network: Network, group: Group, known: dict[str, Variable]) -> Expression:
    """Return the net inputs of a group as a weighted sum over each link."""
    offset = network.get(group.name) if group.bias else np.zeros(group.size)
    links = [link for link in network.links if link.target == group.name]
    if not links:
        return Constant(tuple(offset.tolist()))
    terms: list[Expression] = []
    for link in links:
        weights = network.get((link.source, link.target))
        terms.append(Affine(weights.T.copy(), known[link.source], offset))
        offset = np.zeros(group.size)
    return terms[0] if len(terms) == 1 else Sum(tuple(terms))


def _said(group: Group, net: Variable) -> Expression:
    """Return the outputs of units for their net inputs."""
    match group.unit:
        case "linear":
            return net
        case "sigmoid" | "tanh":
            steep = net if group.steepness == 1.0 else Product((Constant(group.steepness), net))
            return Function(group.unit, (steep,))
        case "rectified":
            return Function("larger", (net, Constant(0.0)))
        case "softmax":
            less = Product((Constant(-1.0), LogSumExp(net)))
            return Function("exp", (Vector(tuple(Sum((Part(net, k), less)) for k in range(group.size))),))
        case "threshold":
            sign = ">=" if group.fires_at_zero else ">"
            fires = [Comparison(Part(net, k), sign, Constant(0.0)) for k in range(group.size)]
            return Vector(tuple(Case(((test, Constant(1.0)),), Constant(group.off)) for test in fires))
    raise InputError(f"cannot export {group.unit} units")
