"""Learners of concepts, one file each."""
