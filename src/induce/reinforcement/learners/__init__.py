"""Learners of policies, one file each."""
