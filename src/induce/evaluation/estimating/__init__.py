"""Estimates: how good a learner is, and how far to trust that."""
