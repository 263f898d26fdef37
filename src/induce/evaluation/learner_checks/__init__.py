"""The common checks of learners, for learners written by others."""
