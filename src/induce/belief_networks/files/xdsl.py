"""XDSL, the file format of GeNIe and SMILE."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape

import numpy as np

from induce.belief_networks.conditionals.base import check_table_size
from induce.belief_networks.files.draft import Draft, spelled, table_of, texts_of
from induce.belief_networks.files.xml import NAME, VALUES, kept_name, parsed, spells, text_of
from induce.belief_networks.files.xmlbif import numbers
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.representation import Representation
from induce.core.errors import InputError
from induce.data.names import unknown

IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")


def read_xdsl(data: bytes) -> BeliefNetwork:
    """Parse a network from XDSL.

    Examples
    --------
    >>> network = read_xdsl(b'''<smile version="1.0" id="weather"><nodes><cpt id="Rain"><state id="yes"/>
    ... <state id="no"/><probabilities>0.2 0.8</probabilities></cpt></nodes></smile>''')
    >>> network.name, network.column("Rain").domain
    ('weather', ('yes', 'no'))
    """
    root = parsed(data)
    nodes = root.find("nodes")
    if root.tag != "smile" or nodes is None:
        raise InputError(
            f"the root element is {root.tag!r}; an XDSL file has the root smile, which contains nodes"
        )
    title = {each.get("id"): each.text or "" for each in root.findall("properties/property")}.get(NAME, "")
    draft = Draft(kept_name(title) if title else root.get("id", ""))
    for element in _in_order(root, nodes):
        name = element.get("id", "")
        if element.tag not in ("cpt", "deterministic"):
            raise InputError(
                f"node {name!r} has the type {element.tag}; only cpt and deterministic are supported"
            )
        if not name or name in draft.columns:
            raise InputError(f"the id {name!r} of a node is empty or not unique; give every node its own id")
        kept = {each.get("id"): (each.text or "").strip() for each in element.iter("property")}
        states = [state.get("id", "") for state in element.iter("state")]
        draft.add(name, states, kept_name(kept.get(NAME, "")), kept.get(VALUES, ""))
    for element in nodes:
        _add_table(draft, element)
    return draft.network()


def _in_order(root: Element, nodes: Element) -> list[Element]:
    """Return the nodes in the order recorded in files written by `induce`; XDSL itself lists parents first."""
    listed = [each.get("id") for each in root.findall("extensions/genie[@app='induce']/node")]
    places = {name: place for place, name in enumerate(listed)}
    return sorted(nodes, key=lambda element: places.get(element.get("id"), len(places)))


def _add_table(draft: Draft, element: Element) -> None:
    node, parents = element.get("id", ""), tuple(text_of(element, "parents").split())
    for parent in parents:
        if parent not in draft.columns:
            raise unknown("node", parent, draft.columns)
    draft.parents[node] = parents
    check_table_size(draft.columns[node], [draft.columns[parent] for parent in parents])
    shape = draft.shape(node)
    if element.tag == "cpt":
        draft.set_table(node, numbers(node, text_of(element, "probabilities"), shape))
        return
    results, states = text_of(element, "resultingstates").split(), draft.texts[node]
    for result in results:
        if result not in states:
            raise unknown(f"state of {node!r}", result, states)
    if len(results) != np.prod(shape[:-1]):
        raise InputError(
            f"node {node!r} has {len(results)} resulting states; {np.prod(shape[:-1])} are needed"
        )
    codes = [states.index(result) for result in results]
    draft.set_table(node, np.eye(shape[-1])[codes].reshape(shape))


def write_xdsl(network: Representation) -> str:
    """Return a network in XDSL.

    Identifiers consist of letters, digits and underscores; other names and values are stored as properties.

    Examples
    --------
    >>> print(write_xdsl(BeliefNetwork.of({}, {"Rain": {"yes": 0.2, "no": 0.8}}, name="weather")))
    <?xml version="1.0" encoding="UTF-8"?>
    <smile version="1.0" id="weather">
    <nodes>
      <cpt id="Rain">
        <state id="yes" />
        <state id="no" />
        <probabilities>0.2 0.8</probabilities>
      </cpt>
    </nodes>
    <extensions>
    <genie version="1.0" app="induce">
      <node id="Rain"><name>Rain</name></node>
    </genie>
    </extensions>
    </smile>
    """
    names = list(_identifiers(network.nodes, "node"))
    (title,) = _identifiers([network.name or "network"], "network")
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<smile version="1.0" id="{title}">']
    if title != network.name:
        kept = f'<property id="{NAME}">{escape(json.dumps(network.name))}</property>'
        lines += ["<properties>", f"  {kept}", "</properties>"]
    lines.append("<nodes>")
    for node in network.graph.order:
        column = network.schema.columns[node]
        states = list(_identifiers(texts_of(column.domain), "state"))
        lines.append(f'  <cpt id="{names[node]}">')
        lines += [f'    <state id="{state}" />' for state in states]
        if network.parents[node]:
            lines.append(f"    <parents>{' '.join(names[k] for k in network.parents[node])}</parents>")
        table = " ".join(map(repr, table_of(network, node).reshape(-1).tolist()))
        lines.append(f"    <probabilities>{table}</probabilities>")
        if names[node] != column.name:
            lines.append(f'    <property id="{NAME}">{escape(json.dumps(column.name))}</property>')
        if states != list(column.domain):
            lines.append(f'    <property id="{VALUES}">{escape(spelled(column.domain))}</property>')
        lines.append("  </cpt>")
    lines += ["</nodes>", "<extensions>", '<genie version="1.0" app="induce">']
    for name, shown in zip(names, network.nodes, strict=True):
        lines.append(f'  <node id="{name}"><name>{escape(shown if spells(shown) else name)}</name></node>')
    return "\n".join([*lines, "</genie>", "</extensions>", "</smile>"])


def _identifiers(texts: list[str] | tuple[str, ...], what: str) -> Iterator[str]:
    """Yield a unique identifier for each text: the text itself if valid."""
    taken = {text for text in texts if IDENTIFIER.match(text)}
    for number, text in enumerate(texts, start=1):
        if IDENTIFIER.match(text):
            yield text
            continue
        name = re.sub(r"[^A-Za-z0-9_]", "_", text, flags=re.ASCII)
        name = name if IDENTIFIER.match(name) else f"{what}_{name}"
        while name in taken:
            name += f"_{number}"
        taken.add(name)
        yield name
