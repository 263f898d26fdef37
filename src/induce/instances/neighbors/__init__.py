"""Nearest neighbours: classification by vote, regression by mean (Mitchell §8.2)."""
