"""Concept learners, one file each."""
