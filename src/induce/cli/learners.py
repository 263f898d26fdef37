"""`induce learners`: the catalogue."""

from __future__ import annotations

from induce.cli.options import Json


def learners(as_json: Json = False) -> None:
    """List the learners with what they need and give."""
    from induce.cli.output import put_json, put_table
    from induce.core.declarations import learners as catalogue

    rows = [(entry.name, entry.summary, entry.needs, entry.gives) for entry in catalogue()]
    if as_json:
        put_json([dict(zip(("name", "summary", "needs", "gives"), row, strict=True)) for row in rows])
    else:
        put_table(("learner", "what it does", "needs", "gives"), rows)
