"""Mitchell, chapter 10: first-order logic, resolution and its inverse."""

from __future__ import annotations

from collections.abc import Sequence

from induce.logic import (
    Literal,
    Prover,
    Substitution,
    entails,
    parse_book,
    parse_clause,
    parse_disjunction,
    parse_literal,
    parse_program,
    refute,
    resolve_on,
    resolvents,
    theta_subsumes,
    unify,
    variants,
    write_book,
)
from induce.logic.resolution import resolves_to, write_disjunction
from induce.logic.terms import Constant, Term, Variable
from induce.relational.cigol.inverse_resolution import (
    InverseResolvent,
    inverse_resolvents,
    propositional_inverse,
)
from induce.textbook.result import Outcome, Result

GRANDCHILD = parse_disjunction("GrandChild(Bob,Shannon)")
NOTATIONS = (
    "IF Father(y,x) ∧ Female(y) THEN Daughter(x,y)",
    "Daughter(x,y) ← Father(y,x) ∧ Female(y)",
    "Daughter(x,y) \N{LOGICAL OR} ¬Father(y,x) \N{LOGICAL OR} ¬Female(y)",
)


def _written(found: Sequence[InverseResolvent]) -> list[str]:
    return [write_disjunction(one.second) for one in found]


def _notations() -> Outcome:
    clause = parse_book(NOTATIONS[0])
    same = parse_book(NOTATIONS[1]) == clause and parse_disjunction(NOTATIONS[2]) == clause.literals()
    got = tuple(write_book(clause, style) for style in ("if", "arrow", "or"))
    return Outcome("; ".join(got), same and got == NOTATIONS, f"in Prolog: {clause}")


def _ancestor() -> Outcome:
    prover = Prover(
        parse_program(
            """
            ancestor(X, Y) :- parent(X, Y).
            ancestor(X, Y) :- parent(X, Z), ancestor(Z, Y).
            parent(ann, bea). parent(bea, cal). parent(cal, dan).
            """
        )
    )
    found = ["{X} {Y}".format(**_named(answer.substitution)) for answer in prover.prove("ancestor(X, Y)")]
    return Outcome(
        ", ".join(sorted(found)),
        sorted(found) == ["ann bea", "ann cal", "ann dan", "bea cal", "bea dan", "cal dan"],
        "of ann, whose parent is bea, whose parent is cal, whose parent is dan",
    )


def _named(values: Substitution) -> dict[str, str]:
    return {variable.name: str(term) for variable, term in values.items()}


def _substitution() -> Outcome:
    bindings: dict[Variable, Term] = {Variable("X"): Constant("bob"), Variable("Y"): Variable("Z")}
    theta = Substitution(bindings)
    literal = theta.apply(parse_literal("father(X, bill)"))
    first, second = parse_literal("father(X, Y)"), parse_literal("father(bill, Z)")
    unifier = unify(first, second)
    assert unifier is not None
    unified = unifier.apply(first)
    return Outcome(
        f"{literal}; {unified} by {unifier}",
        literal == parse_literal("father(bob, bill)")
        and unified == unifier.apply(second)
        and variants(frozenset({unified}), frozenset({parse_literal("father(bill, Y)")})),
    )


def _resolution() -> Outcome:
    passes = parse_disjunction("PassExam OR NOT KnowMaterial")
    knows = parse_disjunction("KnowMaterial OR NOT Study")
    exam = resolve_on(passes, knows, Literal("knowMaterial", (), True))
    first, second = parse_disjunction("A OR B OR C OR NOT D"), parse_disjunction("NOT B OR E OR F")
    letters = resolve_on(first, second, Literal("b"))
    return Outcome(
        f"{write_disjunction(exam)}; {write_disjunction(letters)}",
        exam == parse_disjunction("PassExam OR NOT Study")
        and letters == parse_disjunction("A OR C OR NOT D OR E OR F"),
    )


def exam_steps() -> list[InverseResolvent]:
    """Return the inverse resolvents of figure 10.2, the shortest clause first."""
    return propositional_inverse(
        parse_disjunction("PassExam OR NOT Study"), parse_disjunction("PassExam OR NOT KnowMaterial")
    )


def _inverse() -> Outcome:
    letters = propositional_inverse(parse_disjunction("A OR B"), parse_disjunction("B OR D"))
    exam = exam_steps()
    return Outcome(
        f"{', or '.join(_written(letters))}; {', or '.join(_written(exam))}",
        [one.second for one in letters]
        == [parse_disjunction("A OR NOT D"), parse_disjunction("A OR B OR NOT D")]
        and exam[0].second == parse_disjunction("KnowMaterial OR NOT Study"),
        "the shortest, which shares no literal with C1, comes first",
    )


def _swan() -> Outcome:
    swans, fred = parse_disjunction("White(x) OR NOT Swan(x)"), parse_disjunction("Swan(Fred)")
    found = resolvents(swans, fred)
    return Outcome(
        ", ".join(map(str, found)), [one.clause for one in found] == [parse_disjunction("White(Fred)")]
    )


