"""Reinforcement learners, one file each."""
