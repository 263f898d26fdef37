"""CIGOL's search: inverse resolution with an oracle (Mitchell §10.7)."""
