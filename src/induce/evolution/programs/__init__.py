"""Genetic programming: evolved formulas and programs (Mitchell §9.5)."""
