"""Tabular reinforcement learning (Mitchell 13.3-13.5)."""
