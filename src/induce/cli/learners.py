"""`induce learners`: the catalogue."""

from __future__ import annotations

from induce.cli.options import Json


def learners(as_json: Json = False) -> None:
    """List the learners with what they need and give."""
    from induce.cli.output import put_json, put_table
    from induce.core.declarations import learners as catalogue

    rows = [(entry.name, entry.summary, entry.needs, entry.gives) for entry in catalogue()]
    if as_json:
        keys = ("name", "summary", "needs", "gives", "face")
        faces = [entry.face for entry in catalogue()]
        put_json([dict(zip(keys, (*row, face), strict=True)) for row, face in zip(rows, faces, strict=True)])
    else:
        put_table(("learner", "what it does", "needs", "gives"), rows)
