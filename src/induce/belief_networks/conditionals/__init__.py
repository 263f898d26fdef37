"""Conditional distributions of a node given its parents: tables, noisy-OR, linear-Gaussian, logistic."""
