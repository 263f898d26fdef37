"""The Bayesian Interchange Format (BIF)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from induce.belief_networks.conditionals.base import check_table_size
from induce.belief_networks.files.draft import Draft, spelled, table_of, texts_of
from induce.belief_networks.network import BeliefNetwork
from induce.belief_networks.representation import Representation
from induce.core.errors import InputError
from induce.data.names import unknown

GAP = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
WORD = re.compile(r'[^\s{}()\[\];,|"]+')
NUMBERS = re.compile(r"[^;{}()\"]*(?=;)")
PLAIN_ROW = re.compile(r"\s*\(([^()\"/]*)\)([^;{}()\"/]*);")
PROPERTY = re.compile(r"[^;\"]*(?:\"(?:[^\"\\]|\\.)*\"[^;\"]*)*;")
BARE = re.compile(r"[A-Za-z0-9_<>=+\-.:/%&*?!#$@^~']+\Z")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
VALUES = "induce.values"
"""Property that stores values that are not text."""


class Reader:
    """A BIF parser that tracks its position."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._draft = Draft()

    def read(self) -> Draft:
        """Parse the file."""
        readers: dict[str, Callable[[], None]] = {
            "network": self._network,
            "variable": self._variable,
            "probability": self._probability,
        }
        while self._next() is not None:
            start, word = self._at, self._name("'network', 'variable' or 'probability'")
            if word not in readers:
                self._fail(f"{word!r} is not 'network', 'variable' or 'probability'", start)
            readers[word]()
        if not self._draft.columns:
            self._fail("the file declares no variables", 0)
        return self._draft

    # --- blocks

    def _network(self) -> None:
        if self._next() != "{":
            name = self._name("the name of the network")
            self._draft.name = "" if name == "unknown" else name
        self._expect("{")
        while not self._take("}"):
            self._property()

    def _variable(self) -> None:
        start, name = self._at, self._name("the name of a variable")
        if name in self._draft.columns:
            self._fail(f"variable {name!r} is declared twice", start)
        self._expect("{")
        texts, kept = None, ""
        while not self._take("}"):
            if self._take_word("type"):
                texts = self._values(name)
            else:
                kept = self._property() or kept
        if texts is None:
            self._fail(f"variable {name!r} has no type", start)
        self._draft.add(name, texts, kept=kept)

    def _values(self, name: str) -> tuple[str, ...]:
        start = self._at
        kind = self._name("'discrete'")
        if kind != "discrete":
            self._fail(f"variable {name!r} has the type {kind!r}; only discrete is supported", start)
        if self._take("["):
            self._name("the number of values")
            self._expect("]")
        self._expect("{")
        values: list[str] = []
        while not self._take("}"):
            start, value = self._at, self._name(f"a value of {name!r}")
            if value in values:
                self._fail(f"variable {name!r} has the value {value!r} twice", start)
            values.append(value)
            self._take(",")
        self._expect(";")
        if not values:
            self._fail(f"variable {name!r} has no values", start)
        return tuple(values)

    def _property(self) -> str:
        """Read a property; return the stored values if it is ours."""
        start = self._at
        if not self._take_word("property"):
            self._fail(f"{self._shown()} found where 'property' or '}}' is expected", start)
        if self._take_word(VALUES):
            kept = self._name("values")
            self._expect(";")
            return kept
        found = PROPERTY.match(self._text, self._at)
        if found is None:
            self._fail("the property has no end", start)
        self._at = found.end()
        return ""

    def _probability(self) -> None:
        self._expect("(")
        start = self._at
        names = [self._known()]
        self._take("|")
        while not self._take(")"):
            names.append(self._known())
            self._take(",")
        node, parents = names[0], tuple(names[1:])
        if node in self._draft.conditionals:
            self._fail(f"variable {node!r} has two tables", start)
        if len(set(names)) < len(names):
            self._fail(f"variable {node!r} names a parent twice", start)
        self._draft.parents[node] = parents
        self._expect("{")
        self._draft.set_table(node, self._table(node, parents, start))

    # --- tables

    def _table(self, node: str, parents: tuple[str, ...], start: int) -> NDArray[np.float64]:
        columns = self._draft.columns
        check_table_size(columns[node], [columns[parent] for parent in parents])
        shape = self._draft.shape(node)
        table = np.full((int(np.prod(shape[:-1])), shape[-1]), np.nan)
        default: NDArray[np.float64] | None = None
        for key, entries, at in self._entries(node, parents):
            if key == "table":
                if len(entries) != table.size:
                    self._fail(
                        f"the table of {node!r} has {len(entries)} entries; {table.size} are needed", at
                    )
                # the values of the node vary slowest
                table = np.moveaxis(entries.reshape(shape[-1], *shape[:-1]), 0, -1).reshape(table.shape)
            elif len(entries) != shape[-1]:
                self._fail(f"a row of {node!r} has {len(entries)} entries; {shape[-1]} are needed", at)
            elif key == "default":
                default = entries
            else:
                table[key] = entries
        absent = np.isnan(table).any(axis=1)
        if absent.any() and default is not None:
            table[absent] = default
        elif absent.any():
            codes = np.unravel_index(int(absent.argmax()), shape[:-1]) if parents else ()
            state = ", ".join(str(columns[p].domain[k]) for p, k in zip(parents, codes, strict=True))
            self._fail(
                f"the table of {node!r} lacks the row ({state})" if state else f"{node!r} has no table", start
            )
        return table.reshape(shape)

    def _entries(
        self, node: str, parents: tuple[str, ...]
    ) -> Iterator[tuple[int | str, NDArray[np.float64], int]]:
        """Yield the rows of a table: row index, probabilities and position in the text."""
        texts = [self._draft.texts[parent] for parent in parents]
        rows = {state: row for row, state in enumerate(product(*texts))}
        while not self._take("}"):
            start = self._at
            plain = PLAIN_ROW.match(self._text, start)
            if plain:
                state = tuple(map(str.strip, plain[1].split(",")))
                if state in rows:
                    self._at = plain.end()
                    yield rows[state], self._numbers(plain[2], start), start
                    continue
            if self._take("("):
                yield self._row(texts, parents), self._some_numbers(), start
                continue
            word = self._name("a row")
            if word == "property":
                self._at = start
                self._property()
            elif word in ("table", "default"):
                yield word, self._some_numbers(), start
            else:
                self._fail(f"{word!r} is not 'table', 'default' or a row in brackets", start)

    def _row(self, texts: list[tuple[str, ...]], parents: tuple[str, ...]) -> int:
        codes = []
        for parent, known in zip(parents, texts, strict=True):
            start, value = self._at, self._name(f"a value of {parent!r}")
            if value not in known:
                self._wrong(f"value of {parent!r}", value, known, start)
            codes.append(known.index(value))
            self._take(",")
        self._expect(")")
        return int(np.ravel_multi_index(codes, [len(each) for each in texts])) if codes else 0

    def _some_numbers(self) -> NDArray[np.float64]:
        start = self._skip()
        found = NUMBERS.match(self._text, start)
        if found is None:
            self._fail(f"{self._shown()} is not a row of numbers that ends in ';'", start)
        self._at = found.end() + 1
        return self._numbers(found[0], start)

    def _numbers(self, text: str, start: int) -> NDArray[np.float64]:
        try:
            return np.array(text.replace(",", " ").split(), np.float64)
        except ValueError:
            wrong = next(word for word in text.replace(",", " ").split() if not _is_number(word))
            self._fail(f"{wrong!r} is not a number", self._text.index(wrong, start))

    # --- words

    def _skip(self) -> int:
        found = GAP.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return self._at

    def _next(self) -> str | None:
        at = self._skip()
        return self._text[at] if at < len(self._text) else None

    def _take(self, sign: str) -> bool:
        if self._next() != sign:
            return False
        self._at += 1
        return True

    def _take_word(self, word: str) -> bool:
        found = WORD.match(self._text, self._skip())
        if found is None or found[0] != word:
            return False
        self._at = found.end()
        return True

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            self._fail(f"{self._shown()} found where {sign!r} is expected", self._at)

    def _name(self, what: str) -> str:
        at = self._skip()
        quoted = STRING.match(self._text, at)
        found = quoted or WORD.match(self._text, at)
        if found is None:
            self._fail(f"{self._shown()} found where {what} is expected", at)
        self._at = found.end()
        if quoted is None:
            return found[0]
        return re.sub(r"\\(.)", lambda each: ESCAPES.get(each[1], each[1]), quoted[1], flags=re.DOTALL)

    def _known(self) -> str:
        start, name = self._skip(), self._name("the name of a variable")
        if name not in self._draft.columns:
            self._wrong("variable", name, self._draft.columns, start)
        return name

    # --- errors

    def _shown(self) -> str:
        self._skip()
        found = STRING.match(self._text, self._at) or WORD.match(self._text, self._at)
        if found:
            return repr(found[0][:40])
        return repr(self._text[self._at]) if self._at < len(self._text) else "the end of the file"

    def _wrong(self, what: str, name: str, known: Iterable[str], at: int) -> NoReturn:
        self._fail(str(unknown(what, name, known)), at)

    def _fail(self, what: str, at: int) -> NoReturn:
        match = GAP.match(self._text, at)
        at = match.end() if match else at
        before = self._text[:at]
        line, column = before.count("\n") + 1, at - (before.rfind("\n") + 1) + 1
        raise InputError(f"line {line}, column {column}: {what}")


