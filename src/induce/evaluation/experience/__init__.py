"""Policies and learners from experience: their returns, with intervals, and their learning curves."""
