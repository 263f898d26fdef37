"""Policies from a known model: dynamic programming (Mitchell 13.3.6, 13.7)."""
