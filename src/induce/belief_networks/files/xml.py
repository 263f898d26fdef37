"""Safe XML parsing: no entities, no external files, limited nesting."""

from __future__ import annotations

import json
from typing import NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from induce.core.errors import InputError

DEEPEST = 64
NAME, VALUES = "induce.name", "induce.values"
"""Properties that store a name or values that XML cannot represent."""


def parsed(data: bytes) -> Element:
    """Return the root of an XML document.

    Examples
    --------
    >>> parsed(b"<a><b/></a>").tag
    'a'
    >>> parsed(b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>')
    Traceback (most recent call last):
    induce.core.errors.InputError: line 1, column 25: the file declares an entity, which is not allowed; give its text
    """
    builder, depth = TreeBuilder(), 0
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def refuse(*_: object) -> NoReturn:
        raise InputError(_at(parser, "the file declares an entity, which is not allowed; give its text"))

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise InputError(
                _at(parser, f"its elements are nested more than {DEEPEST} levels deep, which is not allowed")
            )
        builder.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = parser.ExternalEntityRefHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise InputError(
            f"line {error.lineno}, column {error.offset + 1}: {expat.errors.messages[error.code]}"
        ) from None
    return builder.close()


def _at(parser: expat.XMLParserType, what: str) -> str:
    return f"line {parser.CurrentLineNumber}, column {parser.CurrentColumnNumber + 1}: {what}"


def text_of(element: Element, tag: str) -> str:
    """Return the stripped text of a child element; empty if there is none."""
    return (element.findtext(tag) or "").strip()


def spells(text: str) -> bool:
    """Return whether a text survives a round trip through XML.

    Examples
    --------
    >>> spells("a < b"), spells(" a"), spells("a\\x00")
    (True, False, False)
    """
    return bool(text) and text == text.strip() and text.isprintable()


def kept_name(text: str) -> str:
    """Return the name stored in a property, or an empty string."""
    try:
        name = json.loads(text)
    except ValueError:
        return ""
    return name if isinstance(name, str) else ""
