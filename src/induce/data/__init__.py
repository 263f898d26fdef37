"""Typed tables with missing values, from files, frames and arrays."""
