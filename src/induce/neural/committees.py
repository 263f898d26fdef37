"""Committees: several networks whose outputs are averaged, represented as one network (Mitchell §4.6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.neural.network import Group, Link, Network
from induce.neural.plan import link_key


def committee(networks: Sequence[Network], weights: Any = None) -> Network:
    """Return a network whose outputs are the mean of the outputs of several networks.

    The members see the same inputs. Their outputs go into linear units with frozen weights.

    Parameters
    ----------
    networks : sequence of Network
        Networks with the same input and output groups.
    weights : array, optional
        Weight of each member; the weights are normalised to sum to 1.

    Examples
    --------
    >>> one = Network.layered(1, 1, unit="linear").with_weights([0.0, 1.0])
    >>> both = committee([one, one.with_weights([0.0, 3.0])])
    >>> both([[1.0], [2.0]]).ravel().tolist()
    [2.0, 4.0]
    """
    members = tuple(networks)
    if not members:
        raise InputError("networks is empty; give at least one member")
    shares = np.ones(len(members)) if weights is None else np.asarray(weights, np.float64)
    if shares.shape != (len(members),) or (shares < 0).any() or not shares.sum() > 0:
        raise InputError(
            f"weights of the committee are invalid; give {len(members)} non-negative numbers, not all 0"
        )
    ends = [(_inputs(each), [each.group(name).size for name in each.outputs]) for each in members]
    if any(other != ends[0] for other in ends):
        raise InputError(
            "the members of a committee have different inputs or outputs; give networks with the same ones"
        )
    groups = list(_inputs(members[0]))
    links: list[Link] = []
    for number, member in enumerate(members, 1):
        groups += [_renamed(group, number) for group in member.groups if group.unit != "input"]
        links += [_relinked(member, link, number) for link in member.links]
    outputs = [Group(name, members[0].group(name).size, "linear", bias=False) for name in members[0].outputs]
    for place, group in enumerate(outputs):
        same = np.where(np.eye(group.size, dtype=bool), 0, -1)
        links += [
            Link(f"{member.outputs[place]} {number}", group.name, same, frozen=True)
            for number, member in enumerate(members, 1)
        ]
    made = Network.of([*groups, *outputs], links, [group.name for group in outputs])
    values = np.zeros(made.n_weights)
    for number, (member, share) in enumerate(zip(members, shares / shares.sum(), strict=True), 1):
        for name, block in _blocks(member, number):
            values[made.plan.blocks[name]] = member.weights[block]
        for place, group in enumerate(outputs):
            values[made.plan.blocks[f"{member.outputs[place]} {number}", group.name]] = share
    return made.with_weights(values)


def members(network: Network) -> tuple[Network, ...]:
    """Return the members of a committee; any other network is its only member.

    Parameters
    ----------
    network : Network
        Committee made by `committee`, or any other network.

    Examples
    --------
    >>> one = Network.layered(1, 1, unit="linear").with_weights([0.0, 1.0])
    >>> [member.weights.tolist() for member in members(committee([one, one.with_weights([0.0, 3.0])]))]
    [[0.0, 1.0], [0.0, 3.0]]
    """
    ends = {name: [link for link in network.links if link.target == name] for name in network.outputs}
    sources = [[link.source for link in links] for links in ends.values()]
    n = len(sources[0])
    named = all(
        each == [f"{name} {k}" for k in range(1, n + 1)] for name, each in zip(ends, sources, strict=True)
    )
    if not n or not named or not all(link.frozen for links in ends.values() for link in links):
        return (network,)
    return tuple(_member(network, number) for number in range(1, n + 1))


def _member(network: Network, number: int) -> Network:
    """Return a member of a committee with its original names."""
    own = [group for group in network.groups if group.name.endswith(f" {number}")]
    own = [replace(group, name=_bare(group.name), shares=_bare(group.shares)) for group in own]
    names = {group.name for group in own}
    links = [
        replace(
            link,
            source=_bare(link.source) if _bare(link.source) in names else link.source,
            target=_bare(link.target),
            shares=_bare(link.shares),
        )
        for link in network.links
        if link.target.endswith(f" {number}")
    ]
    made = Network.of([*_inputs(network), *own], links, network.outputs)
    weights = np.zeros(made.n_weights)
    for name, block in _blocks(made, number):
        weights[block] = network.weights[network.plan.blocks[name]]
    return made.with_weights(weights)


def _bare(name: str) -> str:
    return name.rsplit(" ", 1)[0]


def _inputs(network: Network) -> tuple[Group, ...]:
    return tuple(group for group in network.groups if group.unit == "input")


def _renamed(group: Group, number: int) -> Group:
    shares = f"{group.shares} {number}" if group.shares else ""
    return replace(group, name=f"{group.name} {number}", shares=shares)


def _name(network: Network, name: str, number: int) -> str:
    return name if network.group(name).unit == "input" else f"{name} {number}"


def _relinked(network: Network, link: Link, number: int) -> Link:
    source, target = (_name(network, name, number) for name in (link.source, link.target))
    return replace(
        link, source=source, target=target, shares=f"{link.shares} {number}" if link.shares else ""
    )


def _blocks(network: Network, number: int) -> list[tuple[Any, slice]]:
    """Return the positions of the weights of a member, by their names in the committee."""
    blocks = network.plan.blocks
    found: list[tuple[Any, slice]] = [
        (f"{group.name} {number}", blocks[group.name]) for group in network.groups if group.name in blocks
    ]
    return found + [
        (link_key(_relinked(network, link, number)), blocks[link_key(link)]) for link in network.links
    ]
