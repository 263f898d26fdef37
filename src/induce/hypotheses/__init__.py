"""Conditions, rules, rule lists and theories, shared by all learners that produce them."""
