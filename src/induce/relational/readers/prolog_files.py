"""Prolog files as relational learning problems, with the declarations of ILP systems in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from induce.core.errors import InputError
from induce.core.notes import note
from induce.data.names import listed as listed_names
from induce.data.streams import read_text
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal, Predicate, Program
from induce.logic.facts import Codes, Facts
from induce.logic.library import is_built_in
from induce.logic.parsing import parse_program
from induce.logic.terms import Constant, Function, Term, Text, unlisted
from induce.relational.clauses.language import MOST_SPOKEN_OF
from induce.relational.readers.mode_forms import Form, comparing, form_of
from induce.relational.readers.problems import Problem, parse_target

SIGNS = ("+", "-", "#")
LOADING = frozenset({"ensure_loaded", "consult"})
# directives that carry no information about the target
SILENT = frozenset(
    {
        "dynamic",
        "discontiguous",
        "style_check",
        "use_module",
        "multifile",
        "op",
        "aleph",
        "module",
    }
    | {"begin_bg", "end_bg", "begin_in_pos", "end_in_pos", "begin_in_neg", "end_in_neg"}
)


@dataclass(frozen=True)
class Declarations:
    """Declarations read from directives."""

    modes: tuple[Mode, ...]
    determinations: tuple[tuple[Predicate, Predicate], ...]
    settings: dict[str, Any]
    dynamic: tuple[Predicate, ...]
    others: tuple[Term, ...]
    """Directives that are not recognised, or negative examples of the target."""
    forms: tuple[Form, ...] = ()
    """Modes with a structure or a negation."""
    lazy: tuple[Predicate, ...] = ()
    """Predicates whose constants Aleph would find during its search."""

    def negatives(self, target: Predicate) -> list[Literal]:
        """Return the ground goals of the target; in Progol's files ``:- p(a, a).`` is a negative example."""
        return [Literal(goal.name, goal.arguments) for goal in self.others if _is_example(goal, target)]

    def note_ignored(self, target: Predicate, name: str) -> None:
        """Emit a note on the ignored directives."""
        ignored = [str(goal) for goal in self.others if not _is_example(goal, target)]
        if ignored:
            note(
                f"{name}: {len(ignored)} directive{'s are' if len(ignored) > 1 else ' is'} not "
                f"recognised and ignored: {listed_names(ignored)}"
            )

    def allowed(self, target: Predicate) -> tuple[Mode, ...]:
        """Return the modes of the target and of the literals of its clauses."""
        determined = [body for head, body in self.determinations if head == target]
        written = {form.mode.predicate: form.predicates for form in self.forms}
        return tuple(
            mode
            for mode in self.modes
            if (
                mode.predicate == target
                if mode.head
                else not determined
                or not {mode.predicate, *written.get(mode.predicate, ())}.isdisjoint(determined)
            )
        )

    def kinds(self, target: Predicate) -> tuple[str, ...]:
        """Return the types of the target's arguments, if its mode declares them."""
        return next((mode.types for mode in self.modes if mode.head and mode.predicate == target), ())

    def empty(self, program: Program, target: Predicate) -> dict[str, Codes]:
        """Return the relations that are declared dynamic and have no clause."""
        return {
            f"{name}/{arity}": np.empty((0, arity), np.int64)
            for name, arity in self.dynamic
            if (name, arity) not in program.by_predicate and (name, arity) != target
        }


def with_loaded(program: Program, folder: str | os.PathLike[str], name: str) -> Program:
    """Return a program with the clauses of the files that it loads from its folder.

    A file is looked up in the folder, as written or with ``.pl``; a note names a missing file. Libraries
    loaded with `use_module` are not files.
    """
    waiting, root = [program], Path(folder).resolve()
    done: set[Path] = set()
    found = Program()
    while waiting:
        one = waiting.pop(0)
        kept = []
        for goal in one.directives:
            for part in _conjuncts(goal):
                word, arguments = _called(part)
                if word not in LOADING or len(arguments) != 1:
                    kept.append(part)
                    continue
                for wanted in _conjuncts(arguments[0]):
                    path = _beside(wanted, root)
                    if path is None:
                        if not (isinstance(wanted, Function) and wanted.name == "library"):
                            note(
                                f"{name}: the loaded file {wanted} does not exist in its folder and "
                                "is left out"
                            )
                    elif path not in done:
                        done.add(path)
                        waiting.append(parse_program(read_text(path), path.name))
        found += Program(one.clauses, tuple(kept))
    return found


