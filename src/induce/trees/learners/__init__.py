"""Learners of decision trees, one file each."""
