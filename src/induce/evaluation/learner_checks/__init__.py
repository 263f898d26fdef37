"""The common checks of learners, for those that others write."""
