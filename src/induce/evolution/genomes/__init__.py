"""Genomes: kinds of individual, each with its own operators."""
