"""Learners that breed: the genetic algorithm, evolution strategies, evolutionary programming."""
