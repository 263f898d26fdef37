"""PROGOL's search below an example's most specific clause (Mitchell §10.7.5)."""
