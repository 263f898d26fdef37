"""Genetic programming: formulas and programs that are bred (Mitchell §9.5)."""
