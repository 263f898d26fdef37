"""The printed results of the textbooks, each computed again by the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from induce.core.lazy import loader
from induce.textbook.contents import entries, select
from induce.textbook.place import Place
from induce.textbook.result import Outcome, Result

if TYPE_CHECKING:
    from induce.textbook.traces import Algorithm, Traced, algorithms, traced

__all__ = [
    "Algorithm",
    "Outcome",
    "Place",
    "Result",
    "Traced",
    "algorithms",
    "results",
    "run",
    "traced",
]

_load, _ = loader(__name__, lambda: dict.fromkeys(("Algorithm", "Traced", "algorithms", "traced"), TRACES))
TRACES = "induce.textbook.traces"


def __getattr__(name: str) -> Any:
    return _load(name)


def results(*asked: str, exercises: bool = False) -> tuple[Result, ...]:
    """List the results in the order of the books, Mitchell's first.

    Parameters
    ----------
    *asked : str
        Id of one result; or book, kind and number, each of which may be left out, as in ``results("aima", "18.10")``.
        Only what is asked is imported.
    exercises : bool, default=False
        List exercises only.

    Examples
    --------
    >>> [result.id for result in results("mitchell", "3.4") if result.erratum]
    ['mitchell-3.4-outlook-gain', 'mitchell-3.4-humidity-gain', 'mitchell-3.4-sunny-branch']
    """
    return tuple(entry.load() for entry in select(asked, exercises))


def run(id: str) -> Outcome:
    """Compute one result again.

    Parameters
    ----------
    id : str
        Id of the result, as listed by `results`.

    Examples
    --------
    >>> run("mitchell-3.4-outlook-gain")
    Outcome(got='0.2467', agrees=True, remark='')
    """
    known = {entry.id: entry for entry in entries()}
    if id not in known:
        from induce.data.names import unknown

        raise unknown("textbook result", id, list(known))
    return known[id].load().run()
