"""Chunking: productions, impasses, subgoals, and the chunks that resolve impasses (Mitchell §11.4)."""
