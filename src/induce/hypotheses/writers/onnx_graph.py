"""A graph of ONNX operators as plain data, and its file form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from induce.core.errors import InputError, not_installed

OPERATORS = {"": 17, "ai.onnx.ml": 3}
"""Operator sets and their versions."""
LEARNED = "ai.onnx.ml"
TYPES = {"f": "DOUBLE", "i": "INT64", "b": "BOOL", "U": "STRING"}
"""ONNX types by numpy kinds."""


@dataclass(frozen=True)
class Node:
    """An operator with the names of its inputs and outputs, and its attributes."""

    operator: str
    takes: tuple[str, ...]
    gives: str
    attributes: dict[str, Any]


@dataclass
class Graph:
    """Operators in the order in which they are applied.

    Parameters
    ----------
    columns : sequence of str
        Reserved names of the graph.

    Examples
    --------
    >>> graph = Graph(["x"])
    >>> x = graph.reads("x", "f")
    >>> graph.add("Mul", x, graph.constant(np.array(2.0)))
    'Mul_2'
    """

    columns: Iterable[str]
    inputs: dict[str, str] = field(default_factory=dict)
    constants: dict[str, NDArray[Any]] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)

    def reads(self, name: str, kind: str) -> str:
        """Add an input for a column of rows: an array with one column, of a numpy kind."""
        self.inputs[name] = kind
        return name

    def constant(self, values: NDArray[Any]) -> str:
        """Add a constant array, and return its name."""
        name = self._free("constant")
        self.constants[name] = values
        return name

    def add(self, operator: str, *takes: str, gives: str | None = None, **attributes: Any) -> str:
        """Apply an operator, and return the name of its output."""
        name = self._free(operator) if gives is None else gives
        self.nodes.append(Node(operator, takes, name, attributes))
        return name

    def _free(self, stem: str) -> str:
        name = f"{stem}_{len(self.nodes) + len(self.constants) + 1}"
        while name in self.columns:
            name = "_" + name
        return name


def written(graph: Graph, outputs: dict[str, tuple[str, int | None]]) -> bytes:
    """Return a graph as an ONNX file.

    Parameters
    ----------
    graph : Graph
    outputs : dict
        Numpy kind of each output array and its number of columns, None if it has no second axis.
    """
    try:
        onnx = import_module("onnx")
    except ImportError:
        raise not_installed("export to ONNX", "onnx") from None
    helper, types = onnx.helper, onnx.TensorProto

    def described(name: str, kind: str, width: int | None) -> Any:
        shape = [None] if width is None else [None, width]
        return helper.make_tensor_value_info(name, getattr(types, TYPES[kind]), shape)

    def held(name: str, values: NDArray[Any]) -> Any:
        if values.dtype.kind == "U":
            return helper.make_tensor(name, types.STRING, values.shape, [v.encode() for v in values.tolist()])
        return onnx.numpy_helper.from_array(np.ascontiguousarray(values), name)

    nodes = []
    for node in graph.nodes:
        more = node.attributes
        if "to" in more:
            more = {**more, "to": getattr(types, more["to"])}
        domain = LEARNED if node.operator == "LabelEncoder" else ""
        nodes.append(helper.make_node(node.operator, node.takes, [node.gives], domain=domain, **more))
    model = helper.make_model(
        helper.make_graph(
            nodes,
            "induce",
            [described(name, kind, 1) for name, kind in graph.inputs.items()],
            [described(name, *each) for name, each in outputs.items()],
            [held(name, values) for name, values in graph.constants.items()],
        ),
        opset_imports=[helper.make_opsetid(name, version) for name, version in OPERATORS.items()],
        producer_name="induce",
        ir_version=8,
    )
    try:
        onnx.checker.check_model(model)
    except onnx.checker.ValidationError as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"cannot write the hypothesis as ONNX: {reason}") from None
    return bytes(model.SerializeToString())
