"""Declaration of `induce.core`: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    public={
        "InputError": "errors",
        "ModelFileError": "errors",
        "Note": "notes",
        "load": "persistence",
        "load_hypothesis": "persistence",
        "progress": "progress",
        "save": "persistence",
        "trace": "trace",
        "using": "engines",
    },
)
