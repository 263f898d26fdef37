"""Learners from domain theories, one file each."""
