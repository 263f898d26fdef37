"""Players of rule learners: CN2's beam, FOIL's literals, Prolog-EBG's proof, AdaBoost's votes."""

from __future__ import annotations

import re
from typing import Any

import induce
from induce.core.trace import trace
from induce.workbench.players.frames import Frame
from induce.workbench.players.sheet import Sheet

MOST_BARS = 12
TITLE = "score of each candidate; the best so far is highlighted"


def cn2(sheet: Sheet) -> tuple[list[Frame], Any]:
    """Play sequential covering with a beam (Mitchell, tables 10.1 and 10.2)."""
    X, y = sheet.frame()
    with trace(("beam", "rule"), inner=False) as events:
        learned = induce.CN2(ordered=True, measure="entropy", pruning=None).fit(X, y).hypothesis_
    view = learned.to_view()
    head = {"picture": "rules", "classes": view["classes"], "ordered": True}
    found: list[dict[str, Any]] = []
    frames: list[Frame] = []

    def frame(caption: str, also: list[Frame]) -> Frame:
        default = {"prediction": "?", "counts": [0.0] * len(view["classes"])}
        return head | {"caption": caption, "rules": list(found), "default": default, "also": also}

    frames.append(frame("There is no rule yet.", []))
    for event in events.as_list():
        if event["kind"] == "beam":
            bars = [
                {"name": each["rule"], "value": each["score"], "mark": each["best"] or each["kept"]}
                for each in event["members"][:MOST_BARS]
            ]
            said = (
                f"Rule {len(found) + 1}, step {event['step']}: {event['candidates']} candidates are scored."
            )
            frames.append(frame(said, [{"picture": "bars", "title": TITLE, "bars": bars}]))
            continue
        counts, k = event["counts"], view["classes"].index(event["prediction"])
        found.append(
            {key: event[key] for key in ("conditions", "prediction", "counts")}
            | {"covered": sum(counts), "correct": counts[k]}
        )
        covered = f"{sum(counts):g} row{'s' * (sum(counts) != 1)}"
        frames.append(frame(f"Rule {len(found)} covers {covered}, which are removed.", []))
    frames.append({"picture": "rules", "caption": "The learned rules.", **view})
    return frames, learned


def foil(sheet: Sheet) -> tuple[list[Frame], Any]:
    """Play FOIL on the pairs of four people (Mitchell, table 10.4 and section 10.5.2)."""
    from induce.textbook.relational import _foil

    first, second, wanted = sheet.columns
    rows = list(zip(sheet.column(first), sheet.column(second), strict=True))
    with trace(("candidates", "literal", "clause"), inner=False) as events:
        learned = _foil().fit(rows, [each == "yes" for each in sheet.column(wanted)]).hypothesis_
    view = learned.to_view()
    done: list[dict[str, Any]] = []
    frames: list[Frame] = []

    def frame(caption: str, clause: str, counts: list[float], also: list[Frame]) -> Frame:
        growing = [] if not clause else [clause_of(clause, counts)]
        told = {"clauses": [*done, *growing], "rest": {"text": view["rest"]["text"], "counts": [0.0, 0.0]}}
        return {"picture": "clauses", "classes": view["classes"], "caption": caption, **told, "also": also}

    for event in events.as_list():
        if event["kind"] == "candidates" and event.get("p0") is not None:
            best = sorted(event["candidates"], key=lambda each: -each[4])[:MOST_BARS]
            most = max((each[4] for each in best), default=0.0)
            bars = [
                {
                    "name": each[0],
                    "value": each[4],
                    "text": f"{each[4]:.3g} ({each[2]} positive, {each[3]} negative)",
                }
                | {"mark": each[4] >= most - 1e-9}
                for each in best
            ]
            said = f"The clause has {event['p0']} positive and {event['n0']} negative bindings."
            also = [{"picture": "bars", "title": "Foil_Gain of each literal", "bars": bars}]
            frames.append(frame(said, event["clause"], [event["n0"], event["p0"]], also))
        elif event["kind"] == "literal":
            said = f"{event['literal']} has the highest gain, {event['gain']:.3g}, and is added."
            frames.append(frame(said, event["clause"], [event["n1"], event["p1"]], []))
        elif event["kind"] == "clause" and event.get("accepted", True):
            counts = [float(event.get("negative") or 0), float(event.get("positive") or 0)]
            done.append(clause_of(event["clause"], counts))
            frames.append(frame("The clause is kept; the examples that it covers are removed.", "", [], []))
    frames.append({"picture": "clauses", "caption": "The learned clauses.", **view})
    return frames, learned


