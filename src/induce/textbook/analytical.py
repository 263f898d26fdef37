"""Mitchell, chapter 11: analytical learning."""

from __future__ import annotations

import polars as pl

import induce
from induce.analytical.chunking.system import ProductionSystem
from induce.analytical.determinations import Determination, monotone_rules
from induce.analytical.examples import (
    FORK,
    HOUSEMATES,
    JOE_AND_SUE,
    POSITIONS,
    SAFE_TO_STACK,
    TWO_OBJECTS,
    stack_of_letters,
)
from induce.logic import Clause, Program, parse_clause, parse_literal, variants, write_book
from induce.logic.proofs import Proof
from induce.logic.regression import leaf_generalisation, regress, regression_steps, weakest_preimage
from induce.logic.unfolding import features, unfold
from induce.planning import (
    Macro,
    MacroOperators,
    breadth_first,
    macro_operator,
    random_problem,
    read_domain,
    read_problem,
)
from induce.planning.domains import BLOCKS
from induce.planning.grounding import ground
from induce.textbook.result import Outcome, Result

RULE = "safeToStack(X, Y) :- volume(X, V), density(X, D), equal(W, times(V, D)), less_than(W, 5), type(Y, endtable)."
DOORS = """
(define (domain doors) (:types box room door)
  (:predicates (robot ?r - room) (in ?b - box ?r - room) (connects ?d - door ?a ?b - room))
  (:action go-through :parameters (?d - door ?a ?b - room)
    :precondition (and (robot ?a) (connects ?d ?a ?b)) :effect (and (robot ?b) (not (robot ?a))))
  (:action push-through :parameters (?b - box ?d - door ?r ?s - room)
    :precondition (and (robot ?r) (in ?b ?r) (connects ?d ?r ?s))
    :effect (and (robot ?s) (in ?b ?s) (not (robot ?r)) (not (in ?b ?r)))))
"""
YOUNG = "age(X, A), less_than(A, 10), age(Y, B), less_than(B, 10), mother(X, Z), mother(Y, Z)"


def _same(clause: Clause, text: str) -> bool:
    return variants(clause.literals(), parse_clause(text).literals())


def _proofs() -> Outcome:
    prover = TWO_OBJECTS.prover(SAFE_TO_STACK.program.clauses)
    proofs = [answer.proofs[0] for answer in prover.prove("safeToStack(obj1, obj2)")]
    rules = ", then ".join(str(proof.clause) for proof in proofs)
    alone = TWO_OBJECTS.prover(SAFE_TO_STACK.without_negation().program.clauses)
    n_alone = len(alone.prove("safeToStack(obj1, obj2)").all())
    return Outcome(
        f"{len(proofs)} proofs: {rules}; {n_alone} without negation", (len(proofs), n_alone) == (2, 1)
    )


def _learned() -> Outcome:
    learner = induce.PrologEBG(SAFE_TO_STACK, TWO_OBJECTS, negation=False).fit([["obj1", "obj2"]], [True])
    (clause,) = learner.hypothesis_.clauses
    return Outcome(str(clause), _same(clause, RULE), f"the new feature: {', '.join(features(clause))}")


def explanation() -> Proof:
    """Return the proof in figure 11.2 that the box can be stacked on the table."""
    prover = TWO_OBJECTS.prover(SAFE_TO_STACK.without_negation().program.clauses)
    answer = prover.first("safeToStack(obj1, obj2)")
    assert answer is not None
    return answer.proofs[0]


def _regression() -> Outcome:
    steps = list(regression_steps(explanation(), operational=SAFE_TO_STACK.is_operational))
    last = steps[-1]
    expected = {
        "volume(X, V)",
        "density(X, D)",
        "equal(Wx, times(V, D))",
        "less_than(Wx, 5)",
        "type(Y, endtable)",
    }
    return Outcome(
        f"{len(steps)} steps to {{{last}}}",
        len(steps) == 4 and set(map(str, last.frontier)) == expected,
        f"the last step regresses {last.literal} with {last.general}",
    )


def _leaves() -> Outcome:
    proof = explanation()
    clause = leaf_generalisation(proof, proof.literal.arguments, SAFE_TO_STACK.is_operational)
    expected = "safeToStack(X, Y) :- volume(X, 2), density(X, 0.3), type(Y, endtable)."
    return Outcome(write_book(clause, "arrow"), _same(clause, expected))


