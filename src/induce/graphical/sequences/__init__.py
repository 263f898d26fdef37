"""Sequences whose steps come from hidden states: hidden Markov models (Mitchell 6.12; AIMA 15, 20.3)."""
