"""Proofs, reconstructed from the log of the prover's loops and from the answer tables."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field

from induce.logic import _machine_loops as loops
from induce.logic.clauses import Clause, Literal, Program
from induce.logic.compiler import goal_of
from induce.logic.machine import Machine
from induce.logic.proofs import Kind, Proof
from induce.logic.substitution import canonical
from induce.logic.term_reader import Reading, relocated
from induce.logic.terms import Function, Term

Step = tuple[Literal, int, int]
"""Log entry: what was proved, by what, and the entry that needed it."""


@dataclass
class Explaining:
    """Builder of the proofs for the solutions of a search.

    A tabled answer has no log of its own, only the number of answers found before it. It is proved again from
    the clauses, with calls of tabled predicates restricted to those earlier answers. So the proof of an
    answer depends only on earlier answers, and the process terminates.
    """

    program: Program
    machine: Machine
    _twin: Machine | None = None
    _answers: dict[int, Proof] = field(default_factory=dict)

    def proofs(self, reading: Reading) -> tuple[Proof, ...]:
        """Return the proofs of the query literals for the machine's current solution."""
        # a large proof consists of many small acyclic objects, which Python's garbage collector would scan
        # repeatedly
        collecting = gc.isenabled()
        gc.disable()
        try:
            steps = self._steps(self.machine, reading)
            self._explain({-what + loops.FROM_TABLE for _, what, _ in steps if what <= loops.FROM_TABLE})
            return self._built(steps)
        finally:
            if collecting:
                gc.enable()

    def _steps(self, machine: Machine, reading: Reading) -> list[Step]:
        size = int(machine.memory.s[loops.LG])
        log = machine.memory.log[:size].tolist()
        goals = map(reading.literal, log[:: loops.L_SIZE])
        return list(zip(goals, log[1 :: loops.L_SIZE], log[2 :: loops.L_SIZE], strict=True))

    def _built(self, steps: list[Step]) -> tuple[Proof, ...]:
        below: list[list[Proof]] = [[] for _ in range(len(steps) + 1)]
        clauses = self.machine.program.clauses.data
        for number in range(len(steps) - 1, -1, -1):
            literal, what, parent = steps[number]
            kind: Kind = "built-in"
            clause: Clause | None = None
            source: int | None = None
            if what <= loops.FROM_TABLE:
                below[parent].append(self._answers[-what + loops.FROM_TABLE])
                continue
            if what >= 0:
                source = clauses[what * loops.P_SIZE + loops.P_SOURCE]
                clause = self.program.clauses[source] if source >= 0 else Clause(literal)
                kind = "rule" if clause.body else "fact"
                source = source if source >= 0 else None
            elif what == loops.NEGATED and literal.name != "forall":
                kind = "negation"
            children = tuple(reversed(below[number]))
            below[parent].append(Proof(literal, kind, clause, source, children))
        return tuple(reversed(below[-1]))

    def _explain(self, wanted: set[int]) -> None:
        """Find the proofs of some tabled answers, and of the answers they depend on."""
        logs: dict[int, list[Step]] = {}
        waiting = [entry for entry in wanted if entry not in self._answers]
        while waiting:
            entry = waiting.pop()
            if entry in logs or entry in self._answers:
                continue
            logs[entry] = self._replay(entry)
            waiting.extend(-what + loops.FROM_TABLE for _, what, _ in logs[entry] if what <= loops.FROM_TABLE)
        code = self.machine.memory.code
        for entry in sorted(logs, key=lambda each: int(code[each + loops.E_SEQUENCE])):
            proof = self._built(logs[entry])[0]
            self._answers[entry] = Proof(
                proof.literal, proof.kind, proof.clause, proof.number, proof.children, tabled=True
            )

    def _replay(self, entry: int) -> list[Step]:
        """Prove a tabled answer from the clauses and earlier answers; return the log."""
        main = self.machine
        twin = self._twin = self._twin or main.twin()
        twin.share(main)
        code = main.memory.code
        owner = int(code[entry]) >> 3
        name, _ = main.program.predicates[int(code[owner]) >> 11]
        call, answer = Literal(name, self._terms(owner)), Literal(name, self._terms(entry))
        goals: list[Term] = [goal_of(call)]
        if answer.ground and answer.arguments:
            goals.append(Function("==", (goals[0], goal_of(answer))))
        twin.begin(goals, logged=True)
        s = twin.memory.s
        s[loops.FORCED], s[loops.REPLAY] = 1, code[entry + loops.E_SEQUENCE]
        while twin.advance():
            steps = self._steps(twin, twin.reading())
            if answer.ground or canonical(steps[0][0]) == canonical(answer):
                main.share(twin)
                return [step for step in steps if step[2] >= 0 or step is steps[0]]
            twin.retry()
        raise AssertionError(f"the tabled answer {answer} has no proof")

    def _terms(self, entry: int) -> tuple[Term, ...]:
        """Return the arguments of a call or answer in the tables."""
        code = self.machine.memory.code
        start, length = entry + loops.E_SIZE, int(code[entry + loops.E_LENGTH])
        cells = relocated(code[start : start + length].tolist())
        owner = int(code[entry]) if code[entry] & 7 == loops.FUN else int(code[int(code[entry]) >> 3])
        reading = Reading(self.machine.program, cells)
        return tuple(map(reading.term, cells[: owner >> 3 & 255]))
