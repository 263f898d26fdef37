"""Language of clauses: admissible literals, terminating recursion, length and time limits."""
