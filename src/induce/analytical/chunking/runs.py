"""Decision cycle of a production system, and its subgoals."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from induce.analytical.chunking.chunks import RESULTS, Chunk, Chunking, Refused, is_known
from induce.analytical.chunking.decisions import Choice, decide
from induce.analytical.chunking.dependencies import NOW, OPERATOR, Episode, NoChunk, Result, at, during
from induce.analytical.chunking.memory import Memory, Situation
from induce.analytical.chunking.productions import PREFERENCES
from induce.analytical.chunking.system import Impasse, ProductionSystem, Run
from induce.core import trace
from induce.core.errors import InputError
from induce.core.ties import first_largest
from induce.logic.clauses import Clause, Literal
from induce.logic.printing import shown_term, term_of
from induce.logic.terms import Constant, Function, Term, Variable

SUCCESS, FAILURE, DONE = Literal("success"), Literal("failure"), Literal("done")
DEEPEST = 10
"""Maximum depth of nested subgoals."""


class Subgoals:
    """Single run: the decision cycle, and the subgoals opened by impasses."""

    def __init__(
        self,
        system: ProductionSystem,
        *,
        learn: bool,
        max_decisions: int,
        max_depth: int,
        max_situations: int,
        max_cost: float | None,
    ) -> None:
        for name, value in (("max_decisions", max_decisions), ("max_depth", max_depth)):
            if value < 1:
                raise InputError(f"{name} is {value}; give a whole number of 1 or more")
        self.system, self.learn = system, learn
        self.max_decisions, self.max_depth = max_decisions, max_depth
        self.max_situations, self.max_cost = max_situations, max_cost
        self.memory = Memory(system.productions)
        self.work: dict[str, float] = {}
        self.impasses: list[Impasse] = []
        self.n_situations = 0
        self.level = 0

    def run(self, facts: Sequence[Literal]) -> Run:
        """Select and apply operators until success, a limit, or an unresolvable impasse."""
        situation = self._entered(facts)
        done: list[str] = []
        while SUCCESS not in situation and len(done) < self.max_decisions:
            operator = self._chosen(situation)
            if operator is None:
                break
            following = self._applied(situation, operator)
            if following is None:
                break
            done.append(shown_term(operator))
            situation = following
        self._count()
        return Run(
            tuple(done),
            tuple(self.impasses),
            SUCCESS in situation,
            tuple(map(str, situation.base)),
            self.n_situations,
            self.work,
            self.system,
        )

    # decisions

    def _chosen(self, situation: Situation, ignored: Collection[Term] = ()) -> Term | None:
        """Return the operator to apply, selected by preferences or by a subgoal."""
        choice = decide(situation, ignored)
        if choice.impasse is None:
            return choice.operator
        return _Subgoal(self, situation, choice, ignored).resolved()

    def _applied(self, situation: Situation, operator: Term) -> Situation | None:
        """Return the situation after an operator; if no production applies it, a subgoal implements it."""
        following = self._after(situation, operator)
        if following.base.keys() == situation.base.keys():
            return _Task(self, situation, operator).done()
        return following

    def _entered(self, facts: Sequence[Literal] | dict[Literal, None]) -> Situation:
        self.n_situations += 1
        return self.memory.enter(facts)

    def _after(self, situation: Situation, operator: Term) -> Situation:
        self.n_situations += 1
        return self.memory.after(situation, operator)

    def record(self, impasse: Impasse) -> None:
        """Record an impasse and adopt its chunks."""
        self.impasses.append(impasse)
        if trace.active("impasse"):
            trace.emit("impasse", deadlock=impasse.kind, items=list(impasse.items), chosen=impasse.chosen)
        for chunk in impasse.chunks:
            if trace.active("chunk"):
                trace.emit("chunk", chunk=chunk.prolog, cost=chunk.cost, impasse=chunk.impasse)
        if impasse.chunks:
            self._count()
            self.system = self.system.with_chunks(impasse.chunks)
            self.memory = Memory(self.system.productions)

    def _count(self) -> None:
        """Accumulate the matching cost of the network."""
        for one, cost in zip(self.memory.productions, self.memory.costs(), strict=True):
            text = str(one.clause)
            self.work[text] = self.work.get(text, 0.0) + cost

    def learned(self, episode: Episode, impasse: str, result: Result) -> tuple[list[Chunk], list[Refused]]:
        """Return the new chunks of a result, or the reason why there are none."""
        if not self.learn:
            return [], []
        try:
            chunks = Chunking(episode, impasse, self.max_cost).chunks(result)
        except NoChunk as reason:
            return [], [Refused(str(result.literal), str(reason))]
        return [one for one in chunks if not is_known(one, self.system.productions)], []


@dataclass
class _Subgoal:
    """Subgoal of a tie, a conflict or a state without proposals."""

    run: Subgoals
    before: Situation
    choice: Choice
    ignored: Collection[Term] = ()
    chunks: list[Chunk] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    imagined: int = 0

    @property
    def name(self) -> str:
        items = ", ".join(map(shown_term, self.choice.items))
        return f"{self.choice.impasse} among {items}" if items else str(self.choice.impasse)

    def resolved(self) -> Term | None:
        """Return the operator that resolves the impasse, and learn from its derivation."""
        operator, how = self._by_productions()
        if operator is None and self.choice.items:
            operator, how = self._by_trial()
        assert self.choice.impasse is not None
        shown = "" if operator is None else shown_term(operator)
        items = tuple(map(shown_term, self.choice.items))
        self.run.record(
            Impasse(self.choice.impasse, items, shown, how, tuple(self.chunks), tuple(self.refused))
        )
        return operator

    def _learn(self, episode: Episode, result: Result) -> None:
        chunks, refused = self.run.learned(episode, self.name, result)
        self.chunks += [one for one in chunks if one.prolog not in {each.prolog for each in self.chunks}]
        self.refused += refused

    # -- productions of the subgoal --

    def _by_productions(self) -> tuple[Term | None, str]:
        kind = (self.choice.impasse or "").replace(" ", "_")
        local = [Literal("impasse", (Constant(kind),))]
        local += [Literal("item", (one,)) for one in self.choice.items]
        inside = self.run._entered({**self.before.base, **dict.fromkeys(local)})
        choice = decide(inside, self.ignored)
        if choice.impasse is not None:
            return None, "no operator is proposed"
        episode = Episode([inside], [], self.before, self.run.memory.productions)
        for fact in inside.derived:
            wanted = fact.predicate in PREFERENCES or (
                fact.predicate == ("propose", 1) and not self.choice.items
            )
            if wanted and fact not in self.before:
                things = tuple(Variable(f"O{n}") for n in range(len(fact.arguments)))
                general = Literal(fact.name, things)
                rule = Clause(general, (at(general, NOW),))
                self._learn(episode, Result(fact, rule, ((episode, fact, 0),)))
        return choice.operator, "by productions of the subgoal"

    # imagination

    def _by_trial(self) -> tuple[Term, str]:
        items = list(self.choice.items)
        after: dict[Term, Situation] = {}
        for item in items:
            after[item] = self._imagined(self.before, item)
            if _end(after[item]) is not None:
                return self._best([item], [after[item]])
        failing = [one for one in items if FAILURE in after[one]]
        if len(failing) < len(items):
            for item in failing:
                self._state("reject", [item], [after[item]], FAILURE)
            items = [one for one in items if one not in failing]
        if len(items) == 1:
            return items[0], "the others fail"
        values = {one: _value(after[one]) for one in items}
        if all(value is not None for value in values.values()):
            return self._by_value(items, after, values)  # type: ignore[arg-type]
        for depth in range(2, self.run.max_depth + 1):
            for item in items:
                for operators, situations in self._ways([item], [after[item]], depth):
                    return self._best(operators, situations)
        self.refused.append(
            Refused(
                f"the choice of {shown_term(items[0])}",
                f"no sequence of up to {self.run.max_depth} operators led to success, so the first "
                "operator was chosen",
            )
        )
        return items[0], "the first, because no sequence led to success"

    def _imagined(self, situation: Situation, operator: Term) -> Situation:
        self.imagined += 1
        return self.run._after(situation, operator)

    def _ways(
        self, operators: list[Term], situations: list[Situation], depth: int
    ) -> Iterator[tuple[list[Term], list[Situation]]]:
        """Yield the paths of a given number of operators that lead to success."""
        if self.imagined >= self.run.max_situations:
            return
        here = situations[-1]
        if FAILURE in here:
            return
        choice = decide(here, self.ignored)
        onward = (choice.operator,) if choice.operator is not None else choice.items
        known = [one.base.keys() for one in (self.before, *situations)]
        for operator in onward:
            there = self._imagined(here, operator)
            if there.base.keys() in known:
                continue
            way = [*operators, operator], [*situations, there]
            if _end(there) is not None:
                yield way
            elif len(operators) + 1 < depth:
                yield from self._ways(*way, depth)

    def _best(self, operators: list[Term], situations: list[Situation]) -> tuple[Term, str]:
        end = _end(situations[-1])
        assert end is not None
        self._state("best", operators, situations, end)
        steps = ", ".join(map(shown_term, operators))
        return operators[0], f"because {steps} leads to success"

    def _state(
        self, preference: str, operators: list[Term], situations: list[Situation], outcome: Literal
    ) -> None:
        """Learn from a path's outcome that its first operator is best or rejected."""
        episode = self._episode(situations, operators)
        body, when = way(len(operators))
        grounds = [(episode, Literal("propose", (one,)), step) for step, one in enumerate(operators)]
        rule = Clause(Literal(preference, (Variable("O1"),)), (*body, at(outcome, when)))
        result = Literal(preference, (operators[0],))
        self._learn(episode, Result(result, rule, (*grounds, (episode, outcome, len(operators)))))

    def _by_value(
        self, items: list[Term], after: dict[Term, Situation], values: dict[Term, float]
    ) -> tuple[Term, str]:
        numbers = [values[one] for one in items]
        best = items[first_largest(numbers)]
        for item in items:
            if values[item] < values[best]:
                self._prefer(best, item, after)
            elif item != best:
                self.refused.append(
                    Refused(
                        f"the choice between {shown_term(best)} and {shown_term(item)}",
                        "their values are equal, so the first was chosen",
                    )
                )
        return best, f"because its value is {values[best]:g}"

    def _prefer(self, best: Term, other: Term, after: dict[Term, Situation]) -> None:
        """Learn that one operator is better than another, from the values that they lead to."""
        first, second, v, w = map(Variable, ("O1", "O2", "V", "W"))
        body, grounds, values = [], [], []
        for operator, value, item in ((first, v, best), (second, w, other)):
            episode = self._episode([after[item]], [item])
            fact = _value_fact(after[item])
            assert fact is not None
            body.append(at(Literal("propose", (operator,)), NOW))
            body.append(at(Literal("value", (value,)), Function("do", (operator, NOW))))
            grounds += [(episode, Literal("propose", (item,)), 0), (episode, fact, 1)]
            values.append(fact.arguments[0])
        grounds.append((episode, Literal(">", tuple(values)), 0))
        rule = Clause(Literal("better", (first, second)), (*body, Literal(">", (v, w))))
        self._learn(episode, Result(Literal("better", (best, other)), rule, tuple(grounds)))

    def _episode(self, situations: list[Situation], operators: list[Term]) -> Episode:
        return Episode([self.before, *situations], operators, self.before, self.run.memory.productions)


