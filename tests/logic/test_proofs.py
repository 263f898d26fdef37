"""Proof trees: they check, print as Figure 11.2, and can be drawn."""

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from induce.core.errors import InputError
from induce.logic.parsing import parse_program
from induce.logic.proofs import Proof
from induce.logic.prover import Prover

SAFE_TO_STACK = """
    safe_to_stack(X, Y) :- lighter(X, Y).
    safe_to_stack(X, Y) :- \\+ fragile(Y).
    lighter(X, Y) :- weight(X, WX), weight(Y, WY), less_than(WX, WY).
    weight(X, W) :- volume(X, V), density(X, D), equal(W, times(V, D)).
    weight(X, 5) :- type(X, endtable).
    fragile(X) :- material(X, glass).
    volume(obj1, 2). density(obj1, 0.3). type(obj1, box). type(obj2, endtable).
    material(obj1, cardboard). material(obj2, wood). volume(obj2, 5) :- fail. density(obj2, 1) :- fail.
"""


def proof_of(text, goal, **options):
    return Prover(parse_program(text), **options).first(goal).proof


def check(proof):
    """Every node's clause, with the node's unifier, really has these children."""
    for _, node in proof.walk():
        if node.clause is not None:
            assert node.unifier.apply(node.clause.head) == node.literal
            assert [node.unifier.apply(goal) for goal in node.clause.body] == [
                each.literal for each in node.children
            ]
            assert node.kind == ("rule" if node.clause.body else "fact")
        elif node.kind == "negation":
            assert node.literal.negated or node.literal.name == "\\+"
            assert node.children == ()


def test_safe_to_stack_figure_11_2():
    proof = proof_of(SAFE_TO_STACK, "safe_to_stack(obj1, obj2)")
    assert str(proof).splitlines() == [
        "safe_to_stack(obj1, obj2)",
        "└─ lighter(obj1, obj2)",
        "   ├─ weight(obj1, 0.6)",
        "   │  ├─ volume(obj1, 2)",
        "   │  ├─ density(obj1, 0.3)",
        "   │  └─ equal(0.6, times(2, 0.3)) [built-in]",
        "   ├─ weight(obj2, 5)",
        "   │  └─ type(obj2, endtable)",
        "   └─ less_than(0.6, 5) [built-in]",
    ]
    check(proof)
    assert (proof.depth(), proof.size()) == (4, 9)
    assert [str(fact) for fact in proof.facts()] == [
        "volume(obj1, 2)",
        "density(obj1, 0.3)",
        "type(obj2, endtable)",
    ]
    assert [str(rule.head) for rule in proof.rules()] == [
        "safe_to_stack(X, Y)",
        "lighter(X, Y)",
        "weight(X, W)",
        "weight(X, 5)",
    ]
    assert str(proof.children[0].unifier) == "{X/obj1, Y/obj2, WX/0.6, WY/5}"
    assert proof.number == 0


def test_all_proofs_are_found_on_request():
    answers = Prover(parse_program(SAFE_TO_STACK)).prove("safe_to_stack(obj1, obj2)").all()
    assert len(answers) == 2
    second = answers[1].proof
    assert str(second).splitlines() == ["safe_to_stack(obj1, obj2)", "└─ \\+ fragile(obj2) [not provable]"]
    check(second)


@pytest.mark.parametrize(
    "body",
    [
        "q(X), \\+ r(X)",
        "(q(X), r(X) ; q(X), X \\= a)",
        "(r(X) -> true ; q(X))",
        "(q(X) *-> true ; r(X))",
        "call(q, X), call(q(X))",
        "G = q(X), call(G), G",
        "once(q(X)), !",
        "findall(Y, q(Y), [X|_])",
        "forall(q(Y), Y \\= z), q(X)",
        "member(X, [a, b]), atom_length(X, _), q(X)",
        "\\+ (q(Y), r(Y)), q(X)",
        "not(r(X)), q(X)",
        "q(X), (X == a -> \\+ r(a) ; fail)",
        "maplist(q, [X]), msort([X], _), X @< zz",
    ],
)
def test_proofs_through_control_check(body):
    prover = Prover(parse_program(f"p(X) :- {body}. q(a). q(b). r(c) :- fail."))
    answers = prover.prove("p(X)").all()
    assert answers
    for answer in answers:
        check(answer.proof)
        assert answer.proof.kind == "rule"


def test_controls_have_their_parts_below():
    proof = proof_of("p(X) :- (q(X) -> r(X) ; s(X)). q(a). r(a).", "p(a)", unknown="fail")
    (choice,) = proof.children
    assert choice.kind == "built-in"
    assert [str(child.literal) for child in choice.children] == ["q(a)", "r(a)"]
    assert [str(fact) for fact in proof.facts()] == ["q(a)", "r(a)"]


def test_library_predicates_are_one_node():
    proof = proof_of("p(X) :- append(X, [c], [a, b, c]).", "p(X)")
    assert [(child.kind, str(child.literal)) for child in proof.children] == [
        ("built-in", "append([a, b], [c], [a, b, c])")
    ]
    assert proof.children[0].children == ()


def test_naive_reverse_has_a_node_per_inference():
    text = """
        app([], L, L). app([H|T], L, [H|R]) :- app(T, L, R).
        nrev([], []). nrev([H|T], R) :- nrev(T, S), app(S, [H], R).
    """
    numbers = ", ".join(map(str, range(30)))
    proof = proof_of(text, f"nrev([{numbers}], X)")
    assert proof.size() == 496
    check(proof)


def test_proofs_of_several_goals_and_without():
    prover = Prover(parse_program("p(a). q(b)."))
    answer = prover.first("p(X), \\+ q(X), q(Y)")
    assert [each.kind for each in answer.proofs] == ["fact", "negation", "fact"]
    assert answer.proof is answer.proofs[0]
    bare = prover.prove("p(X)", proofs=False).first()
    with pytest.raises(InputError, match="proofs=True"):
        _ = bare.proof


def test_backtracking_leaves_no_trace():
    proof = proof_of("p(X) :- q(X, Y), r(Y). q(a, 1). q(a, 2). q(b, 3). r(3).", "p(X)")
    assert [str(fact) for fact in proof.facts()] == ["q(b, 3)", "r(3)"]


def test_pictures():
    proof = proof_of(SAFE_TO_STACK, "safe_to_stack(obj1, obj2)")
    figure = proof.draw()
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    boxes = [text.get_bbox_patch().get_window_extent(canvas.get_renderer()) for text in figure.axes[0].texts]
    assert len(boxes) == proof.size()
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    long = proof.literal, "fact"
    large = Proof(proof.literal, "rule", children=tuple(Proof(*long) for _ in range(400)))
    with pytest.raises(InputError, match="too large to draw"):
        large.draw()
