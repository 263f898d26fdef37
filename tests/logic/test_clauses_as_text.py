"""Functions of clauses take their text."""

from induce.logic import (
    entails,
    equivalent,
    more_general_than,
    parse_clause,
    reduced,
    resolvents,
    theta_subsumes,
    variants,
)
from induce.relational import inverse_resolvents, propositional_inverse


def test_text_and_clause_give_the_same():
    for function, texts in (
        (theta_subsumes, ("p(X) :- q(X, Y).", "p(a) :- q(a, b), r(b).")),
        (variants, ("p(X) :- q(X, Y)", "p(A) :- q(A, B)")),
        (equivalent, ("p(X) :- q(X, Y), q(X, Z).", "p(X) :- q(X, Y).")),
        (reduced, ("p(X) :- q(X, Y), q(X, a), r(Z), r(a).",)),
        (
            entails,
            ("elephant(father_of(X)) :- elephant(X).", "elephant(father_of(father_of(Y))) :- elephant(Y)."),
        ),
        (more_general_than, ("c(X) :- p(X, Y).", "c(X) :- p(X, Z), q(Z).")),
        (resolvents, ("a :- b.", "b :- c.")),
        (propositional_inverse, ("pass_exam :- study.", "pass_exam :- know_material.")),
        (inverse_resolvents, ("grandchild(bob, shannon).", "father(shannon, tom).")),
    ):
        of_text, of_clauses = function(*texts), function(*map(parse_clause, texts))
        if function in (resolvents, propositional_inverse, inverse_resolvents):
            of_text, of_clauses = list(map(str, of_text)), list(map(str, of_clauses))
            assert of_text
        assert of_text == of_clauses, function.__name__
