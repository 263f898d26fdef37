"""What `induce.analytical` declares: its learners, the values of model files, and names of `induce`."""

from __future__ import annotations

from induce.core.declarations import PROBLEMS, RELATIONS, Declaration, Learner

DECLARATION = Declaration(
    learners=(
        Learner(
            "LemmaEnumerator",
            "learners.lemma_enumerator",
            "every clause that a domain theory justifies, without looking at examples (Mitchell §11.3.4)",
            RELATIONS,
            "DerivedTheory",
            "relations",
        ),
        Learner(
            "PrologEBG",
            "learners.prolog_ebg",
            "clauses by explaining examples with a domain theory (PROLOG-EBG)",
            RELATIONS,
            "DerivedTheory",
            "relations",
        ),
        Learner(
            "SearchControl",
            "learners.search_control",
            "control rules for a planner, from the conflicts it meets (PRODIGY; Mitchell §11.4)",
            PROBLEMS,
            "ControlRules",
            "experience",
        ),
    ),
    values={
        "ControlState": "learners.search_control",
        "ColumnTheory": "column_theory",
        "DerivedTheory": "derived_theory",
        "Justification": "justification",
    },
    public={
        "ColumnTheory": "column_theory",
        "DerivedTheory": "derived_theory",
    },
    exports={
        "ColumnTheory": "column_theory",
        "cases": "table_cases",
        "DerivedTheory": "derived_theory",
        "Deduced": "determinations",
        "Determination": "determinations",
        "Diagnosis": "diagnosis",
        "Justification": "justification",
        "diagnose": "diagnosis",
        "is_knowledge_level": "determinations",
        "monotone_rules": "determinations",
        "propose_determinations": "determinations",
        "LemmaEnumerator": "learners.lemma_enumerator",
        "PrologEBG": "learners.prolog_ebg",
        "SearchControl": "learners.search_control",
    },
    events={
        "explain": "example proof clause",
        "learn": "problem rule conflict",
        "regress": "literal rule theta_hi theta_hl frontier",
    },
)
