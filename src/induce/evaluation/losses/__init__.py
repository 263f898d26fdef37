"""Losses: misclassification costs and measures of learners."""