def clause_of(text: str, counts: list[float]) -> dict[str, Any]:
    """Split a clause that is written as text into its parts.

    Examples
    --------
    >>> clause_of("p(A) :- q(A, B), r(B).", [0, 1])["body"]
    ['q(A, B)', 'r(B)']
    """
    head, _, body = text.strip().rstrip(".").partition(" :- ")
    parts, depth = [""], 0
    for letter in body:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return {"head": head, "body": [each.strip() for each in parts if each.strip()], "counts": counts}


def prolog_ebg(sheet: Sheet) -> tuple[list[Frame], Any]:
    """Play the proof of an example and the regression through it (Mitchell, tables 11.2 and 11.3)."""
    from induce.analytical.examples import SAFE_TO_STACK
    from induce.logic.background.relations import Relations

    facts = " ".join(f"{what}({thing}, {value})." for what, thing, value in sheet.rows)
    learner = induce.PrologEBG(SAFE_TO_STACK, Relations(program=facts), negation=False)
    with trace(("explain", "regress"), inner=False) as events:
        learned = learner.fit([["obj1", "obj2"]], [True]).hypothesis_
    told = events.as_list()
    frames: list[Frame] = []
    for proof in (event for event in told if event["kind"] == "explain"):
        lines = proof_lines(proof["proof"])
        frames.append({"picture": "proof", "caption": f"Why {proof['example']} holds.", "lines": lines})
    lines = frames[-1]["lines"] if frames else []
    for event in (event for event in told if event["kind"] == "regress"):
        name = event["literal"].partition("(")[0]
        lit = [each | {"lit": each["text"].startswith(f"{name}(")} for each in lines]
        said = f"{event['literal']} is the conclusion of the rule; its conditions replace it."
        frames.append(
            {"picture": "proof", "caption": said, "lines": lit}
            | {"rule": event["rule"], "frontier": event["frontier"]}
        )
    frames.append({"picture": "clauses", "caption": "The learned rule.", **learned.to_view()})
    return frames, learned


def proof_lines(text: str) -> list[dict[str, Any]]:
    """Return the lines of a proof with their depths.

    Examples
    --------
    >>> [(each["depth"], each["text"]) for each in proof_lines("a\\n└─ b\\n   └─ c [built-in]")]
    [(0, 'a'), (1, 'b'), (2, 'c')]
    """
    lines = []
    for line in text.splitlines():
        bare = re.sub(r"^[\s│├└─]*", "", line)
        said, _, note = bare.partition(" [")
        lines.append(
            {"depth": (len(line) - len(bare)) // 3, "text": said, "note": f"[{note}" if note else ""}
        )
    return lines


def adaboost(sheet: Sheet) -> tuple[list[Frame], Any]:
    """Play five rounds of boosting, which increase the weights of misclassified rows (AIMA, figure 18.34)."""
    X, y = sheet.frame()
    with trace("round", inner=False) as events:
        learned = induce.AdaBoost(n_estimators=5).fit(X, y).hypothesis_
    frames: list[Frame] = []
    members: list[dict[str, Any]] = []
    for event in events.as_list():
        weights = event["weights"]
        heavy = max(weights) > min(weights) + 1e-9
        bars = [
            {"name": f"row {row + 1}", "value": weight, "mark": heavy and weight >= max(weights) - 1e-9}
            for row, weight in enumerate(weights)
        ]
        members.append({"text": event["hypothesis"], "vote": event["vote"]})
        said = f"Round {event['number']}: {event['hypothesis']} has weighted error {event['error']:.3g}."
        also = [{"picture": "bars", "title": "weight of each row in this round", "bars": bars}]
        frames.append({"picture": "votes", "caption": said, "members": list(members), "also": also})
    _, votes = learned._votes()
    last = {"picture": "votes", "caption": "The learned votes, and the points of each value."}
    frames.append(last | votes | {"also": [{"picture": "nomogram", **learned.to_view()}]})
    return frames, learned
