"""Mixtures: rows that come from one of several hidden classes (Mitchell §6.12; AIMA 20.3)."""
