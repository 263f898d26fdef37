"""Losses: costs of mistakes, and measures of learners."""
