"""Description length of a tree or a rule list, in a code that is fixed before the rows are seen."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np

from induce.core.errors import InputError
from induce.data.schema import Column, Schema
from induce.hypotheses.conditions import Between, Condition, Is, NominalCondition, NumericCondition
from induce.hypotheses.rules import Rule, RuleList
from induce.trees.hypothesis import Tree

FLOAT_BITS = 64


def code_length(hypothesis: Any) -> float:
    """Return the description length in bits of a tree or a rule list, in a prefix code fixed by the schema.

    Because the code is fixed in advance, the hypotheses of at most b bits form a space of at most 2^b
    hypotheses, whatever the rows. The union bound of theorem 7.1 holds for this space; this is the argument
    for Occam's razor.

    The code of a tree omits the treatment of missing values. Two bits encode whether nominal tests have one
    branch per value, and whether numeric tests have a single threshold. Then each node is encoded as in
    `induce.trees.pruning.description_length`, except for thresholds: a short decimal takes few bits, and none
    takes more than 65. In the code of a rule list, one bit encodes whether the first rule decides or all
    vote, and a bit announces each rule and each condition. Attributes, values and classes are encoded as
    choices from those of the schema. If the rules vote, their counts are encoded too.

    Parameters
    ----------
    hypothesis : Tree or RuleList
        Tree or rule list to encode.

    Examples
    --------
    >>> import induce
    >>> X, y = induce.dataset("play-tennis")
    >>> tree = induce.ID3().fit(X, y).hypothesis_
    >>> round(code_length(tree), 2), round(code_length(tree.to_rules()), 2)
    (20.17, 65.92)
    """
    return _bits(hypothesis)


def number_bits(number: float) -> float:
    """Return the bits of a number: its shortest decimal or its 64-bit float, plus one bit for the choice.

    Examples
    --------
    >>> [number_bits(number) for number in (0.0, 7.0, 4.95, 1 / 3)]
    [4, 11, 22, 65]
    """
    sign_mantissa, _, exponent = f"{np.format_float_scientific(number, trim='-')}".partition("e")
    digits = sign_mantissa.lstrip("-").replace(".", "")
    power = int(exponent) - (len(digits) - 1)
    signed = 2 * abs(power) - (power < 0)  # 0, -1, 1, -2, 2, … are encoded as 0, 1, 2, 3, 4, …
    decimal = 1 + whole_bits(int(digits)) + whole_bits(signed)
    return 1 + min(decimal, FLOAT_BITS)


def whole_bits(number: int) -> int:
    """Return the bits of a nonnegative integer in the Elias delta code, which is self-delimiting.

    Examples
    --------
    >>> [whole_bits(number) for number in (0, 1, 2, 3, 10, 495)]
    [1, 4, 4, 5, 8, 15]
    """
    length = (number + 1).bit_length()
    return length + 2 * (length.bit_length() - 1)


@singledispatch
def _bits(hypothesis: Any) -> float:
    raise _no_code(hypothesis)


def _no_code(hypothesis: Any) -> InputError:
    return InputError(
        f"cannot encode a {type(hypothesis).__name__}; give a Tree or a RuleList, or the size of the space"
    )


@_bits.register
def _of_tree(tree: Tree) -> float:
    from induce.trees.pruning.description import description_length

    if "rules" not in tree.forms():  # it tests weighted sums of columns
        raise _no_code(tree)
    # without counts, the gaps between examples are unknown, so thresholds are free at first
    bits = 2 + description_length(replace(tree, counts=np.zeros_like(tree.counts))).tree
    inner = np.flatnonzero(tree.attribute >= 0).tolist()
    nominal = [node for node in inner if tree.tested(node).kind == "nominal"]
    numeric = [node for node in inner if tree.tested(node).kind != "nominal"]
    if any(tree.map_start[node] >= 0 for node in nominal):
        bits += sum(whole_bits(int(tree.n_branches[node])) for node in nominal)
        by_value = [len(tree.tested(node).domain) for node in nominal if tree.map_start[node] < 0]
        bits += sum((values - 1) * math.log2(values) for values in by_value)
    if any(tree.map_start[node] >= 0 for node in numeric):
        bits += sum(whole_bits(int(tree.n_branches[node])) for node in numeric)
    return float(bits + sum(number_bits(end) for node in numeric for end in tree.ends(node).tolist()))


@_bits.register
def _of_rules(rules: RuleList) -> float:
    class_bits = math.log2(len(rules.classes))
    bits = 1 + class_bits + 1  # whether rules are ordered, the default class, and the end of the list
    for rule in rules.rules:
        bits += 1 + sum(1 + _of_condition(each, rules.schema) for each in rule.conditions) + 1 + class_bits
        if not rules.ordered:
            bits += _of_counts(rule)
    return float(bits)


def _of_counts(rule: Rule) -> int:
    if any(count != int(count) for count in rule.counts):
        raise InputError(
            "cannot encode rules that vote with fractional weights; give rules with "
            "integer weights, or the size of the space"
        )
    return sum(whole_bits(int(count)) for count in rule.counts)


def _of_condition(condition: Condition, schema: Schema) -> float:
    column: Column = schema[condition.attribute]
    bits = math.log2(len(schema.inputs()))
    if isinstance(condition, NominalCondition):
        return bits + 1 + (math.log2(len(column.domain)) if isinstance(condition, Is) else len(column.domain))
    if isinstance(condition, NumericCondition):
        kinds = 2 if isinstance(condition, Between) else math.log2(8 / 3)  # 1/4 + 2 · 3/8 is 1
        return bits + kinds + sum(number_bits(end) for end in condition.bounds if math.isfinite(end))
    raise InputError(f"cannot encode the condition {str(condition)!r}; give the size of the space")
