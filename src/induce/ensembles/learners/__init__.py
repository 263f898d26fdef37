"""Learners of ensembles, one file each."""
