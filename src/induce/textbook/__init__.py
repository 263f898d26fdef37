"""The printed results of the textbooks, each computed again by the library."""

from __future__ import annotations

from induce.data.names import unknown
from induce.textbook.result import Outcome, Result
from induce.textbook.traces import Algorithm, Traced, algorithms, traced

__all__ = ["Algorithm", "Outcome", "Result", "Traced", "algorithms", "results", "run", "traced"]


def results() -> tuple[Result, ...]:
    """List the results, Mitchell's first.

    Examples
    --------
    >>> [result.id for result in results() if result.erratum][:2]
    ['mitchell-1.2.4-step', 'mitchell-2.7-power-set']
    """
    from induce.textbook import (
        analytical,
        bayes,
        belief_networks,
        cases,
        concepts,
        densities,
        designing,
        ensembles,
        evaluation,
        gabil,
        genetic,
        intervals,
        kernels,
        knowledge,
        learning_theory,
        linear,
        local_learning,
        logic,
        mixtures,
        model_selection,
        naive_bayes,
        neighbors,
        network_exercises,
        network_studies,
        neural,
        online,
        overfitting,
        programs,
        reinforcement,
        relational,
        restaurant,
        rules,
        sequences,
        statistical_learning,
        theory_exercises,
        tree_choices,
        tree_issues,
        tree_understanding,
        trees,
    )

    parts = (
        designing,
        concepts,
        trees,
        tree_issues,
        tree_choices,
        tree_understanding,
        overfitting,
        linear,
        neural,
        network_exercises,
        network_studies,
        intervals,
        evaluation,
        bayes,
        belief_networks,
        naive_bayes,
        learning_theory,
        online,
        ensembles,
        theory_exercises,
        neighbors,
        local_learning,
        cases,
        genetic,
        gabil,
        programs,
        rules,
        relational,
        logic,
        analytical,
        knowledge,
        reinforcement,
        restaurant,
        model_selection,
        sequences,
        statistical_learning,
        densities,
        mixtures,
        kernels,
    )
    everything = [result for part in parts for result in part.RESULTS]
    return tuple(sorted(everything, key=lambda result: result.id.startswith("aima")))


def run(id: str) -> Outcome:
    """Compute one result again.

    Examples
    --------
    >>> run("mitchell-3.4-outlook-gain")
    Outcome(got='0.2467', agrees=True, remark='')
    """
    known = {result.id: result for result in results()}
    if id not in known:
        raise unknown("textbook result", id, list(known))
    return known[id].run()
