"""Learners, one file each."""
