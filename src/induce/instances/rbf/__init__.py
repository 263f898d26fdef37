"""Radial basis function networks: fitted sums of kernels around centres (Mitchell §8.4)."""
