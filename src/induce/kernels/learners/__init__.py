"""Learners of kernel machines."""