def read_bif(text: str) -> BeliefNetwork:
    """Parse a network from BIF.

    Examples
    --------
    >>> network = read_bif('''
    ... network weather { }
    ... variable Rain { type discrete [ 2 ] { yes, no }; }
    ... probability ( Rain ) { table 0.2, 0.8; }
    ... ''')
    >>> network.name, network.column("Rain").domain
    ('weather', ('yes', 'no'))
    """
    return Reader(text).read().network()


def write_bif(network: Representation) -> str:
    """Return a network in BIF; noisy-OR and logistic nodes become tables.

    Examples
    --------
    >>> print(write_bif(BeliefNetwork.of({}, {"Rain": {"yes": 0.2, "no": 0.8}})))
    network unknown {
    }
    variable Rain {
      type discrete [ 2 ] { yes, no };
    }
    probability ( Rain ) {
      table 0.2, 0.8;
    }
    """
    lines = [f"network {_quoted(network.name or 'unknown')} {{", "}"]
    texts = [[_quoted(text) for text in texts_of(column.domain)] for column in network.schema]
    for column, own in zip(network.schema, texts, strict=True):
        lines += [
            f"variable {_quoted(column.name)} {{",
            f"  type discrete [ {len(own)} ] {{ {', '.join(own)} }};",
        ]
        if texts_of(column.domain) != list(column.domain):
            lines.append(f"  property {VALUES} {_quoted(spelled(column.domain))};")
        lines.append("}")
    for node, parents in enumerate(network.parents):
        table = table_of(network, node)
        names = [_quoted(network.nodes[k]) for k in (node, *parents)]
        given = f" | {', '.join(names[1:])}" if parents else ""
        lines.append(f"probability ( {names[0]}{given} ) {{")
        for state in np.ndindex(table.shape[:-1]):
            head = (
                f"({', '.join(texts[p][k] for p, k in zip(parents, state, strict=True))})"
                if parents
                else "table"
            )
            lines.append(f"  {head} {', '.join(map(repr, table[state].tolist()))};")
        lines.append("}")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """Format a name or a value, quoted if needed."""
    if BARE.match(text) and "//" not in text and "/*" not in text:
        return text
    for letter, sign in (("\\", "\\"), ('"', '"'), ("n", "\n"), ("t", "\t"), ("r", "\r")):
        text = text.replace(sign, "\\" + letter)
    return f'"{text}"'


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
