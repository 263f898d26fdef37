"""Radial basis function networks: sums of kernels around centres, fitted to the targets once (Mitchell §8.4)."""
