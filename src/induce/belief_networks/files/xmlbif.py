"""The XML form of the Bayesian Interchange Format (XMLBIF), version 0.3."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape

import numpy as np

from induce.belief_networks.conditionals.base import Floats, check_table_size
from induce.belief_networks.files.draft import Draft, spelled, table_of, texts_of
from induce.belief_networks.files.xml import NAME, VALUES, kept_name, parsed, spells, text_of
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.representation import Representation
from induce.core.errors import InputError
from induce.data.names import unknown


def read_xmlbif(data: bytes) -> BeliefNetwork:
    """Parse a network from XMLBIF.

    Examples
    --------
    >>> network = read_xmlbif(b'''<BIF VERSION="0.3"><NETWORK><NAME>weather</NAME>
    ... <VARIABLE TYPE="nature"><NAME>Rain</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
    ... <DEFINITION><FOR>Rain</FOR><TABLE>0.2 0.8</TABLE></DEFINITION></NETWORK></BIF>''')
    >>> network.column("Rain").domain
    ('yes', 'no')
    """
    root = parsed(data)
    network = root.find("NETWORK")
    if root.tag != "BIF" or network is None:
        raise InputError(
            f"the root element is {root.tag!r}; an XMLBIF file has the root BIF, which contains a NETWORK"
        )
    title = next((rest for key, rest in _properties(network) if key == NAME), "")
    draft = Draft(kept_name(title) if title else text_of(network, "NAME"))
    for variable in network.iter("VARIABLE"):
        _add_variable(draft, variable)
    for definition in network.iter("DEFINITION"):
        _add_definition(draft, definition)
    return draft.network()


def _add_variable(draft: Draft, variable: Element) -> None:
    name = text_of(variable, "NAME")
    outcomes = [(each.text or "").strip() for each in [*variable.iter("OUTCOME"), *variable.iter("VALUE")]]
    kind = variable.get("TYPE", "nature")
    if kind != "nature":
        raise InputError(f"variable {name!r} has the type {kind!r}; only 'nature' is supported")
    if not name or name in draft.columns:
        raise InputError(
            f"the name {name!r} of a variable is empty or not unique; give every variable its own name"
        )
    kept = dict(_properties(variable))
    draft.add(name, outcomes, kept_name(kept.get(NAME, "")), kept.get(VALUES, ""))


def _properties(element: Element) -> Iterator[tuple[str, str]]:
    """Yield the properties of an element, each split into its first word and the rest."""
    for each in element.findall("PROPERTY"):
        key, _, rest = (each.text or "").strip().partition(" ")
        yield key, rest


def _add_definition(draft: Draft, definition: Element) -> None:
    node = text_of(definition, "FOR")
    parents = tuple((each.text or "").strip() for each in definition.iter("GIVEN"))
    for each in (node, *parents):
        if each not in draft.columns:
            raise unknown("variable", each, draft.columns)
    if node in draft.conditionals:
        raise InputError(f"variable {node!r} is defined twice; remove one definition")
    draft.parents[node] = parents
    check_table_size(draft.columns[node], [draft.columns[parent] for parent in parents])
    draft.set_table(node, numbers(node, text_of(definition, "TABLE"), draft.shape(node)))


def numbers(node: str, text: str, shape: Sequence[int]) -> Floats:
    """Parse the table of a node, with the node's values varying fastest."""
    try:
        found = np.array(text.split(), np.float64)
    except ValueError as error:
        raise InputError(
            f"the table of {node!r} contains a non-number ({error}); write numbers only"
        ) from None
    if found.size != np.prod(shape):
        raise InputError(f"the table of {node!r} has {found.size} entries; {np.prod(shape)} are needed")
    return found.reshape(shape)


def write_xmlbif(network: Representation) -> str:
    """Return a network in XMLBIF.

    Examples
    --------
    >>> print(write_xmlbif(BeliefNetwork.of({}, {"Rain": {"yes": 0.2, "no": 0.8}}, name="weather")))
    <?xml version="1.0" encoding="UTF-8"?>
    <BIF VERSION="0.3">
    <NETWORK>
    <NAME>weather</NAME>
    <VARIABLE TYPE="nature">
      <NAME>Rain</NAME>
      <OUTCOME>yes</OUTCOME>
      <OUTCOME>no</OUTCOME>
    </VARIABLE>
    <DEFINITION>
      <FOR>Rain</FOR>
      <TABLE>0.2 0.8</TABLE>
    </DEFINITION>
    </NETWORK>
    </BIF>
    """
    names = [name if spells(name) else f"variable {k}" for k, name in enumerate(network.nodes, start=1)]
    title = network.name if spells(network.name) else "network"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<BIF VERSION="0.3">',
        "<NETWORK>",
        _line("NAME", title, 0),
    ]
    if title != network.name:
        lines.append(_line("PROPERTY", f"{NAME} {json.dumps(network.name)}", 0))
    for name, column in zip(names, network.schema, strict=True):
        texts = [
            text if spells(text) else f"value {k}" for k, text in enumerate(texts_of(column.domain), start=1)
        ]
        lines += [
            '<VARIABLE TYPE="nature">',
            _line("NAME", name),
            *(_line("OUTCOME", text) for text in texts),
        ]
        if name != column.name:
            lines.append(_line("PROPERTY", f"{NAME} {json.dumps(column.name)}"))
        if texts != list(column.domain):
            lines.append(_line("PROPERTY", f"{VALUES} {spelled(column.domain)}"))
        lines.append("</VARIABLE>")
    for node, parents in enumerate(network.parents):
        table = " ".join(map(repr, table_of(network, node).reshape(-1).tolist()))
        given = [_line("GIVEN", names[parent]) for parent in parents]
        lines += ["<DEFINITION>", _line("FOR", names[node]), *given, _line("TABLE", table), "</DEFINITION>"]
    return "\n".join([*lines, "</NETWORK>", "</BIF>"])


def _line(tag: str, text: str, indent: int = 2) -> str:
    return f"{' ' * indent}<{tag}>{escape(text)}</{tag}>"
