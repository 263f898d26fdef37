"""Learners that use domain theories, one file each."""
