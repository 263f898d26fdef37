"""Machinery: conditions, rules and rule lists, the same for every learner that makes rules."""
