"""Densities that store the examples: kernel sums and nearest-neighbour volumes."""
