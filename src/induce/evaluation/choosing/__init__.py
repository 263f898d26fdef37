"""Choices: of hypotheses, sizes, columns and decisions, without fooling oneself."""
