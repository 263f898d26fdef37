"""Learners guided by knowledge, one to a file."""
