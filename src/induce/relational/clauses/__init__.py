"""Language of clauses: literals that fit, recursion that terminates, length, time."""
