"""Learners of networks, one file each."""
