"""Learners from sequences."""
