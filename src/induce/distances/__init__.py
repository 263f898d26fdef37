"""Distances between the rows of mixed tables with holes."""
