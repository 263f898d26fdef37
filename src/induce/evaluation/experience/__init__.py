"""Evaluation of policies and reinforcement learners: returns with intervals, and learning curves."""
