"""Plots of evolution: machines, crowding, and the winner's ancestry."""
