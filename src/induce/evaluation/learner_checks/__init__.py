"""Common checks for user-written learners."""
