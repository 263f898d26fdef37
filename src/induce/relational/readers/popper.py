"""Problems in the file convention of Popper: a folder with ``exs.pl``, ``bk.pl`` and ``bias.pl``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from induce.core.errors import InputError
from induce.core.files import write_whole
from induce.core.notes import note
from induce.data.names import listed as listed_names
from induce.data.streams import read_text
from induce.logic.background.kinds import ANY
from induce.logic.background.modes import Mode
from induce.logic.background.relations import Relations
from induce.logic.clauses import Clause, Literal, Predicate, Program
from induce.logic.library import is_built_in
from induce.logic.parsing import parse_program
from induce.logic.terms import Constant, Function, Term
from induce.logic.tokens import tokens_of_clause
from induce.logic.unification import match
from induce.relational.clauses.constraints import EVERY_HEAD_VARIABLE, NO_SINGLETON, Constraints
from induce.relational.readers.problems import Problem
from induce.relational.readers.prolog_files import (
    choose,
    declarations_of,
    ground_facts,
    of_target,
    with_loaded,
)

FILES = ("exs.pl", "bk.pl", "bias.pl")
SIZES = {
    "max_vars": "max_vars",
    "max_body": "max_body",
    "max_clauses": "max_clauses",
    "max_rules": "max_clauses",
}
KNOWN = frozenset({"head_pred", "body_pred", "type", "direction", "enable_recursion", "constant", *SIZES})
SIGNS = {"in": "+", "out": "-"}
# declarations of older Popper versions, which have no effect here or are noted separately
SILENT = frozenset({"allow_singletons", "non_datalog", "functional_test", "prolog", "enable_pi"})


@dataclass(frozen=True)
class _Bias:
    heads: list[Predicate]
    bodies: list[Predicate]
    types: dict[str, tuple[str, ...]]
    directions: dict[str, tuple[str, ...]]
    settings: dict[str, Any]


def read_popper(folder: str | os.PathLike[str], target: str | None = None) -> Problem:
    """Read a problem from a folder with ``exs.pl``, ``bk.pl`` and ``bias.pl``.

    Types and directions become modes (``in`` is +, ``out`` is -); a predicate without directions can be
    reached from any of its arguments. Constraints in common forms are applied, and others are named in a
    note. Every head variable must occur in the body. Singleton variables are forbidden unless
    ``allow_singletons`` is declared.

    Parameters
    ----------
    folder : str or path-like
        Path of the folder.
    target : str, optional
        Predicate to be learned; required if there are examples of several.
    """
    path = Path(folder)
    missing = [name for name in FILES if not (path / name).is_file()]
    if missing:
        raise InputError(f"the folder {str(path)!r} has no {missing[0]}; it needs {', '.join(FILES)}")
    examples, background, bias = (read_text(path / name) for name in FILES)
    name = path.resolve().name
    read = _bias(bias)
    inside, outside = _examples(examples)
    if not inside:
        raise InputError(f"exs.pl of {name} has no positive example; write pos(p(a, b)).")
    found = [*dict.fromkeys(literal.predicate for literal in inside)]
    chosen = choose(target, found, (), name)
    if read.heads and chosen not in read.heads:
        heads = " and ".join(f"head_pred({head}, {arity})" for head, arity in read.heads)
        raise InputError(
            f"exs.pl of {name} has examples of {chosen[0]}/{chosen[1]}, but bias.pl declares {heads}; make them agree"
        )
    inside, outside = of_target(inside, chosen), of_target(outside, chosen)
    relations = _background(
        with_loaded(parse_program(background, "bk.pl"), path, "bk.pl"), read, chosen, inside
    )
    return Problem.of(name, inside, outside, relations, read.settings, read.types.get(chosen[0], ()))


def write_popper(problem: Problem, folder: str | os.PathLike[str]) -> None:
    """Write a problem as a folder with ``exs.pl``, ``bk.pl`` and ``bias.pl`` in Popper's format.

    Popper has one direction per predicate and no constants: only the first mode of a predicate is used, and a
    constant argument is written as an output.

    Parameters
    ----------
    problem : Problem
        Problem with positive and, optionally, negative examples.
    folder : str or path-like
        Path of the folder, which is created if necessary.
    """
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    name, arity = problem.predicate
    relations = problem.background
    modes = {mode.predicate: mode for mode in reversed(relations.modes) if not mode.head}
    head = next((mode for mode in relations.modes if mode.head), None)
    bodies = [*modes] or [*relations.predicates()]
    lines = [f"head_pred({_atom(name)}, {arity})."]
    lines += [f"body_pred({_atom(body)}, {n})." for body, n in bodies if (body, n) != (name, arity)]
    kinds = {one: relations.kinds.types.get(one, (ANY,) * one[1]) for one in bodies}
    kinds[name, arity] = relations.types_of(problem.predicate, problem.rows())
    lines += [f"type({_atom(one)}, {_tuple(map(_atom, types))})." for (one, _), types in kinds.items()]
    for mode in ([head] if head else []) + [*modes.values()]:
        words = ["in" if argument[0] == "+" else "out" for argument in mode.arguments]
        lines.append(f"direction({_atom(mode.name)}, {_tuple(words)}).")
    lines += [
        f"{key}({value})." for key, value in problem.settings.items() if key in SIZES and type(value) is int
    ]
    lines += ["enable_recursion."] if problem.settings.get("recursion") else []
    examples = [
        f"{mark}({literal})."
        for mark, literals in zip(("pos", "neg"), problem.literals(), strict=True)
        for literal in literals
    ]
    for file, content in zip(FILES, (examples, relations.listing(), lines), strict=True):
        write_whole(path / file, "".join(f"{line}\n" for line in content).encode())


def _examples(text: str) -> tuple[list[Literal], list[Literal]]:
    found: dict[str, list[Literal]] = {"pos": [], "neg": []}
    for literal in ground_facts(text, "exs.pl"):
        inner = literal.arguments[0] if len(literal.arguments) == 1 else None
        if literal.name not in found or not isinstance(inner, Function):
            raise InputError(
                f"exs.pl holds {literal}, which is not an example; write pos(p(a, b)). or neg(p(a, b))."
            )
        found[literal.name].append(Literal(inner.name, inner.arguments))
    return found["pos"], found["neg"]


def _background(program: Program, bias: _Bias, target: Predicate, positives: list[Literal]) -> Relations:
    own = program.by_predicate.get(target)
    if own:
        note(f"bk.pl defines {target[0]}/{target[1]}, the relation to be learned; these clauses are left out")
        program = Program(
            tuple(clause for clause in program if clause.head and clause.head.predicate != target)
        )
    declared = declarations_of(program.directives, "bk.pl")
    declared.note_ignored(target, "bk.pl")
    empty = declared.empty(program, target)
    plain = Relations(program=program, facts=empty)
    rows = plain.symbols.codes([term for one in positives for term in one.arguments]).reshape(-1, target[1])
    known = plain.with_examples(target, rows)
    bodies = [one for one in bias.bodies if one != target]
    strange = [one for one in bodies if one not in plain.predicates() and not is_built_in(one)]
    for name, arity in strange:
        said = f"bias.pl names body_pred({name}, {arity}), but {plain.unknown((name, arity))}"
        if len(strange) == len(bodies):
            raise InputError(said)
        note(f"{said}; left out")
    bodies = [one for one in bodies if one not in strange]
    if not bodies:
        return plain
    modes = []
    for predicate in bodies:
        kinds = _kinds(bias, predicate, known.kinds.types.get(predicate))
        modes += _modes(bias, predicate, kinds)
    kinds = _kinds(bias, target, known.types_of(target, rows))
    signs = _signs(bias, target) or ("+",) * target[1]
    modes.insert(0, Mode(target[0], tuple(map(str.__add__, signs, kinds)), head=True))
    if bias.settings.get("recursion"):
        modes += _modes(bias, target, kinds)
    return plain.with_modes(modes)


def _kinds(bias: _Bias, predicate: Predicate, inferred: tuple[str, ...] | None) -> tuple[str, ...]:
    name, arity = predicate
    kinds = bias.types.get(name) or inferred or (ANY,) * arity
    if len(kinds) != arity:
        raise InputError(f"bias.pl gives {name}/{arity} {len(kinds)} types; give one for each argument")
    return kinds


def _signs(bias: _Bias, predicate: Predicate) -> tuple[str, ...] | None:
    name, arity = predicate
    words = bias.directions.get(name)
    if words is None:
        return None
    if len(words) != arity:
        raise InputError(f"bias.pl gives {name}/{arity} {len(words)} directions; give one for each argument")
    for word in words:
        if word not in SIGNS:
            raise InputError(f"bias.pl gives {name}/{arity} the direction {word}; use in or out")
    return tuple(SIGNS[word] for word in words)


def _modes(bias: _Bias, predicate: Predicate, kinds: tuple[str, ...]) -> list[Mode]:
    name, arity = predicate
    told = _signs(bias, predicate)
    every = [tuple("+" if place == start else "-" for place in range(arity)) for start in range(arity)]
    return [Mode(name, tuple(map(str.__add__, signs, kinds))) for signs in ([told] if told else every)]


def _bias(text: str) -> _Bias:
    """Read the declarations of bias.pl, which has answer-set syntax; facts and simple rules are read."""
    clauses: list[Clause] = []
    constraints: list[str] = []
    for statement in _statements(text):
        try:
            program = parse_program(statement, "bias.pl")
        except InputError:
            if not re.search(r":-|#|{", statement):
                raise
            constraints.append(statement.strip())
            continue
        if program.directives:
            constraints.append(statement.strip())
        clauses += program.clauses
    heads = [clause.head.name for clause in clauses if clause.head is not None]
    asked = {literal.name for clause in clauses for literal in clause.body}
    other = [name for name in heads if name not in KNOWN | SILENT | asked]
    used, unused = _constraints(constraints, [clause for clause in clauses if clause.head is not None])
    if unused:
        note(
            f"bias.pl has {len(unused)} constraint{'s' * (len(unused) > 1)} for Popper's solver, not used here: "
            f"{listed_names(unused)}"
        )
    other = [name for name in other if not any(re.search(rf"\b{name}\(", one) for one in used)]
    if other:
        note(f"bias.pl declares {listed_names([*dict.fromkeys(other)])}, which is unknown and ignored")
    declared = [*_declared(clauses)]
    settings: dict[str, Any] = {}
    for literal in declared:
        match literal.name, literal.arguments:
            case name, (Constant(int(value)),) if name in SIZES:
                settings[SIZES[name]] = value
            case "enable_recursion", ():
                settings["recursion"] = True
            case "allow_singletons", ():
                settings["singletons"] = True
            case "enable_pi", ():
                settings["enable_pi"] = True
    settings["constraints"] = (
        EVERY_HEAD_VARIABLE,
        *([] if settings.get("singletons") else [NO_SINGLETON]),
        *used,
    )
    return _Bias(
        [*_predicates(declared, "head_pred")],
        [*_predicates(declared, "body_pred")],
        dict(_tuples(declared, "type")),
        dict(_tuples(declared, "direction")),
        settings,
    )


def _constraints(texts: list[str], clauses: list[Clause]) -> tuple[list[str], list[str]]:
    """Return the usable constraints, with the facts and rules they need, and the remaining constraints."""
    used, unused, about = [], [], set()
    for text in texts:
        names = {*re.findall(r"\b([a-z]\w*)\(", text)}
        mine = [str(one) for one in clauses if one.head is not None and one.head.name in names]
        try:
            Constraints([*mine, text])
        except InputError:
            unused.append(text)
        else:
            about.update(mine)
            used.append(text)
    return [*(str(one) for one in clauses if str(one) in about), *used], unused


def _statements(text: str) -> Iterator[str]:
    """Yield the statements, each preceded by its original line breaks, with (a,) written as (a)."""
    position = 0
    while position < len(text):
        _, end = tokens_of_clause(text, position)
        statement = re.sub(r",\s*\)", ")", text[position:end])
        yield "\n" * text.count("\n", 0, position) + statement
        position = end


def _declared(clauses: list[Clause]) -> Iterator[Literal]:
    """Yield the facts, and the heads derived by rules such as body_pred(P, 1) :- constant(P, _)."""
    facts = [clause.head for clause in clauses if clause.head is not None and not clause.body]
    yield from facts
    for rule in clauses:
        left = [rule] if rule.body else []
        while left:
            clause = left.pop()
            if clause.head is not None and not clause.body:
                yield clause.head
                continue
            found = [bindings for fact in facts if (bindings := match(clause.body[0], fact)) is not None]
            left += [bindings.apply(Clause(clause.head, clause.body[1:])) for bindings in reversed(found)]


def _predicates(declared: list[Literal], word: str) -> Iterator[Predicate]:
    for literal in declared:
        match literal.name, literal.arguments:
            case found, (Constant(str(name)), Constant(int(arity))) if found == word:
                yield name, arity
            case found, _ if found == word:
                raise InputError(f"bias.pl has {literal}; write {word}(name, number of arguments).")


def _tuples(declared: list[Literal], word: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for literal in declared:
        match literal.name, literal.arguments:
            case found, (Constant(str(name)), parts) if found == word:
                yield name, tuple(_parts(parts))
            case found, _ if found == word:
                raise InputError(f"bias.pl has {literal}; write {word}(name, (one, for, each, argument)).")


def _parts(term: Term) -> Iterator[str]:
    while isinstance(term, Function) and term.name == ",":
        yield _word(term.arguments[0])
        term = term.arguments[1]
    yield _word(term)


def _word(term: Term) -> str:
    return term.value if isinstance(term, Constant) and isinstance(term.value, str) else str(term)


def _tuple(parts: Any) -> str:
    words = [*parts]
    return f"({words[0]},)" if len(words) == 1 else f"({', '.join(words)})"


def _atom(name: str) -> str:
    return str(Constant(name))
