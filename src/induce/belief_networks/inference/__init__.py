"""Answers from networks: exact ones by enumeration, elimination and junction trees, and approximate ones."""
