"""Nearest neighbours: classes by vote, numbers by mean (Mitchell §8.2)."""
