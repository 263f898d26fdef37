"""Equations in one unknown, and the methods of solving them that precondition analysis learns to combine."""