def _lemmas() -> Outcome:
    everything = list(unfold(SAFE_TO_STACK, simplify=False))
    lemmas = [one.clause for one in unfold(SAFE_TO_STACK)]
    learner = induce.PrologEBG(SAFE_TO_STACK, TWO_OBJECTS, negation=False).fit([["obj1", "obj2"]], [True])
    (learned,) = learner.hypothesis_.clauses
    among = any(variants(learned.literals(), lemma.literals()) for lemma in lemmas)
    return Outcome(
        f"{len(everything)} clauses, {len(everything) - len(lemmas)} of which can never hold; PROLOG-EBG's is "
        f"{'one' if among else 'none'} of them",
        len(everything) == 5 and len(lemmas) == 4 and among,
    )


def _humidity() -> Outcome:
    days = pl.DataFrame({"humidity": [0.3]})
    (rule,) = monotone_rules(days, ["yes"], {"humidity": "decreasing"}, "yes")
    return Outcome(str(rule), str(rule) == "IF humidity <= 0.3 THEN target = yes")


def _language() -> Outcome:
    joe = pl.DataFrame([{"age": 23, "hand": "left", "nationality": "Brazilian", "language": "Portuguese"}])
    belief = Determination(("nationality",), "language")
    (rule,) = belief.deduce(joe)
    dropped = belief.irrelevant(joe)
    return Outcome(
        f"{rule}; irrelevant: {', '.join(dropped)}",
        str(rule) == "IF nationality = Brazilian THEN language = Portuguese" and dropped == ("age", "hand"),
    )


def _housemates() -> Outcome:
    learner = induce.PrologEBG(HOUSEMATES, JOE_AND_SUE).fit([["joe", "sue"]], [True])
    (clause,) = learner.hypothesis_.clauses
    return Outcome(str(clause), _same(clause, f"houseMates(X, Y) :- {YOUNG}."))


def _with_joe() -> Outcome:
    answer = JOE_AND_SUE.prover(HOUSEMATES.program.clauses, unknown="fail").first("houseMates(joe, sue)")
    assert answer is not None
    clause = weakest_preimage(
        answer.proofs[0], parse_literal("houseMates(joe, Y)"), HOUSEMATES.is_operational
    )
    return Outcome(str(clause), _same(clause, f"houseMates(joe, Y) :- {YOUNG.replace('X', 'joe')}."))


def _fork() -> Outcome:
    learner = induce.PrologEBG(FORK, POSITIONS).fit([["forked"], ["quiet"]], [True, False])
    (clause,) = learner.hypothesis_.clauses
    expected = (
        "losesQueen(P) :- blackToMove(P), blackKing(P, K), whiteKnight(P, S), knightMove(S, K), knightMove(S, Q), "
        "blackQueen(P, Q)."
    )
    answers = learner.predict([["forked"], ["quiet"]]).tolist()
    return Outcome(
        str(clause),
        _same(clause, expected) and answers == [True, False],
        "the pawns are not mentioned, because they stand the same in a position without a fork",
    )


