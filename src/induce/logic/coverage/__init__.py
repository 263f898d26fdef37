"""Examples of a relation, and their coverage by clauses."""