@dataclass
class _Task:
    """Subgoal of an operator that no production applies: other operators implement it in look-ahead."""

    run: Subgoals
    before: Situation
    operator: Term

    def done(self) -> Situation | None:
        """Return the situation in which the task is completed; None if that is impossible."""
        task = Literal("task", (self.operator,))
        situations = [self.run._entered({**self.before.base, task: None})]
        operators: list[Term] = []
        if self.run.level < DEEPEST:
            self.run.level += 1
            while DONE not in situations[-1] and len(operators) < self.run.max_decisions:
                operator = self.run._chosen(situations[-1], self._outside(situations[-1], task))
                following = None if operator is None else self.run._applied(situations[-1], operator)
                if operator is None or following is None:
                    break
                operators.append(operator)
                situations.append(following)
            self.run.level -= 1
        shown = shown_term(self.operator)
        if DONE not in situations[-1]:
            self.run.record(Impasse("no change", (shown,), "", "because no production applies it"))
            return None
        end = {one: None for one in situations[-1].base if one != task}
        chunks, refused = self._learned(situations, operators, end)
        steps = ", ".join(map(shown_term, operators))
        self.run.record(
            Impasse("no change", (shown,), shown, f"done by {steps}", tuple(chunks), tuple(refused))
        )
        return self.run._entered(end)

    def _outside(self, situation: Situation, task: Literal) -> set[Term]:
        """Return the operators that are proposed with or without a task."""
        without = self.run._entered([one for one in situation.base if one != task])
        self.run._entered(situation.base)
        return {one.arguments[0] for one in without.of(("propose", 1))}

    def _learned(
        self, situations: list[Situation], operators: list[Term], end: dict[Literal, None]
    ) -> tuple[list[Chunk], list[Refused]]:
        """Learn to make all changes of the task at once, under the conjunction of their conditions."""
        episode = Episode(situations, operators, self.before, self.run.memory.productions, self.operator)
        changes = [Literal(one.name, one.arguments) for one in end if one not in self.before.base]
        changes += [one.negation() for one in self.before.base if one not in end]
        if any(not one.added and not one.removed for one in situations[1:]):
            refusal = Refused(
                f"{shown_term(self.operator)} done",
                "one of its steps was itself implemented in a subgoal; the chunk learned there is "
                "applied first next time",
            )
            return [], [refusal]
        body, when = way(len(operators), during(OPERATOR))
        grounds = [(episode, Literal("propose", (one,)), step) for step, one in enumerate(operators)]
        body = [at(Literal("task", (OPERATOR,)), during(OPERATOR)), *body, at(DONE, when)]
        grounds = [(episode, Literal("task", (self.operator,)), 0), *grounds, (episode, DONE, len(operators))]
        heads: list[Term] = []
        shown: list[Term] = []
        for number, change in enumerate(changes):
            things = tuple(Variable(f"T{number}_{n}") for n in range(len(change.arguments)))
            pattern = Literal(change.name, things, change.negated)
            body.append(at(pattern, when))
            grounds.append((episode, change, len(operators)))
            name = "remove" if change.negated else "add"
            heads.append(Function(name, (term_of(Literal(change.name, things)),)))
            shown.append(Function(name, (term_of(Literal(change.name, change.arguments)),)))
        rule = Clause(Literal(RESULTS, tuple(heads)), tuple(body))
        name = f"no change of {shown_term(self.operator)}"
        return self.run.learned(episode, name, Result(Literal(RESULTS, tuple(shown)), rule, tuple(grounds)))


def way(n_steps: int, when: Term = NOW) -> tuple[list[Literal], Term]:
    """Return the literals for a sequence of operators O1, O2, …, and the situation after them."""
    body = []
    for step in range(n_steps):
        variable = Variable(f"O{step + 1}")
        body.append(at(Literal("propose", (variable,)), when))
        when = Function("do", (variable, when))
    return body, when


def _end(situation: Situation) -> Literal | None:
    """Return the literal that ends a look-ahead path: success, or completion of a task."""
    return next((one for one in (SUCCESS, DONE) if one in situation), None)


def _value_fact(situation: Situation) -> Literal | None:
    """Return the literal that states the value of a situation."""
    for fact in situation.of(("value", 1)):
        term = fact.arguments[0]
        if isinstance(term, Constant) and isinstance(term.value, int | float):
            return fact
    return None


def _value(situation: Situation) -> float | None:
    fact = _value_fact(situation)
    return None if fact is None else float(fact.arguments[0].value)  # type: ignore[union-attr]
