"""Chunking: productions, impasses, subgoals, and the productions that resolve them next time (Mitchell §11.4)."""
