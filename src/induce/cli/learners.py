"""`induce learners`: the catalogue."""

from __future__ import annotations

from induce.cli.options import Json


def learners(as_json: Json = False) -> None:
    """List the learners with what they need and give."""
    from dataclasses import asdict

    from induce.cli.output import put_json, put_table
    from induce.core.declarations import learners as catalogue

    if as_json:
        put_json([asdict(entry) for entry in catalogue()])
    else:
        put_table(
            ("learner", "what it does", "needs", "gives"),
            [(entry.name, entry.summary, entry.needs, entry.gives) for entry in catalogue()],
        )