def _beside(wanted: Term, root: Path) -> Path | None:
    """Return the file in a folder that a directive names."""
    if not isinstance(wanted, Constant | Text):
        return None
    for extension in ("", ".pl", ".pro", ".b"):
        path = (root / f"{wanted.value}{extension}").resolve()
        if path.is_file() and path.is_relative_to(root):
            return path
    return None


def read_prolog(paths: Sequence[str], target: str | None = None) -> tuple[Problem, bool]:
    """Read Prolog files; return the problem, and whether its positive examples are complete.

    Positive and negative examples are facts ``pos(p(…))`` and ``neg(p(…))``. Without these, the facts of the
    target are the positive examples, and directives such as ``:- p(a, b).`` the negative ones. Modes,
    determinations and settings are read in the syntax of Aleph and Progol.
    """
    texts = {path: read_text(path) for path in paths}
    if len(paths) == 1:
        from induce.relational.readers import aleph

        if aleph.has_sections(texts[paths[0]]):
            return aleph.problem_of_sections(texts[paths[0]], paths[0], target), False
    program = Program()
    for path, text in texts.items():
        program += with_loaded(parse_program(text, Path(path).name), Path(path).parent, Path(path).name)
    name = Path(paths[0]).stem
    declared = declarations_of(program.directives, name)
    marked = {mark: _marked(program, mark, name) for mark in ("pos", "neg")}
    if any(marked.values()):
        chosen = _chosen(target, [*marked["pos"], *marked["neg"]], declared, program, name)
        rest = [clause for clause in program if _head(clause) not in (("pos", 1), ("neg", 1))]
    else:
        chosen = _chosen(target, (), declared, program, name)
        own = program.by_predicate.get(chosen, ())
        if any(clause.body for clause in own):
            raise InputError(
                f"{name} has rules for {_written(chosen)}, the relation to be learned; give facts of "
                "it, or pos and neg examples"
            )
        marked["pos"] = [clause.head for clause in own if clause.head is not None]
        marked["neg"] = declared.negatives(chosen)
        rest = [clause for clause in program if _head(clause) != chosen]
    inside, outside = of_target(marked["pos"], chosen), of_target(marked["neg"], chosen)
    if not inside:
        raise InputError(
            f"{name} has no positive example of {_written(chosen)}; give facts of it, or pos examples"
        )
    background = background_of(rest, declared, chosen, name)
    return Problem.of(name, inside, outside, background, declared.settings, declared.kinds(chosen)), True


def background_of(
    clauses: Iterable[Clause], declared: Declarations, target: Predicate, name: str
) -> Relations:
    """Return clauses as the background for a target, with its declared modes."""
    declared.note_ignored(target, name)
    modes = declared.allowed(target)
    chosen = {mode.predicate for mode in modes}
    program = Program((*clauses, *(form.clause for form in declared.forms if form.mode.predicate in chosen)))
    empty = declared.empty(program, target)
    plain = Relations(program=program, facts=empty)
    modes = tuple(comparing(mode, plain, name) if mode.predicate in declared.lazy else mode for mode in modes)
    bodies = {mode.predicate for mode in declared.modes if not mode.head}
    bodies |= {one for form in declared.forms for one in form.predicates}
    undeclared = []
    for head, body in declared.determinations:
        if head != target or body == target:
            continue
        if body not in plain.predicates() and body not in bodies:
            note(
                f"{name}: determination({_written(head)}, {_written(body)}), but {plain.unknown(body)}; left out"
            )
            continue
        if body not in bodies:
            undeclared.append(body)
    modes += plain.ways(undeclared)
    known = {*plain.predicates(), target}
    strange = [mode for mode in modes if mode.predicate not in known and not is_built_in(mode.predicate)]
    for mode in strange:
        note(f"{name}: there is a mode {mode}, but {plain.unknown(mode.predicate)}; left out")
    modes = tuple(mode for mode in modes if mode not in strange)
    modes += _shared(modes)
    if not modes:
        return plain
    try:
        background = plain.with_modes(modes)
    except InputError as problem:
        raise InputError(f"{name}: {problem}") from None
    note_strangers(background)
    return background


