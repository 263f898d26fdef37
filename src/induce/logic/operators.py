"""Prolog operators (ISO/IEC 13211-1 §6.3.4.4, table of operators), and operator-precedence parsing of terms."""

from __future__ import annotations

from dataclasses import dataclass, field

from induce.core.errors import InputError
from induce.logic.terms import Constant, Function, Term, Text, Variable, listed, unlisted
from induce.logic.tokens import TOKEN, Source, Token, shown, tokens_of_clause

LOOSEST = 1200
"""Highest priority: that of a whole clause."""

ARGUMENT = 999
"""Highest priority of an argument between commas."""

# for each operator type: how far the priorities of its left and right operands must lie below its own
INFIX = {"xfx": (1, 1), "xfy": (1, 0), "yfx": (0, 1)}
PREFIX = {"fx": 1, "fy": 0}
POSTFIX = {"xf": 1, "yf": 0}

STANDARD = (
    (1200, "xfx", ":- -->"),
    (1200, "fx", ":- ?-"),
    (
        1150,
        "fx",
        "dynamic discontiguous initialization meta_predicate multifile module_transparent public table",
    ),
    (1150, "fx", "thread_local volatile"),
    (1100, "xfy", ";"),
    (1050, "xfy", "-> *->"),
    (1000, "xfy", ","),
    (900, "fy", "\\+"),
    (800, "xfx", ":="),
    (700, "xfx", "= \\= == \\== @< @> @=< @>= =.. is as =:= =\\= < > =< >= =@= \\=@= >:< :<"),
    (700, "xfx", "#= #\\= #< #> #=< #>="),
    (600, "xfy", ":"),
    (500, "yfx", "+ - /\\ \\/"),
    (400, "yfx", "* / // rem mod div rdiv << >> xor"),
    (200, "xfx", "**"),
    (200, "xfy", "^"),
    (200, "fy", "- + \\"),
)

# operators of older Prologs and of Aleph's mode declarations: accepted when reading, but written as not(a)
# and #(a), which every system can read
READ_ONLY = ((900, "fy", "not"), (500, "fy", "#"))


@dataclass
class Operators:
    """Operator table: the priority of each operator, and the highest priorities of its left and right operands."""

    prefix: dict[str, tuple[int, int]] = field(default_factory=dict)
    infix: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    postfix: dict[str, tuple[int, int]] = field(default_factory=dict)

    def copy(self) -> Operators:
        """Return a copy of this table that can be changed independently."""
        return Operators(dict(self.prefix), dict(self.infix), dict(self.postfix))

    def has(self, name: str) -> bool:
        """Return whether a name is an operator of any kind."""
        return name in self.prefix or name in self.infix or name in self.postfix

    def declare(self, priority: int, kind: str, name: str) -> None:
        """Add an operator, or remove it with the priority 0."""
        if kind in PREFIX:
            self.prefix[name] = priority, priority - PREFIX[kind]
        elif kind in POSTFIX:
            self.postfix[name] = priority, priority - POSTFIX[kind]
        else:
            before, after = INFIX[kind]
            self.infix[name] = priority, priority - before, priority - after
        if not priority:
            (self.prefix if kind in PREFIX else self.postfix if kind in POSTFIX else self.infix).pop(name)

    def direct(self, directive: Term) -> None:
        """Apply the operator declarations of a directive, such as ``op(700, xfx, ===>)``; ignore invalid ones."""
        waiting = [directive]
        while waiting:
            term = waiting.pop()
            if not isinstance(term, Function):
                continue
            if term.name == "," and len(term.arguments) == 2:
                waiting.extend(reversed(term.arguments))
            elif term.name == "op" and len(term.arguments) == 3:
                self._declared(*term.arguments)

    def _declared(self, priority: Term, kind: Term, names: Term) -> None:
        elements, end = unlisted(names)
        told = [
            each.value if isinstance(each, Constant) else None for each in (priority, kind, *elements, end)
        ]
        height, type_, *named = told
        if type(height) is int and 0 <= height <= LOOSEST and isinstance(type_, str):
            for name in named:
                if isinstance(name, str) and self._may_declare(type_, name):
                    self.declare(height, type_, name)

    def _may_declare(self, kind: str, name: str) -> bool:
        if name in ("", ",", "|", "[]", "{}"):
            return False
        # an infix and a postfix operator of the same name would be ambiguous after an operand
        return (
            kind in PREFIX
            or (kind in INFIX and name not in self.postfix)
            or (kind in POSTFIX and name not in self.infix)
        )


