"""Conditions, rules, rule lists and theories, the same for every learner that makes them."""
