"""Learners of neural networks."""
