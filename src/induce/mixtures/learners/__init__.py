"""Learners of mixtures and clusters."""
