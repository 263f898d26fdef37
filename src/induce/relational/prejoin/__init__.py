"""Clauses for databases: tables are joined along their keys before the search, and conditions are counted by
examples.
"""
