"""Expressions: small immutable descriptions of a hypothesis's computation, for every writer."""
