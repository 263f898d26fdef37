"""Evolutionary learners: the genetic algorithm, evolution strategies, evolutionary programming."""
