"""Graphs of networks and the independences they imply."""
