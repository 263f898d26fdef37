"""Chunking: productions, impasses, subgoals, and chunks that resolve the impasses (Mitchell §11.4)."""
