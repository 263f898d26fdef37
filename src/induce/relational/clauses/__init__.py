"""Which clauses may be learned: literals that fit, recursion that ends, length, time."""
