"""NETWORK arguments: a network file, a model, or a shipped network."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from induce.belief_networks.network import BeliefNetwork


def opened_network(source: str) -> BeliefNetwork:
    """Return the network named by `source`; a file is preferred to a shipped network of the same name."""
    from induce.belief_networks.library import NETWORKS, textbook_network
    from induce.core.errors import InputError

    if not os.path.exists(source) and source in NETWORKS:
        return textbook_network(source)
    try:
        network: BeliefNetwork = opened_hypothesis(source).to_network()
    except InputError as problem:
        raise InputError(f"{source!r} cannot be queried: {problem}") from None
    return network


def opened_hypothesis(source: str) -> Any:
    """Return the hypothesis of a model file, or the network of a network file."""
    from induce.belief_networks.files.formats import format_of
    from induce.core.persistence import load_hypothesis

    if format_of(source) is None:
        return load_hypothesis(source)
    from induce.belief_networks.files.network_file import read_network

    return read_network(source)


def assignments(words: Sequence[str], network: BeliefNetwork, option: str) -> dict[str, str]:
    """Return the nodes and values of words such as ``Thunder=True``; node names may contain an equals sign."""
    from induce.core.errors import InputError

    found: dict[str, str] = {}
    for word in words:
        places = [k for k, letter in enumerate(word) if letter == "="]
        if not places:
            raise InputError(f"{option} is {word!r}; write NODE=VALUE")
        cut = next((k for k in places if word[:k].strip() in network.nodes), places[0])
        name = word[:cut].strip()
        if name in found:
            raise InputError(f"{option} gives {name!r} twice; give it once")
        found[name] = word[cut + 1 :].strip()
    return found
