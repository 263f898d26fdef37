"""Equations in one unknown, and the solution methods that precondition analysis learns to combine."""