def _slip() -> Outcome:
    step = resolvents(parse_disjunction("White(x) OR NOT Swan(x)"), parse_disjunction("Swan(Fred)"))[0]
    both = step.theta.apply(step.first) | step.theta.apply(step.second)
    first, second = (step.theta.apply(literal) for literal in (step.literal, step.other))
    words = both - {first, second.negation()}
    return Outcome(
        f"without L1θ and L2θ: {write_disjunction(both - {first, second})}; "
        f"without L1θ and ¬L2θ: {write_disjunction(words)}",
        both - {first, second} == step.clause and words == step.clause | {second},
        "L1θ and ¬L2θ are the same literal, so the printed wording leaves L2θ in",
    )


def grandchild_steps() -> tuple[InverseResolvent, InverseResolvent]:
    """Return the two inverse resolution steps of figure 10.3."""
    first = _step(GRANDCHILD, "Father(Shannon,Tom)", "GrandChild(Bob,x) OR NOT Father(x,Tom)")
    goal = "GrandChild(y,x) OR NOT Father(x,z) OR NOT Father(z,y)"
    return first, _step(first.second, "Father(Tom,Bob)", goal)


def _figure() -> Outcome:
    first, second = grandchild_steps()
    facts = [parse_disjunction("Father(Shannon,Tom)"), parse_disjunction("Father(Tom,Bob)")]
    denied = parse_disjunction("NOT GrandChild(Bob,Shannon)")
    again = refute([second.second, *facts, denied]).proof is not None
    return Outcome(
        f"θ2⁻¹ = {first.theta2_inverse} gives {write_disjunction(first.second)}; "
        f"θ2⁻¹ = {second.theta2_inverse} gives {second.rule}",
        again,
        "found among all inverse resolvents of each step; resolution gives the example again",
    )


def _step(clause: frozenset[Literal], known: str, wanted: str) -> InverseResolvent:
    """Return the inverse resolvent of a clause and a known fact that equals the wanted clause up to renaming."""
    found = inverse_resolvents(clause, parse_disjunction(known))
    return next(one for one in found if variants(one.second, parse_disjunction(wanted)))


def _subsumption() -> Outcome:
    general = parse_book("Mother(x,y) ← Father(x,z) ∧ Spouse(z,y)")
    printed = parse_book("Mother(x,Louise) ← Father(x,Bob) ∧ Spouse(Bob,y) ∧ Female(x)")
    corrected = parse_book("Mother(x,Louise) ← Father(x,Bob) ∧ Spouse(Bob,Louise) ∧ Female(x)")
    none, theta = theta_subsumes(general, printed), theta_subsumes(general, corrected)
    return Outcome(
        f"as printed: {none or 'no θ'}; with Spouse(Bob,Louise): {theta}",
        none is None and theta is not None and _named(theta) == {"Y": "louise", "Z": "bob"},
    )


def _elephants() -> Outcome:
    one = parse_clause("elephant(father_of(X)) :- elephant(X).")
    two = parse_clause("elephant(father_of(father_of(Y))) :- elephant(Y).")
    subsumes, follows = theta_subsumes(one, two) is not None, entails(one, two)
    return Outcome(
        f"subsumes: {subsumes}; entails: {follows}",
        not subsumes and follows is True and resolves_to(one, one, two),
        "resolved with itself, the first clause gives the second",
    )


def _exercise_5() -> Outcome:
    found = propositional_inverse(parse_disjunction("A OR B"), parse_disjunction("A OR B OR G"))
    wanted = ("NOT G", "A OR NOT G", "B OR NOT G", "A OR B OR NOT G")
    return Outcome(
        ", or ".join(_written(found)), {one.second for one in found} == set(map(parse_disjunction, wanted))
    )


def _exercise_6() -> Outcome:
    clause, first = parse_disjunction("R(B,x) OR P(x,A)"), parse_disjunction("S(B,y) OR R(z,x)")
    found = inverse_resolvents(clause, first)
    every = inverse_resolvents(clause, first, keep=True, existing=True)
    right = all(resolves_to(first, one.second, clause) for one in every)
    return Outcome(
        ", or ".join(_written(found)),
        right and len(found) == 4 and {str(one.literal) for one in every} == {"s(b, Y)"},
        f"only S(B,y) can be resolved away, with θ1 = {found[0].theta1}; {len(every)} results where y may also be a "
        "term of C and R(B,x) may be kept",
    )


def _exercise_7() -> Outcome:
    facts = ("Father(Shannon,Tom)", "Father(Tom,Bob)")
    whole, separate = (
        [inverse_resolvents(GRANDCHILD, parse_disjunction(fact), separately=each) for fact in facts]
        for each in (False, True)
    )
    counts = [len(found) for found in (*whole, *separate)]
    right = all(
        resolves_to(parse_disjunction(fact), one.second, GRANDCHILD)
        for fact, found in zip(facts, separate, strict=True)
        for one in found
    )
    return Outcome(
        f"Father(Shannon,Tom): {counts[0]} results, or {counts[2]} where each occurrence of a constant may be "
        f"replaced on its own; Father(Tom,Bob): {counts[1]} or {counts[3]}",
        right and counts == [8, 8, 20, 20],
        "such as " + "; ".join(str(found[-1].rule) for found in whole),
    )


