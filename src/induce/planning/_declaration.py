"""Declaration of `induce.planning`: value classes stored in model files, and public names."""

from __future__ import annotations

from induce.core.declarations import Declaration

DECLARATION = Declaration(
    values={
        "ControlRule": "control",
        "ControlRules": "control",
        "Macro": "macro_operators",
        "MacroOperators": "macro_operators",
    },
    exports={
        "ControlRule": "control",
        "ControlRules": "control",
        "Domain": "domains",
        "Macro": "macro_operators",
        "MacroOperators": "macro_operators",
        "Operator": "domains",
        "Plan": "plans",
        "PlanningProblem": "domains",
        "Step": "plans",
        "best_first": "search",
        "breadth_first": "search",
        "check_plan": "plans",
        "macro_operator": "macros",
        "means_ends": "means_ends_search",
        "random_problem": "problems",
        "read_domain": "pddl",
        "read_problem": "pddl",
        "regress_goals": "regression",
        "without_equality": "strips",
        "write_domain": "pddl",
        "write_problem": "pddl",
    },
    events={"choose": "choice goal action"},
)
