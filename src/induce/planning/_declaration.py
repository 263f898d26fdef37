"""What `induce.planning` declares: the values of model files, and the names it exports."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    exports={
        "Domain": "domains",
        "Operator": "domains",
        "Plan": "plans",
        "PlanningProblem": "domains",
        "Step": "plans",
        "best_first": "search",
        "breadth_first": "search",
        "check_plan": "plans",
        "macro_operator": "macros",
        "read_domain": "pddl",
        "read_problem": "pddl",
        "regress_goals": "regression",
        "write_domain": "pddl",
        "write_problem": "pddl",
    },
    events={"choose": "choice goal action"},
)
