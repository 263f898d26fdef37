"""Clauses for databases: tables joined along their keys before the search, conditions counted by examples."""
