"""Policies and learners from experience: what they earn, with intervals, and how fast they learn."""
