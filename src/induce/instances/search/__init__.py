"""Nearest-neighbour search: all exact algorithms find the same neighbours."""