def _table(rows: tuple[tuple[int, str, str], ...]) -> Operators:
    operators = Operators()
    for priority, kind, names in rows:
        for name in names.split():
            operators.declare(priority, kind, name)
    return operators


WRITTEN = _table(STANDARD)
"""Operators that the printer uses."""

READ = _table(STANDARD + READ_ONLY)
"""Operators that a text may use without declaring them."""

CLOSING = {"(": ")", "call": ")", "[": "]", "{": "}"}
ENDING = (*CLOSING.values(), ",", "|", "end", "eof")
EXPECTED = {
    "(": "an operator or )",
    "call": "an operator, a comma or )",
    "[": "an operator, a comma, | or ]",
    "{": "an operator or }",
    "": "an operator or a full stop",
}
FOUND = {"end": "the full stop", "eof": "the end of the text"}


@dataclass(slots=True)
class _Bracket:
    """Open bracket, the functor of its arguments, and the numbers of operands and operators pending outside."""

    kind: str
    name: str = ""
    start: int = 0
    operands: int = 0
    waiting: int = 0
    has_tail: bool = False


class Reader:
    """Reader of the terms of a text, by operator precedence and with explicit stacks.

    Operands and operators wait on two stacks. A new operator takes the operand before it, after all waiting operators
    of sufficient precedence have been applied to theirs.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.operators = READ.copy()
        self._names: dict[str, Constant] = {}
        self._variables: dict[str, Variable] = {}

    def term(self, position: int, dotted: bool) -> tuple[Term, int, int] | None:
        """Read the term at a position up to its full stop, which is required if `dotted` is true.

        Returns the term, its start and the start of the next term; None at the end of the text.
        """
        self._tokens, rest = tokens_of_clause(self.source.text, position)
        start = self._tokens[0][2]
        if self._tokens[0][0] == "eof":
            return None
        self._at = 0
        self._anonymous = 0
        self._named: set[str | int | float] | None = None
        self._operands: list[Term] = []
        self._waiting: list[tuple[int, int, str, int]] = []
        self._brackets = [_Bracket("")]
        wants_operand = True
        while True:
            kind, value, where = token = self._tokens[self._at]
            self._at += 1
            if kind == "fault":
                raise self.source.error(where, str(value))
            if wants_operand:
                wants_operand = self._operand(token)
            elif (kind == "end" or kind == "eof") and len(self._brackets) == 1:
                break
            else:
                wants_operand = self._operator(token)
        if dotted and kind == "eof":
            raise self.source.error(
                where, f"the text ends without the full stop of the clause at {self.source.place(start)}"
            )
        self._apply(LOOSEST)
        return self._operands.pop(), start, rest

    def _operand(self, token: Token) -> bool:
        """Process a token where an operand is expected; return whether one still is."""
        kind, value, start = token
        if kind == "name" or kind == "quoted":
            return self._named_operand(kind, str(value), start)
        if kind == "variable":
            self._operands.append(self._variable(str(value)))
        elif kind == "number":
            self._operands.append(Constant(value))
        elif kind == "text":
            self._operands.append(Text(str(value)))
        elif kind in CLOSING:
            # the absence of a space before a bracket matters only after a name
            self._open("(" if kind == "call" else kind, start)
            return True
        else:
            raise self._unexpected(token, "a term")
        return False

    def _named_operand(self, kind: str, name: str, start: int) -> bool:
        following, value, where = self._tokens[self._at]
        if following == "call":
            self._at += 1
            if self._tokens[self._at][0] == ")":
                self._at += 1
                self._operands.append(Function(name, ()))
                return False
            self._open("call", where, name)
            return True
        if kind == "name":
            if name == "-" and following == "number" and where == start + 1 and not isinstance(value, str):
                self._at += 1
                self._operands.append(Constant(-value))
                return False
            if name in self.operators.prefix and self._has_operand(name):
                priority, after = self.operators.prefix[name]
                if priority > self._room():
                    raise self.source.error(
                        start, f"{name} is an operator with an operand here; put brackets around both"
                    )
                self._waiting.append((priority, after, name, 1))
                return True
        constant = self._names.get(name)
        if constant is None:
            constant = self._names[name] = Constant(name)
        self._operands.append(constant)
        return False

    def _has_operand(self, name: str) -> bool:
        """Return whether an operand follows a prefix operator; if not, the operator is a plain name."""
        kind, value, _ = self._tokens[self._at]
        if kind in ENDING:
            return False
        infix, prefix, postfix = self.operators.infix, self.operators.prefix, self.operators.postfix
        if kind != "name" or (value not in infix and value not in postfix):
            return True
        after, second, _ = self._tokens[self._at + 1]
        if after == "call" or (value in prefix and prefix[str(value)][0] <= prefix[name][1]):
            return True
        return after in ENDING or (after == "name" and second in infix and second not in prefix)

    def _operator(self, token: Token) -> bool:
        """Process a token after an operand; return whether another operand is expected."""
        kind, value, start = token
        bracket = self._brackets[-1]
        separated = bracket.kind == "call" or (bracket.kind == "[" and not bracket.has_tail)
        if kind == "," and separated:
            self._apply(LOOSEST)
            return True
        if kind == "name" or (kind == "," and bracket.kind != "["):
            name = str(value)
            if name in self.operators.infix:
                self._push(name, 2, start, *self.operators.infix[name])
                return True
            if name in self.operators.postfix:
                self._push(name, 1, start, *self.operators.postfix[name], -1)
                return False
        if kind == "|" and separated and bracket.kind == "[":
            self._apply(LOOSEST)
            bracket.has_tail = True
            return True
        if kind == "|" and bracket.kind != "[":
            raise self.source.error(
                start, "| separates the rest of a list and cannot stand here; write ; for or"
            )
        if kind != CLOSING.get(bracket.kind):
            raise self._unexpected(token, "]" if bracket.has_tail else EXPECTED[bracket.kind])
        self._close()
        return False

    def _push(self, name: str, arity: int, start: int, priority: int, before: int, after: int) -> None:
        self._apply(before)
        if priority > self._room():
            other = self._waiting[-1][2]
            raise self.source.error(
                start, f"{name} cannot follow {other} without brackets; put brackets around one of the two"
            )
        self._waiting.append((priority, after, name, arity))

    def _room(self) -> int:
        """Return the highest priority of an operand that may start or continue here."""
        inside = len(self._waiting) > self._brackets[-1].waiting
        return self._waiting[-1][1] if inside else LOOSEST

    def _apply(self, highest: int) -> None:
        """Apply the waiting operators up to a given priority to their operands."""
        operands, waiting, outside = self._operands, self._waiting, self._brackets[-1].waiting
        while len(waiting) > outside and waiting[-1][0] <= highest:
            _, _, name, arity = waiting.pop()
            last = operands.pop()
            operands.append(Function(name, (last,) if arity == 1 else (operands.pop(), last)))

    def _open(self, kind: str, start: int, name: str = "{}") -> None:
        self._brackets.append(_Bracket(kind, name, start, len(self._operands), len(self._waiting)))

    def _close(self) -> None:
        self._apply(LOOSEST)
        bracket = self._brackets.pop()
        if bracket.kind == "(":
            return
        inside = self._operands[bracket.operands :]
        del self._operands[bracket.operands :]
        if bracket.kind == "[":
            end = [inside.pop()] if bracket.has_tail else []
            self._operands.append(listed(inside, *end))
        else:
            self._operands.append(Function(bracket.name, tuple(inside)))

    def _variable(self, name: str) -> Variable:
        if name == "_":
            if self._named is None:
                self._named = {value for kind, value, _ in self._tokens if kind == "variable"}
            while name in self._named:
                self._anonymous += 1
                name = f"_{self._anonymous}"
        if name not in self._variables:
            self._variables[name] = Variable(name)
        return self._variables[name]

    def _unexpected(self, token: Token, expected: str) -> InputError:
        kind, _, start = token
        written = TOKEN.match(self.source.text, start)
        found = FOUND.get(kind) or shown(written[0] if written else "")
        opened = self._brackets[-1]
        behind = ""
        if kind in (*CLOSING.values(), *FOUND) and opened.kind:
            behind = f"; the bracket of {self.source.place(opened.start)} is still open"
        return self.source.error(start, f"expected {expected}, but found {found}{behind}")