def _shared(modes: Sequence[Mode]) -> tuple[Mode, ...]:
    """Return equality modes for long heads: in Aleph and Progol equal arguments share a variable.

    For two or three objects, such as relatives, equality is uninformative; for the squares of a board it is not.
    """
    head = next((mode for mode in modes if mode.head), None)
    few = head is None or len(head.arguments) <= MOST_SPOKEN_OF
    if head is None or few or any(mode.name == "=" for mode in modes):
        return ()
    kinds = dict.fromkeys(kind for kind in head.types if head.types.count(kind) > 1)
    inputs = {head.types[place] for place in head.places("+")}
    return tuple(Mode("=", (f"+{kind}", f"+{kind}")) for kind in kinds if kind in inputs)


def declarations_of(directives: Iterable[Term], name: str) -> Declarations:
    """Read modes, determinations and settings.

    Examples
    --------
    >>> program = parse_program(":- modeh(1, east(+train)). :- modeb(*, has_car(+train, -car)). :- set(i, 2).")
    >>> declared = declarations_of(program.directives, "trains")
    >>> print(*declared.modes, declared.settings)
    east(+train) has_car(+train, -car) {'i': 2}
    """
    modes: list[Mode] = []
    determinations = []
    settings: dict[str, Any] = {}
    dynamic: list[Predicate] = []
    others: list[Term] = []
    forms: list[Form] = []
    lazy: list[Predicate] = []
    for goal in (goal for directive in directives for goal in _conjuncts(directive)):
        word, arguments = _called(goal)
        match word, arguments:
            case (("modeh" | "modeb" | "mode"), [recall, literal]):
                found = _mode(literal, recall, name)
                if found is None:
                    form = form_of(literal) if word == "modeb" else None
                    if form is None:
                        others.append(goal)
                    else:
                        forms.append(form)
                        modes.append(form.mode)
                    continue
                signs, number = found
                heads = {"modeh": [True], "modeb": [False], "mode": [True, False]}[word]
                modes += [Mode(*signs, number, head) for head in heads]
            case "determination", [head, body]:
                determinations.append((_indicator(head, name), _indicator(body, name)))
            case (("set" | "aleph_set"), [Constant(str(key)), value]):
                settings[key] = value.value if isinstance(value, Constant) else str(value)
            case "lazy_evaluate", [names]:
                lazy += [_indicator(each, name) for each in _conjuncts(names)]
            case "dynamic", [names]:
                dynamic += [_indicator(each, name) for each in _conjuncts(names)]
            case _ if word in SILENT:
                pass
            case _:
                others.append(goal)
    return Declarations(
        tuple(modes),
        tuple(determinations),
        settings,
        tuple(dynamic),
        tuple(others),
        tuple(forms),
        tuple(lazy),
    )


def ground_facts(text: str, source: str) -> list[Literal]:
    """Return the facts of a text that may contain nothing else."""
    found = []
    for clause in parse_program(text, source):
        if clause.head is None or clause.body:
            raise InputError(f"{source} holds {clause} among the examples; give only facts there")
        found.append(clause.head)
    return found


def of_target(literals: Iterable[Literal], target: Predicate) -> list[Literal]:
    """Return the facts that are examples of the target."""
    return [literal for literal in literals if literal.predicate == target]


def note_strangers(background: Relations) -> None:
    """Emit a note on types whose facts list only some of the values in use."""
    used: dict[str, list[Any]] = {}
    for predicate, kinds in background.kinds.types.items():
        relation = background.listed.get(predicate)
        for place, kind in enumerate(kinds):
            if relation is not None and isinstance(relation, Facts):
                used.setdefault(kind, []).append(relation.rows[:, place])
    for kind, columns in used.items():
        facts = background.listed.get((kind, 1))
        if facts is None or background.kinds.types.get((kind, 1)) != (kind,):
            continue
        strange = np.setdiff1d(np.concatenate(columns), facts.rows[:, 0])
        if len(strange):
            first = background.symbols.terms[int(strange[0])]
            note(
                f"the facts of {kind}/1 lack {len(strange)} value{'s' * (len(strange) > 1)} of the "
                f"type {kind} in use, such as {first}"
            )


