"""Problems in the file convention of Aleph: background ``.b``, positive examples ``.f``, negative examples ``.n``."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from induce.core.errors import InputError
from induce.core.files import write_whole
from induce.core.notes import note
from induce.data.streams import read_text
from induce.logic.background.modes import Mode
from induce.logic.clauses import Literal, Predicate, Program
from induce.logic.library import is_built_in
from induce.logic.parsing import parse_program
from induce.relational.readers.problems import Problem
from induce.relational.readers.prolog_files import (
    Declarations,
    background_of,
    choose,
    declarations_of,
    ground_facts,
    of_target,
    with_loaded,
)

EXTENSIONS = (".b", ".f", ".n")
# predicates that control Aleph's search
HOOKS: frozenset[Predicate] = frozenset(
    {("prune", 1), ("cost", 3), ("refine", 2), ("false", 0), ("portray", 1)}
)
CONTROL = frozenset({",", ";", "->", "*->", "!", "true"})
PRUNE, COST = ("prune", 1), ("cost", 3)
_SECTION = re.compile(r":-\s*(begin|end)_(bg|in_pos|in_neg)\s*\.")


def stem_of(source: str) -> str | None:
    """Return the stem of the Aleph files that a source names by stem or by one file; None if there are none."""
    stem, extension = os.path.splitext(source)
    if extension.lower() in EXTENSIONS and os.path.isfile(source):
        return stem
    return source if any(os.path.isfile(source + each) for each in EXTENSIONS) else None


def read_aleph(stem: str | os.PathLike[str], target: str | None = None) -> Problem:
    """Read a problem from the files ``stem.b``, ``stem.f`` and, if there is one, ``stem.n``.

    Modes (``modeh``, ``modeb``, ``mode``), determinations and settings are read from the directives. Other
    directives are ignored with a note, and nothing is run. Without ``stem.n`` there are only positive
    examples.

    Parameters
    ----------
    stem : str or path-like
        Path of the files without their extensions.
    target : str, optional
        Predicate to be learned; required if there are examples of several.
    """
    stem = os.fspath(stem)
    for extension, what in ((".b", "background"), (".f", "positive examples")):
        if not os.path.isfile(stem + extension):
            raise InputError(f"there is no file {stem + extension!r} with the {what}")
    texts = {
        extension: read_text(stem + extension) for extension in EXTENSIONS if os.path.isfile(stem + extension)
    }
    return _problem(texts[".b"], texts[".f"], texts.get(".n", ""), stem, target)


def named(sources: Sequence[str]) -> dict[str, str] | None:
    """Return the files by extension if each has a different Aleph extension; otherwise None."""
    files = {os.path.splitext(one)[1].lower(): one for one in sources}
    each_once = len(files) == len(sources) > 1 and {*files} <= {*EXTENSIONS}
    return files if each_once and ".f" in files and all(map(os.path.isfile, sources)) else None


def read_named(files: Mapping[str, str], target: str | None = None) -> Problem:
    """Read a problem from files with any names and the extensions ``.b``, ``.f`` and ``.n``."""
    texts = {extension: read_text(path) for extension, path in files.items()}
    stem = os.path.splitext(files.get(".b", files[".f"]))[0]
    return _problem(texts.get(".b", ""), texts[".f"], texts.get(".n", ""), stem, target)


def has_sections(text: str) -> bool:
    """Return whether a file follows the newer convention, with its parts between directives such as begin_bg."""
    return any(match[2] == "in_pos" for match in _SECTION.finditer(text))


def problem_of_sections(text: str, path: str, target: str | None = None) -> Problem:
    """Read a problem from one file whose parts lie between ``:- begin_bg.``, ``:- begin_in_pos.`` and the like."""
    name = Path(path).name
    parts = {"bg": "", "in_pos": "", "in_neg": ""}
    inside, start = "bg", 0
    for match in _SECTION.finditer(text):
        parts[inside] = _placed(parts[inside], text, start, match.start())
        inside, start = (match[2] if match[1] == "begin" else "bg"), match.end()
    if inside != "bg":
        raise InputError(f"{name} has no :- end_{inside}; add it, or check whether the file was cut off")
    parts["bg"] = _placed(parts["bg"], text, start, len(text))
    return _problem(
        parts["bg"], parts["in_pos"], parts["in_neg"], str(Path(path).with_suffix("")), target, name
    )


def write_aleph(problem: Problem, stem: str | os.PathLike[str]) -> None:
    """Write a problem as the files ``stem.b``, ``stem.f`` and ``stem.n`` in Aleph's format.

    Parameters
    ----------
    problem : Problem
        Problem with positive and, optionally, negative examples.
    stem : str or path-like
        Path of the files without their extensions.
    """
    name, arity = problem.predicate
    relations = problem.background
    modes = [*relations.modes] or [*relations.ways(relations.predicates())]
    if not any(mode.head for mode in modes):
        kinds = relations.types_of(problem.predicate, problem.rows())
        modes.insert(0, Mode(name, tuple(f"+{kind}" for kind in kinds), head=True))
    lines = [_declaration(mode) for mode in modes]
    bodies = dict.fromkeys(mode.predicate for mode in modes if not mode.head)
    lines += [f":- determination({_atom(name)}/{arity}, {_atom(body)}/{n})." for body, n in bodies]
    lines += [
        f":- set({_atom(key)}, {value})." for key, value in problem.settings.items() if type(value) is int
    ]
    lines += relations.listing()
    stem = os.fspath(stem)
    write_whole(stem + ".b", "".join(f"{line}\n" for line in lines).encode())
    for extension, literals in zip((".f", ".n"), problem.literals(), strict=True):
        write_whole(stem + extension, "".join(f"{literal}.\n" for literal in literals).encode())


def _problem(
    background: str, positives: str, negatives: str, stem: str, target: str | None, source: str = ""
) -> Problem:
    name = os.path.basename(stem)
    files = [source or name + extension for extension in EXTENSIONS]
    program = with_loaded(parse_program(background, files[0]), os.path.dirname(stem) or ".", files[0])
    inside, outside = ground_facts(positives, files[1]), ground_facts(negatives, files[2])
    if not inside:
        raise InputError(f"{files[1]} has no positive example; give at least one")
    found = [*dict.fromkeys(literal.predicate for literal in inside)]
    chosen = choose(target, found, (), name)
    declared = declarations_of(program.directives, files[0])
    run = _run(program, declared)
    hooks = [one for one in program.by_predicate if one in HOOKS - run]
    if hooks:
        names = ", ".join(f"{hook}/{arity}" for hook, arity in hooks)
        note(
            f"{files[0]}: {names} would control Aleph's search and "
            f"{'is' if len(hooks) == 1 else 'are'} ignored"
        )
    clauses = [
        clause for clause in program if clause.head is None or clause.head.predicate not in HOOKS - run
    ]
    relations = background_of(clauses, declared, chosen, files[0])
    inside, outside = of_target(inside, chosen), _of(outside, chosen, files[2])
    settings = dict(declared.settings)
    if PRUNE in run:
        settings["constraints"] = ("prune/1",)
    if COST in run:
        settings["cost"] = "cost/3"
    return Problem.of(name, inside, outside, relations, settings, declared.kinds(chosen))


def _run(program: Program, declared: Declarations) -> set[Predicate]:
    """Return which of prune/1 and cost/3 the prover can run because all predicates they call are defined."""
    wanted = {PRUNE} if any(mode.head for mode in declared.modes) else set()
    wanted |= {COST} if declared.settings.get("evalfn") == "user" else set()
    found = set()
    for one in wanted & program.by_predicate.keys():
        waiting, seen = [one], {one}
        while waiting:
            for clause in program.by_predicate.get(waiting.pop(), ()):
                new = {literal.predicate for literal in clause.body} - seen
                waiting += new
                seen |= new
        if all(each in program.by_predicate or each[0] in CONTROL or is_built_in(each) for each in seen):
            found.add(one)
    return found


def _of(negatives: list[Literal], target: Predicate, source: str) -> list[Literal]:
    found = of_target(negatives, target)
    if negatives and not found:
        raise InputError(
            f"{source} has no example of {target[0]}/{target[1]}, but of {negatives[0].name}/"
            f"{len(negatives[0].arguments)}; give negative examples of the target"
        )
    return found


def _placed(before: str, text: str, start: int, end: int) -> str:
    """Append a part of a text to another and preserve its line numbers."""
    return before + "\n" * (text.count("\n", 0, start) - before.count("\n")) + text[start:end]


def _declaration(mode: Mode) -> str:
    arguments = ", ".join(f"{argument[0]}{_atom(argument[1:])}" for argument in mode.arguments)
    word = "modeh" if mode.head else "modeb"
    return f":- {word}({mode.recall or '*'}, {_atom(mode.name)}({arguments}))."


def _atom(name: str) -> str:
    from induce.logic.terms import Constant

    return str(Constant(name))
