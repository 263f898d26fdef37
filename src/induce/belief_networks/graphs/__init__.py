"""The graphs of networks: what follows from arcs alone."""
