"""Densities that store the examples: sums of kernels, and the volume of the nearest rows."""
