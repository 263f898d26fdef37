"""Rules over columns written in the syntax of a theory: Prolog, or IF … THEN …"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from induce.data.schema import Schema
from induce.hypotheses.conditions import Condition, Is, NominalCondition, NumericCondition
from induce.hypotheses.expert_rules.marks import is_prolog, marked
from induce.hypotheses.expert_rules.reading import says_yes, trusted_clauses
from induce.hypotheses.expert_rules.rules import Antecedent, ExpertRule
from induce.hypotheses.expert_rules.theory import ExpertRules
from induce.logic.clauses import Literal
from induce.logic.parsing import goals_of, parse_literal
from induce.logic.terms import Constant, Term, Variable, unlisted


def written(theory: ExpertRules, rules: Iterable[ExpertRule]) -> str:
    """Return rules as text in the syntax of a theory, keeping the spelling of its literals.

    Parameters
    ----------
    theory : ExpertRules
        Theory from which the rules come.
    rules : iterable of ExpertRule

    Examples
    --------
    >>> from induce.data.schema import Column
    >>> schema = Schema((Column("light", "nominal", ("no", "yes")), Column("age")))
    >>> theory = ExpertRules(schema, "good :- light, age =< 30.")
    >>> weaker = ExpertRule("good", theory.clauses[0].body, 1)
    >>> print(written(theory, [weaker]))
    good :- at_least(1, [light, age =< 30]).
    """
    if not is_prolog(theory.text):
        return "".join(f"{rule}\n" for rule in rules)
    writer = _PrologWriter(theory)
    return "\n".join(marked(writer.clause(rule), rule.trust) for rule in rules)


class _PrologWriter:
    def __init__(self, theory: ExpertRules) -> None:
        self.schema: Schema = theory.schema
        self.patterns = [(parse_literal(literal), condition) for literal, condition in theory.columns]
        self.heads: dict[str, Literal] = {}
        self.spelled: dict[Antecedent, Literal] = {}
        clauses = [clause for clause, _ in trusted_clauses(theory.text, theory.schema, theory.columns)]
        for clause, rule in zip(clauses, theory.clauses, strict=True):
            assert clause.head is not None
            self.heads.setdefault(rule.head, clause.head)
            stated: Sequence[Literal] = [one for one in clause.body if one.name != "true"]
            if not rule.is_conjunction or (len(stated) == 1 and stated[0].predicate == ("at_least", 2)):
                stated = [goals_of(item)[0] for item in unlisted(stated[0].arguments[1])[0]]
            for literal, antecedent in zip(stated, rule.body, strict=True):
                self.spelled.setdefault(antecedent, literal)
        head = clauses[0].head
        assert head is not None
        first = head.arguments[:1]
        self.row: tuple[Term, ...] = first if first and isinstance(first[0], Variable) else ()

    def clause(self, rule: ExpertRule) -> str:
        """Return a rule as a clause."""
        head = str(self.heads.get(rule.head) or Literal(rule.head, self.row))
        body = [", ".join(self._goals(one)) for one in rule.body]
        if not body:
            return f"{head}."
        if rule.is_conjunction:
            return f"{head} :- {', '.join(body)}."
        return f"{head} :- at_least({rule.at_least}, [{', '.join(map(_grouped, body))}])."

    def _goals(self, one: Antecedent) -> list[str]:
        if one in self.spelled:
            return [str(self.spelled[one])]
        if Antecedent(one.of, not one.negated) in self.spelled:
            return [str(self.spelled[Antecedent(one.of, not one.negated)].negation())]
        if isinstance(one.of, str):
            return [str(Literal(one.of, self.row, one.negated))]
        goals = self._tests(one.of)
        if not one.negated:
            return goals
        return [f"\\+ {goals[0]}" if len(goals) == 1 else f"\\+ ({', '.join(goals)})"]

    def _tests(self, condition: Condition) -> list[str]:
        name = Constant(self._atom(condition.attribute))
        if isinstance(condition, NumericCondition):
            low, high = condition.bounds
            above = [Literal(">", (name, Constant(low)))] if low > float("-inf") else []
            below = [Literal("=<", (name, Constant(high)))] if high < float("inf") else []
            return [str(one) for one in (*above, *below)]
        assert isinstance(condition, NominalCondition)
        domain = self.schema[condition.attribute].domain
        refused = [value for value in domain if value not in condition.accepted]
        if len(condition.accepted) == 1:
            return [self._is(condition.attribute, condition.accepted[0])]
        if len(refused) == 1:
            return [str(Literal("\\=", (name, _term(refused[0]))))]
        return [f"({' ; '.join(self._is(condition.attribute, value) for value in condition.accepted)})"]

    def _is(self, column: str, value: object) -> str:
        for pattern, condition in self.patterns:
            if (filled := _matched(pattern, condition, f"{column} = {value}")) is not None:
                return str(filled)
        domain = self.schema[column].domain
        truth = [each for each in domain if says_yes(each)]
        atom = self._atom(column)
        # a negated literal also holds for a missing value, so the other of two values is written out
        if len(domain) == 2 and truth == [value]:
            return str(Literal(atom, self.row))
        return str(Literal(atom, (*self.row, _term(value))))

    def _atom(self, column: str) -> str:
        """Return the column's name in the theory, or a plain atom that matches only this column."""
        for antecedent, literal in self.spelled.items():
            if isinstance(antecedent.of, Is) and antecedent.of.attribute == column:
                letters = re.sub(r"[\W_]+", "", column).lower()
                if re.sub(r"[\W_]+", "", literal.name).lower() == letters:
                    return literal.name
        atom = re.sub(r"\W+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", column)).strip("_").lower()
        alike = [one for one in self.schema.names() if _letters(one) == _letters(column)]
        return atom if atom[:1].isalpha() and atom.isascii() and len(alike) == 1 else column


def _matched(pattern: Literal, condition: str, text: str) -> Literal | None:
    """Return the literal of a pattern that matches a condition; None if there is no match."""
    names = [str(name) for name in pattern.arguments]
    expression = re.escape(condition)
    for name in names:
        expression = expression.replace(re.escape(f"{{{name}}}"), f"(?P<{name}>.+?)")
    found = re.fullmatch(expression, text)
    if found is None or set(found.groupdict()) != set(names):
        return None
    return Literal(pattern.name, tuple(_term(found[name]) for name in names))


def _term(value: object) -> Constant:
    if isinstance(value, bool):
        return Constant("true" if value else "false")
    if isinstance(value, int | float):
        return Constant(value)
    text = str(value)
    return Constant(int(text)) if re.fullmatch(r"-?\d+", text) else Constant(text)


def _grouped(goals: str) -> str:
    return f"({goals})" if re.search(r",(?![^(\[]*[)\]])", goals) else goals


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()
