"""Graphs of networks and their implied independences."""
