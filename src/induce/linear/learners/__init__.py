"""Learners of linear models, one file each."""