def _block_stacking() -> Outcome:
    problems = [random_problem("blocks", 4, seed) for seed in range(3)]
    rules = induce.SearchControl(analysis=False).learn(problems).hypothesis_
    wanted = "IF goal on(A, B) AND goal on(B, C) THEN on(B, C) before on(A, B)"
    learned = [rule for rule in rules.rules if str(rule) == wanted]
    problem = stack_of_letters("universal")
    goal, task = problem.goal, ground(problem)
    matcher = rules.with_rules(learned).control(problem, task)
    order = matcher.goals(task.initial, [2 * task.facts.index(one) for one in goal])
    first, last = (task.facts[order[place] // 2] for place in (0, -1))
    return Outcome(
        f"{wanted}; the goals of UNIVERSAL are solved from {first} to {last}",
        bool(learned) and [task.facts[one // 2] for one in order] == list(goal[::-1]),
        f"from {learned[0].conflict}" if learned else "",
    )


def _regress() -> Outcome:
    frontier = list(map(parse_literal, ("weight(X, Wx)", "less_than(Wx, Wy)", "weight(Y, Wy)")))
    rule = parse_clause("weight(Z, 5) :- type(Z, endtable).")
    regressed, general = regress(frontier, rule, frontier[2])
    head = rule.head
    assert head is not None
    # the printed formula removes the head, which is not in the frontier before unification
    as_printed = {str(general.apply(one)) for one in (*frontier, *rule.body) if one != head}
    return Outcome(
        ", ".join(map(str, regressed)),
        list(map(str, regressed)) == ["weight(X, Wx)", "less_than(Wx, 5)", "type(Y, endtable)"]
        and "weight(Y, 5)" in as_printed,
        f"with {general}; taken literally, weight(Y, 5) would stay",
    )


CROSSING = """
    propose(go(Y)) :- at(X), door(X, Y).
    add(at(Y)) :- selected(go(Y)).
    remove(at(X)) :- selected(go(Y)), at(X).
    success :- at(X), goal(X).
"""


def _chunking() -> Outcome:
    rooms = "at(hall). door(hall, attic). door(hall, cellar). door(cellar, vault). goal(vault). dark(attic)."
    first = ProductionSystem(CROSSING).run(rooms)
    second = first.system.run(rooms)
    return Outcome(
        f"{len(first.impasses)} impasse, then {len(second.impasses)}; {'; '.join(map(str, first.chunks))}",
        len(first.impasses) == 1
        and not second.impasses
        and first.operators == second.operators == ("go(cellar)", "go(vault)"),
        f"{first.n_situations} situations searched, then {second.n_situations}",
    )


def _closure() -> Outcome:
    without = SAFE_TO_STACK.without_negation()
    learned = induce.PrologEBG(without, TWO_OBJECTS).fit([["obj1", "obj2"]], [True]).hypothesis_
    things = ["obj1", "obj2", "fred", "louise"]
    rows = [[one, other] for one in things for other in things]
    both = without.program + Program(learned.clauses)
    provers = [TWO_OBJECTS.prover(program.clauses, unknown="fail") for program in (without.program, both)]
    before, after = ([prover.holds(f"safeToStack({a}, {b})") for a, b in rows] for prover in provers)
    return Outcome(
        f"{sum(before)} of {len(rows)} pairs follow from the theory, {sum(after)} after adding the "
        "learned rules",
        before == after and sum(before) == 1,
    )


def _macro() -> Outcome:
    domain = read_domain(DOORS)
    problem = read_problem(
        "(define (problem two) (:domain doors) (:objects b1 - box d1 - door r1 r2 - room)"
        " (:init (robot r1) (in b1 r2) (connects d1 r1 r2) (connects d1 r2 r1)) (:goal (in b1 r1)))",
        domain,
    )
    plan = breadth_first(problem)
    assert plan.steps is not None
    macro = macro_operator(problem, plan.steps, "fetch")
    d1, r1, r2, box, d2, r3 = macro.parameters
    expected = (
        {f"robot({r1})", f"connects({d1}, {r1}, {r2})", f"in({box}, {r2})", f"connects({d2}, {r2}, {r3})"},
        {f"robot({r3})", f"in({box}, {r3})"},
        {f"robot({r1})", f"in({box}, {r2})"},
    )
    got = tuple({*map(str, part)} for part in (macro.preconditions, macro.adds, macro.deletes))
    return Outcome(
        str(macro), got == expected, "the two doors may differ, and so may the first and last rooms"
    )


def _macro_plan() -> Outcome:
    macros = MacroOperators(BLOCKS, (Macro("move", ("(unstack ?x ?y)", "(stack ?x ?z)")),))
    problem = read_problem(
        "(define (problem three) (:domain blocks) (:objects a b c)"
        " (:init (on a b) (ontable b) (ontable c) (clear a) (clear c) (handempty)) (:goal (on a c)))",
        read_domain(BLOCKS),
    )
    before, after = breadth_first(problem), breadth_first(macros.task(problem))
    same = before.steps == after.steps and after.macros == ("move",)
    return Outcome(
        f"the same {len(after)} steps, {before.expanded} nodes without the macro and {after.expanded} with it",
        same and (before.expanded, after.expanded) == (3, 1),
    )


RESULTS = (
    Result(
        "mitchell-11.1-fork",
        "Mitchell, section 11.1, figure 11.1",
        "preconditions for Black to lose its queen within two moves, from one position",
        "[the knight attacks the black king and the black queen at once; nothing about pawns]",
        _fork,
    ),
    Result(
        "mitchell-11.2-proofs",
        "Mitchell, section 11.2.1.1",
        "number of explanations of why Obj1 can be stacked on Obj2",
        "one",
        _proofs,
        erratum="there are two: Fragile(Obj2) cannot be proved, so the first clause of Table 11.1 "
        "explains the example too; without negation only the book's explanation remains",
    ),
    Result(
        "mitchell-11.2-leaves",
        "Mitchell, section 11.2.1.2",
        "the rule formed from the facts at the leaves of the explanation",
        "SafeToStack(x,y) ← Volume(x,2) ∧ Density(x,0.3) ∧ Type(y,Endtable)",
        _leaves,
    ),
    Result(
        "mitchell-11.3-regression",
        "Mitchell, section 11.2.1.2, figure 11.3",
        "the frontier after regressing the target through the explanation",
        "{Volume(x,vx), Density(x,dx), Equal(wx,vx·dx), LessThan(wx,5), Type(y,Endtable)}",
        _regression,
    ),
    Result(
        "mitchell-11.3-regress",
        "Mitchell, table 11.3",
        "result of REGRESS for the last step",
        "θ_hl(Frontier - head + body)",
        _regress,
        erratum="it is θ_hl(Frontier - Literal + body): the head has its own variables and is not in "
        "the frontier, so the literal it was unified with would stay",
    ),
    Result(
        "mitchell-11.2.1.2-rule",
        "Mitchell, section 11.2.1.2",
        "the rule that PROLOG-EBG learns from one example",
        "SafeToStack(x,y) ← Volume(x,vx) ∧ Density(x,dx) ∧ Equal(wx,vx·dx) ∧ LessThan(wx,5) ∧ Type(y,Endtable)",
        _learned,
    ),
    Result(
        "mitchell-11.3.4-lemmas",
        "Mitchell, section 11.3.4",
        "LEMMA-ENUMERATOR derives more rules than PROLOG-EBG, from the theory alone",
        "[5 clauses, one of which can never hold]",
        _lemmas,
    ),
    Result(
        "mitchell-11.3.2-closure",
        "Mitchell, section 11.3.2",
        "PROLOG-EBG does not change what follows from the domain theory",
        "[the same conclusions before and after]",
        _closure,
    ),
    Result(
        "mitchell-11.3.2-humidity",
        "Mitchell, section 11.3.2",
        "generalisation from one day if lower humidity never hurts",
        "PlayTennis = Yes ← Humidity ≤ .30",
        _humidity,
    ),
    Result(
        "mitchell-11.3.4-language",
        "Mitchell, section 11.3.4",
        "generalisation from one Brazilian if nationality determines language",
        "[SpeaksPortuguese ← Nationality = Brazilian]",
        _language,
    ),
    Result(
        "mitchell-11.4-prodigy",
        "Mitchell, section 11.4",
        "the block-stacking control rule learned from a conflict, and the order it gives UNIVERSAL",
        "IF On(x,y) and On(y,z) are subgoals THEN solve On(y,z) before On(x,y)",
        _block_stacking,
    ),
    Result(
        "mitchell-11.4-chunking",
        "Mitchell, section 11.4",
        "an impasse is resolved by search once, and by the learned chunk the next time",
        "[one impasse, then none]",
        _chunking,
    ),
    Result(
        "mitchell-11.5-macro",
        "Mitchell, section 11.5",
        "the macro-operator of a robot that fetches a box, from one plan",
        "[InRoom(Robot,r1) ∧ Connects(d1,r1,r2) ∧ InRoom(b,r2) ∧ Connects(d2,r2,r3) → robot and box are in r3]",
        _macro,
    ),
    Result(
        "mitchell-11.5-macro-plan",
        "Mitchell, section 11.5",
        "a plan found with a macro-operator consists of the same steps",
        "[2 steps in one node]",
        _macro_plan,
    ),
    Result(
        "mitchell-exercise-11.1-housemates",
        "Mitchell, exercise 11.1 (a)",
        "the rule learned from Joe and Sue",
        "[HouseMates(x,y) ← both are younger than ten and have the same mother]",
        _housemates,
    ),
    Result(
        "mitchell-exercise-11.1-joe",
        "Mitchell, exercise 11.1 (b)",
        "the rule for people who live with Joe",
        "[HouseMates(Joe,y) ← both are younger than ten and have the same mother]",
        _with_joe,
    ),
)
