"""Ensemble learners, one file each."""
