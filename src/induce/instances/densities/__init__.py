"""Densities that keep the examples: sums of kernels, and the volume that the nearest take up."""
