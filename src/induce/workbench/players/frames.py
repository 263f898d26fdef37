"""Frames from events of a trace: boundaries, growing trees, and tables of other events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Frame = dict[str, Any]


def boundary_frames(events: Sequence[dict[str, Any]]) -> list[Frame]:
    """Return the boundaries of a version space after each example; Find-S has only S.

    Examples
    --------
    >>> boundary_frames([{"kind": "start", "h": ["∅"]}])[0]["S"]
    [['∅']]
    """
    frames = []
    for event in events:
        specific = [event["h"]] if "h" in event else event["S"]
        frame = {"picture": "boundaries", "S": specific, "G": event.get("G"), "left": event.get("left", [])}
        if event["kind"] == "start":
            said = "S holds the hypothesis that covers nothing"
            said += "." if event.get("G") is None else ", G the one that covers everything."
        else:
            sign = "positive" if event["positive"] else "negative"
            said = f"Row {event['row'] + 1} is a {sign} example."
            frame["row"] = event["row"]
        frames.append({**frame, "caption": said})
    return frames


def tree_frames(events: Sequence[dict[str, Any]], view: dict[str, Any]) -> list[Frame]:
    """Return the tree after each split with the merit of every attribute; the last frame is the learned tree.

    Parameters
    ----------
    events : list of dict
        Events of kind `split`, and of kind `prune` if the learner prunes.
    view : dict
        View of the learned tree.
    """
    classes = view["classes"]
    frames: list[Frame] = []
    nodes: list[dict[str, Any]] = []
    for event in events:
        if event["kind"] == "prune":
            frames += _pruned_frame(nodes, view, event)
            continue
        if event["kind"] != "split":
            continue
        if not nodes:
            root = {"parent": -1, "condition": "", "tests": "", "counts": event["counts"]}
            nodes.append(root | {"number": event["node"], "branch": None})
            frames.append(_tree_frame(nodes, view, "All examples are at the root.", 0, []))
        node = _node_of(nodes, event)
        place = nodes.index(node)
        node["tests"] = event["chosen"]
        for branch, counts in enumerate(event["branches"]):
            child = {"parent": place, "condition": _condition(event, branch), "tests": "", "counts": counts}
            nodes.append(child | {"number": None, "branch": branch})
        ranked = sorted(event["candidates"].items(), key=lambda each: -each[1]["merit"])
        gains = [
            {"name": name, "value": told["merit"], "mark": name == event["chosen"]} for name, told in ranked
        ]
        where = "At the root" if place == 0 else f"Where {_path(nodes, place)}"
        said = f"{where}, {event['chosen']} separates {' and '.join(classes)} best."
        frames.append(_tree_frame(nodes, view, said, place, gains))
    final = {key: view[key] for key in ("parent", "condition", "tests", "says", "weight", "counts", "class")}
    final |= {"classes": classes, "view": "tree", "target": view["target"]}
    frames.append({"picture": "tree", "caption": "The learned tree.", "tree": final, "node": 0})
    return frames


def _node_of(nodes: list[dict[str, Any]], event: dict[str, Any]) -> dict[str, Any]:
    """Return the node that is split, identified by its parent and branch."""
    if event["parent"] is None:
        return nodes[0]
    parent = next(place for place, node in enumerate(nodes) if node["number"] == event["parent"])
    found = next(node for node in nodes if node["parent"] == parent and node["branch"] == event["branch"])
    found["number"] = event["node"]
    return found


def _pruned_frame(nodes: list[dict[str, Any]], view: dict[str, Any], event: dict[str, Any]) -> list[Frame]:
    """Remove the descendants of a node; return None for a raised branch or a removed node."""
    place = next((place for place, node in enumerate(nodes) if node["number"] == event["node"]), None)
    if place is None or event.get("raised") is not None:
        return []
    below = {place}
    for node, each in enumerate(nodes):  # parents come before their children
        if each["parent"] in below:
            below.add(node)
    left = [node for node in range(len(nodes)) if node == place or node not in below]
    where = {old: new for new, old in enumerate(left)}
    nodes[place]["tests"] = ""
    nodes[:] = [nodes[old] | {"parent": where.get(nodes[old]["parent"], -1)} for old in left]
    said = "Everything below the root" if place == 0 else f"Everything below {_path(nodes, where[place])}"
    errors = f": {event['as_leaf']:.3g} errors as a leaf, {event['as_tree']:.3g} as a subtree"
    return [_tree_frame(nodes, view, f"{said} is pruned{errors}.", where[place], [])]


def _condition(event: dict[str, Any], branch: int) -> str:
    if event.get("threshold") is None:
        values = event.get("values")
        return (
            f"{event['chosen']} = {values[branch]}" if values else f"{event['chosen']}, branch {branch + 1}"
        )
    return f"{event['chosen']} {'<=' if branch == 0 else '>'} {event['threshold']:g}"


def _path(nodes: list[dict[str, Any]], place: int) -> str:
    told: list[str] = []
    while place > 0:
        told.append(nodes[place]["condition"])
        place = nodes[place]["parent"]
    return " and ".join(reversed(told))


def _tree_frame(
    nodes: list[dict[str, Any]], view: dict[str, Any], said: str, node: int, gains: list[dict[str, Any]]
) -> Frame:
    classes = view["classes"]
    best = [max(range(len(classes)), key=lambda k: each["counts"][k]) for each in nodes]
    tree = {
        "view": "tree",
        "target": view["target"],
        "classes": classes,
        "parent": [each["parent"] for each in nodes],
        "condition": [each["condition"] for each in nodes],
        "tests": [each["tests"] for each in nodes],
        "counts": [list(each["counts"]) for each in nodes],
        "weight": [sum(each["counts"]) for each in nodes],
        "class": best,
        "says": [str(classes[k]) for k in best],
    }
    frame = {"picture": "tree", "caption": said, "tree": tree, "node": node}
    return (
        frame | {"also": [{"picture": "bars", "title": "merit of each test", "bars": gains}]}
        if gains
        else frame
    )


def told_frames(events: Sequence[dict[str, Any]]) -> list[Frame]:
    """Show each event as a table of its fields."""
    return [
        {
            "picture": "told",
            "caption": event["kind"] + (f" (inside {' > '.join(event['scope'])})" if event["scope"] else ""),
            "fields": [[name, value] for name, value in event.items() if name not in ("kind", "scope")],
        }
        for event in events
    ]
