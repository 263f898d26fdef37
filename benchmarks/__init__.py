"""Comparisons with named peers: run ``python -m benchmarks --help`` from the root of the repository."""
