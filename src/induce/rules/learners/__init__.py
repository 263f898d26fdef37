"""Learners of rules, one file each."""
