"""Parameter learning for a known graph (Mitchell 6.11.4 and 6.11.5; AIMA 20.2 and 20.3)."""
