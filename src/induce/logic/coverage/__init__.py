"""Examples of a relation, and which of them clauses cover."""