def _mode(literal: Term, recall: Term, name: str) -> tuple[tuple[str, tuple[str, ...]], int | None] | None:
    """Return the predicate, arguments and recall of a mode; None if an argument is a function or a constant."""
    if not isinstance(literal, Function):
        raise InputError(f"{name}: the mode {literal} has no argument; write it as p(+type, -type)")
    if recall != Constant("*") and not (isinstance(recall, Constant) and isinstance(recall.value, int)):
        raise InputError(
            f"{name}: the mode {literal} has recall {recall}; give a number, or * for any number"
        )
    arguments = []
    for argument in literal.arguments:
        if not (isinstance(argument, Function) and argument.name in SIGNS and len(argument.arguments) == 1):
            return None
        arguments.append(f"{argument.name}{_text(argument.arguments[0])}")
    number = recall.value if isinstance(recall, Constant) and isinstance(recall.value, int) else None
    return (literal.name, tuple(arguments)), number


def _is_example(goal: Term, target: Predicate) -> TypeGuard[Function]:
    return isinstance(goal, Function) and goal.ground and (goal.name, len(goal.arguments)) == target


def _text(term: Term) -> str:
    return term.value if isinstance(term, Constant) and isinstance(term.value, str) else str(term)


def _indicator(term: Term, name: str) -> Predicate:
    match term:
        case Function("/", (Constant(str(predicate)), Constant(int(arity)))):
            return predicate, arity
    raise InputError(f"{name}: {term} names no predicate; write its name and arity, such as parent/2")


def _conjuncts(term: Term) -> list[Term]:
    """Return the elements of a conjunction or a list."""
    elements, end = unlisted(term)
    if elements and end == Constant("[]"):
        return elements
    found = []
    while isinstance(term, Function) and term.name == "," and len(term.arguments) == 2:
        found.append(term.arguments[0])
        term = term.arguments[1]
    return [*found, term]


def _called(goal: Term) -> tuple[str, list[Term]]:
    if isinstance(goal, Function):
        return goal.name, [*goal.arguments]
    return str(goal), []


def _head(clause: Clause) -> Predicate | None:
    return None if clause.head is None else clause.head.predicate


def _written(predicate: Predicate) -> str:
    return f"{predicate[0]}/{predicate[1]}"


def _marked(program: Program, mark: str, name: str) -> list[Literal]:
    """Return the examples in facts such as pos(p(a))."""
    found = []
    for clause in program.by_predicate.get((mark, 1), ()):
        inner = None if clause.head is None else clause.head.arguments[0]
        if not isinstance(inner, Function) or clause.body:
            raise InputError(f"{name} has {clause}, which is not an example; write {mark}(p(a, b)).")
        found.append(Literal(inner.name, inner.arguments))
    return found


def _chosen(
    target: str | None,
    examples: Sequence[Literal],
    declared: Declarations,
    program: Program,
    name: str,
) -> Predicate:
    """Return the requested target, or else the predicate that has examples or a head mode."""
    found = [*dict.fromkeys(literal.predicate for literal in examples)]
    if not found:
        found = [*dict.fromkeys(mode.predicate for mode in declared.modes if mode.head)]
    return choose(target, found, [*program.by_predicate], name)


def choose(
    target: str | None, found: Sequence[Predicate], known: Iterable[Predicate], name: str
) -> Predicate:
    """Return the requested target, or else the only candidate of a source."""
    if target is None:
        if len(found) == 1:
            return found[0]
        names = [_written(one) for one in (found or known)]
        raise InputError(
            f"target is missing; name the relation of {name} to learn, one of {listed_names(names)}"
        )
    wanted, arity = parse_target(target)
    every = [*dict.fromkeys([*found, *known])]
    fitting = [one for one in every if one[0] == wanted and arity in (None, one[1])]
    if not fitting:
        names = [_written(one) for one in every]
        raise InputError(f"{name} has no relation {target} to learn; it has {listed_names(names) or 'none'}")
    if len(fitting) > 1:
        raise InputError(
            f"{name} has {' and '.join(map(_written, fitting))}; write the target as one of these"
        )
    return fitting[0]
