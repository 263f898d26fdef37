"""Source code of a result, with the parts of its module that it uses."""

from __future__ import annotations

import ast
from importlib import resources

from induce.textbook.contents import Entry


def code(entry: Entry) -> str:
    """Return the source that computes a result: imports, constants and functions it uses, then the call.

    Examples
    --------
    >>> from induce.textbook.contents import select
    >>> print(code(select(["mitchell-3.4-wind-gain"])[0]).splitlines()[-1])
    partial(_root_gain, 'Wind', '0.048')()
    """
    text = (resources.files("induce.textbook") / f"{entry.module}.py").read_text(encoding="utf-8")
    statements = ast.parse(text).body
    homes = {name: statement for statement in statements for name in _names(statement)}
    call = _call(statements, entry.id)
    # names in annotations are imported for type checkers only
    wanted: set[ast.stmt] = {
        each for each in statements if isinstance(each, ast.ImportFrom) and each.module == "__future__"
    }
    ahead = _used(call, homes)
    while ahead:
        statement = ahead.pop()
        if statement not in wanted:
            wanted.add(statement)
            ahead += _used(statement, homes)
    used = {node.id for each in (call, *wanted) for node in ast.walk(each) if isinstance(node, ast.Name)}
    parts = [_lines(text, statement, used) for statement in statements if statement in wanted]
    return "\n".join([*parts, "", "", f"{ast.unparse(call)}()"]).lstrip("\n")


def _call(statements: list[ast.stmt], id: str) -> ast.expr:
    """Return the expression passed as `run`, the fifth argument of the `Result` with this id."""
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and len(node.args) > 4:
                first = node.args[0]
                if isinstance(first, ast.Constant) and first.value == id:
                    return node.args[4]
    raise LookupError(f"no result {id!r} is declared in its module")


def _used(node: ast.AST, homes: dict[str, ast.stmt]) -> list[ast.stmt]:
    """Return the statements that bind the names used by a node."""
    return [homes[each.id] for each in ast.walk(node) if isinstance(each, ast.Name) and each.id in homes]


def _names(statement: ast.stmt) -> list[str]:
    """Return the names bound by a statement of a module."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).partition(".")[0] for alias in statement.names]
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    targets = [statement.target] if isinstance(statement, ast.AnnAssign) else targets
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]


def _lines(text: str, statement: ast.stmt, used: set[str]) -> str:
    """Return a statement as written, with a blank line around functions; an import only of names in use."""
    if isinstance(statement, ast.ImportFrom) and statement.module != "__future__":
        names = [alias for alias in statement.names if (alias.asname or alias.name) in used]
        return ast.unparse(ast.ImportFrom(statement.module, names, statement.level))
    decorators = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(each.lineno for each in decorators)])
    lines = "\n".join(text.splitlines()[first - 1 : statement.end_lineno])
    return f"\n\n{lines}" if isinstance(statement, ast.FunctionDef | ast.ClassDef) else lines
