"""State the default of every parameter in the docstring of its learner: `python tests/docstrings.py`.

The signature is what counts. The head of a parameter, such as ``max_depth : int, default=3``, follows it;
`tests/test_docstrings.py` checks that it does. A parameter whose default is None may say ``optional`` instead.
"""

import ast
import inspect
import re
import textwrap
from pathlib import Path

import induce
from induce.core.declarations import learner_modules

HEAD = re.compile(r"^(?P<name>\w+) : (?P<type>.*?)(?:, default=(?P<default>.+))?$")


def learners():
    return {name: getattr(induce, name) for name in learner_modules()}


def docstring_lines(learner):
    """Return the file of a learner, and where its docstring begins and ends, in lines."""
    file = Path(inspect.getsourcefile(learner))
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found = next(
        node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == learner.__name__
    )
    return file, found.body[0].lineno - 1, found.body[0].end_lineno


def heads(lines):
    """Yield the number of each line that begins a parameter."""
    inside = False
    for number, line in enumerate(lines):
        ruled = number + 1 < len(lines) and re.fullmatch(r" +-+", lines[number + 1])
        if ruled:
            inside = line.strip() == "Parameters"
        elif inside and re.match(r"    \w", line):
            yield number


def shown(default):
    """Return a default as the docstring writes it; None where it has no short form.

    Examples
    --------
    >>> shown("gini"), shown(0.25), shown(None)
    ('"gini"', '0.25', 'None')
    """
    if isinstance(default, str):
        return f'"{default}"' if default.isprintable() and "\\" not in default else None
    text = repr(default)
    return text if re.fullmatch(r"[\w.+\-(), ']{1,40}", text) else None


def stated(head, default):
    """Return the head of a parameter with its default.

    Examples
    --------
    >>> stated("max_depth : int", 3)
    'max_depth : int, default=3'
    >>> stated("max_depth : int, optional", None)
    'max_depth : int, optional'
    """
    match = HEAD.match(head)
    if match is None or default is inspect.Parameter.empty:
        return head
    if default is None and "optional" in match["type"]:
        return f"{match['name']} : {match['type']}"
    text = shown(default)
    kind = re.sub(r", optional$", " or None", match["type"])
    return head if text is None else f"{match['name']} : {kind}, default={text}"


def corrected(learner):
    """Return the file of a learner, where its docstring is, its lines, and the lines as they should be."""
    file, start, end = docstring_lines(learner)
    lines = file.read_text(encoding="utf-8").splitlines()[start:end]
    signature = inspect.signature(learner.__init__).parameters
    new = list(lines)
    for number in heads(lines):
        head = lines[number].strip()
        name = head.split(" : ")[0]
        if name in signature:
            new[number] = "    " + stated(head, signature[name].default)
    return file, start, end, lines, new


def main():
    for learner in learners().values():
        file, start, end, lines, new = corrected(learner)
        if new != lines:
            text = file.read_text(encoding="utf-8").splitlines()
            text[start:end] = new
            file.write_text("\n".join(text) + "\n", encoding="utf-8")
            print(textwrap.shorten(f"{learner.__name__}: {file}", 118))


if __name__ == "__main__":
    main()
