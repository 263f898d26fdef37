"""Clauses for databases: tables are joined along their keys, and conditions are counted by examples."""
