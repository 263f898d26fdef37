"""Learners of first-order rules, one file each."""
