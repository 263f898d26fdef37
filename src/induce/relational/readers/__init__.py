"""Readers of relational learning problems from files and databases."""