RESULTS = (
    Result(
        "mitchell-10.1-ancestor",
        "Mitchell, section 10.1",
        "two rules, one of them recursive, define ancestors",
        "[Ann Bea, Ann Cal, Ann Dan, Bea Cal, Bea Dan, Cal Dan]",
        _ancestor,
    ),
    Result(
        "mitchell-10.4.2-notations",
        "Mitchell, table 10.3",
        "a Horn clause as a disjunction, with an arrow, and with IF and THEN",
        "[" + "; ".join(NOTATIONS) + "]",
        _notations,
    ),
    Result(
        "mitchell-10.4.2-unification",
        "Mitchell, table 10.3 and section 10.7.2",
        "literals after substitutions",
        "Father(Bob,Bill); Father(Bill,y)",
        _substitution,
    ),
    Result(
        "mitchell-10.7-resolution",
        "Mitchell, table 10.5 and figure 10.2",
        "propositional resolution",
        "PassExam \N{LOGICAL OR} ¬Study",
        _resolution,
    ),
    Result(
        "mitchell-10.7.1-inverse-resolution",
        "Mitchell, table 10.6 and figure 10.2",
        "propositional resolution inverted",
        "A \N{LOGICAL OR} ¬D, or A \N{LOGICAL OR} ¬D \N{LOGICAL OR} B; KnowMaterial \N{LOGICAL OR} ¬Study",
        _inverse,
    ),
    Result(
        "mitchell-10.7.2-swan",
        "Mitchell, section 10.7.2",
        "first-order resolution of White(x) \N{LOGICAL OR} ¬Swan(x) and Swan(Fred)",
        "White(Fred)",
        _swan,
    ),
    Result(
        "mitchell-10.7.2-resolution-rule",
        "Mitchell, table 10.7",
        "the resolvent has all literals but L1θ and ¬L2θ",
        "all literals from C1θ and C2θ, except for L1θ and ¬L2θ",
        _slip,
        erratum="the resolvent has all literals but L1θ and L2θ, as equation 10.3 says: L1θ is ¬L2θ, and L2θ would "
        "stay",
    ),
    Result(
        "mitchell-10.7.3-grandchild",
        "Mitchell, figure 10.3",
        "two steps of inverse resolution find a rule for grandchildren",
        "GrandChild(Bob,x) \N{LOGICAL OR} ¬Father(x,Tom); "
        "GrandChild(y,x) \N{LOGICAL OR} ¬Father(x,z) \N{LOGICAL OR} ¬Father(z,y)",
        _figure,
    ),
    Result(
        "mitchell-10.7.4-subsumption",
        "Mitchell, section 10.7.4",
        "Mother(x,y) ← Father(x,z) ∧ Spouse(z,y) θ-subsumes "
        "Mother(x,Louise) ← Father(x,Bob) ∧ Spouse(Bob,y) ∧ Female(x)",
        "θ = {y/Louise, z/Bob}",
        _subsumption,
        erratum="as printed it does not: under θ the first clause has Spouse(Bob,Louise), which the second lacks; "
        "it does if the second says Spouse(Bob,Louise) instead of Spouse(Bob,y)",
    ),
    Result(
        "mitchell-10.7.4-elephants",
        "Mitchell, section 10.7.4",
        "a clause entails another without θ-subsuming it",
        "A entails B, but does not θ-subsume it",
        _elephants,
    ),
    Result(
        "mitchell-exercise-10.5-inverse",
        "Mitchell, exercise 10.5",
        "all C2 whose resolvent with A \N{LOGICAL OR} B \N{LOGICAL OR} G is A \N{LOGICAL OR} B",
        "[¬G; ¬G \N{LOGICAL OR} A; ¬G \N{LOGICAL OR} B; ¬G \N{LOGICAL OR} A \N{LOGICAL OR} B]",
        _exercise_5,
    ),
    Result(
        "mitchell-exercise-10.6-inverse",
        "Mitchell, exercise 10.6",
        "inverse resolvents of R(B,x) \N{LOGICAL OR} P(x,A) and S(B,y) \N{LOGICAL OR} R(z,x)",
        "[P(x,A) \N{LOGICAL OR} ¬S(B,y), and with variables for A, for B or for both]",
        _exercise_6,
    ),
    Result(
        "mitchell-exercise-10.7-choices",
        "Mitchell, exercise 10.7",
        "the other results that the first step of figure 10.3 could have had",
        "[8, or 20 if occurrences are replaced separately, for each of the two facts]",
        _exercise_7,
    ),
)
