"""Genomes: representations of individuals, each with its own operators."""
